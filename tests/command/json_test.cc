// SPDX-License-Identifier: MIT
// What commands print with --json is what docs/json.md says: every command is run on the sample motions, and the page's
// tables are held to what it prints.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <loom/io/bvh_write.h>
#include <loom/io/gltf_write.h>
#include <loom/library/library.h>
#include <loom/live/udp_socket.h>

#include "tests/bare_person.h"
#include "tests/json_page.h"
#include "tests/make_skeleton.h"
#include "tests/make_walk.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

namespace fs = std::filesystem;
using library::Library;
using testing::CommandRun;
using ::testing::IsEmpty;
using testing::JsonPage;
using testing::run_loom;

JsonPage read_page() {
  std::ifstream file(std::string(LOOM_SOURCE_DIR) + "/docs/json.md");
  return JsonPage(std::string(std::istreambuf_iterator<char>(file), {}));
}

/// All commands, run on libraries of sample motions, each into its section of the page.
class Json : public ::testing::Test {
 protected:
  void run(const std::string& section, std::vector<std::string> words, int status = 0,
           const testing::CommandLimits& limits = {}) {
    words.emplace_back("--json");
    // One command writes over what the one before it left.
    if (std::find(words.begin(), words.end(), out_) != words.end()) words.emplace_back("--force");
    const CommandRun done = run_loom(words, limits);
    EXPECT_EQ(done.status, status) << section << ": " << done.err;
    EXPECT_THAT(page_.compare(section, done.json()), IsEmpty());
  }

  void make_and_look();
  void tidy();
  void weave();
  void blend();
  void fight();
  void live();
  void machines();
  void steer();

  JsonPage page_ = read_page();
  testing::TemporaryFolder folder_;
  std::string moves_ = folder_.file("moves.loom"), fighting_ = folder_.file("fighting.loom");
  std::string out_ = folder_.file("out.bvh");
};

/// A walk that jumps by two metres once: a fault to tell.
motion::Clip broken_walk() {
  testing::Gait gait;
  motion::Clip clip = testing::make_gait(gait).clip;
  clip.name = "broken";
  for (std::size_t f = 60; f < clip.frames(); ++f) clip.roots[f].x += 2;
  return clip;
}

/// Puts a copy of a clip that jumps by two metres in its middle into the library: a stretch to be left out.
void add_thrown(const std::string& path, const std::string& name, const std::string& copy) {
  auto library = library::Library::open(path, library::Access::kWrite);
  ASSERT_TRUE(library);
  motion::Clip clip = library->read_clip(name).value();
  clip.name = copy;
  for (std::size_t f = clip.frames() / 2; f < clip.frames(); ++f) clip.roots[f].x += 2;
  ASSERT_TRUE(library->add_clip(clip));
}

