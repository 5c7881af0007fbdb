// SPDX-License-Identifier: MIT
// The part of `Library` that keeps labels.
#include <fmt/format.h>

#include <loom/library/detail/state.h>
#include <loom/library/library.h>

namespace loom::library {

Result<std::vector<motion::Label>> Library::State::labels(std::int64_t clip) {
  auto query = database->prepare("SELECT name, first, past FROM labels WHERE clip = ? ORDER BY id");
  if (!query) return fail_from(query);
  query->bind(1, clip);
  std::vector<motion::Label> result;
  for (;;) {
    const auto row = query->step();
    if (!row) return fail_from(row);
    if (!*row) return result;
    result.push_back(
        {query->text(0), static_cast<std::size_t>(query->integer(1)), static_cast<std::size_t>(query->integer(2))});
  }
}

Result<void> Library::add_label(std::string_view clip, const motion::Label& label) {
  const auto info = clip_info(clip);
  if (!info) return fail_from(info);
  if (label.name.empty()) return fail("a label needs a name", path());
  if (label.begin >= label.end || label.end > info->frames) {
    return fail(fmt::format("label '{}' would cover frames {} to {} of clip '{}', which has {}", label.name,
                            label.begin, label.end, clip, info->frames),
                path());
  }
  return transact([&]() -> Result<void> {
    const auto row = state_->clip_row(clip);
    if (!row) return fail_from(row);
    auto insert = state_->database->prepare("INSERT OR IGNORE INTO labels(clip, name, first, past) VALUES(?, ?, ?, ?)");
    if (!insert) return fail_from(insert);
    return insert->bind(1, *row)
        .bind(2, label.name)
        .bind(3, static_cast<std::int64_t>(label.begin))
        .bind(4, static_cast<std::int64_t>(label.end))
        .run();
  });
}

Result<std::size_t> Library::remove_label(std::string_view clip, std::string_view name) {
  return state_->remove_labels(clip, "DELETE FROM labels WHERE clip = ? AND name = ?",
                               [&](Statement& remove) { remove.bind(2, name); });
}

Result<std::size_t> Library::remove_label(std::string_view clip, const motion::Label& label) {
  return state_->remove_labels(clip, "DELETE FROM labels WHERE clip = ? AND name = ? AND first = ? AND past = ?",
                               [&](Statement& remove) {
                                 remove.bind(2, label.name)
                                     .bind(3, static_cast<std::int64_t>(label.begin))
                                     .bind(4, static_cast<std::int64_t>(label.end));
                               });
}

Result<std::size_t> Library::State::remove_labels(std::string_view clip, const char* sql,
                                                  const std::function<void(Statement&)>& which) {
  std::size_t removed = 0;
  const auto done = database->transact([&]() -> Result<void> {
    const auto row = clip_row(clip);
    if (!row) return fail_from(row);
    auto remove = database->prepare(sql);
    if (!remove) return fail_from(remove);
    which(remove->bind(1, *row));
    auto ran = remove->run();
    removed = database->changes();
    return ran;
  });
  if (!done) return fail_from(done);
  return removed;
}

Result<std::vector<LabelTotal>> Library::label_totals() const {
  auto query = state_->database->prepare(
      "SELECT labels.name, count(DISTINCT clip), count(*), sum((past - first) / rate) "
      "FROM labels JOIN clips ON clips.id = clip GROUP BY labels.name ORDER BY labels.name");
  if (!query) return fail_from(query);
  std::vector<LabelTotal> result;
  for (;;) {
    const auto row = query->step();
    if (!row) return fail_from(row);
    if (!*row) return result;
    result.push_back({query->text(0), static_cast<std::size_t>(query->integer(1)),
                      static_cast<std::size_t>(query->integer(2)), query->real(3)});
  }
}

}  // namespace loom::library
