// SPDX-License-Identifier: MIT
#include "loom/live_layer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/character/transferred_stream.h>
#include <loom/live/live_body.h>
#include <loom/live/live_stream.h>

#include "loom/choice.h"
#include "loom/live_commands.h"

namespace loom::app {
namespace {

/// What a source sends, on a body of the performer's height.
Result<std::unique_ptr<live::LiveStream>> stream_of(live::LiveSession& session, const character::HumanBody& body,
                                                    double rate, const LiveLayerOptions& options) {
  auto calibration = load_calibration(options.calibration);
  if (!calibration) return fail_from(calibration);
  session.source().set_calibration(std::move(*calibration));
  const live::LiveStreamOptions how{rate, options.delay, {options.mirror, nullptr}};
  return std::make_unique<live::LiveStream>(session.source().feed(), body, how);
}

}  // namespace

void add_live_layer(Options& options, LiveLayerOptions& layer) {
  const auto live = options.add_option("--live", layer.source,
                                       "a source, as of `loom live record`: its motion goes over what is played");
  add_choice(options, "--part", layer.part, {"upper", "body"},
             "what live motion moves: the upper body, or all of it while somebody performs (upper)");
  options.add_option("--calibration", layer.calibration, "of --live: what `loom live calibrate` wrote")->needs(live);
  options.add_option("--delay", layer.delay, "of --live: seconds behind the newest packet (0.06)")
      ->check(between(0.0, 2.0));
  options.add_option("--height", layer.height, "of --live: metres of the performer (1.75)")->check(between(0.5, 3.0));
  options.add_flag("--mirror-arm", layer.mirror, "of --live: an arm without sensors does what the other does");
}

Result<LiveInput> open_live_input(const std::string& source) {
  LiveInput input;
  if (!studio::is_web_socket_address(source)) {
    const auto address = live::read_live_address(source);
    if (!address) return fail_from(address);
    auto session = live::LiveSession::open(*address);
    if (!session) return fail_from(session);
    input.protocol = address->protocol;
    input.session = std::make_unique<live::LiveSession>(std::move(*session));
    return input;
  }
  const auto address = studio::read_web_socket_address(source);
  if (!address) return fail_from(address);
  // Messages go on as packets to a port of our own, so that they are heard by the thread that asks for them, and what
  // does not fit is dropped by the system as of any other source.
  auto session = live::LiveSession::open({"loom", *live::make_endpoint("127.0.0.1", 0)});
  if (!session) return fail_from(session);
  auto out = live::UdpSocket::open(*live::make_endpoint("127.0.0.1", 0));
  if (!out) return fail_from(out);
  const auto shared = std::make_shared<live::UdpSocket>(std::move(*out));
  const auto inside = live::make_endpoint("127.0.0.1", session->port());
  auto port = studio::WebSocketPort::open(*address, [shared, inside](std::span<const std::byte> message) {
    static_cast<void>(shared->send(message, *inside));
  });
  if (!port) return fail_from(port);
  input.protocol = "loom";
  input.session = std::make_unique<live::LiveSession>(std::move(*session));
  input.port = std::move(*port);
  return input;
}

Result<LiveLayer::Made> LiveLayer::over(std::unique_ptr<motion::MotionStream> stream, const character::HumanBody& body,
                                        const LiveLayerOptions& options) {
  auto input = open_live_input(options.source);
  if (!input) return fail_from(input);
  const auto performer = live::make_live_body(static_cast<float>(options.height));
  if (!performer) return fail_from(performer);
  auto made = stream_of(*input->session, *performer, stream->rate(), options);
  if (!made) return fail_from(made);
  auto carried = character::TransferredStream::create(std::move(*made), character::Transfer::between(*performer, body));
  if (!carried) return fail_from(carried);
  std::unique_ptr<LiveLayer> layer(new LiveLayer(std::move(*input)));
  const bool upper = options.part == "upper";
  if (upper && body.trunk.empty()) return fail("the body has no back that is known: there is no upper body to move");
  const std::string from = upper ? body.skeleton->joint(static_cast<std::size_t>(body.trunk.front())).name : "";
  auto performed = play::PerformedStream::create(
      std::move(stream), std::move(*carried), upper ? play::PerformedPart::kUpper : play::PerformedPart::kBody, from);
  if (!performed) return fail_from(performed);
  layer->performed_ = performed->get();
  return Made{std::move(layer), std::move(*performed), body};
}

Result<LiveLayer::Made> LiveLayer::alone(double rate, const LiveLayerOptions& options) {
  auto input = open_live_input(options.source);
  if (!input) return fail_from(input);
  auto performer = live::make_live_body(static_cast<float>(options.height));
  if (!performer) return fail_from(performer);
  auto stream = stream_of(*input->session, *performer, rate, options);
  if (!stream) return fail_from(stream);
  std::unique_ptr<LiveLayer> layer(new LiveLayer(std::move(*input)));
  return Made{std::move(layer), std::move(*stream), std::move(*performer)};
}

void LiveLayer::listen(double until) {
  live::LiveSession& session = *input_.session;
  session.listen(session.now() + until - live::steady_seconds());
}

void LiveLayer::step() {
  const bool performs = input_.session->source().statistics(input_.session->now()).performs();
  performances_ += performs && !performs_ ? 1 : 0;
  performs_ = performs;
  if (performed_ != nullptr) performed_->perform(performs);
}

nlohmann::json LiveLayer::told() const {
  nlohmann::json all = statistics_json(input_.session->source().statistics(input_.session->now()));
  all["performances"] = performances_;
  return all;
}

std::string LiveLayer::in_words() const { return describe(input_.session->source().statistics(input_.session->now())); }

}  // namespace loom::app
