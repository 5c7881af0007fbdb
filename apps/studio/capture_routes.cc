// SPDX-License-Identifier: MIT
// Motion as it is made: sources, their calibration, the figure, and takes that go into the library (Huang 2012 chapters
// 5 and 9).
#include "studio/capture_routes.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/live/decoder.h>

#include "studio/capture.h"
#include "studio/capture_scene.h"
#include "studio/cast.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

std::uint64_t number_of(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10); }

json sensors_json(const live::Calibration& calibration) {
  json sensors = json::array();
  for (const live::SensorMount& mount : calibration.mounts) {
    sensors.push_back({{"name", mount.name}, {"role", nullptr}});
    if (mount.role) sensors.back()["role"] = character::role_name(*mount.role);
  }
  return sensors;
}

Result<Response> list(const Capture& capture) {
  json protocols = json::array(), sources = json::array(), roles = json::array();
  for (const live::Protocol& p : live::protocols()) {
    protocols.push_back({{"name", p.name}, {"port", p.port}, {"what", p.what}});
  }
  for (const Capture::Info& info : capture.list()) {
    const live::SourceStatistics& s = info.statistics;
    sources.push_back({{"id", info.id},
                       {"address", info.address},
                       {"rate_hz", s.rate},
                       {"jitter_ms", 1000 * s.jitter},
                       {"silent_s", s.silent},
                       {"frames", s.frames},
                       {"malformed", s.malformed},
                       {"lost", s.lost},
                       {"parts", info.parts},
                       {"used", s.used},
                       {"sensors", sensors_json(info.calibration)},
                       {"fault", s.fault}});
  }
  for (const std::string_view role : character::kRoleNames) roles.push_back(role);
  return json_response({{"protocols", protocols}, {"sources", sources}, {"roles", roles}});
}

/// {"source": "vmc:39539"}.
Result<Response> open(Capture& capture, const Fields& body) {
  const auto id = capture.open(body.text("source"));
  if (!id) return fail_from(id);
  return json_response({{"source", *id}});
}

/// {"pose": "t-pose", "arms-down" or "bow", "seconds": 2}: what the source says from now on is that pose.
Result<Response> calibrate(const Capture& capture, const Fields& body, const std::string& id) {
  const auto source = capture.source(number_of(id));
  if (!source) return fail_from(source);
  const std::string pose = body.text("pose", "t-pose");
  if (pose == "t-pose") {
    const double seconds = std::clamp(body.number("seconds", 2), 0.2, 20.0);
    (*source)->begin_t_pose();
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end && !body.stopped().stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const auto made = (*source)->end_t_pose();
    if (!made) return fail_from(made);
    return json_response({{"sensors", sensors_json(*made)}, {"corrected", made->mounts.size()}});
  }
  if (pose != "arms-down" && pose != "bow" && pose != "drift") return fail("a pose is t-pose, arms-down, bow or drift");
  const auto corrected = (*source)->correct_headings(pose == "bow"         ? live::KnownPose::kBow
                                                     : pose == "arms-down" ? live::KnownPose::kArmsDown
                                                                           : live::KnownPose::kTPose);
  if (!corrected) return fail_from(corrected);
  return json_response({{"sensors", sensors_json((*source)->calibration())}, {"corrected", *corrected}});
}

/// {"sensor": name, "role": role or null}.
Result<Response> wear(const Capture& capture, const Fields& body, const std::string& id) {
  const auto source = capture.source(number_of(id));
  if (!source) return fail_from(source);
  const std::string sensor = body.text("sensor"), name = body.text("role");
  const auto role = character::find_role(name);
  if (!role && !name.empty()) return fail(fmt::format("there is no role '{}'", name));
  if (sensor.empty() || sensor.size() > live::kLongestName) return fail("say which sensor");
  live::Calibration calibration = (*source)->calibration();
  if (live::SensorMount* mount = calibration.find(sensor)) {
    mount->role = role;
  } else {
    calibration.mounts.push_back({sensor, role, {}});
  }
  (*source)->set_calibration(calibration);
  return json_response({{"sensors", sensors_json(calibration)}});
}

