// SPDX-License-Identifier: MIT
// The part of `Library` that keeps what was built from clips.
#include <fmt/format.h>

#include <loom/library/artefact_kinds.h>
#include <loom/library/detail/state.h>
#include <loom/library/library.h>

namespace loom::library {
namespace {

ArtefactInfo info_of(const Statement& row) {
  return {row.text(0), row.text(1), static_cast<int>(row.integer(2)),        row.text(3),
          row.text(4), row.text(5), static_cast<std::size_t>(row.integer(6))};
}

}  // namespace

Result<void> Library::put_artefact(const ArtefactInfo& info, std::span<const std::byte> data) {
  if (info.kind.empty() || info.name.empty()) return fail("an artefact needs a kind and a name", path());
  const ArtefactKind* kind = find_artefact_kind(info.kind);
  if (kind == nullptr) return fail(fmt::format("this program keeps nothing of the kind '{}'", info.kind), path());
  return transact([&]() -> Result<void> {
    auto insert = state_->database->prepare(
        "INSERT OR REPLACE INTO artefacts(kind, name, version, parameters, input_hash, created, data) "
        "VALUES(?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?)");
    if (!insert) return fail_from(insert);
    return insert->bind(1, info.kind)
        .bind(2, info.name)
        .bind(3, std::int64_t{kind->version})
        .bind(4, info.parameters)
        .bind(5, info.input_hash)
        .bind(6, data)
        .run();
  });
}

Result<std::vector<ArtefactInfo>> Library::artefacts(std::string_view kind) const {
  auto query = state_->database->prepare(
      "SELECT kind, name, version, parameters, input_hash, created, length(data) FROM artefacts "
      "WHERE ?1 = '' OR kind = ?1 ORDER BY kind, name");
  if (!query) return fail_from(query);
  query->bind(1, kind);
  std::vector<ArtefactInfo> result;
  for (;;) {
    const auto row = query->step();
    if (!row) return fail_from(row);
    if (!*row) return result;
    result.push_back(info_of(*query));
  }
}

Result<Artefact> Library::get_artefact(std::string_view kind, std::string_view name) const {
  const Database& database = *state_->database;
  const Database::Snapshot snapshot(database);
  auto query = database.prepare(
      "SELECT kind, name, version, parameters, input_hash, created, length(data), id FROM artefacts "
      "WHERE kind = ? AND name = ?");
  if (!query) return fail_from(query);
  const auto row = query->bind(1, kind).bind(2, name).step();
  if (!row) return fail_from(row);
  if (!*row) {
    const auto others = artefacts(kind);
    std::string names;
    for (const ArtefactInfo& other : others ? *others : std::vector<ArtefactInfo>{}) names += " '" + other.name + "'";
    return fail_as(ErrorKind::kNotFound,
                   fmt::format("there is no {} called '{}'; there {}", kind, name,
                               names.empty() ? "are none at all" : "are:" + names),
                   path());
  }
  Artefact artefact{info_of(*query), {}};
  if (const ArtefactKind* known = find_artefact_kind(kind); known && artefact.info.version > known->version) {
    return fail_as(
        ErrorKind::kNewer,
        fmt::format("{} '{}' was made by a newer Motion Loom: its layout is version {}, and this program reads "
                    "up to version {}",
                    kind, name, artefact.info.version, known->version),
        path());
  }
  const auto size = database.blob_size("artefacts", "data", query->integer(7));
  if (!size) return fail_from(size);
  artefact.data.resize(*size);
  if (const auto read = database.read_blob("artefacts", "data", query->integer(7), {artefact.data}); !read) {
    return fail_from(read);
  }
  return artefact;
}

Result<void> Library::remove_artefact(std::string_view kind, std::string_view name) {
  return transact([&]() -> Result<void> {
    auto remove = state_->database->prepare("DELETE FROM artefacts WHERE kind = ? AND name = ?");
    if (!remove) return fail_from(remove);
    if (auto done = remove->bind(1, kind).bind(2, name).run(); !done) return done;
    if (state_->database->changes() == 0)
      return fail_as(ErrorKind::kNotFound, fmt::format("there is no {} called '{}'", kind, name), path());
    return {};
  });
}

}  // namespace loom::library
