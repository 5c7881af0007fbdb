// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/library/detail/schema.h>
#include <loom/library/detail/state.h>
#include <loom/library/library.h>
#include <loom/motion/skeleton_blob.h>

namespace loom::library {

Library::Library(std::unique_ptr<State> state) : state_(std::move(state)) {}
Library::Library(Library&&) noexcept = default;
Library& Library::operator=(Library&&) noexcept = default;
Library::~Library() = default;

Result<Library> Library::open(const std::string& path, Access access) {
  auto database = Database::open(path, access == Access::kRead ? Database::Mode::kRead : Database::Mode::kWrite);
  if (!database) return fail_from(database);
  if (const auto checked = check_schema(**database); !checked) return fail_from(checked);
  auto state = std::make_unique<State>();
  state->database = std::move(*database);
  return Library(std::move(state));
}

Result<Library> Library::open_or_create(const std::string& path) {
  auto database = Database::open(path, Database::Mode::kCreate);
  if (!database) return fail_from(database);
  if (const auto created = create_schema(**database); !created) return fail_from(created);
  if (const auto checked = check_schema(**database); !checked) return fail_from(checked);
  auto state = std::make_unique<State>();
  state->database = std::move(*database);
  return Library(std::move(state));
}

const std::string& Library::path() const { return state_->database->path(); }

Result<void> Library::transact(const std::function<Result<void>()>& body) { return state_->database->transact(body); }

void Library::set_patience(std::function<bool()> go_on) { state_->database->set_patience(std::move(go_on)); }

Result<std::shared_ptr<const motion::Skeleton>> Library::State::skeleton(std::int64_t id) {
  auto query = database->prepare("SELECT hash, data FROM skeletons WHERE id = ?");
  if (!query) return fail_from(query);
  const auto row = query->bind(1, id).step();
  if (!row) return fail_from(row);
  if (!*row) return fail_as(ErrorKind::kDamaged, "the library is damaged: a clip has no skeleton", database->path());
  const std::string hash = query->text(0);
  if (const auto known = skeletons.find(hash); known != skeletons.end()) return known->second;
  auto read = motion::skeleton_from_blob(query->blob(1));
  if (!read)
    return fail_because(read.error().or_kind(ErrorKind::kDamaged), "the library is damaged: " + read.error().message,
                        database->path());
  auto shared = std::make_shared<const motion::Skeleton>(std::move(*read));
  skeletons.emplace(hash, shared);
  return shared;
}

Result<std::vector<SkeletonInfo>> Library::skeletons() const {
  const Database::Snapshot snapshot(*state_->database);
  auto query = state_->database->prepare(
      "SELECT id, (SELECT count(*) FROM clips WHERE skeleton = skeletons.id) FROM skeletons ORDER BY id");
  if (!query) return fail_from(query);
  std::vector<SkeletonInfo> result;
  for (;;) {
    const auto row = query->step();
    if (!row) return fail_from(row);
    if (!*row) return result;
    auto skeleton = state_->skeleton(query->integer(0));
    if (!skeleton) return fail_from(skeleton);
    result.push_back({query->integer(0), std::move(*skeleton), static_cast<std::size_t>(query->integer(1))});
  }
}

}  // namespace loom::library
