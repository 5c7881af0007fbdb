// SPDX-License-Identifier: MIT
#include "studio/project.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include <loom/base/hash.h>
#include <loom/library/listing.h>
#include <loom/picture/pack.h>

namespace loom::studio {
namespace {

constexpr std::size_t kKeptRemovedBytes = std::size_t{1} << 30;  ///< of clips that were removed
constexpr std::size_t kKeptMotions = 24;
constexpr std::size_t kKeptGraphs = 3;  ///< each holds the motion of its clips

std::size_t bytes_of(const RemovedClip& removed) {
  return removed.clip.frames() * library::bytes_per_frame(removed.clip.joints());
}

constexpr const char* kReplaced =
    "another file was put in the place of the library; see what it holds, and do this again";

/// Another text whenever a label of the library was given, taken away or moved.
Result<std::string> label_stamp(const library::Library& library) {
  const auto listing = library::list_clips(library);
  if (!listing) return fail_from(listing);
  std::string all;
  for (const library::ClipInfo& info : listing->clips) {
    for (const motion::Label& label : info.labels) {
      all += fmt::format("{}\t{}\t{}\t{}\n", info.name, label.name, label.begin, label.end);
    }
  }
  return content_hash(std::as_bytes(std::span(all)));
}

}  // namespace

Result<std::unique_ptr<Project>> Project::open(const std::string& path) {
  const bool read_only = !library::Library::open(path, library::Access::kWrite);
  if (const auto library = library::Library::open(path); !library) return fail_from(library);
  return std::unique_ptr<Project>(new Project(path, read_only));
}

Project::Project(std::string path, bool read_only) : path_(std::move(path)), read_only_(read_only), seen_(see()) {}

Project::Seen Project::see() const {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  const auto when = [](const struct stat& status) {
    return static_cast<std::int64_t>(status.st_mtim.tv_sec) * kNanoseconds + status.st_mtim.tv_nsec;
  };
  struct stat status {};
  struct stat log {};
  if (::stat(path_.c_str(), &status) != 0) return {};
  Seen seen{{status.st_dev, status.st_ino}, {status.st_size, when(status), 0, 0}};
  // Whoever reads makes an empty log, and takes it away.
  if (::stat((path_ + "-wal").c_str(), &log) == 0 && log.st_size > 0) {
    seen.written[2] = log.st_size;
    seen.written[3] = when(log);
  }
  return seen;
}

void Project::take_for_another(const Seen& now) {
  seen_ = now;
  gone_ = false;
  ++file_;
  replaced_ = true;
  graphs_.clear();
  removed_.clear();
}

void Project::look() {
  std::optional<News> news;
  {
    const std::lock_guard lock(memory_mutex_);
    const Seen now = see();
    const bool same = now.written == seen_.written;
    if (now.file == Identity{}) {
      if (!gone_) news = News::kGone;
      gone_ = true;
    } else if (now.file != seen_.file || (gone_ && !same)) {  // what is made anew may get the number of what has gone
      take_for_another(now);
      news = News::kReplaced;
    } else {
      if (gone_ || !same) news = News::kChanged;
      gone_ = false;
      seen_ = now;
    }
  }
  if (news && tell_) tell_(*news);
}

bool Project::gone() const {
  const std::lock_guard lock(memory_mutex_);
  return gone_;
}

void Project::look_for_another() {
  {
    const std::lock_guard lock(memory_mutex_);
    const Seen now = see();
    if (now.file == Identity{} || now.file == seen_.file) return;
    take_for_another(now);
  }
  if (tell_) tell_(News::kReplaced);
}

Result<std::uint64_t> Project::file_to_change() {
  look_for_another();
  const std::lock_guard lock(memory_mutex_);
  if (std::exchange(replaced_, false)) return fail(kReplaced, path_);
  return file_;
}

Result<library::Library> Project::open_to_write(std::uint64_t file) {
  auto library = library::Library::open(path_, library::Access::kWrite);
  if (!library) return fail_from(library);
  look_for_another();
  const std::lock_guard lock(memory_mutex_);
  if (file != file_) return fail(kReplaced, path_);
  return library;
}

Result<std::shared_ptr<const graph::StoredGraph>> Project::graph(const std::string& name) {
  const std::lock_guard loading(loading_mutex_);
  return with([&](const library::Library& library) -> Result<std::shared_ptr<const graph::StoredGraph>> {
    const auto known = library.artefacts(graph::kGraphKind);
    if (!known) return fail_from(known);
    std::string stamp;
    for (const library::ArtefactInfo& info : *known) {
      if (info.name == name) stamp = info.created + info.input_hash + info.parameters + std::to_string(info.bytes);
    }
    // Labels are looked up when a graph is loaded, so one that was loaded before they changed is loaded again.
    const auto labels = label_stamp(library);
    if (!labels) return fail_from(labels);
    stamp += *labels;
    {
      const std::lock_guard lock(memory_mutex_);
      const auto found = graphs_.find(name);
      if (found != graphs_.end() && found->second.stamp == stamp) return found->second.graph;
    }
    auto loaded = graph::load_graph(library, name);
    if (!loaded) return fail_from(loaded);
    auto shared = std::make_shared<const graph::StoredGraph>(std::move(*loaded));
    const std::lock_guard lock(memory_mutex_);
    if (graphs_.size() >= kKeptGraphs) graphs_.clear();
    graphs_[name] = {stamp, shared};
    return shared;
  });
}

std::string Project::body_name(const std::shared_ptr<const motion::Skeleton>& skeleton) {
  const std::lock_guard lock(memory_mutex_);
  auto found = std::find_if(bodies_.begin(), bodies_.end(), [&](const KnownBody& known) {
    return known.skeleton == skeleton || *known.skeleton == *skeleton;
  });
  if (found == bodies_.end()) found = bodies_.insert(bodies_.end(), {skeleton, {}});
  return std::to_string(found - bodies_.begin());
}

Result<std::string> Project::body(const std::string& name, skin::SkinDetail detail) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  const std::lock_guard lock(memory_mutex_);
  if (error != std::errc() || end != name.data() + name.size() || index >= bodies_.size()) {
    return fail_as(ErrorKind::kNotFound, "there is no body '" + name + "'");
  }
  KnownBody& known = bodies_[index];
  std::string& bytes = known.bytes[static_cast<std::size_t>(detail)];
  if (bytes.empty()) bytes = picture::pack_body(*known.skeleton, detail);
  return bytes;
}

