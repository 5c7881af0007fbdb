// SPDX-License-Identifier: MIT
#include "studio/web_socket_port.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <deque>
#include <set>
#include <thread>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <fmt/format.h>

#include "studio/message.h"

namespace loom::studio {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;

namespace {

constexpr std::size_t kMostClients = 32;
constexpr std::size_t kMostWaiting = 4;                      ///< messages kept for somebody who reads slowly
constexpr std::size_t kLargestMessage = 60 * 1024;           ///< bytes that somebody may say at once
constexpr auto kPatience = std::chrono::seconds(5);          ///< for somebody to say who they are, or to answer
constexpr auto kLastWords = std::chrono::milliseconds(500);  ///< to hear the last that is said
constexpr auto kPauseAfterFault = std::chrono::milliseconds(100);
constexpr std::string_view kForms = "it is ws:PORT, ws:ADDRESS:PORT or ws://HOST:PORT/PATH";

std::string_view text_of(beast::string_view text) { return {text.data(), text.size()}; }

Result<std::uint16_t> read_port(std::string_view text, std::string_view all) {
  std::uint16_t port = 0;
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (problem != std::errc{} || rest != text.data() + text.size()) {
    return fail_as(ErrorKind::kBadInput, fmt::format("'{}' is no WebSocket: {}", all, kForms));
  }
  return port;
}

/// Whether a page that came from `origin` may listen: one of this machine, or a file on it.
bool may_open(std::string_view origin) {
  if (origin.empty() || origin == "null") return true;  // a program, or a file
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) origin.remove_prefix(scheme.size());
  }
  const std::string_view host =
      origin.starts_with('[') ? origin.substr(0, origin.find(']') + 1) : origin.substr(0, origin.find(':'));
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

struct Message {
  std::shared_ptr<const std::string> bytes;
  bool is_text = false;
};

}  // namespace

std::string WebSocketAddress::to_string() const { return fmt::format("{}:{}", host, port); }

bool is_web_socket_address(std::string_view text) { return text.substr(0, text.find(':')) == "ws"; }

Result<WebSocketAddress> read_web_socket_address(std::string_view text) {
  WebSocketAddress address;
  if (text == "ws") return address;
  std::string_view rest = text;
  if (!rest.starts_with("ws:"))
    return fail_as(ErrorKind::kBadInput, fmt::format("'{}' is no WebSocket: {}", text, kForms));
  rest.remove_prefix(3);
  if (rest.starts_with("//")) {
    address.opens = true;
    address.port = 80;
    rest.remove_prefix(2);
    if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
      address.path = rest.substr(slash);
      rest = rest.substr(0, slash);
    }
  }
  const std::size_t colon = rest.rfind(':');
  if (colon != std::string_view::npos || (!address.opens && rest.find('.') == std::string_view::npos)) {
    const auto port = read_port(colon == std::string_view::npos ? rest : rest.substr(colon + 1), text);
    if (!port) return fail_from(port);
    address.port = *port;
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(0, colon);
  }
  if (!rest.empty()) address.host = rest;
  if (address.host == "localhost") address.host = "127.0.0.1";
  const bool odd = std::any_of(address.path.begin(), address.path.end(), [](char c) { return c <= ' ' || c > '~'; });
  if (odd) return fail_as(ErrorKind::kBadInput, fmt::format("'{}' is no WebSocket: {}", text, kForms));
  return address;
}

namespace {

class Client;

}  // namespace

/// All but `open` and `port` belongs to the thread.
struct WebSocketPort::State {
  Heard heard;
  std::set<std::shared_ptr<Client>> clients;  ///< before `io`, whose end is theirs
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  asio::steady_timer pause{io};
  std::atomic<std::size_t> open = 0;
  std::uint16_t port = 0;
  std::jthread thread;

  void accept();
  void start();
};

namespace {

class Client : public std::enable_shared_from_this<Client> {
 public:
  Client(tcp::socket socket, WebSocketPort::State& port) : socket_(std::move(socket)), port_(port) {
    socket_.read_message_max(kLargestMessage);
  }

  websocket::stream<beast::tcp_stream>& socket() { return socket_; }

  /// Somebody who opened a connection: what they ask for is read first, since it says whose page they are.
  void greet() {
    beast::get_lowest_layer(socket_).expires_after(kPatience);
    http::async_read(
        beast::get_lowest_layer(socket_), buffer_, request_,
        [self = shared_from_this()](beast::error_code error, std::size_t) { error ? self->end() : self->answer(); });
  }

  /// From here on messages go both ways.
  void begin() {
    beast::get_lowest_layer(socket_).expires_never();
    open_ = true;
    ++port_.open;
    read();
  }

  /// A farewell once all is said.
  void close() {
    closing_ = true;
    if (open_ && waiting_.empty()) say_farewell();
  }

  void say(Message message) {
    if (!open_ || closing_) return;
    // The newest are kept: who reads slowly sees fewer, not older ones.
    if (waiting_.size() >= kMostWaiting) waiting_.erase(waiting_.begin() + 1);
    waiting_.push_back(std::move(message));
    if (waiting_.size() == 1) write();
  }

 private:
  void answer() {
    const std::string host(text_of(request_[http::field::host]));
    if (!websocket::is_upgrade(request_) || !host_allowed(host, port_.port, {}) ||
        !may_open(text_of(request_[http::field::origin]))) {
      refused_ = {http::status::forbidden, 11};
      refused_.body() = "here messages go over WebSockets, to programs and pages of this machine\n";
      refused_.prepare_payload();
      http::async_write(beast::get_lowest_layer(socket_), refused_,
                        [self = shared_from_this()](beast::error_code, std::size_t) { self->end(); });
      return;
    }
    auto timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.keep_alive_pings = true;  // who vanished is found out
    timeout.idle_timeout = std::chrono::seconds(30);
    beast::get_lowest_layer(socket_).expires_never();
    socket_.set_option(timeout);
    socket_.async_accept(request_,
                         [self = shared_from_this()](beast::error_code error) { error ? self->end() : self->begin(); });
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) return self->end();
      const auto bytes = self->buffer_.data();
      if (self->port_.heard) self->port_.heard({static_cast<const std::byte*>(bytes.data()), bytes.size()});
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }

