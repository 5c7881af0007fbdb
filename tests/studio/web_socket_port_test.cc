// SPDX-License-Identifier: MIT
#include "studio/web_socket_port.h"

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_client.h"

namespace loom::studio {
namespace {

using testing::RawClient;

constexpr auto kPatience = std::chrono::seconds(60);  ///< the machine may do other things, too

/// What came, from any thread.
struct Heard {
  void operator()(std::span<const std::byte> message) {
    const std::lock_guard lock(mutex);
    all.emplace_back(reinterpret_cast<const char*>(message.data()), message.size());
  }
  std::vector<std::string> until(std::size_t count) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    for (;;) {
      {
        const std::lock_guard lock(mutex);
        if (all.size() >= count || std::chrono::steady_clock::now() > end) return all;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::mutex mutex;
  std::vector<std::string> all;
};

WebSocketAddress anywhere() {
  WebSocketAddress address;
  address.port = 0;
  return address;
}

WebSocketAddress to(const WebSocketPort& port) {
  WebSocketAddress address;
  address.port = port.port();
  address.opens = true;
  return address;
}

void wait_for(const WebSocketPort& port, std::size_t clients) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (port.clients() != clients && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_EQ(port.clients(), clients);
}

constexpr const char* kUpgrade =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

TEST(WebSocketPort, WhatIsSentReachesEverybodyAndBack) {
  Heard at_port, first, second;
  const auto port = WebSocketPort::open(anywhere(), [&](auto message) { at_port(message); });
  ASSERT_TRUE(port) << port.error().to_string();
  {
    const auto one = WebSocketPort::open(to(**port), [&](auto message) { first(message); });
    const auto other = WebSocketPort::open(to(**port), [&](auto message) { second(message); });
    ASSERT_TRUE(one && other);
    wait_for(**port, 2);
    (*port)->send("to both", true);
    (*one)->send("from one", true);
    EXPECT_THAT(first.until(1), ::testing::ElementsAre("to both"));
    EXPECT_THAT(second.until(1), ::testing::ElementsAre("to both"));
    EXPECT_THAT(at_port.until(1), ::testing::ElementsAre("from one"));
  }
  wait_for(**port, 0);  // who goes is missed
}

TEST(WebSocketPort, TheLastThatWasSaidIsHeardBeforeTheFarewell) {
  Heard heard;
  const auto port = WebSocketPort::open(anywhere(), [&](auto message) { heard(message); });
  ASSERT_TRUE(port);
  {
    const auto client = WebSocketPort::open(to(**port));
    ASSERT_TRUE(client);
    (*client)->send("the last", true);
  }
  EXPECT_THAT(heard.until(1), ::testing::ElementsAre("the last"));
}

TEST(WebSocketPort, HandshakeIsThatOfTheStandard) {
  const auto port = WebSocketPort::open(anywhere());
  ASSERT_TRUE(port);
  const RawClient client((*port)->port());
  client.ask("GET /", kUpgrade);
  const std::string answer = client.hear("\r\n\r\n");
  EXPECT_THAT(answer, ::testing::HasSubstr(" 101 "));
  EXPECT_THAT(answer, ::testing::HasSubstr("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));  // RFC 6455 §1.3
}

TEST(WebSocketPort, PagesOfOtherSitesAreTurnedAway) {
  const auto port = WebSocketPort::open(anywhere());
  ASSERT_TRUE(port);
  for (const auto& [origin, status] : {std::pair{"https://example.org", " 403 "},
                                       {"http://localhost.example.org", " 403 "},
                                       {"http://localhost:8080", " 101 "},
                                       {"http://127.0.0.1", " 101 "}}) {
    const RawClient client((*port)->port());
    client.ask("GET /", std::string(kUpgrade) + "Origin: " + origin + "\r\n");
    EXPECT_THAT(client.hear("\r\n\r\n"), ::testing::HasSubstr(status)) << origin;
  }
}

TEST(WebSocketPort, WhatIsNoWebSocketIsSurvived) {
  Heard heard;
  const auto port = WebSocketPort::open(anywhere(), [&](auto message) { heard(message); });
  ASSERT_TRUE(port);
  {
    const RawClient plain((*port)->port());
    plain.ask("GET /");
    EXPECT_THAT(plain.hear("\r\n\r\n"), ::testing::HasSubstr(" 403 "));
    const RawClient rubbish((*port)->port());
    rubbish.say(std::string(100000, '\0'));
    const RawClient broken((*port)->port());
    broken.ask("GET /", kUpgrade);
    broken.hear("\r\n\r\n");
    broken.say("\xff\xff\xff\xff\xff\xff\xff\xff");  // a frame of no kind there is
    const RawClient large((*port)->port());
    large.ask("GET /", kUpgrade);
    large.hear("\r\n\r\n");
    large.say(std::string("\x81\xff\x00\x00\x00\xff\x00\x00\x00\x00", 10));  // a terabyte is said to come
    large.hear();
  }
  const auto client = WebSocketPort::open(to(**port));
  ASSERT_TRUE(client);
  (*client)->send("still there", true);
  EXPECT_THAT(heard.until(1), ::testing::ElementsAre("still there"));
}

TEST(WebSocketPort, APortInUseIsTold) {
  const auto port = WebSocketPort::open(anywhere());
  ASSERT_TRUE(port);
  WebSocketAddress same;
  same.port = (*port)->port();
  const auto second = WebSocketPort::open(same);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, ::testing::HasSubstr("in use"));
}

TEST(WebSocketPort, NobodyThereIsTold) {
  WebSocketAddress nobody;
  {
    const auto port = WebSocketPort::open(anywhere());
    ASSERT_TRUE(port);
    nobody = to(**port);
  }
  const auto none = WebSocketPort::open(nobody);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, ::testing::HasSubstr("no WebSocket can be opened"));
}

TEST(WebSocketAddress, IsReadAsItIsWritten) {
  const auto usual = read_web_socket_address("ws");
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->to_string(), "127.0.0.1:39571");
  const auto port = read_web_socket_address("ws:4000");
  ASSERT_TRUE(port);
  EXPECT_EQ(port->to_string(), "127.0.0.1:4000");
  EXPECT_FALSE(port->opens);
  const auto open = read_web_socket_address("ws:0.0.0.0:4000");
  ASSERT_TRUE(open);
  EXPECT_EQ(open->to_string(), "0.0.0.0:4000");
  const auto theirs = read_web_socket_address("ws://studio.example:8080/motion?a=1");
  ASSERT_TRUE(theirs);
  EXPECT_TRUE(theirs->opens);
  EXPECT_EQ(theirs->to_string(), "studio.example:8080");
  EXPECT_EQ(theirs->path, "/motion?a=1");
  const auto plain = read_web_socket_address("ws://there");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->to_string(), "there:80");
  for (const char* wrong : {"ws:here", "ws:1:x", "ws:70000", "ws://there:port/", "vmc:39539", "ws://a/b c"}) {
    EXPECT_FALSE(read_web_socket_address(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace loom::studio
