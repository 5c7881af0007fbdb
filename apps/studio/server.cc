// SPDX-License-Identifier: MIT
#include "studio/server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <set>
#include <stop_token>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <sys/resource.h>
#include <sys/socket.h>

#include "studio/socket_session.h"

namespace loom::studio {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

class HttpSession;

struct Server::State {
  State(Site& the_site, const ServerOptions& the_options)
      : site(the_site), options(the_options), quick(the_options.workers), lengthy(the_options.long_workers) {}

  asio::thread_pool& workers(Lane lane) {
    return lane == Lane::kQuick ? quick : lane == Lane::kChange ? changing : lengthy;
  }
  void join_workers() {
    for (asio::thread_pool* pool : {&quick, &changing, &lengthy}) pool->join();
  }

  Site& site;
  ServerOptions options;
  std::set<HttpSession*> sessions;  ///< before `io`, whose end is theirs
  std::size_t waiting = 0;          ///< long requests that are not answered yet
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  asio::steady_timer pause{io};  ///< of the acceptor
  asio::steady_timer beat{io};   ///< at which the site looks around
  std::atomic<bool> looking = false;
  asio::thread_pool quick, changing{1}, lengthy;
  SocketSessions sockets;
  std::uint16_t port = 0;
  bool stopping = false;
};

namespace {

using Clock = std::chrono::steady_clock;

/// How long a client that is told to go may go on sending, so that it comes to read why.
constexpr auto kFarewell = std::chrono::seconds(1), kFarewellToSenders = std::chrono::seconds(20);
constexpr auto kBetweenLooks = std::chrono::seconds(1);            ///< in which the site looks around
constexpr auto kPauseOfAcceptor = std::chrono::milliseconds(100);  ///< when no descriptors are left
constexpr rlim_t kOtherDescriptors = 64;         ///< that files, libraries and the like may need at once
constexpr auto kSlow = std::chrono::seconds(2);  ///< a transfer that rests for longer may be ended for a newcomer

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

Response refusal(int status, const std::string& why) {
  Response response;
  response.status = status;
  response.type = "text/plain; charset=utf-8";
  response.body = why + "\n";
  return response;
}

/// Whether writing a file failed for want of room.
bool is_full(const beast::error_code& error) {
  return error == beast::errc::no_space_on_device || error == beast::errc::file_too_large || error.value() == EDQUOT;
}

/// What the site answers, whatever it throws.
Response answer_of(Site& site, const Request& request) {
  if (request.stopped.stop_requested()) return refusal(503, "nobody waits for this any more");
  try {
    return site.answer(request);
  } catch (const std::exception& error) {
    return refusal(500, error.what());
  }
}

}  // namespace

/// One client's HTTP connection: a request, its answer, the next request.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  /// What it is doing. In the order in which it may be ended for a newcomer.
  enum class Phase { kLeaving, kListening, kReceiving, kUploading, kSending, kAnswering };