void Json::make_and_look() {
  run("loom demo", {"demo", "--out", folder_.file("demo")});
  run("loom sample", {"sample", moves_, "--only", "walk", "reach", "--rate", "30"});
  run("loom sample", {"sample", fighting_, "--only", "fight-stance", "fight-step", "punch", "kick", "evade"});
  add_thrown(moves_, "walk-slow", "walk-thrown");
  add_thrown(moves_, "reach-02", "reach-thrown");
  add_thrown(fighting_, "fight-stance-1", "fight-stance-thrown");
  fs::create_directories(folder_.file("in"));
  ASSERT_TRUE(io::write_bvh(broken_walk(), folder_.file("in/broken.bvh")));
  const std::string labels = folder_.write("in/labels.csv", "file,label\nbroken.bvh,walk\n");
  fs::copy_file(folder_.file("in/broken.bvh"), folder_.file("in/copy.bvh"));
  folder_.write("in/bad.bvh", "HIERARCHY\n");
  run("loom import", {"import", folder_.file("in.loom"), folder_.file("in"), "--labels", labels}, 1);
  run("loom import", {"import", folder_.file("in.loom"), folder_.file("in/broken.bvh")});
  run("loom list", {"list", moves_});
  run("loom info LIBRARY CLIP", {"info", folder_.file("in.loom"), "broken", "--check"});
  run("loom info LIBRARY CLIP", {"info", moves_, "walk-slow"});
  run("loom info FILE", {"info", folder_.file("in/broken.bvh")});
  run("loom measure", {"measure", folder_.file("in/broken.bvh")});
  motion::Clip point = testing::make_gait({}).clip;
  point.skeleton = std::make_shared<motion::Skeleton>(testing::outline_skeleton("Root{Tip[0 1 0]}"));
  point.roots.resize(1);
  point.rotations.assign(2, {});
  point.labels.clear();
  ASSERT_TRUE(io::write_bvh(point, folder_.file("point.bvh")));
  run("loom measure", {"measure", folder_.file("point.bvh")});
  run("loom measure", {"measure", moves_, "walk-slow", "walk-fast", "--together"});
  run("loom find", {"find", moves_, "walk-slow:20-60"});
  const std::string bare = folder_.write("bare.bvh", testing::bare_person_bvh());
  run("loom character map", {"character", "map", bare, "-o", folder_.file("bare.map")});
  run("loom character map", {"character", "map", folder_.file("point.bvh")}, 1);
  run("loom convert", {"convert", folder_.file("in/broken.bvh"), folder_.file("converted.glb")});
  run("loom export", {"export", moves_, "walk*", "-o", folder_.file("files")});
  run("loom export", {"export", moves_, "walk*", "-o", folder_.file("all.glb")});
  // Somebody in decimetres, so that there is something to be told.
  motion::Clip large = testing::make_gait({}).clip;
  large.skeleton = std::make_shared<motion::Skeleton>(large.skeleton->scaled(10));
  const std::string hero = folder_.file("giant.glb");
  ASSERT_TRUE(io::write_gltf(std::span(&large, 1), "giant", hero));
  run("loom retarget",
      {"retarget", bare, "--onto", hero, "-o", folder_.file("bare.glb"), "--picture", folder_.file("bare.png")});
  run("loom character add", {"character", "add", moves_, hero, "--name", "hero"});
  run("loom character list", {"character", "list", moves_});
  run("loom export", {"export", moves_, "walk-slow", "--on", "hero", "-o", folder_.file("hero.glb")});
  run("loom pack-character", {"pack-character", moves_, "--matching", "--label", "walk", "--character", "hero", "-o",
                              folder_.file("hero.loomrt")});
  run("loom character remove", {"character", "remove", moves_, "hero"});
  run("loom picture", {"picture", moves_, "walk-slow", "-o", folder_.file("walk.svg")});
  testing::CommandLimits until_it_listens;
  until_it_listens.interrupt = true;
  run("loom studio", {"studio", moves_, "--port", "0"}, 0, until_it_listens);
}

