// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/project/rename.h>

namespace loom::project {
namespace {

/// A clip with all that is known of it, taken out to be put back.
struct Taken {
  motion::Clip clip;
  library::Provenance provenance;
};

std::string named(const std::string& pattern, const std::string& old, const std::string& number) {
  std::string name;
  for (const char c : pattern) {
    if (c == '*') {
      name += old;
    } else if (c == '#') {
      name += number;
    } else {
      name += c;
    }
  }
  return name;
}

}  // namespace

Result<std::vector<Renaming>> renamings(const std::vector<std::string>& clips, const std::string& pattern) {
  if (clips.size() > 1 && pattern.find_first_of("*#") == std::string::npos) {
    return fail_as(ErrorKind::kBadInput,
                   "of several clips each needs a name of its own: '*' stands for the old one, '#' for a number");
  }
  const std::size_t digits = std::to_string(clips.size()).size();
  std::vector<Renaming> wanted;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    wanted.push_back({clips[i], named(pattern, clips[i], fmt::format("{:0{}}", i + 1, digits))});
  }
  return wanted;
}

Result<std::vector<Dependent>> broken_by(const library::Library& library, const std::vector<Renaming>& wanted) {
  Removal going;
  for (const Renaming& one : wanted) {
    auto info = library.clip_info(one.from);
    if (!info) return fail_from(info);
    if (one.from != one.to) going.clips.push_back(std::move(*info));
  }
  return find_dependents(library, going);
}

Result<void> rename(library::Library& library, const std::vector<Renaming>& wanted) {
  return library.transact([&]() -> Result<void> {
    std::vector<Taken> taken;
    for (const Renaming& one : wanted) {
      if (one.from == one.to) continue;
      auto clip = library.read_clip(one.from);
      if (!clip) return fail_from(clip);
      auto provenance = library.provenance(one.from);
      if (!provenance) return fail_from(provenance);
      if (auto gone = library.remove_clip(one.from); !gone) return gone;
      clip->name = one.to;
      taken.push_back({std::move(*clip), std::move(*provenance)});
    }
    for (const Taken& one : taken) {
      if (auto added = library.add_clip(one.clip, one.provenance); !added) return added;
    }
    return {};
  });
}

}  // namespace loom::project
