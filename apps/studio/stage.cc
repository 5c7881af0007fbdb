// SPDX-License-Identifier: MIT
#include "studio/stage.h"

#include <cstring>
#include <utility>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>

#include "studio/fields.h"

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxScenes = 64;
constexpr std::size_t kMaxUnheard = 256;  ///< messages a page may send between two frames
constexpr std::uint32_t kAhead = 3;       ///< frames on the way to a page at most
constexpr auto kIdle = std::chrono::seconds(60);
constexpr auto kLeastPause = std::chrono::milliseconds(3);  ///< between two frames, however much pages say
constexpr double kLongestStep = 0.1;  ///< seconds; after a pause of the machine scenes go on, they do not catch up

template <typename T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

struct Stage::Act {
  std::unique_ptr<Scene> scene;
  std::vector<std::pair<std::uint32_t, json>> unheard;  ///< guarded by the stage's mutex
  std::uint32_t heard = 0, answered = 0, frames = 0;
  Clock::time_point last_step, last_watched;
  bool over = false;
  std::vector<std::shared_ptr<const motion::Skeleton>> bodies{};
  std::shared_ptr<Costume> costume{};  ///< guarded by the stage's mutex
  std::shared_ptr<Costume> worn{};     ///< the same, as the thread that plays has it
};

std::string frame_bytes(const SceneFrame& frame, std::uint32_t number, std::uint32_t answered) {
  std::string out;
  append(out, number);
  append(out, answered);
  append(out, static_cast<std::uint32_t>(frame.characters.size()));
  append(out, static_cast<std::uint32_t>(frame.values.size()));
  for (const CharacterPose& pose : frame.characters) {
    append(out, static_cast<std::uint32_t>(pose.rotations.size()));
    append(out, pose.root);
    out.append(reinterpret_cast<const char*>(pose.rotations.data()), pose.rotations.size() * sizeof(Quat));
    append(out, static_cast<std::uint32_t>(pose.planted));
    append(out, pose.source.clip);
    append(out, pose.source.frame);
  }
  out.append(reinterpret_cast<const char*>(frame.values.data()), frame.values.size() * sizeof(float));
  out.append(reinterpret_cast<const char*>(frame.worn.data()), frame.worn.size() * sizeof(float));
  return out;
}

Stage::Stage() : thread_([this] { play(); }) {}

Stage::~Stage() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::uint64_t Stage::add(std::unique_ptr<Scene> scene) {
  const std::lock_guard lock(mutex_);
  auto act = std::make_shared<Act>();
  act->bodies = scene->bodies();
  act->scene = std::move(scene);
  act->last_watched = Clock::now();
  while (acts_.size() >= kMaxScenes) acts_.erase(acts_.begin());
  acts_[++last_id_] = std::move(act);
  return last_id_;
}

std::vector<std::shared_ptr<const motion::Skeleton>> Stage::bodies(std::uint64_t scene) const {
  const std::lock_guard lock(mutex_);
  const auto found = acts_.find(scene);
  return found == acts_.end() ? std::vector<std::shared_ptr<const motion::Skeleton>>{} : found->second->bodies;
}

bool Stage::wear(std::uint64_t scene, std::shared_ptr<Costume> costume) {
  const std::lock_guard lock(mutex_);
  const auto found = acts_.find(scene);
  if (found == acts_.end()) return false;
  found->second->costume = std::move(costume);
  return true;
}

bool Stage::join(const std::shared_ptr<Connection>& connection, std::uint64_t scene) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = acts_.find(scene);
    if (found == acts_.end()) return false;
    found->second->last_step = Clock::now();
    watching_[connection] = {scene};
  }
  changed_.notify_all();
  return true;
}

void Stage::hear(const std::shared_ptr<Connection>& connection, const json& message, std::uint32_t seq) {
  const std::lock_guard lock(mutex_);
  const auto watched = watching_.find(connection);
  if (watched == watching_.end()) return;
  const auto act = acts_.find(watched->second.scene);
  if (act == acts_.end() || act->second->unheard.size() >= kMaxUnheard) return;
  act->second->unheard.emplace_back(seq, message);
  hurry_ = true;
  changed_.notify_all();
}

void Stage::seen(const std::shared_ptr<Connection>& connection, std::uint32_t frame) {
  const std::lock_guard lock(mutex_);
  const auto found = watching_.find(connection);
  if (found == watching_.end() || frame > found->second.sent) return;
  found->second.seen = std::max(found->second.seen, frame);
  found->second.tells = true;
}