/// {"over": "nothing", "matching" or "policy", "policy": name, "part": "upper" or "body"}.
Result<DrivenCharacter> driven_by(Studio& studio, const Fields& body, double rate) {
  const std::string over = body.text("over", "nothing"), part = body.text("part", "upper");
  if (part != "upper" && part != "body") return fail("live motion moves the upper body or the whole: upper or body");
  DrivenCharacter driven;
  driven.part = part == "upper" ? play::PerformedPart::kUpper : play::PerformedPart::kBody;
  if (over == "nothing") return driven;
  if (over != "matching" && over != "policy") return fail("live motion goes over nothing, matching or policy");
  const std::string policy = over == "policy" ? body.text("policy") : "";
  if (over == "policy" && policy.empty()) return fail("say which policy");
  const auto library = Library::open(studio.project().path());
  if (!library) return fail_from(library);
  const auto cast = studio.casting().cast(*library, policy, {}, rate, until(body.stopped()));
  if (!cast) return fail_from(cast);
  auto character = character_of(*cast);
  if (!character) return fail_from(character);
  auto human = studio.wardrobe().human(character->stream->skeleton());
  if (!human) return fail_from(human);
  driven.stream = std::move(character->stream);
  driven.body = std::move(*human);
  return driven;
}

/// {"mirror": false, "delay": 0.06}, and what it goes over.
Result<Response> show(Studio& studio, const std::shared_ptr<Capture>& capture, const Fields& body,
                      const std::string& id) {
  const std::uint64_t number = number_of(id);
  const auto source = capture->source(number);
  if (!source) return fail_from(source);
  live::LiveStreamOptions options;
  options.body.mirror = body.flag("mirror");
  options.delay = std::clamp(body.number("delay", options.delay), 0.0, 2.0);
  auto over = driven_by(studio, body, options.rate);
  if (!over) return fail_from(over);
  CaptureCalls calls;
  calls.keep = [&studio](motion::Recording recording) -> json {
    recording.clip.name = "take";
    const double seconds = recording.clip.duration();
    const auto made = studio.project().keep(
        {std::move(recording.clip), std::move(recording.contacts), R"({"command": "live record"})", {}});
    return {{"made", made}, {"seconds", seconds}};
  };
  calls.hear = [capture](const json& frame) { capture->hear(frame); };
  calls.performs = [capture, number] { return capture->performs(number); };
  auto scene = make_capture_scene((*source)->feed(), options, std::move(*over), std::move(calls));
  if (!scene) return fail_from(scene);
  return scene_response(studio, std::move(*scene));
}

}  // namespace

void add_capture_routes(Router& router, Studio& studio) {
  const auto capture = std::make_shared<Capture>();
  router.add("GET", "api/live", [capture](const Request&, const auto&) { return list(*capture); });
  router.add_post("api/live", [capture](const Fields& body, const auto&) { return open(*capture, body); });
  router.add("DELETE", "api/live/*", [capture](const Request&, const auto& parts) -> Result<Response> {
    const auto closed = capture->close(number_of(parts[0]));
    if (!closed) return fail_from(closed);
    return json_response(json::object());
  });
  router.add_post(
      "api/live/*/calibrate",
      [capture](const Fields& body, const auto& parts) { return calibrate(*capture, body, parts[0]); }, Lane::kLong);
  router.add_post("api/live/*/worn",
                  [capture](const Fields& body, const auto& parts) { return wear(*capture, body, parts[0]); });
  router.add_post(
      "api/live/*/show",
      [capture, &studio](const Fields& body, const auto& parts) { return show(studio, capture, body, parts[0]); },
      Lane::kLong);
}

}  // namespace loom::studio