  HttpSession(tcp::socket socket, Server::State& server) : stream_(std::move(socket)), server_(server) {
    server_.sessions.insert(this);
  }
  ~HttpSession() { server_.sessions.erase(this); }
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] Clock::time_point since() const { return since_; }

  /// Ends without a word.
  void drop() {
    enter(Phase::kLeaving);
    stream_.close();
  }
  /// The answer being made is not wanted any more.
  void stop_answer() { stop_.request_stop(); }

  void read(int seconds) {
    enter(Phase::kListening);
    header_.emplace();
    header_->header_limit(16 * 1024);
    header_->body_limit(server_.options.max_upload);
    text_.reset();
    file_.reset();
    stream_.expires_after(std::chrono::seconds(seconds));
    http::async_read_header(stream_, buffer_, *header_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error) return self->take_header();
                              self->give_up(error);
                            });
  }

 private:
  void enter(Phase phase) {
    phase_ = phase;
    since_ = Clock::now();
  }

  /// What could not be read: told where the client may still listen.
  void give_up(beast::error_code error) {
    if (error == http::error::body_limit) return refuse(413, "that is too large");
    if (error == http::error::header_limit) return refuse(431, "the header of the request is too large");
    // Only what the parser complains about is the client's fault; the rest is a connection that ended or fell silent.
    const bool malformed = error.category() == make_error_code(http::error::bad_method).category() &&
                           error != http::error::end_of_stream && error != http::error::partial_message;
    malformed ? refuse(400, "the request is not well formed") : finish();
  }

  void take_header() {
    const auto& head = header_->get();
    const std::string host(view(head[http::field::host]));
    if (!host_allowed(host, server_.port, server_.options.name)) {
      return refuse(403, "this server is asked under its own address only");
    }
    if (!origin_allowed(view(head[http::field::origin]), host)) {
      return refuse(403, "only this server's own pages may ask it");
    }
    auto parsed = parse_target(view(head.method_string()), view(head.target()));
    if (!parsed) return refuse(400, parsed.error().to_string());
    request_ = std::move(*parsed);
    if (request_.path == std::vector<std::string>{"ws"}) return upgrade();
    switch (head.method()) {
      case http::verb::get:
      case http::verb::head:
      case http::verb::post:
      case http::verb::put:
      case http::verb::delete_:
        break;
      default:
        return refuse(405, "the method is not known here");
    }
    is_head_ = head.method() == http::verb::head;
    version_ = head.version();
    if (is_head_) request_.method = "GET";
    wanted_etag_ = view(head[http::field::if_none_match]);
    if (!http::token_list(head[http::field::expect]).exists("100-continue")) return read_body();
    auto go_on = std::make_shared<http::response<http::empty_body>>(http::status::continue_, 11);
    http::async_write(stream_, *go_on, [self = shared_from_this(), go_on](beast::error_code error, std::size_t) {
      error ? self->finish() : self->read_body();
    });
  }

  void upgrade() {
    if (!beast::websocket::is_upgrade(header_->get())) return refuse(426, "here WebSockets are served");
    if (server_.sockets.size() >= server_.options.max_connections / 2) return refuse(503, "too many pages are open");
    start_socket_session(std::move(stream_), header_->get(), server_.site, server_.sockets);
  }

  void read_body() {
    enter(Phase::kReceiving);
    if (request_.method == "PUT") return read_upload();
    const auto length = header_->content_length();
    if (length && *length > server_.options.max_body) return refuse(413, "that is too large");
    text_.emplace(std::move(*header_));
    text_->body_limit(server_.options.max_body);
    stream_.expires_after(std::chrono::seconds(server_.options.header_seconds));
    http::async_read(stream_, buffer_, *text_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) return self->give_up(error);
      self->keep_alive_ = self->text_->keep_alive();
      self->request_.body = std::move(self->text_->get().body());
      self->answer();
    });
  }

  void read_upload() {
    const auto length = header_->content_length();
    const std::uint64_t bytes = length ? *length : server_.options.max_upload;
    if (bytes > server_.options.max_upload) return refuse(413, "that is too large");
    auto place = server_.site.place_for(request_, bytes);
    if (!place) return refuse(place.error().status, place.error().why);
    request_.upload = *place;
    file_.emplace(std::move(*header_));
    file_->body_limit(server_.options.max_upload);
    file_->eager(true);
    beast::error_code error;
    file_->get().body().open(place->c_str(), beast::file_mode::write, error);
    if (error) return drop_upload(error);
    upload_end_ = Clock::now() + std::chrono::seconds(server_.options.body_seconds);
    read_more();
  }

  /// The next piece of an upload: each has its time, and so has the whole.
  void read_more() {
    if (file_->is_done()) {
      file_->get().body().close();
      keep_alive_ = file_->keep_alive();
      return answer();
    }
    enter(Phase::kUploading);
    stream_.expires_at(std::min(upload_end_, Clock::now() + std::chrono::seconds(server_.options.stall_seconds)));
    http::async_read_some(stream_, buffer_, *file_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      error ? self->drop_upload(error) : self->read_more();
    });
  }

  void drop_upload(beast::error_code error) {
    file_->get().body().close();
    server_.site.drop_upload(request_);
    if (is_full(error)) return refuse(507, "the disk is full; nothing of this upload was kept");
    if (error.category() == boost::system::generic_category()) {  // as the file's errors are, not the network's
      return refuse(500, "the upload cannot be kept: " + error.message());
    }
    give_up(error);
  }

  void answer() {
    enter(Phase::kAnswering);
    stream_.expires_never();
    lane_ = server_.site.lane_of(request_);
    if (lane_ == Lane::kLong && server_.waiting >= server_.options.max_waiting + server_.options.long_workers) {
      return send(refusal(503, "the studio has too much to do; try again in a moment"));
    }
    if (lane_ == Lane::kLong) ++server_.waiting;
    stop_ = {};
    if (server_.stopping) stop_.request_stop();  // it came too late to be told with the others
    request_.stopped = stop_.get_token();
    watch();
    // The session goes to the worker and comes back: its end belongs to this thread.
    asio::post(server_.workers(lane_), [self = shared_from_this()]() mutable {
      HttpSession& session = *self;
      auto response = std::make_shared<Response>(answer_of(session.server_.site, session.request_));
      asio::post(session.stream_.get_executor(),
                 [self = std::move(self), response] { self->take_answer(std::move(*response)); });
    });
  }

  void take_answer(Response response) {
    if (lane_ == Lane::kLong) --server_.waiting;
    enter(Phase::kSending);
    beast::error_code ignored;
    stream_.socket().cancel(ignored);  // ends the watch
    send(std::move(response));
  }

  /// Sees whether the client goes away while its answer is being made.
  void watch() {
    stream_.socket().async_wait(tcp::socket::wait_read, [self = shared_from_this()](beast::error_code error) {
      if (error || self->phase_ != Phase::kAnswering) return;
      char byte = 0;
      const auto got = ::recv(self->stream_.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
      // What it sends meanwhile is read in its turn; that there is something means that it is there.
      if (got == 0) return self->ask_whether_it_listens();
      if (got < 0 && errno != EAGAIN && errno != EINTR) self->stop_answer();
    });
  }

  /// A client that says no more may still wait for its answer, having closed its half of the connection, or be gone:
  /// from here both look alike until something is sent. An interim answer may be, to any client of HTTP/1.1; where
  /// nobody listens any more, an error comes back.
  void ask_whether_it_listens() {
    constexpr std::string_view kInterim = "HTTP/1.1 102 Processing\r\n\r\n";
    const int socket = stream_.socket().native_handle();
    if (version_ < 11 || ::send(socket, kInterim.data(), kInterim.size(), MSG_NOSIGNAL | MSG_DONTWAIT) !=
                             static_cast<ssize_t>(kInterim.size())) {
      return stop_answer();
    }
    stream_.socket().async_wait(tcp::socket::wait_error, [self = shared_from_this()](beast::error_code error) {
      if (!error && self->phase_ == Phase::kAnswering) self->stop_answer();
    });
  }

  void refuse(int status, const std::string& why) {
    keep_alive_ = false;
    still_sends_ = phase_ == Phase::kReceiving || phase_ == Phase::kUploading;
    send(refusal(status, why));
  }

  void send(Response response) {
    enter(Phase::kSending);
    const bool known = !response.etag.empty() && wanted_etag_ == "\"" + response.etag + "\"";
    auto message = std::make_shared<http::response<http::string_body>>();
    message->version(11);
    message->result(static_cast<unsigned>(known ? 304 : response.status));
    message->set(http::field::content_type, response.type);
    message->set(http::field::cache_control, response.lasting ? "max-age=31536000, immutable" : "no-cache");
    message->set("X-Content-Type-Options", "nosniff");
    message->set("Cross-Origin-Resource-Policy", "same-origin");
    message->set("Referrer-Policy", "no-referrer");
    message->set("X-Frame-Options", "DENY");
    message->set("Content-Security-Policy",
                 "default-src 'self'; img-src 'self' data: blob:; connect-src 'self' blob:; style-src 'self' "
                 "'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'");
    if (!response.etag.empty()) message->set(http::field::etag, "\"" + response.etag + "\"");
    if (!response.download.empty()) message->set(http::field::content_disposition, attachment(response.download));
    if (!known) message->body() = std::move(response.body);
    message->keep_alive(keep_alive_ && !server_.stopping);
    message->prepare_payload();
    if (is_head_) message->body().clear();
    stream_.expires_after(std::chrono::seconds(server_.options.body_seconds));
    http::async_write(stream_, *message, [self = shared_from_this(), message](beast::error_code error, std::size_t) {
      if (error || message->need_eof() || !self->keep_alive_ || self->server_.stopping) return self->finish();
      self->read(self->server_.options.idle_seconds);
    });
  }

  /// Says goodbye, and waits a moment for the client to do so: closing at once could throw away what it has not read.
  void finish() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    if (ignored) return;
    enter(Phase::kLeaving);
    stream_.expires_after(still_sends_ && !server_.stopping ? kFarewellToSenders : kFarewell);
    drain();
  }
  void drain() {
    stream_.async_read_some(asio::buffer(rest_), [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) self->drain();
    });
  }

  beast::tcp_stream stream_;
  Server::State& server_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> header_;
  std::optional<http::request_parser<http::string_body>> text_;
  std::optional<http::request_parser<http::file_body>> file_;
  Request request_;
  std::string wanted_etag_;
  bool is_head_ = false, keep_alive_ = false;
  unsigned version_ = 11;     ///< of HTTP, that the client speaks
  bool still_sends_ = false;  ///< was refused before all of its body had come
  Phase phase_ = Phase::kListening;
  Clock::time_point since_ = Clock::now(), upload_end_;
  Lane lane_ = Lane::kQuick;
  std::stop_source stop_;
  char rest_[16384] = {};
};

