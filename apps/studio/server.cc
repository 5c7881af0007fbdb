// SPDX-License-Identifier: MIT
#include "studio/server.h"

#include <filesystem>
#include <optional>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "studio/socket_session.h"

namespace loom::studio {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

struct Server::State {
  State(Site& the_site, const ServerOptions& the_options)
      : site(the_site), options(the_options), workers(the_options.workers) {}

  Site& site;
  ServerOptions options;
  std::size_t connections = 0;  ///< HTTP ones; before `io`, whose end is theirs
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  asio::thread_pool workers;
  SocketSessions sockets;
  std::uint16_t port = 0;
  bool stopping = false;
};

namespace {

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

Response refusal(int status, const std::string& why) {
  Response response;
  response.status = status;
  response.type = "text/plain; charset=utf-8";
  response.body = why + "\n";
  return response;
}

}  // namespace

/// One client's HTTP connection: a request, its answer, the next request.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(tcp::socket socket, Server::State& server) : stream_(std::move(socket)), server_(server) {
    ++server_.connections;
  }
  ~HttpSession() { --server_.connections; }
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  void read(int seconds) {
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
    start_socket_session(std::move(stream_), header_->get(), server_.site, server_.sockets);
  }

  void read_body() {
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
    auto place = server_.site.place_for(request_);
    if (!place) return refuse(400, place.error().to_string());
    request_.upload = *place;
    file_.emplace(std::move(*header_));
    file_->body_limit(server_.options.max_upload);
    beast::error_code error;
    file_->get().body().open(place->c_str(), beast::file_mode::write, error);
    if (error) return refuse(500, "the upload cannot be kept: " + error.message());
    stream_.expires_after(std::chrono::seconds(server_.options.body_seconds));
    http::async_read(stream_, buffer_, *file_, [self = shared_from_this()](beast::error_code failed, std::size_t) {
      self->file_->get().body().close();
      if (failed) {
        std::error_code ignored;
        std::filesystem::remove(self->request_.upload, ignored);
        return self->give_up(failed);
      }
      self->keep_alive_ = self->file_->keep_alive();
      self->answer();
    });
  }

  void answer() {
    stream_.expires_never();
    asio::post(server_.workers, [self = shared_from_this()] {
      auto response = std::make_shared<Response>(self->server_.site.answer(self->request_));
      asio::post(self->stream_.get_executor(), [self, response] { self->send(std::move(*response)); });
    });
  }

  void refuse(int status, const std::string& why) {
    keep_alive_ = false;
    send(refusal(status, why));
  }

  void send(Response response) {
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
                 "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; frame-ancestors "
                 "'none'; base-uri 'none'; form-action 'self'");
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
    stream_.expires_after(std::chrono::seconds(1));
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
  char rest_[4096] = {};
};

namespace {

void accept_next(Server::State& server) {
  server.acceptor.async_accept([&server](beast::error_code error, tcp::socket socket) {
    if (!server.acceptor.is_open()) return;
    // A client that was gone before it was let in, or one too many files open, is no reason to stop.
    if (!error && server.connections + server.sockets.size() < server.options.max_connections) {
      beast::error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);  // a pose must not wait for the next
      std::make_shared<HttpSession>(std::move(socket), server)->read(server.options.header_seconds);
    }
    accept_next(server);
  });
}

void shut(Server::State& server) {
  if (server.stopping) return;
  server.stopping = true;
  beast::error_code ignored;
  server.acceptor.close(ignored);
  for (const auto& socket : SocketSessions(server.sockets)) socket->close();
}

}  // namespace

Result<std::unique_ptr<Server>> Server::create(Site& site, const ServerOptions& options) {
  auto state = std::make_unique<State>(site, options);
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
Server::~Server() { state_->workers.join(); }

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
  state_->io.run();
  state_->workers.join();
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
