// SPDX-License-Identifier: MIT
#include <loom/library/detail/database.h>
#include <loom/library/detail/texts.h>
#include <loom/library/listing.h>

namespace loom::library {
namespace {

Result<std::vector<std::string>> names_in(const std::string& path) {
  auto database = Database::open(path, Database::Mode::kRead);
  if (!database) return fail_from(database);
  return texts_of((*database)->prepare("SELECT name FROM clips ORDER BY name"));
}

}  // namespace

Result<Listing> list_clips(const Library& library) {
  Listing listing;
  if (auto all = library.clips()) {
    listing.clips = std::move(*all);
    return listing;
  }
  const auto names = names_in(library.path());
  if (!names) return fail_from(names);
  for (const std::string& name : *names) {
    auto info = library.clip_info(name);
    if (info) {
      listing.clips.push_back(std::move(*info));
    } else {
      listing.damaged.push_back({name, info.error()});
    }
  }
  return listing;
}

}  // namespace loom::library