namespace {

/// Ends the connection that is missed least: one that is leaving or has not said yet what it wants, the longest first,
/// or one whose transfer has come to a stop. False when there is none.
bool make_room(Server::State& server) {
  const auto now = Clock::now();
  HttpSession* least = nullptr;
  for (HttpSession* session : server.sessions) {
    using Phase = HttpSession::Phase;
    const bool slow = now - session->since() > kSlow;
    if (session->phase() == Phase::kAnswering || (session->phase() >= Phase::kUploading && !slow)) continue;
    const auto order = [](const HttpSession& s) { return std::pair(s.phase(), s.since()); };
    if (least == nullptr || order(*session) < order(*least)) least = session;
  }
  if (least != nullptr) least->drop();
  return least != nullptr;
}

void accept_next(Server::State& server);

/// Takes a client that has come, where there is room for it.
void welcome(Server::State& server, tcp::socket socket) {
  const bool full = server.sessions.size() + server.sockets.size() >= server.options.max_connections;
  if (full && !make_room(server)) return;
  beast::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);  // a pose must not wait for the next
  std::make_shared<HttpSession>(std::move(socket), server)->read(server.options.header_seconds);
}

/// No descriptors are left, or no memory: somebody makes room, and the next try comes after a pause.
void pause_accepting(Server::State& server) {
  make_room(server);
  server.pause.expires_after(kPauseOfAcceptor);
  server.pause.async_wait([&server](beast::error_code error) {
    if (!error && server.acceptor.is_open()) accept_next(server);
  });
}