void Json::tidy() {
  run("loom label LIBRARY CLIP LABEL", {"label", moves_, "walk-slow", "turn", "--from", "5", "--to", "20"});
  run("loom label LIBRARY CLIP LABEL", {"label", moves_, "walk-slow", "turn", "--remove"});
  run("loom label LIBRARY --list", {"label", moves_, "--list"});
  const std::string table = folder_.write("labels.csv", "file,label\nwalk-slow,new\nnobody.bvh,new\n");
  run("loom label LIBRARY --import", {"label", moves_, "--import", table});
  run("loom label LIBRARY --clips", {"label", moves_, "--clips", "walk-*", "--as", "gait"});
  run("loom label LIBRARY --clips", {"label", moves_, "--clips", "walk-*", "--as", "gait", "--remove"});
  run("loom label LIBRARY --suggest", {"label", moves_, "walk-slow", "--suggest", "--only", "walk", "--accept"});
  run("loom label LIBRARY --suggest", {"label", moves_, "--suggest", "--all"});
  run("loom repair", {"repair", moves_, "walk-slow", "--loop", "--plant-feet", "--as", "round"});
  run("loom repair", {"repair", moves_, "walk-slow", "--smooth", "6"});
  run("loom rename", {"rename", moves_, "walk-slow", "--as", "slow", "--anyway"});
  run("loom rename", {"rename", moves_, "slow", "--as", "walk-slow", "--anyway"});
  run("loom cut", {"cut", moves_, "walk-slow", "--from", "2", "--to", "30", "--mirror", "--as", "piece"});
  run("loom remove", {"remove", moves_, "walk-slow", "--graph", "g", "--dry-run"});
  run("loom remove", {"remove", moves_, "walk-slow", "--graph", "g"});
  run("loom info LIBRARY", {"info", moves_, "--check"});
  run("loom info LIBRARY", {"info", fighting_});
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(fighting_.c_str(), &handle), SQLITE_OK);
  sqlite3_exec(handle, "UPDATE clips SET hash = 'wrong'", nullptr, nullptr, nullptr);
  sqlite3_close(handle);
  run("loom info LIBRARY", {"info", fighting_, "--check"}, 1);
  ASSERT_EQ(sqlite3_open(fighting_.c_str(), &handle), SQLITE_OK);
  sqlite3_exec(handle, "UPDATE clips SET frames = -1 WHERE id = 1", nullptr, nullptr, nullptr);
  sqlite3_close(handle);
  run("loom list", {"list", fighting_}, 1);
  run("loom info LIBRARY", {"info", fighting_}, 1);
  ASSERT_EQ(sqlite3_open(moves_.c_str(), &handle), SQLITE_OK);
  sqlite3_exec(handle, "UPDATE clips SET frames = -1 WHERE name = 'walk-fast'", nullptr, nullptr, nullptr);
  sqlite3_close(handle);
  run("loom export", {"export", moves_, "walk*", "-o", folder_.file("left")}, 1);
  run("loom measure", {"measure", moves_, "--body", "piece"}, 1);
  run("loom picture", {"picture", moves_, "-o", folder_.file("left.html")}, 1);
}

