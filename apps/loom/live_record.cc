// SPDX-License-Identifier: MIT
// `loom live record` and `loom live replay`: what a source sends, as a clip; and the same again from recorded packets.
#include <cmath>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/library/library.h>
#include <loom/live/live_body.h>
#include <loom/live/live_session.h>
#include <loom/live/live_stream.h>
#include <loom/live/packet_file.h>
#include <loom/motion/stream.h>
#include <loom/project/takes.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/live_commands.h"
#include "loom/live_layer.h"
#include "loom/onto.h"
#include "loom/progress_bar.h"

namespace loom::app {
namespace {

/// How packets become poses.
struct BodyArguments {
  std::string calibration;
  double rate = 60, delay = 0.06, height = 1.75;
  bool mirror = false;
  std::vector<std::string> complete;  ///< clips of the library that what is not sensed is taken from
};

struct RecordArguments {
  std::string library, source, name = "take", packets;
  project::TakeOptions take;
  double seconds = 10;
  BodyArguments body;
};

struct ReplayArguments {
  std::string file, to, out, on;
  double speed = 1;
  BodyArguments body;
};

void add_body_options(Options& options, BodyArguments& body) {
  options.add_option("--calibration", body.calibration, "what `loom live calibrate` wrote; bodies may do without");
  options.add_option("--rate", body.rate, "poses a second (60)")->check(between(10.0, 240.0));
  options.add_option("--delay", body.delay, "seconds behind the newest packet, which jitter is taken up by (0.06)")
      ->check(between(0.0, 2.0));
  options.add_option("--height", body.height, "metres of the performer (1.75)")->check(between(0.5, 3.0));
  options.add_flag("--mirror", body.mirror, "an arm without sensors does what the other does, mirrored");
}

/// A stream of a source, on a body of its own.
struct Performer {
  std::unique_ptr<live::LiveStream> stream;
  motion::Recording recording;
  std::vector<Quat> rotations;