void accept_next(Server::State& server) {
  server.acceptor.async_accept([&server](beast::error_code error, tcp::socket socket) {
    if (!server.acceptor.is_open()) return;
    // A client that was gone before it was let in is no reason to pause.
    if (error && error != beast::errc::connection_aborted) return pause_accepting(server);
    try {
      if (!error) welcome(server, std::move(socket));
    } catch (const std::exception&) {
      return pause_accepting(server);  // there was no memory for this one; others are let in when there is
    }
    accept_next(server);
  });
}

void shut(Server::State& server) {
  if (server.stopping) return;
  server.stopping = true;
  beast::error_code ignored;
  server.acceptor.close(ignored);
  server.pause.cancel();
  server.beat.cancel();
  for (HttpSession* session : server.sessions) session->stop_answer();
  for (const auto& socket : SocketSessions(server.sockets)) socket->close();
}

/// Has the site look around again and again, on a worker: a disk may be slow to say what is on it.
void look_around(Server::State& server) {
  server.beat.expires_after(kBetweenLooks);
  server.beat.async_wait([&server](beast::error_code error) {
    if (error || server.stopping) return;
    if (!server.sockets.empty() && !server.looking.exchange(true)) {
      asio::post(server.quick, [&server] {
        try {
          server.site.look_around();
        } catch (const std::exception&) {  // there was no memory to tell of it; it is seen again
        }
        server.looking = false;
      });
    }
    look_around(server);
  });
}

/// As many connections as there are descriptors for.
std::size_t most_connections(std::size_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return wanted;
  const rlim_t room = limit.rlim_cur > 2 * kOtherDescriptors ? limit.rlim_cur - kOtherDescriptors : kOtherDescriptors;
  return std::min<std::size_t>(wanted, room);
}

/// Serves until it is told to stop. What a handler throws (memory, most likely) ends one client's session alone.
void serve(asio::io_context& io) {
  for (;;) {
    try {
      io.run();
      return;
    } catch (const std::exception&) {
      continue;
    }
  }
}

}  // namespace

Result<std::unique_ptr<Server>> Server::create(Site& site, const ServerOptions& options) {
  auto state = std::make_unique<State>(site, options);
  state->options.max_connections = most_connections(options.max_connections);
  beast::error_code error;
  const auto address = asio::ip::make_address(options.address, error);
  if (error) return fail("'" + options.address + "' is not an IP address to listen on");
  const tcp::endpoint endpoint(address, options.port);
  state->acceptor.open(endpoint.protocol(), error);
  if (!error) state->acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) state->acceptor.bind(endpoint, error);
  if (!error) state->acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    return fail("cannot listen on " + options.address + " port " + std::to_string(options.port) + ": " +
                error.message());
  }
  state->port = state->acceptor.local_endpoint().port();
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() { state_->join_workers(); }

std::uint16_t Server::port() const { return state_->port; }

void Server::run(bool until_signal) {
  asio::signal_set signals(state_->io);
  if (until_signal) {
    signals.add(SIGINT);
    signals.add(SIGTERM);
    signals.async_wait([this](beast::error_code error, int) {
      if (!error) stop();
    });
  }
  accept_next(*state_);
  look_around(*state_);
  serve(state_->io);
  state_->join_workers();
  for (const auto& socket : SocketSessions(state_->sockets)) socket->end();
}

void Server::stop() {
  asio::post(state_->io, [this] {
    shut(*state_);
    // Who does not say goodbye at once is not waited for.
    auto patience = std::make_shared<asio::steady_timer>(state_->io, std::chrono::milliseconds(300));
    patience->async_wait([this, patience](beast::error_code) { state_->io.stop(); });
  });
}

}  // namespace loom::studio