std::uint64_t Project::keep(MadeMotion motion) {
  const std::lock_guard lock(memory_mutex_);
  if (made_.size() >= kKeptMotions) made_.pop_front();
  made_.emplace_back(++last_made_, std::make_shared<const MadeMotion>(std::move(motion)));
  return last_made_;
}

Result<std::shared_ptr<const MadeMotion>> Project::made(std::uint64_t id) const {
  const std::lock_guard lock(memory_mutex_);
  for (const auto& [number, motion] : made_) {
    if (number == id) return motion;
  }
  return fail("this motion is no longer kept; make it again");
}

void Project::put_away(RemovedClip clip) {
  const std::lock_guard lock(memory_mutex_);
  removed_bytes_ += bytes_of(clip);
  removed_.push_back(std::move(clip));
  while (removed_bytes_ > kKeptRemovedBytes && removed_.size() > 1) {
    removed_bytes_ -= bytes_of(removed_.front());
    removed_.pop_front();
  }
}

std::optional<ClipFigures> Project::figures(const std::string& hash) const {
  const std::lock_guard lock(memory_mutex_);
  const auto found = figures_.find(hash);
  if (found == figures_.end()) return {};
  return found->second;
}

void Project::keep_figures(const std::string& hash, const ClipFigures& figures) {
  const std::lock_guard lock(memory_mutex_);
  figures_.insert_or_assign(hash, figures);
}

Result<RemovedClip> Project::take_back(const std::string& name) {
  const std::lock_guard lock(memory_mutex_);
  for (auto at = removed_.rbegin(); at != removed_.rend(); ++at) {
    if (at->clip.name != name) continue;
    RemovedClip found = std::move(*at);
    removed_bytes_ -= bytes_of(found);
    removed_.erase(std::next(at).base());
    return found;
  }
  return fail("the clip '" + name + "' is no longer kept");
}

}  // namespace loom::studio
