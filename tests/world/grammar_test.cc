// SPDX-License-Identifier: MIT
// The grammar of world files that docs/worlds.md has, put to work: sentences are made of it at random, and all are
// read.
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/world/world.h>

namespace loom::world {
namespace {

/// The words of the grammar's block: literals with their quotes, names and signs.
std::vector<std::string> grammar_words() {
  std::ifstream page(std::string(LOOM_SOURCE_DIR) + "/docs/worlds.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const std::size_t begin = text.find("```ebnf\n") + 8;
  std::istringstream block(text.substr(begin, text.find("```", begin) - begin));
  return {std::istream_iterator<std::string>(block), {}};
}

/// Makes sentences. What is written in capitals is made by hand, since it has to fit what came before.
class Sentences {
 public:
  explicit Sentences(std::uint64_t seed) : random_(seed), words_(grammar_words()) {
    for (std::size_t at = 0; at + 1 < words_.size(); ++at) {
      if (words_[at + 1] == "=") rules_[words_[at]] = at + 2;
    }
  }
  [[nodiscard]] bool known() const { return rules_.size() > 10; }

  /// A sentence of a rule; empty where nothing can be said.
  std::string make(const std::string& rule) {
    said_.clear();
    possible_ = true;
    seconds_ = 0;
    std::size_t at = rules_.at(rule);
    choose(at, true);
    return possible_ ? said_ : std::string();
  }

 private:
  /// Alternatives up to a closing sign: one of them is said.
  void choose(std::size_t& at, bool aloud) {
    std::vector<std::size_t> begins = {at};
    std::size_t end = at;
    for (int depth = 0; depth > 0 || !closes(words_[end]); ++end) {
      if (opens(words_[end])) ++depth;
      if (closes(words_[end])) --depth;
      if (words_[end] == "|" && depth == 0) begins.push_back(end + 1);
    }
    if (aloud) sequence(begins[random_.index(begins.size())]);
    at = end + 1;
  }
  void sequence(std::size_t at) {
    while (words_[at] != "|" && !closes(words_[at])) {
      const std::string& word = words_[at++];
      if (word == "(") {
        choose(at, true);
      } else if (word == "[") {
        choose(at, random_.uniform() < 0.5);
      } else if (word == "{") {
        std::size_t after = at;
        choose(after, false);
        for (; random_.uniform() < 0.6;) {
          std::size_t again = at;
          choose(again, true);
        }
        at = after;
      } else if (word.front() == '"') {
        say(word.substr(1, word.size() - 2));
      } else if (const auto rule = rules_.find(word); rule != rules_.end()) {
        std::size_t inner = rule->second;
        choose(inner, true);
      } else {
        terminal(word);
      }
    }
  }
  static bool opens(const std::string& word) { return word == "(" || word == "[" || word == "{"; }
  static bool closes(const std::string& word) { return word == ")" || word == "]" || word == "}" || word == ";"; }
  void say(const std::string& word) { said_ += (said_.empty() ? "" : " ") + word; }
  void number(double low, double high) { say(fmt::format("{:.3f}", random_.uniform(low, high))); }

  void terminal(const std::string& word) {
    if (word == "NAME") {
      ++names_;
      const std::string name = random_.uniform() < 0.5 ? fmt::format("n{}", names_) : fmt::format("\"n {}\"", names_);
      if (said_ != "world" && said_.find("called") == std::string::npos) obstacles_.push_back(name);
      say(name);
    } else if (word == "OBSTACLE") {
      possible_ = possible_ && !obstacles_.empty();
      if (obstacles_.empty()) return;
      say(obstacles_.back());
      obstacles_.pop_back();  // it has a path now
    } else if (word == "OUTLINE") {
      const double radius = random_.uniform(0.1, 4);
      const std::size_t corners = 3 + random_.index(5);
      for (std::size_t k = 0; k < corners; ++k) {
        const double turn = 6.28 * static_cast<double>(k) / static_cast<double>(corners);
        say(fmt::format("{}{:.3f} {:.3f}", k > 0 ? ", " : "", radius * std::cos(turn), 3 + radius * std::sin(turn)));
      }
    } else if (word == "FILE") {
      say("\"thing.obj\"");
    } else if (word == "SECONDS") {
      say(fmt::format("{:.3f}", seconds_ += random_.uniform(0.1, 3)));
    } else if (word == "X" || word == "Z") {
      number(-50, 50);
    } else if (word == "ANGLE") {
      number(-180, 180);
    } else if (word == "LENGTH") {
      number(0.05, 9);
    } else if (word == "LOW") {
      number(0, 1);
    } else if (word == "HIGH") {
      number(1.01, 3);
    } else {
      ADD_FAILURE() << "nobody says what " << word << " is";
    }
  }

  Random random_;
  std::vector<std::string> words_;
  std::map<std::string, std::size_t> rules_;
  std::string said_;
  bool possible_ = true;
  double seconds_ = 0;
  int names_ = 0;
  std::vector<std::string> obstacles_;
};

TEST(WorldGrammar, EverySentenceIsReadAndComesBack) {
  const MeshReader thing = [](const std::string&) -> Result<io::TriangleMesh> {
    io::TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.triangles = {0, 1, 2};
    return mesh;
  };
  Sentences sentences(4);
  ASSERT_TRUE(sentences.known()) << "docs/worlds.md has lost its grammar";
  std::string text = "ground 0 0 9 9\n" + sentences.make("title") + "\n";
  for (int n = 0; n < 600; ++n) {
    const std::string line = sentences.make("statement");
    if (line.empty() || line.starts_with("world ")) continue;
    text += line + "\n";
    const auto world = parse_world(text, "made", thing);
    ASSERT_TRUE(world) << world.error().to_string() << "\n" << line;
    if (n % 50 != 0) continue;
    const std::string written = format_world(*world);
    const auto again = parse_world(written, "again", thing);
    ASSERT_TRUE(again) << again.error().to_string();
    EXPECT_EQ(format_world(*again), written);
  }
}

}  // namespace
}  // namespace loom::world
