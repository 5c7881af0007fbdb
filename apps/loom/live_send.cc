// SPDX-License-Identifier: MIT
// `loom live send`: a clip of a library, sent as it plays, so that other programs show it.
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/character/human_body.h>
#include <loom/library/library.h>
#include <loom/live/live_session.h>
#include <loom/live/packets/plain.h>
#include <loom/live/pose_teller.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/live_commands.h"
#include "loom/progress_bar.h"

namespace loom::app {
namespace {

struct Arguments {
  std::string library, clip, to = "vmc:39539", form = "bytes";
  double rate = 60, seconds = 0;
  bool loop = false;
};

std::vector<std::vector<std::byte>> packets_of(live::PoseTeller& teller, const Arguments& arguments,
                                               const std::string& protocol, double seconds, std::uint64_t number,
                                               const motion::Pose& pose) {
  if (protocol == "vmc") return live::write_vmc(teller.as_vmc(seconds, pose.root, pose.rotations));
  const live::LiveFrame frame = teller.as_frame(seconds, number, pose.root, pose.rotations);
  if (arguments.form == "bytes") return {live::write_plain_bytes(frame)};
  const std::string text = live::write_plain_text(frame);
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {std::vector<std::byte>(bytes.begin(), bytes.end())};
}

int run(const Command& command, const Arguments& arguments) {
  const auto to = live::read_live_address(arguments.to);
  if (!to) return report(to.error());
  if (to->protocol != "vmc" && to->protocol != "loom") return wrong_usage("motion is sent as vmc or loom");
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto clip = library->read_clip(arguments.clip);
  if (!clip) return report(clip.error());
  const auto body = character::look_at_body(*clip);
  if (!body) return report(body.error());
  auto teller = live::PoseTeller::create(*body, character::sole_floor(*body, *clip));
  if (!teller) return report(teller.error());
  auto socket = live::UdpSocket::open(*live::make_endpoint("0.0.0.0", 0));
  if (!socket) return report(socket.error());
  const double length = clip->duration();
  const double all = arguments.seconds > 0 ? arguments.seconds : arguments.loop ? 3600 : length;
  std::uint64_t frames = 0, packets = 0, bytes = 0;
  {
    ProgressBar bar;
    const Progress progress = bar.progress();
    const double begun = live::steady_seconds();
    motion::Pose pose;
    for (double time = 0; time <= all; time = static_cast<double>(frames) / arguments.rate) {
      live::Endpoint from;
      while (live::steady_seconds() - begun < time) {
        // Waits; whoever answers is not heard.
        static_cast<void>(socket->receive(time - (live::steady_seconds() - begun), from));
      }
      motion::sample_pose(*clip, arguments.loop && length > 0 ? std::fmod(time, length) : time, pose);
      for (const auto& packet : packets_of(*teller, arguments, to->protocol, time, frames, pose)) {
        if (const auto sent = socket->send(packet, to->endpoint); !sent) return report(sent.error());
        ++packets;
        bytes += packet.size();
      }
      ++frames;
      if (!progress.report(time / all, "sending")) break;
    }
  }
  if (command.json) {
    print_json({{"clip", arguments.clip},
                {"to", to->endpoint.to_string()},
                {"protocol", to->protocol},
                {"frames", frames},
                {"packets", packets},
                {"bytes", bytes}});
  } else {
    say("sent {} frames of '{}' to {} as {}\n", frames, arguments.clip, to->endpoint.to_string(), to->protocol);
  }
  return kDone;
}

}  // namespace

void add_live_send(Commands& commands) {
  Command& command = commands.add("live", kLiveAbout, "send", "send a clip as it plays, so that other programs show it",
                                  "loom live send motions.loom walk-1 --to vmc:127.0.0.1:39539");
  auto arguments = std::make_shared<Arguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("clip", arguments->clip, "a clip of a human")->required();
  options.add_option("--to", arguments->to, "vmc or loom, an address and a port: vmc:127.0.0.1:39539")
      ->capture_default_str();
  add_choice(options, "--form", arguments->form, {"bytes", "text"}, "of our own protocol (bytes)");
  options.add_option("--rate", arguments->rate, "frames a second (60)")->check(between(1.0, 240.0));
  options.add_flag("--loop", arguments->loop, "begin anew at the end");
  options.add_option("--seconds", arguments->seconds, "how long; once through, or an hour with --loop")
      ->check(between(0.0, 36000.0));
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
