// SPDX-License-Identifier: MIT
#include "tests/naive_bvh.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

#include <loom/base/random.h>

namespace loom::testing {
namespace {

using Point = NaiveBvh::Point;
using Matrix = std::array<std::array<double, 3>, 3>;

constexpr Matrix kIdentity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

Point transformed(const Matrix& m, const Point& p) {
  Point q{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) q[i] += m[i][k] * p[k];
  }
  return q;
}

Point sum(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

Matrix turn_about(std::size_t axis, double degrees) {
  const double angle = degrees * std::acos(-1.0) / 180;
  Matrix m = kIdentity;
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  m[u][u] = m[v][v] = std::cos(angle);
  m[v][u] = std::sin(angle);
  m[u][v] = -std::sin(angle);
  return m;
}

struct Node {
  int parent = -1;
  bool end_site = false;
  Point offset{};
  std::vector<std::string> channels;  // lower case
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

NaiveBvh evaluate_naively(const std::string& text) {
  std::istringstream in(text);
  std::string word;
  NaiveBvh result;
  std::vector<Node> nodes;
  std::vector<int> open;
  const auto number = [&] {
    in >> word;
    return std::strtod(word.c_str(), nullptr);
  };
  while (in >> word && lower(word) != "motion") {
    const std::string key = lower(word);
    if (key == "root" || key == "joint" || key == "end") {
      in >> word;
      Node node;
      node.parent = open.empty() ? -1 : open.back();
      node.end_site = key == "end";
      if (!node.end_site) result.names.push_back(word);
      open.push_back(static_cast<int>(nodes.size()));
      nodes.push_back(node);
    } else if (key == "offset") {
      for (double& v : nodes.back().offset) v = number();
    } else if (key == "channels") {
      const auto count = static_cast<int>(number());
      for (int i = 0; i < count; ++i) {
        in >> word;
        nodes.back().channels.push_back(lower(word));
      }
    } else if (key == "}") {
      open.pop_back();
    }
  }
  in >> word;  // Frames:
  const auto frames = static_cast<std::size_t>(number());
  in >> word >> word;  // Frame Time:
  result.frame_time = number();
  for (std::size_t f = 0; f < frames; ++f) {
    std::vector<Point> joints, sites, positions;
    std::vector<Matrix> worlds;
    for (const Node& node : nodes) {
      Point place = node.offset;
      Matrix turn = kIdentity;
      for (const std::string& channel : node.channels) {
        const auto axis = static_cast<std::size_t>(channel[0] - 'x');
        const double value = number();
        if (channel.substr(1) == "position") {
          place[axis] = value;
        } else {
          turn = multiply(turn, turn_about(axis, value));
        }
      }
      if (node.parent >= 0) {
        const auto parent = static_cast<std::size_t>(node.parent);
        place = sum(positions[parent], transformed(worlds[parent], place));
        turn = multiply(worlds[parent], turn);
      }
      positions.push_back(place);
      worlds.push_back(turn);
      (node.end_site ? sites : joints).push_back(place);
    }
    joints.insert(joints.end(), sites.begin(), sites.end());
    result.points.push_back(joints);
  }
  return result;
}

namespace {

/// Writes a random body joint by joint; children are written inside their parent's braces.
class RandomFile {
 public:
  RandomFile(const RandomBvh& options, std::uint64_t seed) : options_(options), random_(seed) {}

  std::string write() {
    text_ = key("HIERARCHY") + end();
    write_joint(0);
    text_ += key("MOTION") + end() + key("Frames:") + " " + std::to_string(options_.frames) + end() + key("Frame") +
             " " + key("Time:") + " 0.0333333" + end();
    for (std::size_t f = 0; f < options_.frames; ++f) write_row(f);
    return text_;
  }

 private:
  struct Channel {
    bool rotates;
    double constant;
    bool varies;
  };

  std::string end() {
    if (!options_.odd_layout) return "\n";
    constexpr const char* kEnds[] = {"\n", "\r\n", "\n\n", " \n", "\t\r\n", "\r"};
    return kEnds[random_.index(std::size(kEnds))];
  }
  std::string gap() {
    if (!options_.odd_layout) return " ";
    constexpr const char* kGaps[] = {" ", "\t", "  ", " \t "};
    return kGaps[random_.index(std::size(kGaps))];
  }
  std::string key(std::string word) {
    if (!options_.odd_layout || random_.index(3) > 0) return word;
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    return word;
  }
  std::string number(double value) {
    if (!options_.odd_layout) return fmt::format("{:.6f}", value);
    switch (random_.index(5)) {
      case 0:
        return fmt::format("{:.4e}", value);
      case 1:
        return fmt::format("{:+.5f}", value);
      case 2:
        return fmt::format("{:.17g}", value);
      case 3:
        return fmt::format("{}", std::round(value));
      default:
        return fmt::format("{:.6f}", value);
    }
  }

  void write_joint(std::size_t depth) {
    const std::size_t id = written_++;
    text_ += (id == 0 ? key("ROOT") : key("JOINT")) + " joint" + std::to_string(id) + end() + "{" + end();
    write_offset();
    write_channels(id == 0);
    while (written_ < options_.joints && (id == 0 || random_.index(3) > 0) && depth < 40) write_joint(depth + 1);
    if (random_.index(2) == 0) {
      text_ += key("End") + " " + key("Site") + end() + "{" + end();
      write_offset();
      text_ += "}" + end();
    }
    text_ += "}" + end();
  }

  void write_offset() {
    text_ += key("OFFSET");
    for (int i = 0; i < 3; ++i) text_ += gap() + number(random_.uniform(-20, 20));
    text_ += end();
  }

  void write_channels(bool root) {
    std::vector<std::string> names = {"Xrotation", "Yrotation", "Zrotation"};
    if (root || (options_.inner_positions && random_.index(3) == 0)) {
      names.insert(names.end(), {"Xposition", "Yposition", "Zposition"});
    }
    for (std::size_t i = names.size(); i-- > 1;) std::swap(names[i], names[random_.index(i + 1)]);
    if (random_.index(4) == 0) names.resize(random_.index(names.size() + 1));
    if (root && names.empty()) names.emplace_back("Yrotation");
    text_ += key("CHANNELS") + gap() + std::to_string(names.size());
    for (const std::string& name : names) {
      text_ += gap() + key(name);
      const bool rotates = name.find("rot") != std::string::npos;
      channels_.push_back({rotates, random_.uniform(15, 30), rotates || root || options_.inner_positions_vary});
    }
    text_ += end();
  }

  void write_row(std::size_t frame) {
    for (Channel& channel : channels_) {
      double value = channel.constant;
      if (channel.varies) value = channel.rotates ? random_.uniform(-400, 400) : random_.uniform(10, 60);
      if (!channel.varies) {
        text_ += fmt::format("{:.6f}", value) + gap();
      } else {
        text_ += number(value) + gap();
      }
    }
    text_ += frame + 1 < options_.frames || !options_.odd_layout ? "\n" : "";
  }

  RandomBvh options_;
  Random random_;
  std::string text_;
  std::size_t written_ = 0;
  std::vector<Channel> channels_;
};

}  // namespace

std::string random_bvh(const RandomBvh& options, std::uint64_t seed) { return RandomFile(options, seed).write(); }

}  // namespace loom::testing
