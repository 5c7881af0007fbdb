// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <string_view>

#include <loom/motion/mirror.h>
#include <loom/motion/mirror_frames.h>

namespace loom::motion {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// Whether `word` (in lower case) stands at `at` in `text` and starts a word there: not the "right" of "upright".
bool word_at(std::string_view text, std::size_t at, std::string_view word) {
  if (text.size() - at < word.size()) return false;
  const bool same = std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                               [](char w, char c) { return w == lower(c); });
  if (!same || at == 0) return same;
  const char before = text[at - 1];
  return (!is_lower(before) && !is_upper(before)) || (is_lower(before) && is_upper(text[at]));
}

/// `word` written as `like` is: "right", "Right" or "RIGHT".
std::string in_case_of(std::string_view word, std::string_view like) {
  std::string written(word);
  if (is_upper(like[0])) written[0] = upper(written[0]);
  if (is_upper(like[1])) std::transform(written.begin(), written.end(), written.begin(), upper);
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

Result<Clip> mirror(const Clip& clip) {
  const Result<MirrorFrames> frames = find_mirror_frames(clip);
  if (!frames) return fail_from(frames);
  const std::vector<Quat>& turns = frames->turns;
  constexpr Quat kWorld{0, 1, 0, 0};  // of the mirror in the plane x = 0, as those of the joints
  Clip mirrored = clip;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    mirrored.roots[f].x = -clip.roots[f].x;
    for (std::size_t j = 0; j < clip.joints(); ++j) {
      const int parent = clip.skeleton->joint(j).parent;
      const Quat before = j == 0 ? kWorld : turns[static_cast<std::size_t>(parent)];
      mirrored.pose(f)[static_cast<std::size_t>(frames->pairs[j])] =
          normalized(conjugate(before) * clip.pose(f)[j] * turns[j]);
    }
  }
  for (Label& label : mirrored.labels) label.name = with_sides_swapped(label.name);
  return mirrored;
}

}  // namespace loom::motion