void Json::weave() {
  run("loom graph build",
      {"graph", "build", moves_, "--name", "g", "--connect", "0.5", "--label", "walk", "--clips", "*"});
  run("loom graph build",
      {"graph", "build", moves_, "--name", "h", "--label", "walk", "--threshold", "0.001", "--body", "walk-slow"});
  run("loom graph build",
      {"graph", "build", moves_, "--name", "cloud", "--label", "walk", "--threshold-cm", "6", "--window", "0.5",
       "--gaussian", "0.1", "--clusters", "1", "--uniform-weights", "--joint-weight", "RightHand=0.5"});
  run("loom graph build", {"graph", "build", moves_, "--name", "angles", "--label", "walk", "--metric", "joints",
                           "--velocity-weight", "0.1", "--joint-velocity-weight", "0.02"});
  run("loom graph build",
      {"graph", "build", moves_, "--name", "feet", "--label", "walk", "--foot-crossings", "--threshold-cm", "6"});
  run("loom graph extract", {"graph", "extract", moves_, "g", "-o", folder_.file("small.loom")});
  run("loom graph export", {"graph", "export", moves_, "g", "-o", folder_.file("g.csv")});
  run("loom graph list", {"graph", "list", moves_});
  run("loom graph connect",
      {"graph", "connect", moves_, "--name", "w", "--label", "walk", "--threshold-cm", "3", "--window", "0.25",
       "--gaussian", "0.1", "--uniform-weights", "--joint-weight", "Head=0.5", "--clips", "walk-*"});
  run("loom graph connect",
      {"graph", "connect", moves_, "--name", "w2", "--label", "walk", "--metric", "joints", "--threshold", "0.2",
       "--velocity-weight", "0.1", "--joint-velocity-weight", "0.01", "--no-finer", "--no-joining"});
  run("loom graph compare-graphs", {"graph", "compare-graphs", moves_, "g", "w", "-o", folder_.file("two.html")});
  run("loom graph select",
      {"graph", "select", moves_, "g", "--name", "s", "--key", "walk", "--key", "walk-slow:20-30", "--keep",
       "walk-slow:31-40", "--within", "20", "--between", "walk,walk-slow:20-30=quickest"});
  run("loom graph measure", {"graph", "measure", moves_, "g"});
  run("loom graph explain LIBRARY GRAPH", {"graph", "explain", moves_, "h"});
  run("loom graph explain LIBRARY GRAPH FROM TO", {"graph", "explain", moves_, "g", "walk", "walk-slow"});
  run("loom graph report", {"graph", "report", moves_, "g", "-o", folder_.file("g.html")});
  run("loom graph walk", {"graph", "walk", moves_, "g", "--seconds", "3", "--want", "walk", "-o", out_, "--sources",
                          folder_.file("sources.csv")});
  fs::copy_file(out_, folder_.file("woven.bvh"));
  run("loom measure",
      {"measure", folder_.file("woven.bvh"), "--reference", moves_, "--sources", folder_.file("sources.csv")});
  run("loom graph keys", {"graph", "keys", moves_, "g", "walk", "--add", "keyed"});
  run("loom graph follow", {"graph", "follow", moves_, "g", "--points", "0,0", "0,3", "-o", out_});
  run("loom world new", {"world", "new", "-o", folder_.file("room.world"), "--obstacles", "2"});
  run("loom world check", {"world", "check", folder_.file("room.world")});
  run("loom world picture", {"world", "picture", folder_.file("room.world"), "-o", folder_.file("room.png")});
  run("loom plan walk", {"plan", "walk", moves_, "--world", folder_.file("room.world"), "--with", "graph:g", "--start",
                         "5,1", "--goal", "5,4", "--seconds", "3", "-o", folder_.file("plan.glb")});
  run("loom graph compare", {"graph", "compare", moves_, "walk-slow", "walk-normal-1"});
  run("loom graph compare", {"graph", "compare", moves_, "walk-slow", "walk-normal-1", "-o", out_});
  run("loom graph train", {"graph", "train", moves_, "g", "--headings", "4", "--discount", "0.5"});
  run("loom graph play", {"graph", "play", moves_, "g", "--seconds", "2", "-o", out_});
  run("loom pack-character", {"pack-character", moves_, "--graph", "g", "-o", folder_.file("g.loomrt")});
  run("loom pack", {"pack", moves_, "-o", folder_.file("packed.loom")});
  run("loom graph play",
      {"graph", "play", moves_, "g", "--heading", "0:0", "0.2:170", "0.4:0", "--seconds", "3", "-o", out_});
}

void Json::blend() {
  run("loom blend align", {"blend", "align", moves_, "reach-01", "reach-05"});
  run("loom blend align", {"blend", "align", moves_, "reach-01", "reach-05", "--pin", "20:21", "-o", out_});
  run("loom blend family", {"blend", "family", moves_, "--label", "reach", "--clips", "reach-*", "--name", "reach",
                            "--stroke", "reach-02=40", "--body", "reach-01"});
  run("loom blend family", {"blend", "family", moves_, "--label", "walk", "--name", "walk"});
  run("loom crowd", {"crowd", moves_, "--family", "walk", "--characters", "4", "--seconds", "3"});
  run("loom blend family --list", {"blend", "family", moves_, "--list"});
  run("loom blend analyze", {"blend", "analyze", moves_, "reach", "--grid", "4", "--layers", "1"});
  run("loom blend coverage", {"blend", "coverage", moves_, "reach", "--cube", "0.2"});
  run("loom blend make", {"blend", "make", moves_, "reach", "--at", "0.2,1.2,0.5", "-o", out_});
  run("loom blend make", {"blend", "make", moves_, "reach", "--target", "RightHand=0.2,1.2,0.5", "-o", out_});
  const std::string room = folder_.write(
      "reach.world", "world room\nground -3 -3 3 3\nbox post at -0.3 0.33 size 0.1 0.1 from 0.85 to 1\nstart 0 0 0\n");
  run("loom plan reach", {"plan", "reach", moves_, "reach", "--world", room, "--target", "RightHand=-0.25,1.15,0.5",
                          "-o", folder_.file("reach.glb")});
  run("loom plan show", {"plan", "show", moves_, "reach", "--world", room, "--target", "RightHand=1,1.1,1",
                         "--observer", "1,2.5", "--there", "-o", folder_.file("show.glb")});
  const std::string walkers = folder_.file("walkers.loom");
  run("loom sample", {"sample", walkers, "--only", "approach", "reach", "--rate", "30"});
  run("loom blend family", {"blend", "family", walkers, "--label", "reach", "--name", "reach"});
  run("loom plan show", {"plan", "show", walkers, "reach", "--world", room, "--target", "RightHand=1,1.1,1",
                         "--observer", "1,2.5", "-o", folder_.file("walked.glb")});
  run("loom blend coverage", {"blend", "coverage", moves_, "reach", "--around", "0.2,1.2,0.5", "--points", "3"});
  run("loom blend lead", {"blend", "lead", moves_, "reach", "--seconds", "2", "-o", out_});
  run("loom blend lead", {"blend", "lead", moves_, "reach", "--seconds", "1", "--points", "3", "--coverage",
                          folder_.file("around.csv"), "-o", out_});
  const std::string prints = folder_.write("prints.csv", "x,z\n0.1,0\n-0.1,0\n0.1,0.6\n-0.1,1.2\n0.1,1.8\n");
  run("loom blend steps", {"blend", "steps", moves_, prints, "--label", "walk", "-o", out_});
}

