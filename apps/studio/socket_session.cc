// SPDX-License-Identifier: MIT
#include "studio/socket_session.h"

#include <deque>
#include <mutex>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>

namespace loom::studio {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;

constexpr std::size_t kMaxMessage = 64 * 1024;  ///< bytes a page may say at once
constexpr std::size_t kMaxWaiting = 512;        ///< messages a page may leave lying before it is cut off
constexpr std::size_t kMaxFrames = 2;           ///< pose frames kept for a slow page

struct Outgoing {
  std::shared_ptr<const std::string> bytes;
  bool is_frame = false;
};

class Session;

/// What the rest of the studio holds of a session: it may outlive both the session and the server.
class Link final : public Connection {
 public:
  explicit Link(Session& session) : session_(&session) {}
  void send_text(std::string message) override {
    send({std::make_shared<const std::string>(std::move(message)), false});
  }
  void send_frame(std::shared_ptr<const std::string> frame) override { send({std::move(frame), true}); }
  void cut() {
    const std::lock_guard lock(mutex_);
    session_ = nullptr;
  }

 private:
  void send(Outgoing message);

  std::mutex mutex_;
  Session* session_;
};

class Session final : public SocketSession, public std::enable_shared_from_this<Session> {
 public:
  Session(beast::tcp_stream stream, Site& site, SocketSessions& sessions)
      : socket_(std::move(stream)), site_(site), sessions_(sessions) {}

  void start(const http::request<http::empty_body>& request) {
    beast::get_lowest_layer(socket_).expires_never();
    auto timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.idle_timeout = std::chrono::seconds(30);
    timeout.keep_alive_pings = true;  // a client that vanished is found out within the idle time
    socket_.set_option(timeout);
    socket_.read_message_max(kMaxMessage);
    sessions_.insert(shared_from_this());
    socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) { self->accepted(error); });
  }

  void close() override {
    if (closing_) return;
    closing_ = true;
    socket_.async_close(websocket::close_code::going_away, [self = shared_from_this()](beast::error_code) {});
  }

  void end() override {
    link_->cut();
    if (open_) site_.closed(link_);
    open_ = false;
    closing_ = true;
    sessions_.erase(shared_from_this());
  }

  /// Hands a message over to the thread that serves all clients.
  void post(Outgoing message) {
    asio::post(socket_.get_executor(), [self = shared_from_this(), message = std::move(message)]() mutable {
      self->enqueue(std::move(message));
    });
  }

 private:
  void accepted(beast::error_code error) {
    if (error) return end();
    open_ = true;
    site_.opened(link_);
    read();
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) return self->end();
      if (self->socket_.got_text()) self->site_.received(self->link_, beast::buffers_to_string(self->buffer_.data()));
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }

  void enqueue(Outgoing message) {
    if (!open_ || closing_) return;
    if (message.is_frame) drop_old_frames();
    if (waiting_.size() >= kMaxWaiting) return cut_off();
    waiting_.push_back(std::move(message));
    if (!writing_) write();
  }

  /// Makes room for a newer frame. What is being written stays.
  void drop_old_frames() {
    std::size_t frames = 0;
    for (auto at = waiting_.end(); at != waiting_.begin() + (writing_ ? 1 : 0);) {
      --at;
      if (at->is_frame && ++frames >= kMaxFrames) at = waiting_.erase(at);
    }
  }

  void write() {
    writing_ = true;
    socket_.binary(waiting_.front().is_frame);
    socket_.async_write(asio::buffer(*waiting_.front().bytes),
                        [self = shared_from_this()](beast::error_code error, std::size_t) {
                          self->writing_ = false;
                          if (error) return self->cut_off();
                          self->waiting_.pop_front();
                          if (!self->waiting_.empty() && !self->closing_) self->write();
                        });
  }

  /// Ends without a farewell; the read that is under way fails and does the rest.
  void cut_off() {
    closing_ = true;
    beast::get_lowest_layer(socket_).close();
  }

  websocket::stream<beast::tcp_stream> socket_;
  Site& site_;
  SocketSessions& sessions_;
  const std::shared_ptr<Link> link_ = std::make_shared<Link>(*this);
  beast::flat_buffer buffer_;
  std::deque<Outgoing> waiting_;  ///< the first is being written while `writing_`
  bool open_ = false, closing_ = false, writing_ = false;
};

void Link::send(Outgoing message) {
  const std::lock_guard lock(mutex_);
  if (session_ != nullptr) session_->post(std::move(message));
}

}  // namespace

void start_socket_session(beast::tcp_stream stream, const http::request<http::empty_body>& request, Site& site,
                          SocketSessions& sessions) {
  std::make_shared<Session>(std::move(stream), site, sessions)->start(request);
}

}  // namespace loom::studio