  void write() {
    socket_.text(waiting_.front().is_text);
    socket_.async_write(asio::buffer(*waiting_.front().bytes),
                        [self = shared_from_this()](beast::error_code error, std::size_t) {
                          if (error) return self->end();
                          self->waiting_.pop_front();
                          if (!self->waiting_.empty()) return self->write();
                          if (self->closing_) self->say_farewell();
                        });
  }

  void say_farewell() {
    socket_.async_close(websocket::close_code::going_away,
                        [self = shared_from_this()](beast::error_code) { self->end(); });
  }

  void end() {
    if (std::exchange(open_, false)) --port_.open;
    beast::get_lowest_layer(socket_).close();
    port_.clients.erase(shared_from_this());
  }

  websocket::stream<beast::tcp_stream> socket_;
  WebSocketPort::State& port_;
  beast::flat_buffer buffer_{kLargestMessage};
  http::request<http::empty_body> request_;
  http::response<http::string_body> refused_;
  std::deque<Message> waiting_;  ///< the first is being written
  bool open_ = false, closing_ = false;
};

/// Opens a socket to somebody else's port. Waits for their answer, though not for ever.
Result<std::shared_ptr<Client>> open_to(const WebSocketAddress& address, WebSocketPort::State& port) {
  const auto failed = [&](const beast::error_code& error) {
    return fail(
        fmt::format("no WebSocket can be opened to {}{}: {}", address.to_string(), address.path, error.message()));
  };
  auto client = std::make_shared<Client>(tcp::socket(port.io), port);
  beast::tcp_stream& stream = beast::get_lowest_layer(client->socket());
  beast::error_code problem = asio::error::timed_out;
  tcp::resolver resolver(port.io);
  resolver.async_resolve(
      address.host, std::to_string(address.port),
      [&](beast::error_code error, const tcp::resolver::results_type& found) {
        if (problem = error; error) return;
        stream.expires_after(kPatience);
        stream.async_connect(found, [&](beast::error_code refused, const tcp::endpoint&) {
          if (problem = refused; refused) return;
          stream.expires_never();
          client->socket().set_option(websocket::stream_base::timeout::suggested(beast::role_type::client));
          client->socket().async_handshake(address.to_string(), address.path,
                                           [&](beast::error_code end) { problem = end; });
        });
      });
  port.io.run_for(3 * kPatience);
  port.io.restart();
  if (problem) return failed(problem);
  return client;
}

}  // namespace

void WebSocketPort::State::accept() {
  acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (error) {  // no descriptors are left, say
      pause.expires_after(kPauseAfterFault);
      return pause.async_wait([this](beast::error_code stopped) {
        if (!stopped) accept();
      });
    }
    if (clients.size() < kMostClients) {
      const auto client = std::make_shared<Client>(std::move(socket), *this);
      clients.insert(client);
      client->greet();
    }
    accept();
  });
}

void WebSocketPort::State::start() {
  thread = std::jthread([this] {
    const auto busy = asio::make_work_guard(io);
    io.run();
  });
}

WebSocketPort::WebSocketPort(std::unique_ptr<State> state) : state_(std::move(state)) {}

WebSocketPort::~WebSocketPort() {
  asio::post(state_->io, [state = state_.get()] {
    const auto all = state->clients;
    for (const auto& client : all) client->close();
  });
  for (const auto end = std::chrono::steady_clock::now() + kLastWords;
       state_->open > 0 && std::chrono::steady_clock::now() < end;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  state_->io.stop();
  state_->thread.join();
  state_->clients.clear();
}

Result<std::unique_ptr<WebSocketPort>> WebSocketPort::open(const WebSocketAddress& address, Heard heard) {
  auto state = std::make_unique<State>();
  state->heard = std::move(heard);
  if (address.opens) {
    auto client = open_to(address, *state);
    if (!client) return fail_from(client);
    state->clients.insert(*client);
    state->port = address.port;
    (*client)->begin();
  } else {
    beast::error_code error;
    const auto host = asio::ip::make_address(address.host, error);
    if (error) return fail_as(ErrorKind::kBadInput, fmt::format("'{}' is no address to listen at", address.host));
    const tcp::endpoint at(host, address.port);
    state->acceptor.open(at.protocol(), error);
    if (!error) state->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) state->acceptor.bind(at, error);
    if (!error) state->acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error == asio::error::address_in_use) {
      return fail(fmt::format("port {} is in use by another program", address.port));
    }
    if (error) return fail(fmt::format("{} cannot be listened at: {}", address.to_string(), error.message()));
    state->port = state->acceptor.local_endpoint().port();
    state->accept();
  }
  state->start();
  return std::unique_ptr<WebSocketPort>(new WebSocketPort(std::move(state)));
}

void WebSocketPort::send(std::string message, bool is_text) {
  const Message said{std::make_shared<const std::string>(std::move(message)), is_text};
  asio::post(state_->io, [state = state_.get(), said] {
    const auto all = state->clients;  // whoever goes meanwhile is not missed
    for (const auto& client : all) client->say(said);
  });
}

std::size_t WebSocketPort::clients() const { return state_->open; }

std::uint16_t WebSocketPort::port() const { return state_->port; }

}  // namespace loom::studio