/// Sends a clip over and over, for as long as another program listens.
class RunningSender {
 public:
  RunningSender(const std::string& library, const std::string& clip, const std::string& to)
      : thread_([=](const std::stop_token& stop) {
          while (!stop.stop_requested()) run_loom({"live", "send", library, clip, "--to", to, "--seconds", "1"});
        }) {}

 private:
  std::jthread thread_;
};

/// Programs that talk to each other over ports of this machine.
void Json::live() {
  const auto anywhere = live::make_endpoint("127.0.0.1", 0);
  ASSERT_TRUE(anywhere);
  std::string ports[2];
  for (std::string& port : ports) {  // free ones, given back at once
    const auto socket = live::UdpSocket::open(*anywhere);
    ASSERT_TRUE(socket);
    port = "vmc:" + std::to_string(socket->port());
  }
  const auto in_use = live::UdpSocket::open(*live::make_endpoint("127.0.0.1", 39570));  // by us, or by somebody else
  run("loom live list", {"live", "list", "--seconds", "0.1"});
  const std::string still = folder_.file("still.loom");
  ASSERT_EQ(run_loom({"sample", still, "--only", "idle", "--rate", "30"}).status, 0);
  {
    const RunningSender sender(still, "idle-1", ports[0]);
    run("loom live calibrate", {"live", "calibrate", "--source", ports[0], "--wait", "3", "--seconds", "0.5", "-o",
                                folder_.file("calibration.json")});
  }
  const std::string packets = folder_.file("take.packets");
  {
    const RunningSender sender(moves_, "reach-01", ports[1]);
    run("loom live record", {"live", "record", moves_, "--source", ports[1], "--seconds", "3", "--label", "reach",
                             "--name", "performed", "--packets", packets});
    run("loom live record", {"live", "record", moves_, "--source", ports[1], "--seconds", "1", "--label", "reach",
                             "--name", "performed", "--family", "performed"});
  }
  run("loom live replay", {"live", "replay", packets, "-o", folder_.file("again.bvh")});
  run("loom live replay", {"live", "replay", packets, "--to", ports[1], "--speed", "100"});
  run("loom live send", {"live", "send", moves_, "reach-01", "--to", "loom:39571", "--seconds", "0.2"});
  run("loom live send", {"live", "send", moves_, "reach-01", "--to", "ws:0", "--seconds", "0.2"});
  run("loom blend lead", {"blend", "lead", moves_, "reach", "--seconds", "0.5", "--send", ports[0]});
  {
    const RunningSender sender(moves_, "reach-01", ports[1]);  // who performs over a character that walks
    run("loom live send", {"live", "send", moves_, "--matching", "--label", "walk", "--live", ports[1], "--part",
                           "body", "--to", ports[0], "--seconds", "1"});
  }
}

