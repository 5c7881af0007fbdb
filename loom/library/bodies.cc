// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include <loom/library/bodies.h>
#include <loom/library/listing.h>

namespace loom::library {
namespace {

/// "body 1 of 31 joints (20 clips, '02_01' the first), body 2 ...": those that `clips` move.
std::string describe_bodies(const std::vector<ClipInfo>& clips) {
  std::vector<const ClipInfo*> firsts;
  for (const ClipInfo& clip : clips) {
    const bool known = std::any_of(firsts.begin(), firsts.end(),
                                   [&](const ClipInfo* first) { return first->skeleton == clip.skeleton; });
    if (!known) firsts.push_back(&clip);
  }
  std::sort(firsts.begin(), firsts.end(), [](const auto* a, const auto* b) { return a->skeleton < b->skeleton; });
  std::string text;
  for (const ClipInfo* first : firsts) {
    const auto count = std::count_if(clips.begin(), clips.end(),
                                     [&](const ClipInfo& clip) { return clip.skeleton == first->skeleton; });
    text += fmt::format("{}body {} of {} joints ({} clip{}, '{}' the first)", text.empty() ? "" : ", ", first->skeleton,
                        first->joints, count, count == 1 ? "" : "s", first->name);
  }
  return text;
}

}  // namespace

Result<std::int64_t> find_body(const Library& library, std::string_view wanted) {
  const auto listed = list_clips(library);  // of which a damaged one hides no other
  if (!listed) return fail_from(listed);
  const std::vector<ClipInfo>& clips = listed->clips;
  std::int64_t number = 0;
  const auto [rest, problem] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  const bool is_number = problem == std::errc{} && rest == wanted.data() + wanted.size();
  for (const ClipInfo& clip : clips) {
    if (is_number && clip.skeleton == number) return number;
  }
  for (const ClipInfo& clip : clips) {
    if (clip.name == wanted) return clip.skeleton;
  }
  return fail_as(ErrorKind::kNotFound,
                 fmt::format("'{}' is neither the number of a body nor a clip; there {}", wanted,
                             clips.empty() ? "is none: the library is empty" : "is " + describe_bodies(clips)),
                 library.path());
}

std::string usual_body(std::span<const ClipInfo> clips) {
  std::map<std::int64_t, double> seconds;
  for (const ClipInfo& clip : clips) seconds[clip.skeleton] += static_cast<double>(clip.frames) / clip.rate;
  if (seconds.size() < 2) return {};
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::to_string(std::max_element(seconds.begin(), seconds.end(), less)->first);
}

Result<void> keep_one_body(const Library& library, std::string_view wanted, std::vector<ClipInfo>& clips) {
  if (clips.empty()) return {};
  std::int64_t body = clips.front().skeleton;
  if (!wanted.empty()) {
    const auto found = find_body(library, wanted);
    if (!found) return fail_from(found);
    body = *found;
  }
  const auto moves_another = [&](const ClipInfo& clip) { return clip.skeleton != body; };
  if (wanted.empty() && std::any_of(clips.begin(), clips.end(), moves_another)) {
    return fail_setting(
        {"body"},
        fmt::format("the clips do not move the same body: there is {}; choose one by its number or by a clip of it, or "
                    "import them onto one body",
                    describe_bodies(clips)),
        library.path());
  }
  if (std::all_of(clips.begin(), clips.end(), moves_another)) {
    return fail(fmt::format("none of the clips moves body {}; there is {}", body, describe_bodies(clips)),
                library.path());
  }
  std::erase_if(clips, moves_another);
  return {};
}

}  // namespace loom::library