  void show() {
    motion::StreamPose pose{{}, rotations, 0, {}};
    stream->next({}, pose);
    motion::add_pose(recording, pose);
  }
};

Result<Performer> make_performer(const live::LiveSource& source, const BodyArguments& arguments,
                                 std::shared_ptr<const live::NearestMotion> completion) {
  const auto body = live::make_live_body(static_cast<float>(arguments.height));
  if (!body) return fail_from(body);
  live::LiveStreamOptions options{arguments.rate, arguments.delay, {arguments.mirror, std::move(completion)}};
  Performer performer;
  performer.stream = std::make_unique<live::LiveStream>(source.feed(), *body, options);
  performer.recording.clip.skeleton = body->skeleton;
  performer.recording.clip.rate = arguments.rate;
  performer.rotations.resize(body->skeleton->size());
  return performer;
}

Result<std::shared_ptr<const live::NearestMotion>> load_completion(const library::Library& library,
                                                                   const std::vector<std::string>& names) {
  std::vector<motion::Clip> clips;
  for (const std::string& name : names) {
    auto clip = library.read_clip(name);
    if (!clip) return fail_from(clip);
    clips.push_back(std::move(*clip));
  }
  if (clips.empty()) return nullptr;
  auto motion = live::NearestMotion::create(clips);
  if (!motion) return fail_from(motion);
  return std::make_shared<const live::NearestMotion>(std::move(*motion));
}

/// What happened on the way from packets to poses.
nlohmann::json stream_json(const live::LiveStream& stream) {
  const live::JitterCounts& counts = stream.buffer().counts();
  return {{"delay_ms", 1000 * stream.buffer().delay()},
          {"doubled", counts.doubled},
          {"late", counts.late},
          {"reordered", counts.reordered},
          {"restarts", counts.restarts},
          {"held_poses", counts.held}};
}

nlohmann::json pieces_json(const project::KeptTake& kept) {
  auto pieces = nlohmann::json::array();
  for (const blend::Piece& piece : kept.pieces) {
    pieces.push_back({{"from", piece.begin}, {"to", piece.end}, {"stroke", nullptr}});
    if (piece.stroke) pieces.back()["stroke"] = *piece.stroke;
  }
  return pieces;
}

/// Listens and shows, `rate` times a second, until the time is over or somebody stops it. What came so far is kept.
Result<void> perform(live::LiveSession& session, Performer& performer, const RecordArguments& arguments,
                     std::ofstream& packets) {
  ProgressBar bar;
  const Progress progress = bar.progress();
  const auto write = [&](double came, int sender, std::span<const std::byte> packet) {
    if (!packets.is_open()) return;
    const std::string record = live::packet_file_record({came, static_cast<std::uint16_t>(sender), packet});
    packets.write(record.data(), static_cast<std::streamsize>(record.size()));
  };
  // The clock starts with the first frame: somebody may still have to press a button over there.
  const double patience = arguments.seconds + 30;
  double next = session.now();
  double began = -1;
  while (began < 0 || next - began < arguments.seconds) {
    next += 1 / arguments.body.rate;
    session.listen(next, write);
    const live::SourceStatistics statistics = session.source().statistics(session.now());
    if (began < 0 && statistics.frames > 0) began = next;
    if (began < 0 && next > patience) return fail("nothing came that could be understood; does the source send here?");
    if (began >= 0) performer.show();
    const std::string said = began < 0 ? "waiting for the source" : fmt::format("{:.0f} Hz", statistics.rate);
    if (!progress.report(began < 0 ? 0 : (next - began) / arguments.seconds, said)) break;
  }
  return {};
}

int record(const Command& command, const RecordArguments& arguments) {
  auto library = library::Library::open_or_create(arguments.library);
  if (!library) return report(library.error());
  auto calibration = load_calibration(arguments.body.calibration);
  if (!calibration) return report(calibration.error());
  const auto completion = load_completion(*library, arguments.body.complete);
  if (!completion) return report(completion.error());
  const auto input = open_live_input(arguments.source);
  if (!input) return report(input.error());
  live::LiveSession* const session = input->session.get();
  session->source().set_calibration(std::move(*calibration));
  auto performer = make_performer(session->source(), arguments.body, *completion);
  if (!performer) return report(performer.error());
  std::ofstream packets;
  if (!arguments.packets.empty()) {
    packets.open(arguments.packets, std::ios::binary);
    packets << live::packet_file_header(input->protocol);
    if (!packets) return report(Error{"cannot be written", arguments.packets});
  }
  if (const auto ok = perform(*session, *performer, arguments, packets); !ok) return report(ok.error());
  if (packets.is_open() && !packets.flush()) notice("not all packets could be written; the clip is whole");
  motion::finish(performer->recording);
  const live::SourceStatistics statistics = session->source().statistics(session->now());
  if (statistics.used == 0) {
    notice("none of the parts that were sent moves the body: the source needs `loom live calibrate` first");
  }
  if (statistics.silent > 1) notice(fmt::format("the source has been silent for {:.0f} s", statistics.silent));
  const auto kept = project::keep_take(*library, performer->recording.clip, arguments.name, arguments.take);
  if (!kept) return report(kept.error());
  for (const std::string& note : kept->notes) notice(note);
  if (command.json) {
    nlohmann::json result = {{"clip", kept->clip.name},
                             {"frames", kept->clip.frames()},
                             {"seconds", kept->clip.duration()},
                             {"pieces", pieces_json(*kept)},
                             {"family", nullptr},
                             {"family_examples", kept->examples},
                             {"statistics", statistics_json(statistics)},
                             {"stream", stream_json(*performer->stream)}};
    if (kept->examples > 0) result["family"] = arguments.take.family;
    print_json(result);
  } else {
    say("{}\n", describe(statistics));
    say("kept '{}': {:.1f} s, {} strokes\n", kept->clip.name, kept->clip.duration(), kept->pieces.size());
    if (kept->examples > 0) say("family '{}' has {} examples now\n", arguments.take.family, kept->examples);
  }
  return kDone;
}

/// Sends recorded packets on at their own pace.
int send_again(const Command& command, const live::PacketFile& file, const ReplayArguments& arguments) {
  const auto to = live::read_live_address(arguments.to);
  if (!to) return report(to.error());
  if (to->protocol != file.protocol) {
    return report(Error{fmt::format("the packets are of '{}' and cannot be sent as '{}'", file.protocol, to->protocol),
                        arguments.file});
  }
  auto socket = live::UdpSocket::open(*live::make_endpoint("0.0.0.0", 0));
  if (!socket) return report(socket.error());
  ProgressBar bar;
  const Progress progress = bar.progress();
  const double begun = live::steady_seconds();
  const double all = file.packets.empty() ? 1 : std::max(file.packets.back().seconds, 1e-3);
  for (const live::RecordedPacket& packet : file.packets) {
    live::Endpoint from;
    for (;;) {
      const double wait = packet.seconds / arguments.speed - (live::steady_seconds() - begun);
      if (wait <= 0) break;
      static_cast<void>(socket->receive(std::min(wait, 0.1), from));
      if (!progress.report(packet.seconds / all, "sending"))
        return report(Error{"stopped", {}, 0, ErrorKind::kStopped});
    }
    if (const auto sent = socket->send(packet.bytes, to->endpoint); !sent) return report(sent.error());
  }
  if (command.json) {
    print_json({{"protocol", file.protocol},
                {"packets", file.packets.size()},
                {"seconds", all},
                {"statistics", nullptr},
                {"stream", nullptr}});
  } else {
    say("sent {} packets to {}\n", file.packets.size(), to->endpoint.to_string());
  }
  return kDone;
}

/// Plays recorded packets through, as fast as it goes, into a file.
int play_again(const Command& command, const live::PacketFile& file, const ReplayArguments& arguments) {
  auto source = live::LiveSource::create(file.protocol);
  if (!source) return report(source.error());
  auto calibration = load_calibration(arguments.body.calibration);
  if (!calibration) return report(calibration.error());
  (*source)->set_calibration(std::move(*calibration));
  auto performer = make_performer(**source, arguments.body, nullptr);
  if (!performer) return report(performer.error());
  const double all = file.packets.empty() ? 0 : file.packets.back().seconds;
  double shown = file.packets.empty() ? 0 : file.packets.front().seconds;
  for (const live::RecordedPacket& packet : file.packets) {
    // A silence of hours is not shown pose by pose.
    shown = std::max(shown, packet.seconds - 60);
    for (; shown < packet.seconds; shown += 1 / arguments.body.rate) {
      if ((*source)->feed()->count() > 0) performer->show();
    }
    (*source)->take(packet.bytes, packet.sender, packet.seconds);
  }
  const live::SourceStatistics statistics = (*source)->statistics(all);
  motion::Recording& recording = performer->recording;
  if (recording.clip.frames() == 0) return report(Error{"no packet of it says a pose", arguments.file});
  motion::finish(recording);
  recording.clip.name = "replay";
  if (!arguments.out.empty()) {
    const auto onto = find_onto_if({}, arguments.on);
    if (!onto) return report(onto.error());
    const std::span<const motion::Clip> clips(&recording.clip, 1);
    const auto written = *onto ? (*onto)->carry_and_write(clips, arguments.out)
                               : write_motion(arguments.out, clips, recording.clip.name);
    if (!written) return report(written.error());
  }
  if (command.json) {
    print_json({{"protocol", file.protocol},
                {"packets", file.packets.size()},
                {"seconds", all},
                {"statistics", statistics_json(statistics)},
                {"stream", stream_json(*performer->stream)}});
  } else {
    say("{}\n", describe(statistics));
    if (!arguments.out.empty()) say("wrote {}\n", arguments.out);
  }
  return kDone;
}

int replay(const Command& command, const ReplayArguments& arguments) {
  const auto bytes = load_file(arguments.file);
  if (!bytes) return report(bytes.error());
  const auto file = live::read_packets(bytes->text(), arguments.file);
  if (!file) return report(file.error());
  return arguments.to.empty() ? play_again(command, *file, arguments) : send_again(command, *file, arguments);
}

}  // namespace

void add_live_record(Commands& commands) {
  Command& command = commands.add(
      "live", kLiveAbout, "record", "record what a source sends into a library, cut it, put it into a family",
      "loom live record motions.loom --source vmc:39539 --seconds 20 --label reach --family reaching");
  auto arguments = std::make_shared<RecordArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file; made where there is none")->required();
  options.add_option("--source", arguments->source, kSourceHelp)->required();
  options.add_option("--seconds", arguments->seconds, "how long, from the first frame on (10)")
      ->check(between(0.1, 36000.0));
  options.add_option("--name", arguments->name, "what the clip is called; gets a number where taken")
      ->capture_default_str();
  options.add_option("--label", arguments->take.label, "cut it into strokes of the hand and label each so");
  options.add_option("--family", arguments->take.family, "build this family anew, of all that carries the label");
  options.add_option("--body", arguments->take.body, "a clip whose body it is carried to; the first of the library");
  options.add_option("--complete", arguments->body.complete,
                     "clips of the library from which parts without sensors are taken, by the nearest pose");
  add_body_options(options, arguments->body);
  command.outputs.add_file(options, "--packets", arguments->packets, "keep the packets too, for `loom live replay`");
  command.run = [arguments](const Command& c) { return record(c, *arguments); };
}

void add_live_replay(Commands& commands) {
  Command& command =
      commands.add("live", kLiveAbout, "replay", "play recorded packets again: on to a program, or to a file",
                   "loom live replay take.packets --to vmc:39539");
  auto arguments = std::make_shared<ReplayArguments>();
  Options& options = *command.options;
  options.add_option("file", arguments->file, "what `loom live record --packets` wrote")->required();
  options.add_option("--to", arguments->to, "send them there at their own pace: PROTOCOL:ADDRESS:PORT");
  options.add_option("--speed", arguments->speed, "times as fast (1)")->check(between(0.01, 1000.0));
  add_body_options(options, arguments->body);
  command.outputs.add_file(options, "-o,--out", arguments->out, "write the motion: .bvh, .glb, .gltf or .vrma");
  options.add_option("--on", arguments->on, "the character it is written on: a model's file");
  command.run = [arguments](const Command& c) { return replay(c, *arguments); };
}

}  // namespace loom::app