void Json::fight() {
  run("loom states build", {"states", "build", fighting_, "--name", "s"});
  run("loom states build", {"states", "build", fighting_, "--name", "t", "--threshold", "0.0006", "--body", "1"});
  run("loom states table", {"states", "table", fighting_, "s"});
  run("loom states explain", {"states", "explain", fighting_, "s"});
  run("loom states explain", {"states", "explain", fighting_, "t"});
  run("loom states play", {"states", "play", fighting_, "s", "locomotion@1", "punch", "-o", out_});
  machines();
  run("loom fight", {"fight", fighting_, "--states", "s", "--seconds", "15"});
  run("loom fight", {"fight", fighting_, "--states", "s", "--seconds", "2", "--bouts", "2"});
  run("loom fight", {"fight", fighting_, "--states", "s", "--seconds", "1", "--send", "vmc:39572", "vmc:39573"});
}

void Json::machines() {
  const std::string drawn = folder_.file("drawn.machine");
  std::ofstream(drawn)
      << "machine drawn\nstate punch: punch\nstate kick: kick\nstate stand: fight-stance\ndefault stand\n"
         "transition stand -> stand self\ntransition stand -> punch\ntransition punch -> stand\n"
         "transition stand -> kick weight 0.5\ntransition kick -> stand\ntransition punch -> kick\n";
  ASSERT_EQ(run_loom({"graph", "build", fighting_, "--name", "g", "--threshold", "0.0064"}).status, 0);
  run("loom machine mine", {"machine", "mine", fighting_, "g", "--name", "m"});
  run("loom machine mine", {"machine", "mine", fighting_, "g", "--name", "n", "--against", drawn, "--families"});
  run("loom machine read", {"machine", "read", fighting_, drawn, "--name", "d"});
  run("loom machine prefer", {"machine", "prefer", fighting_, "d", "stand,punch,kick"});
  run("loom machine prefer", {"machine", "prefer", fighting_, "d", "stand,punch,kick", "--method", "least"});
  run("loom machine show", {"machine", "show", fighting_, "d"});
  run("loom machine show", {"machine", "show", fighting_, "d", "-o", folder_.file("d.html")});
  run("loom machine prefer", {"machine", "prefer", fighting_, "d", "--undo"});
  run("loom machine write", {"machine", "write", fighting_, "d", folder_.file("again.machine")});
  ASSERT_EQ(run_loom({"blend", "family", fighting_, "--label", "kick-right", "--name", "kicks"}).status, 0);
  const std::string built = folder_.file("built.machine"), script = folder_.file("wishes.csv");
  std::ofstream(built) << "machine built\nstate kick: family kicks\nstate stand: fight-stance\ndefault stand\n"
                          "transition stand -> stand self\ntransition stand -> kick\ntransition kick -> stand\n";
  std::ofstream(script) << "1,kick\n";
  ASSERT_EQ(run_loom({"machine", "read", fighting_, built, "--name", "b"}).status, 0);
  run("loom machine build", {"machine", "build", fighting_, "b"});
  const std::string walking = folder_.file("walking.machine");
  std::ofstream(walking) << "machine walking\nstate walk: family walk\ndefault walk\ntransition walk -> walk self\n";
  ASSERT_EQ(run_loom({"machine", "read", moves_, walking, "--name", "w"}).status, 0);
  ASSERT_EQ(run_loom({"machine", "build", moves_, "w"}).status, 0);
  run("loom plan walk",
      {"plan", "walk", moves_, "--world", folder_.file("room.world"), "--with", "machine:w", "--samples", "3",
       "--start", "5,1", "--goal", "5,4", "--seconds", "3", "-o", folder_.file("behaviors.glb")});
  run("loom machine wish", {"machine", "wish", fighting_, "b", "--script", script, "--seconds", "4", "-o", out_});
  run("loom machine wish", {"machine", "wish", fighting_, "b", "--script", script, "--seconds", "4", "-o", out_,
                            "--upper", "b", "--upper-script", script});
}