void Stage::leave(const std::shared_ptr<Connection>& connection) {
  const std::lock_guard lock(mutex_);
  watching_.erase(connection);
}

void Stage::play() {
  constexpr auto kPeriod = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / kStageRate));
  Clock::time_point due = Clock::now();
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (watching_.empty()) {
      changed_.wait_for(lock, kIdle);
      forget_idle(Clock::now());
      due = Clock::now();
      continue;
    }
    hurry_ = false;
    lock.unlock();
    const Clock::time_point now = Clock::now();
    const bool answered = tick(now, now >= due);
    if (now >= due) due += kPeriod;
    if (due < Clock::now()) due = Clock::now();
    lock.lock();
    if (!answered) hurry_ = true;
    // What a page says is answered at once and not with the next beat, as far as that leaves time for others.
    changed_.wait_until(lock, std::min(due, now + kLeastPause), [this] { return stopping_; });
    changed_.wait_until(lock, due, [this] { return stopping_ || hurry_; });
  }
}

bool Stage::tick(Clock::time_point now, bool on_the_beat) {
  bool all_answered = true;
  std::map<std::uint64_t, std::vector<std::shared_ptr<Connection>>> audience;
  std::map<std::uint64_t, std::shared_ptr<Act>> acts;
  std::map<std::uint64_t, std::vector<std::pair<std::uint32_t, json>>> said;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [connection, watcher] : watching_) {
      const auto found = acts_.find(watcher.scene);
      if (found == acts_.end() || found->second->over) continue;
      Act& act = *found->second;
      audience[watcher.scene].push_back(connection);
      if (acts.try_emplace(watcher.scene, found->second).second) {
        said[watcher.scene] = std::exchange(act.unheard, {});
      }
      act.last_watched = now;
      act.worn = act.costume;
    }
    forget_idle(now);
  }
  // Scenes may take their time here without keeping anyone from saying something.
  for (const auto& [id, act] : acts) {
    try {
      const bool answered = perform(id, *act, said[id], audience[id], now, on_the_beat);
      all_answered = all_answered && answered;
    } catch (const std::exception& error) {  // memory, a dependency: one scene ends, and no other
      act->over = true;
      const std::string over = json_text({{"event", "over"}, {"scene", id}, {"why", error.what()}});
      for (const auto& connection : audience[id]) connection->send_text(over);
    }
  }
  return all_answered;
}

bool Stage::perform(std::uint64_t id, Act& act, std::span<const std::pair<std::uint32_t, json>> said,
                    std::span<const std::shared_ptr<Connection>> audience, Clock::time_point now, bool on_the_beat) {
  for (const auto& [seq, message] : said) {
    try {
      act.scene->hear(message);
    } catch (const json::exception&) {
      continue;  // nonsense, such as a word in place of a number
    } catch (const WrongField&) {
      continue;
    }
    act.heard = seq;
  }
  const double seconds = std::chrono::duration<double>(now - act.last_step).count();
  act.last_step = now;
  SceneFrame frame;
  act.over = !act.scene->step(std::min(seconds, kLongestStep), frame);
  for (json& news : act.scene->news()) {
    news["scene"] = id;  // a page may hear it when it has joined another one already
    for (const auto& connection : audience) connection->send_text(json_text(news));
  }
  if (act.over) {
    const std::string over = json_text({{"event", "over"}, {"scene", id}});
    for (const auto& connection : audience) connection->send_text(over);
    return true;
  }
  const std::uint32_t answered = std::exchange(act.answered, frame.unanswered ? act.answered : act.heard);
  if (!on_the_beat && act.answered == answered) return !frame.unanswered;  // between two beats pages get answers alone
  if (act.worn) act.worn->carry(frame.characters, frame.worn);
  const auto bytes = std::make_shared<const std::string>(frame_bytes(frame, ++act.frames, act.answered));
  for (const auto& connection : audience) {
    if (takes(connection, id, act.frames)) connection->send_frame(bytes);
  }
  return !frame.unanswered;
}

bool Stage::takes(const std::shared_ptr<Connection>& connection, std::uint64_t scene, std::uint32_t frame) {
  const std::lock_guard lock(mutex_);
  const auto found = watching_.find(connection);
  if (found == watching_.end() || found->second.scene != scene) return false;
  Watcher& watcher = found->second;
  if (watcher.tells && watcher.sent - watcher.seen >= kAhead) return false;
  watcher.sent = frame;
  return true;
}

void Stage::forget_idle(Clock::time_point now) {
  std::erase_if(acts_, [&](const auto& entry) { return now - entry.second->last_watched > kIdle; });
}

}  // namespace loom::studio
