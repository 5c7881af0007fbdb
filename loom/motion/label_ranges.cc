// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <loom/base/whole.h>
#include <loom/motion/label_ranges.h>

namespace loom::motion {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// Whether `word` (in lower case) stands at `at` in `text` and starts a word there: not the "right" of "upright".
bool word_at(std::string_view text, std::size_t at, std::string_view word) {
  if (text.size() - at < word.size()) return false;
  const bool same = std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                               [](char w, char c) { return w == lower(c); });
  if (!same || at == 0) return same;
  const char before = text[at - 1];
  return (!is_lower(before) && !is_capital(before)) || (is_lower(before) && is_capital(text[at]));
}

/// `word` written as `like` is: "right", "Right" or "RIGHT".
std::string in_case_of(std::string_view word, std::string_view like) {
  std::string written(word);
  if (is_capital(like[0])) written[0] = upper(written[0]);
  if (is_capital(like[1])) std::transform(written.begin(), written.end(), written.begin(), upper);
  return written;
}

std::string with_sides_swapped(std::string_view text) {
  std::string swapped;
  for (std::size_t i = 0; i < text.size();) {
    if (word_at(text, i, "left")) {
      swapped += in_case_of("right", text.substr(i));
      i += 4;
    } else if (word_at(text, i, "right")) {
      swapped += in_case_of("left", text.substr(i));
      i += 5;
    } else {
      swapped += text[i++];
    }
  }
  return swapped;
}

}  // namespace

std::size_t resampled_frames(std::size_t frames, double from, double to) {
  if (from == to || frames == 0) return frames;
  const double duration = static_cast<double>(frames - 1) / from;
  return to_whole<std::size_t>(std::floor(duration * to + 1e-6) + 1);
}

std::vector<Label> resample_labels(std::span<const Label> labels, std::size_t frames, double from, double to) {
  if (from == to || frames == 0) return {labels.begin(), labels.end()};
  const std::size_t count = resampled_frames(frames, from, to);
  const auto scale = [&](std::size_t frame) {
    return std::min(count, to_whole<std::size_t>(std::round(static_cast<double>(frame) / (from / to))));
  };
  std::vector<Label> moved;
  for (const Label& label : labels) {
    moved.push_back({label.name, std::min(scale(label.begin), count - 1), scale(label.end)});
    if (label.end == frames) moved.back().end = count;
    moved.back().end = std::max(moved.back().end, moved.back().begin + 1);
  }
  return moved;
}

std::vector<Label> cut_labels(std::span<const Label> labels, std::size_t begin, std::size_t end) {
  std::vector<Label> inside;
  for (const Label& label : labels) {
    const std::size_t from = std::max(label.begin, begin), to = std::min(label.end, end);
    if (from < to) inside.push_back({label.name, from - begin, to - begin});
  }
  return inside;
}

std::vector<Label> mirror_labels(std::span<const Label> labels) {
  std::vector<Label> mirrored(labels.begin(), labels.end());
  for (Label& label : mirrored) label.name = with_sides_swapped(label.name);
  return mirrored;
}

}  // namespace loom::motion