void Json::steer() {
  run("loom fragments cut", {"fragments", "cut", moves_, "--name", "f", "--label", "walk", "--flag", "walk"});
  run("loom fragments cut", {"fragments", "cut", moves_, "--name", "f", "--label", "walk", "--body", "walk-slow",
                             "--rate", "30", "--length", "0.2", "--step", "0.2"});
  run("loom fragments traces", {"fragments", "traces", moves_, "f", "--count", "2", "--seconds", "10"});
  run("loom fragments train", {"fragments", "train", moves_, "f", "--bins", "8", "--discount", "0.9"});
  run("loom fragments eval", {"fragments", "eval", moves_, "f", "--count", "2", "--seconds", "4", "--no-thresholds"});
  run("loom fragments inspect", {"fragments", "inspect", moves_, "f", "--count", "2"});
  run("loom fragments play", {"fragments", "play", moves_, "f", "--seconds", "2", "-o", out_});
  run("loom fragments play", {"fragments", "play", moves_, "f", "--matching", "--seconds", "2", "-o", out_});
  run("loom match play", {"match", "play", moves_, "--label", "walk", "--seconds", "2", "-o", out_});
}

TEST_F(Json, EveryFieldIsDocumentedAndEveryDocumentedFieldIsPrinted) {
  EXPECT_THAT(page_.problems(), IsEmpty());
  make_and_look();
  weave();
  blend();
  live();
  fight();
  steer();
  tidy();
  EXPECT_THAT(page_.never_seen(), IsEmpty());
}

TEST(JsonPage, HasASectionForEveryCommand) {
  const JsonPage page = read_page();
  std::size_t commands = 0;
  for (const std::vector<std::string>& words : testing::all_commands()) {
    std::string name = "loom";
    for (const std::string& word : words) name += " " + word;
    const auto sections = page.sections();
    const bool told = std::any_of(sections.begin(), sections.end(), [&](const std::string& section) {
      return section == name || section.starts_with(name + " ");
    });
    EXPECT_TRUE(told) << name;
    ++commands;
  }
  EXPECT_GT(commands, 35U);
}

TEST(JsonPage, FindsWhatIsWrongOnEitherSide) {
  JsonPage page(
      "### clip\n| `name` | text | |\n| `seconds` | number | null where it has none |\n"
      "## loom list\n| `clips[]` | [clip](#clip) | |\n| `clips[].at.*` | integer | |\n| `total` | integer | absent of "
      "none |\n");
  EXPECT_THAT(page.problems(), IsEmpty());
  const auto compare = [&](const char* text) { return page.compare("loom list", nlohmann::json::parse(text)); };
  EXPECT_THAT(page.never_seen().size(), 4U);
  EXPECT_THAT(compare(R"({"clips": [{"name": "a", "seconds": null, "at": {"x": 1}}]})"), IsEmpty());
  EXPECT_THAT(page.never_seen(), ::testing::ElementsAre("loom list: total"));
  EXPECT_THAT(compare(R"({"clips": [], "total": 3})"), IsEmpty());
  EXPECT_THAT(page.never_seen(), IsEmpty());
  EXPECT_EQ(compare(R"({"clips": [], "more": 3})").size(), 1U);
  EXPECT_EQ(compare(R"({"total": 3})").size(), 1U);
  EXPECT_EQ(compare(R"({"clips": [{"name": 1, "seconds": "2", "at": {}}]})").size(), 2U);
  EXPECT_EQ(compare(R"({"clips": [{"name": null, "seconds": 2, "at": {}}]})").size(), 1U);
  EXPECT_EQ(compare(R"({"clips": [{"name": "a", "at": {}}]})").size(), 1U);
  EXPECT_EQ(compare(R"({"clips": 3})").size(), 1U);
  EXPECT_EQ(page.compare("loom none", {}).size(), 1U);
}

}  // namespace
}  // namespace loom
