// SPDX-License-Identifier: MIT
// What clients may do to the server without holding up others, and what they may not do at all.
#include "apps/studio/server.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "tests/studio/raw_client.h"
#include "tests/temporary_folder.h"

namespace loom::studio {
namespace {

using ::testing::HasSubstr;
using testing::RawClient;

/// Answers every request with its path, keeps uploads in a folder, and greets every page.
class EchoSite final : public Site {
 public:
  Response answer(const Request& request) override {
    ++answered;
    if (request.ask("throw") == "1") throw std::runtime_error("nobody thought of this");
    for (++waiting; request.ask("wait") == "1" && !request.stopped.stop_requested() && !released;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    --waiting;
    if (request.stopped.stop_requested()) ++stopped;
    Response response;
    response.type = "text/plain";
    for (const std::string& part : request.path) response.body += "[" + part + "]";
    response.body += request.body;
    if (request.ask("large") == "1") response.body.assign(std::size_t{8} << 20, 'x');
    response.etag = request.ask("etag");
    return response;
  }
  [[nodiscard]] Lane lane_of(const Request& request) const override {
    return request.ask("lane") == "long" ? Lane::kLong : request.ask("lane") == "change" ? Lane::kChange : Lane::kQuick;
  }
  tl::expected<std::string, Refusal> place_for(const Request& request, std::uint64_t) override {
    if (request.path.size() != 1) return tl::unexpected(Refusal{400, "not here"});
    const auto name = plain_file_name(request.path[0]);
    if (!name) return tl::unexpected(Refusal{400, "not a file's name"});
    return folder.file(*name);
  }
  void drop_upload(const Request& request) override { std::filesystem::remove(request.upload); }
  void opened(const std::shared_ptr<Connection>& connection) override {
    const std::lock_guard lock(mutex);
    pages.insert(connection);
    connection->send_text("hello");
  }
  void received(const std::shared_ptr<Connection>& connection, std::string_view message) override {
    connection->send_text("heard " + std::string(message));
  }
  void closed(const std::shared_ptr<Connection>& connection) override {
    const std::lock_guard lock(mutex);
    pages.erase(connection);
  }
  std::size_t page_count() {
    const std::lock_guard lock(mutex);
    return pages.size();
  }

  loom::testing::TemporaryFolder folder;
  std::atomic<int> answered = 0, waiting = 0, stopped = 0;
  std::atomic<bool> released = false;  ///< those who wait need not any longer
  std::mutex mutex;
  std::set<std::shared_ptr<Connection>> pages;
};

class StudioServer : public ::testing::Test {
 protected:
  void start(ServerOptions options = {}) {
    auto made = Server::create(site_, options);
    ASSERT_TRUE(made) << made.error().to_string();
    server_ = std::move(*made);
    thread_ = std::thread([this] { server_->run(false); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }
  void TearDown() override { stop(); }

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] int status(const std::string& line, const std::string& headers = {}) const {
    return RawClient(port()).status(line, headers);
  }

  EchoSite site_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

TEST_F(StudioServer, AnswersAndKeepsTheConnection) {
  start();
  const RawClient client(port());
  client.ask("GET /a/b%20c");
  EXPECT_THAT(client.hear("[b c]"), HasSubstr("[a][b c]"));
  client.ask("POST /d", "Content-Length: 5\r\n", "hello");
  EXPECT_THAT(client.hear("hello"), HasSubstr("[d]hello"));
  client.ask("HEAD /e");
  EXPECT_THAT(client.hear("\r\n\r\n"), HasSubstr("Content-Length: 3"));
  EXPECT_EQ(client.status("GET /f?etag=7", "If-None-Match: \"7\"\r\n"), 304);
}

TEST_F(StudioServer, RefusesBadRequestsAndGoesOn) {
  start();
  const std::string host = "Host: 127.0.0.1:" + std::to_string(port()) + "\r\n\r\n";
  for (const std::string& bad :
       {std::string("nonsense\r\n\r\n"), "GET\r\n" + host, "GET / HTTP/9.9\r\n" + host,
        "GET / HTTP/1.1\r\nContent-Length: -5\r\n" + host, std::string("\x16\x03\x01\x02", 4) + host}) {
    const RawClient client(port());
    client.say(bad);
    const std::string answer = client.hear();
    EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 400")) << bad << " got " << answer;
  }
  EXPECT_EQ(status("BREW /coffee"), 405);
  EXPECT_EQ(site_.answered, 0);
  EXPECT_EQ(status("GET /still-here"), 200);
}

TEST_F(StudioServer, PathsLeadNowhereElse) {
  start();
  for (const char* path :
       {"/../etc/passwd", "/%2e%2e/etc/passwd", "/a/%2E%2E", "/%00", "/a%0d%0ab", "/%", "/%zz", "//", "/."}) {
    EXPECT_EQ(status(std::string("GET ") + path), 400) << path;
  }
  // An escaped slash is part of a name, and never a folder.
  EXPECT_EQ(status("PUT /..%2f..%2fevil.bvh", "Content-Length: 0\r\n"), 400);
  EXPECT_EQ(status("PUT /.hidden", "Content-Length: 0\r\n"), 400);
}

TEST_F(StudioServer, OnlyItsOwnNameAndItsOwnPages) {
  ServerOptions options;
  options.name = "loom.test";
  start(options);
  const std::string number = std::to_string(port());
  const auto under = [&](const std::string& host) {
    const RawClient client(port());
    client.say("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    return client.hear("\r\n").substr(9, 3);
  };
  for (const std::string& host :
       {"localhost:" + number, "127.0.0.1:" + number, "[::1]:" + number, "loom.test:" + number}) {
    EXPECT_EQ(under(host), "200") << host;
  }
  for (const std::string& host : {"evil.example:" + number, std::string("localhost:1"), std::string("localhost"),
                                  "127.0.0.1.evil.example:" + number, std::string()}) {
    EXPECT_EQ(under(host), "403") << host;
  }
  EXPECT_EQ(status("GET /", "Origin: http://127.0.0.1:" + number + "\r\n"), 200);
  for (const std::string origin : {"http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"}) {
    EXPECT_EQ(status("POST /", "Origin: " + origin + "\r\nContent-Length: 0\r\n"), 403) << origin;
    EXPECT_EQ(RawClient(port()).open_socket("Origin: " + origin + "\r\n"), 403) << origin;
  }
}

TEST_F(StudioServer, SizesAreBounded) {
  ServerOptions options;
  options.max_body = 1000;
  options.max_upload = 5000;
  start(options);
  EXPECT_EQ(status("POST /", "Content-Length: 1001\r\n"), 413);
  EXPECT_EQ(status("PUT /a.bvh", "Content-Length: 5001\r\n"), 413);
  EXPECT_EQ(RawClient(port()).status("POST /", "Transfer-Encoding: chunked\r\n", "fff\r\n" + std::string(0xfff, 'x')),
            413);
  EXPECT_EQ(status("GET /" + std::string(5000, 'x')), 400);
  EXPECT_EQ(status("GET /", "X: " + std::string(40000, 'x') + "\r\n"), 431);
  EXPECT_FALSE(std::filesystem::exists(site_.folder.file("a.bvh")));
  EXPECT_EQ(RawClient(port()).status("PUT /a.bvh", "Content-Length: 5\r\n", "12345"), 200);
  std::ifstream kept(site_.folder.file("a.bvh"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "12345");
}

TEST_F(StudioServer, HalfAnUploadLeavesNothing) {
  start();
  {
    const RawClient client(port());
    client.ask("PUT /half.bvh", "Content-Length: 1000\r\n", "only this");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  for (int i = 0; i < 100 && std::filesystem::exists(site_.folder.file("half.bvh")); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_FALSE(std::filesystem::exists(site_.folder.file("half.bvh")));
  EXPECT_EQ(site_.answered, 0);
}

TEST_F(StudioServer, SilentClientsAreHungUpOnAndHoldUpNobody) {
  ServerOptions options;
  options.header_seconds = 1;
  start(options);
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 60; ++i) {
    silent.push_back(std::make_unique<RawClient>(port()));
    if (i % 2 == 0) silent.back()->say("GET / HTTP/1.1\r\nHost: 127");
  }
  EXPECT_EQ(status("GET /meanwhile"), 200);
  EXPECT_EQ(silent[0]->hear(), "");  // the server hung up
  EXPECT_EQ(silent[1]->hear(), "");
}

TEST_F(StudioServer, WhoIsSilentLongestMakesRoomForANewcomer) {
  ServerOptions options;
  options.max_connections = 5;
  start(options);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(std::make_unique<RawClient>(port()));
    EXPECT_EQ(clients.back()->status("GET /"), 200);
  }
  const RawClient newcomer(port());
  EXPECT_EQ(newcomer.status("GET /"), 200);
  EXPECT_EQ(clients[0]->status("GET /"), 0) << "it was hung up on";
  EXPECT_EQ(clients[4]->status("GET /"), 200);
}

TEST_F(StudioServer, AHundredPagesAtOnceHearAndAreHeard) {
  start();
  std::vector<std::unique_ptr<RawClient>> pages;
  for (int i = 0; i < 100; ++i) {
    pages.push_back(std::make_unique<RawClient>(port()));
    ASSERT_EQ(pages.back()->open_socket(), 101);
  }
  for (int i = 0; i < 100; ++i) pages[static_cast<std::size_t>(i)]->say_frame("page " + std::to_string(i));
  for (int i = 0; i < 100; ++i) {
    const std::string wanted = "heard page " + std::to_string(i);
    EXPECT_THAT(pages[static_cast<std::size_t>(i)]->hear(wanted), HasSubstr(wanted));
  }
  EXPECT_EQ(site_.page_count(), 100U);
  pages.clear();
  for (int i = 0; i < 200 && site_.page_count() > 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(site_.page_count(), 0U) << "vanished pages are noticed";
}

TEST_F(StudioServer, APageThatDoesNotReadMissesOldPosesAndStopsNobody) {
  start();
  const RawClient lazy(port()), keen(port());
  ASSERT_EQ(lazy.open_socket(), 101);
  ASSERT_EQ(keen.open_socket(), 101);
  EXPECT_THAT(keen.hear("hello"), HasSubstr("hello"));
  for (int i = 0; i < 100 && site_.page_count() < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  // Far more than any buffer between us holds: 64 MB of poses.
  std::thread reader([&] { EXPECT_THAT(keen.hear("the last"), HasSubstr("the last")); });
  for (int i = 0; i < 64; ++i) {
    const auto frame = std::make_shared<const std::string>(std::size_t{1} << 20, 'p');
    const std::lock_guard lock(site_.mutex);
    for (const auto& page : site_.pages) page->send_frame(frame);
  }
  {
    const std::lock_guard lock(site_.mutex);
    for (const auto& page : site_.pages) page->send_text("the last");
  }
  reader.join();
  EXPECT_EQ(status("GET /meanwhile"), 200);
}

TEST_F(StudioServer, StopsAtOnceWhoeverIsStillThere) {
  start();
  const RawClient idle(port()), page(port()), lazy(port());
  EXPECT_EQ(page.open_socket(), 101);
  lazy.ask("GET /?large=1");  // and never reads it
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto begin = std::chrono::steady_clock::now();
  stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
}

TEST_F(StudioServer, HundredsOfSlowConnectionsLockNobodyOut) {
  ServerOptions options;
  options.max_connections = 64;
  start(options);
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 300; ++i) {
    slow.push_back(std::make_unique<RawClient>(port()));
    slow.back()->say(i % 3 == 0   ? "GET / HTTP/1.1\r\nHost: 127"
                     : i % 3 == 1 ? "POST / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port()) +
                                        "\r\nContent-Length: 10\r\n\r\nslow"
                                  : std::string());
    if (i % 50 == 0) {
      EXPECT_EQ(status("GET /meanwhile"), 200) << i;
    }
  }
  EXPECT_EQ(status("GET /meanwhile"), 200);
}

/// Gives the limit on descriptors back at its end.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t most) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{most, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TEST_F(StudioServer, WithoutDescriptorsItWaitsAndDoesNotSpin) {
  start();
  EXPECT_EQ(status("GET /"), 200) << "it has the descriptors that it needs itself";
  std::vector<std::unique_ptr<RawClient>> clients;
  {
    const FewDescriptors few(80);
    while (clients.size() < 80 && (clients.empty() || clients.back()->connected())) {
      clients.push_back(std::make_unique<RawClient>(port()));
    }
    ASSERT_FALSE(clients.back()->connected()) << "there is no descriptor left";
    const double before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_LT(processor_seconds() - before, 0.1) << "of half a second";
  }
  clients.clear();
  EXPECT_EQ(status("GET /again"), 200);
}

TEST_F(StudioServer, WhatTakesLongHoldsUpNothingElse) {
  ServerOptions options;
  options.long_workers = 2;
  options.max_waiting = 3;
  start(options);
  std::vector<std::unique_ptr<RawClient>> waiting;
  const auto wait = [&](const char* lane) {
    waiting.push_back(std::make_unique<RawClient>(port()));
    waiting.back()->ask(std::string("GET /x?wait=1&lane=") + lane);
  };
  for (int i = 0; i < 5; ++i) wait("long");
  for (int i = 0; i < 3; ++i) wait("change");
  for (int i = 0; i < 500 && site_.waiting < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(site_.waiting, 3) << "two that take long, and one change at a time";
  EXPECT_EQ(status("GET /quick"), 200);
  EXPECT_EQ(status("GET /x?lane=long"), 503) << "too many wait already";
  site_.released = true;
  for (const auto& client : waiting) EXPECT_THAT(client->hear("[x]"), HasSubstr("200 OK"));
  EXPECT_EQ(status("GET /x?lane=long"), 200);
}

TEST_F(StudioServer, WhoGoesAwayNeedsNoAnswer) {
  start();
  {
    const RawClient client(port());
    client.ask("GET /x?wait=1&lane=long");
    for (int i = 0; i < 500 && site_.waiting < 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(site_.waiting, 1);
  }
  for (int i = 0; i < 500 && site_.stopped < 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(site_.stopped, 1);
  const RawClient another(port());
  another.ask("GET /x?wait=1&lane=long");
  for (int i = 0; i < 500 && site_.waiting < 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  stop();
  EXPECT_EQ(site_.stopped, 2) << "the end of the server ends it, too";
}

TEST_F(StudioServer, WhoHasClosedTheirHalfStillHasTheirAnswer) {
  start();
  const RawClient client(port());
  client.ask("GET /x?wait=1&lane=long");
  client.say_no_more();
  EXPECT_THAT(client.hear("102 Processing\r\n\r\n"), HasSubstr("102")) << "it is asked whether it listens";
  EXPECT_EQ(site_.stopped, 0);
  site_.released = true;
  EXPECT_THAT(client.hear("[x]"), HasSubstr("200 OK"));
  EXPECT_EQ(site_.stopped, 0);
}

TEST_F(StudioServer, WhoAsksWhileItStopsHoldsNothingUp) {
  start();
  const RawClient late(port());
  late.say("GET /x?wait=1&lane=long HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port()) + "\r\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server_->stop();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  late.say("\r\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(site_.waiting, 0);
  site_.released = true;
}

TEST_F(StudioServer, WhatASiteThrowsIsAnAnswer) {
  start();
  EXPECT_EQ(status("GET /?throw=1"), 500);
  EXPECT_EQ(status("GET /"), 200);
}

TEST_F(StudioServer, AnUploadOnAFullDiskIsAnswered) {
  start();
  std::filesystem::create_symlink("/dev/full", site_.folder.file("full.bvh"));
  const std::string large(std::size_t{4} << 20, 'x');
  EXPECT_EQ(
      RawClient(port()).status("PUT /full.bvh", "Content-Length: " + std::to_string(large.size()) + "\r\n", large),
      507);
  EXPECT_FALSE(std::filesystem::is_symlink(site_.folder.file("full.bvh"))) << "nothing is left of it";
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
  EXPECT_EQ(site_.answered, 0);
  EXPECT_EQ(RawClient(port()).status("PUT /empty.bvh", "Content-Length: 0\r\n"), 200);
}

TEST_F(StudioServer, AnUploadThatStallsIsGivenUp) {
  ServerOptions options;
  options.stall_seconds = 1;
  start(options);
  const RawClient client(port());
  client.ask("PUT /half.bvh", "Content-Length: 1000\r\n", "only this");
  EXPECT_EQ(client.hear(), "");
  // The line goes dead first, the half file a moment later, when the server has heard of it.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::filesystem::exists(site_.folder.file("half.bvh"))) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "the half file stays";
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST_F(StudioServer, AnAddressThatIsTakenIsAnError) {
  start();
  ServerOptions options;
  options.port = port();
  const auto second = Server::create(site_, options);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().to_string(), HasSubstr("in use"));
  options.address = "nowhere";
  EXPECT_FALSE(Server::create(site_, options));
}

}  // namespace
}  // namespace loom::studio
