// SPDX-License-Identifier: MIT
// A host that uses the C API as an engine does: loads, reloads, has many characters, its own skeleton, its own
// allocator and its own threads; and one that does everything wrong.
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/packed/pack.h>
#include <loom/packed/performer.h>

#include "bindings/c/motionloom.h"
#include "tests/packed/sample_packages.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using ::testing::HasSubstr;
using Bytes = std::vector<std::byte>;

/// Counts what is given out and taken back, and can run dry.
struct Counter {
  std::atomic<std::size_t> live{0}, calls{0};
  std::size_t limit = SIZE_MAX;

  static void* allocate(void* user, std::size_t size, std::size_t alignment) {
    auto& self = *static_cast<Counter*>(user);
    if (self.live + size > self.limit) return nullptr;
    self.live += size;
    ++self.calls;
    return ::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  }
  static void release(void* user, void* memory, std::size_t size, std::size_t /*alignment*/) {
    static_cast<Counter*>(user)->live -= size;
    std::free(memory);
  }
  loom_allocator as_c() { return {allocate, release, this}; }
};

class CHost : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new testing::TemporaryFolder();
    auto library = testing::walking_library(folder_->file("walks.loom"));
    steered_ = new Bytes(packed::to_bytes(packed::pack_graph(library, "steered").value()));
    plain_ = new Bytes(packed::to_bytes(packed::pack_graph(library, "plain").value()));
    matching_ = new Bytes(packed::to_bytes(packed::pack_matching(library, {}).value()));
    const auto machine = behavior::parse_machine(testing::kMachineText, "small").value();
    ASSERT_TRUE(project::put_machine(library, "small", machine, "{}"));
    ASSERT_TRUE(project::build_machine(library, "small"));
    machine_ = new Bytes(packed::to_bytes(packed::pack_machine(library, "small").value()));
  }
  static void TearDownTestSuite() {
    delete steered_;
    delete plain_;
    delete machine_;
    delete matching_;
    delete folder_;
  }

  void SetUp() override { ASSERT_EQ(loom_open(nullptr, &loom_, nullptr), LOOM_OK); }
  void TearDown() override { loom_close(loom_); }

  loom_package load(const Bytes& bytes, loom_context* context = nullptr) {
    loom_package package{};
    loom_error error;
    EXPECT_EQ(loom_package_load(context ? context : loom_, bytes.data(), bytes.size(), &package, &error), LOOM_OK)
        << error.text;
    return package;
  }
  loom_character make(loom_package package, loom_skeleton skeleton = loom_no_skeleton,
                      loom_context* context = nullptr) {
    loom_character character{};
    loom_error error;
    EXPECT_EQ(loom_character_make(context ? context : loom_, package, skeleton, nullptr, &character, &error), LOOM_OK)
        << error.text;
    return character;
  }

  /// A skeleton as engines have them: a root above the hips, rest rotations, other names and proportions.
  static std::vector<loom_bone> engine_bones() {
    std::vector<loom_bone> bones;
    const auto add = [&](const char* name, int parent, float x, float y, float z, loom_quaternion q = {0, 0, 0, 1}) {
      bones.push_back({name, parent, {{x, y, z}, q}});
      return static_cast<int>(bones.size()) - 1;
    };
    const float h = std::sqrt(0.5f);
    const int root = add("root", -1, 0, 0, 0);
    // The pelvis is turned by a quarter about X: what hangs from it is seen from there.
    const int hips = add("pelvis", root, 0, 1.0f, 0, {h, 0, 0, h});
    const int spine = add("spine_01", hips, 0, 0, -0.15f, {-h, 0, 0, h});
    const int chest = add("spine_02", spine, 0, 0.2f, 0);
    const int neck = add("neck_01", chest, 0, 0.25f, 0);
    add("head", neck, 0, 0.1f, 0);
    for (const int side : {1, -1}) {
      const bool left = side > 0;
      const auto s = static_cast<float>(side);
      const int clavicle = add(left ? "clavicle_l" : "clavicle_r", chest, s * 0.05f, 0.2f, 0);
      const int upper = add(left ? "upperarm_l" : "upperarm_r", clavicle, s * 0.14f, 0, 0);
      const int lower = add(left ? "lowerarm_l" : "lowerarm_r", upper, s * 0.28f, 0, 0);
      add(left ? "hand_l" : "hand_r", lower, s * 0.26f, 0, 0);
      const int thigh = add(left ? "thigh_l" : "thigh_r", hips, s * 0.1f, 0, 0.05f, {-h, 0, 0, h});
      const int calf = add(left ? "calf_l" : "calf_r", thigh, 0, -0.45f, 0);
      const int foot = add(left ? "foot_l" : "foot_r", calf, 0, -0.42f, 0);
      add(left ? "ball_l" : "ball_r", foot, 0, -0.07f, 0.14f);
    }
    add("ik_foot_root", root, 0, 0, 0);
    return bones;
  }

  loom_context* loom_ = nullptr;
  static inline testing::TemporaryFolder* folder_ = nullptr;
  static inline Bytes *steered_ = nullptr, *plain_ = nullptr, *machine_ = nullptr, *matching_ = nullptr;
};

TEST_F(CHost, PosesAreThoseOfTheLibrary) {
  auto read = packed::packed_character_from_bytes(*steered_).value();
  const auto performer =
      packed::Performer::create(std::make_shared<const packed::PackedCharacter>(std::move(read))).value();
  const loom_character somebody = make(load(*steered_));
  std::uint32_t count = 0;
  ASSERT_EQ(loom_character_bones(loom_, somebody, &count), LOOM_OK);
  ASSERT_EQ(count, performer->skeleton()->size());
  std::vector<loom_transform> local(count), model(count);
  const loom_control control{{0.5f, 0, 1}, 0, -1, 0};
  for (int f = 0; f < 120; ++f) {
    performer->control({{0.5f, 0, 1}, 0, -1, 0});
    performer->advance(0.013);
    ASSERT_EQ(loom_character_control(loom_, somebody, &control), LOOM_OK);
    ASSERT_EQ(loom_character_advance(loom_, somebody, 0.013), LOOM_OK);
    ASSERT_EQ(loom_character_local(loom_, somebody, local.data(), count), LOOM_OK);
    loom_place place;
    ASSERT_EQ(loom_character_where(loom_, somebody, &place), LOOM_OK);
    ASSERT_EQ(place.position.x, performer->place().x);
    ASSERT_EQ(place.heading, performer->place().heading);
    for (std::size_t j = 1; j < count; ++j) {
      ASSERT_EQ(local[j].rotation.x, performer->rotations()[j].x);
      ASSERT_EQ(local[j].rotation.w, performer->rotations()[j].w);
    }
  }
  // Model space is local space put together.
  ASSERT_EQ(loom_character_model(loom_, somebody, model.data(), count), LOOM_OK);
  std::vector<std::int32_t> parents(count);
  const loom_package again = load(*steered_);
  ASSERT_EQ(loom_package_bones(loom_, again, parents.data(), nullptr, count), LOOM_OK);
  for (std::size_t j = 1; j < count; ++j) {
    const loom_transform& p = model[static_cast<std::size_t>(parents[j])];
    const Quat turn{p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z};
    const Vec3 at = Vec3{p.position.x, p.position.y, p.position.z} +
                    rotate(turn, {local[j].position.x, local[j].position.y, local[j].position.z});
    EXPECT_LT(distance(at, {model[j].position.x, model[j].position.y, model[j].position.z}), 1e-4f);
  }
}

TEST_F(CHost, APackageTellsWhatItHears) {
  const loom_package package = load(*machine_);
  loom_package_info info;
  ASSERT_EQ(loom_package_describe(loom_, package, &info), LOOM_OK);
  EXPECT_EQ(info.kind, LOOM_KIND_MACHINE);
  ASSERT_EQ(info.behaviors, 2u);
  EXPECT_EQ(info.bytes, machine_->size());
  std::array<char, 5> name{};
  std::size_t length = 0;
  EXPECT_EQ(loom_package_name(loom_, package, LOOM_NAME_BEHAVIOR, 1, name.data(), name.size(), &length), LOOM_OK);
  EXPECT_STREQ(name.data(), "walk");
  EXPECT_EQ(loom_package_name(loom_, package, LOOM_NAME_BEHAVIOR, 0, name.data(), name.size(), &length),
            LOOM_TOO_SMALL);
  EXPECT_STREQ(name.data(), "stan");
  EXPECT_EQ(length, 5u);
  EXPECT_EQ(loom_package_name(loom_, package, LOOM_NAME_BEHAVIOR, 2, name.data(), name.size(), nullptr),
            LOOM_NOT_FOUND);
  std::uint32_t count = 9;
  EXPECT_EQ(loom_package_parameters(loom_, package, 1, &count), LOOM_OK);
  for (std::uint32_t p = 0; p < count; ++p) {
    loom_parameter parameter;
    ASSERT_EQ(loom_package_parameter(loom_, package, 1, p, &parameter), LOOM_OK);
    EXPECT_LE(parameter.least, parameter.most);
  }
  EXPECT_EQ(loom_package_parameters(loom_, package, 7, &count), LOOM_NOT_FOUND);
}

TEST_F(CHost, AMachineGoesWhereItIsToldAndSaysSo) {
  const loom_character somebody = make(load(*machine_));
  const loom_control walk{{0, 0, 0}, 0, 1, 0};
  ASSERT_EQ(loom_character_control(loom_, somebody, &walk), LOOM_OK);
  bool entered = false;
  for (int f = 0; f < 600; ++f) {
    ASSERT_EQ(loom_character_advance(loom_, somebody, 1.0 / 60), LOOM_OK);
    std::array<loom_event, 4> events;
    std::size_t count = 0;
    ASSERT_EQ(loom_character_events(loom_, somebody, events.data(), events.size(), &count), LOOM_OK);
    for (std::size_t e = 0; e < count; ++e) entered |= events[e].kind == LOOM_EVENT_BEHAVIOR && events[e].what == 1;
  }
  EXPECT_TRUE(entered);
  loom_place place;
  ASSERT_EQ(loom_character_where(loom_, somebody, &place), LOOM_OK);
  EXPECT_GT(std::hypot(place.position.x, place.position.z), 1.0f) << "it walks";
  const loom_control nowhere{{0, 0, 0}, 0, 2, 0};
  EXPECT_EQ(loom_character_control(loom_, somebody, &nowhere), LOOM_NOT_FOUND);
}

TEST_F(CHost, ManyCharactersOnManyThreads) {
  const loom_package package = load(*steered_);
  constexpr std::size_t kThreads = 4, kEach = 8;
  std::vector<loom_character> all;
  for (std::size_t c = 0; c < kThreads * kEach; ++c) all.push_back(make(package));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::vector<loom_transform> bones(128);
      for (int f = 0; f < 60; ++f) {
        wrong += loom_characters_advance(loom_, &all[t * kEach], kEach, 1.0 / 60, nullptr) != LOOM_OK;
        for (std::size_t c = t * kEach; c < (t + 1) * kEach; ++c) {
          wrong += loom_character_local(loom_, all[c], bones.data(), bones.size()) != LOOM_OK;
        }
        if (f == 30 && t == 0) wrong += loom_package_free(loom_, package) != LOOM_OK;  // they keep what they need
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  loom_place first, last;
  ASSERT_EQ(loom_character_where(loom_, all.front(), &first), LOOM_OK);
  ASSERT_EQ(loom_character_where(loom_, all.back(), &last), LOOM_OK);
  EXPECT_EQ(first.position.x, last.position.x) << "the same, whatever the thread";
}

TEST_F(CHost, TwoThreadsOnOneCharacterAreToldAndNothingBreaks) {
  const loom_character somebody = make(load(*steered_));
  std::atomic<int> done{0}, busy{0}, other{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int f = 0; f < 200; ++f) {
        const loom_status status = loom_character_advance(loom_, somebody, 0.05);
        (status == LOOM_OK ? done : status == LOOM_BUSY ? busy : other)++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(other, 0);
  EXPECT_EQ(done + busy, 800);
  EXPECT_GT(done, 0);
  EXPECT_EQ(loom_character_free(loom_, somebody), LOOM_OK);
}

TEST_F(CHost, HandlesThatAreGoneAreRefusedForEver) {
  const loom_package package = load(*plain_);
  const loom_character somebody = make(package);
  EXPECT_EQ(loom_character_free(loom_, somebody), LOOM_OK);
  EXPECT_EQ(loom_character_free(loom_, somebody), LOOM_BAD_HANDLE);
  EXPECT_EQ(loom_character_advance(loom_, somebody, 0.1), LOOM_BAD_HANDLE);
  const loom_character next = make(package);  // where the first one was
  EXPECT_EQ(loom_character_advance(loom_, somebody, 0.1), LOOM_BAD_HANDLE);
  EXPECT_EQ(loom_character_advance(loom_, next, 0.1), LOOM_OK);
  EXPECT_EQ(loom_package_free(loom_, package), LOOM_OK);
  loom_character none{};
  loom_error error;
  EXPECT_EQ(loom_character_make(loom_, package, loom_no_skeleton, nullptr, &none, &error), LOOM_BAD_HANDLE);
  EXPECT_THAT(error.text, HasSubstr("no such package"));
  EXPECT_EQ(loom_character_advance(loom_, {0}, 0.1), LOOM_BAD_HANDLE);
  EXPECT_EQ(loom_character_advance(loom_, {~std::uint64_t{0}}, 0.1), LOOM_BAD_HANDLE);
}

TEST_F(CHost, ItsOwnSkeletonIsFoundByNamesAndMoves) {
  const std::vector<loom_bone> bones = engine_bones();
  loom_skeleton skeleton{};
  loom_error error;
  ASSERT_EQ(loom_skeleton_make(loom_, bones.data(), bones.size(), &skeleton, &error), LOOM_OK) << error.text;
  std::int32_t bone = -1;
  ASSERT_EQ(loom_skeleton_find(loom_, skeleton, "left_shin", &bone), LOOM_OK);
  EXPECT_STREQ(bones[static_cast<std::size_t>(bone)].name, "calf_l");
  EXPECT_EQ(loom_skeleton_find(loom_, skeleton, "tail", &bone), LOOM_NOT_FOUND);
  const loom_character somebody = make(load(*matching_), skeleton);
  std::uint32_t count = 0;
  ASSERT_EQ(loom_character_bones(loom_, somebody, &count), LOOM_OK);
  ASSERT_EQ(count, bones.size());
  std::vector<loom_transform> local(count), model(count);
  float lowest = 10, highest = -10, lengths = 0;
  const loom_control ahead{{0, 0, 1}, 0, -1, 0};
  loom_character_control(loom_, somebody, &ahead);
  for (int f = 0; f < 300; ++f) {
    ASSERT_EQ(loom_character_advance(loom_, somebody, 1.0 / 60), LOOM_OK);
    ASSERT_EQ(loom_character_local(loom_, somebody, local.data(), count), LOOM_OK);
    ASSERT_EQ(loom_character_model(loom_, somebody, model.data(), count), LOOM_OK);
    for (std::size_t b = 0; b < count; ++b) {
      // Bones keep their lengths; only the hips are moved.
      if (b == 1) continue;
      lengths = std::max(lengths, std::abs(local[b].position.x - bones[b].rest.position.x));
      lengths = std::max(lengths, std::abs(local[b].position.y - bones[b].rest.position.y));
    }
    ASSERT_EQ(loom_skeleton_find(loom_, skeleton, "left_toe", &bone), LOOM_OK);
    lowest = std::min(lowest, model[static_cast<std::size_t>(bone)].position.y);
    highest = std::max(highest, model[static_cast<std::size_t>(bone)].position.y);
    EXPECT_NEAR(model[0].position.y, 0, 1e-5f) << "what is above the hips stays at rest";
  }
  EXPECT_LT(lengths, 1e-4f);
  EXPECT_GT(lowest, -0.05f) << "its feet stay above the floor";
  EXPECT_LT(lowest, 0.1f) << "and come down to it";
  EXPECT_GT(highest, lowest + 0.03f) << "and off it";
  EXPECT_EQ(loom_skeleton_free(loom_, skeleton), LOOM_OK);
  EXPECT_EQ(loom_character_advance(loom_, somebody, 0.1), LOOM_OK) << "it keeps what it needs";
}

TEST_F(CHost, ASkeletonThatIsNoHumanIsRefusedInWords) {
  std::vector<loom_bone> bones = engine_bones();
  bones.resize(6);  // no arms, no legs
  loom_skeleton skeleton{};
  loom_error error;
  EXPECT_EQ(loom_skeleton_make(loom_, bones.data(), bones.size(), &skeleton, &error), LOOM_BAD_INPUT);
  EXPECT_THAT(error.text, HasSubstr("no human"));
  bones = engine_bones();
  bones[3].parent = 9;
  EXPECT_EQ(loom_skeleton_make(loom_, bones.data(), bones.size(), &skeleton, &error), LOOM_BAD_INPUT);
  EXPECT_THAT(error.text, HasSubstr("before its parent"));
  bones = engine_bones();
  bones[2].rest.position.x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(loom_skeleton_make(loom_, bones.data(), bones.size(), &skeleton, &error), LOOM_BAD_INPUT);
  bones[2].name = nullptr;
  EXPECT_EQ(loom_skeleton_make(loom_, bones.data(), bones.size(), &skeleton, &error), LOOM_BAD_INPUT);
}

/// The same character in another space stands at the same place, and its bones are mirror images or turned.
TEST_F(CHost, OtherSpacesShowTheSameMotion) {
  for (const loom_space space : {LOOM_SPACE_UNITY, LOOM_SPACE_UNREAL}) {
    const loom_options options{LOOM_API_VERSION, space, nullptr};
    loom_context* other = nullptr;
    ASSERT_EQ(loom_open(&options, &other, nullptr), LOOM_OK);
    const loom_character here = make(load(*steered_)), there = make(load(*steered_, other), loom_no_skeleton, other);
    const auto to_theirs = [&](loom_vector v) {
      return space == LOOM_SPACE_UNITY ? loom_vector{-v.x, v.y, v.z} : loom_vector{100 * v.z, -100 * v.x, 100 * v.y};
    };
    const loom_vector velocity{0.7f, 0, 0.9f};
    const loom_control ours{velocity, 0.2f, -1, 0}, theirs{to_theirs(velocity), 0.2f, -1, 0};
    ASSERT_EQ(loom_character_control(loom_, here, &ours), LOOM_OK);
    ASSERT_EQ(loom_character_control(other, there, &theirs), LOOM_OK);
    std::vector<loom_transform> a(64), b(64);
    for (int f = 0; f < 90; ++f) {
      ASSERT_EQ(loom_character_advance(loom_, here, 1.0 / 60), LOOM_OK);
      ASSERT_EQ(loom_character_advance(other, there, 1.0 / 60), LOOM_OK);
    }
    ASSERT_EQ(loom_character_model(loom_, here, a.data(), a.size()), LOOM_OK);
    ASSERT_EQ(loom_character_model(other, there, b.data(), b.size()), LOOM_OK);
    std::uint32_t count = 0;
    loom_character_bones(loom_, here, &count);
    for (std::size_t j = 0; j < count; ++j) {
      const loom_vector expected = to_theirs(a[j].position);
      EXPECT_NEAR(expected.x, b[j].position.x, 1e-2f);
      EXPECT_NEAR(expected.y, b[j].position.y, 1e-2f);
      EXPECT_NEAR(expected.z, b[j].position.z, 1e-2f);
      // A turn does the same to a direction in either space.
      const loom_vector axis{0.3f, 0.5f, -0.8f}, axis_there = to_theirs(axis);
      const Vec3 turned =
          rotate({a[j].rotation.w, a[j].rotation.x, a[j].rotation.y, a[j].rotation.z}, {axis.x, axis.y, axis.z});
      const Vec3 turned_there = rotate({b[j].rotation.w, b[j].rotation.x, b[j].rotation.y, b[j].rotation.z},
                                       {axis_there.x, axis_there.y, axis_there.z});
      const loom_vector same = to_theirs({turned.x, turned.y, turned.z});
      EXPECT_LT(distance({same.x, same.y, same.z}, turned_there), 0.02f);
    }
    loom_close(other);
  }
}

TEST_F(CHost, AReloadKeepsTheCharacterWhereItIs) {
  const loom_character somebody = make(load(*steered_));
  const loom_place far{{100, 0, 50}, 1};
  ASSERT_EQ(loom_character_put(loom_, somebody, &far), LOOM_OK);
  ASSERT_EQ(loom_character_advance(loom_, somebody, 0.5), LOOM_OK);
  loom_place before, after;
  loom_character_where(loom_, somebody, &before);
  loom_error error;
  ASSERT_EQ(loom_character_reload(loom_, somebody, load(*plain_), &error), LOOM_OK) << error.text;
  loom_character_where(loom_, somebody, &after);
  EXPECT_NEAR(before.position.x, after.position.x, 0.05f);
  EXPECT_NEAR(before.position.z, after.position.z, 0.05f);
  EXPECT_EQ(loom_character_reload(loom_, somebody, {17}, &error), LOOM_BAD_HANDLE);
  std::vector<loom_transform> bones(64);
  EXPECT_EQ(loom_character_local(loom_, somebody, bones.data(), bones.size()), LOOM_OK);
}

TEST_F(CHost, ItsOwnAllocatorIsUsedAndGetsEverythingBack) {
  Counter counter;
  const loom_allocator allocator = counter.as_c();
  const loom_options options{LOOM_API_VERSION, LOOM_SPACE_LOOM, &allocator};
  loom_context* own = nullptr;
  ASSERT_EQ(loom_open(&options, &own, nullptr), LOOM_OK);
  EXPECT_GT(counter.live, 0u);
  const loom_character somebody = make(load(*steered_, own), loom_no_skeleton, own);
  const std::size_t calls = counter.calls;
  for (int f = 0; f < 60; ++f) ASSERT_EQ(loom_character_advance(own, somebody, 0.02), LOOM_OK);
  EXPECT_EQ(counter.calls, calls) << "nothing is allocated in a frame";
  loom_close(own);
  EXPECT_EQ(counter.live, 0u);

  Counter dry;
  dry.limit = 10;
  const loom_allocator nothing = dry.as_c();
  const loom_options poor{LOOM_API_VERSION, LOOM_SPACE_LOOM, &nothing};
  loom_error error;
  EXPECT_EQ(loom_open(&poor, &own, &error), LOOM_OUT_OF_MEMORY);
  EXPECT_EQ(own, nullptr);
  EXPECT_THAT(error.text, HasSubstr("memory"));
}

TEST_F(CHost, WrongFilesAreToldApart) {
  loom_package package{};
  loom_error error;
  Bytes bytes = *plain_;
  EXPECT_EQ(loom_package_load(loom_, bytes.data(), bytes.size() / 2, &package, &error), LOOM_DAMAGED);
  bytes[4] = std::byte{9};
  EXPECT_EQ(loom_package_load(loom_, bytes.data(), bytes.size(), &package, &error), LOOM_NEWER);
  EXPECT_THAT(error.text, HasSubstr("version 9"));
  EXPECT_EQ(loom_package_load(loom_, "hello", 5, &package, &error), LOOM_BAD_INPUT);
  EXPECT_EQ(loom_package_load(loom_, nullptr, 0, &package, &error), LOOM_BAD_INPUT);
  EXPECT_EQ(loom_package_read(loom_, "/nowhere/at/all.loomrt", &package, &error), LOOM_NOT_FOUND) << error.text;
  EXPECT_EQ(package.number, 0u);
}

TEST_F(CHost, NullPointersAndNumbersOutOfRangeAreRefused) {
  const loom_character somebody = make(load(*plain_));
  EXPECT_EQ(loom_open(nullptr, nullptr, nullptr), LOOM_BAD_INPUT);
  const loom_options newer{2, 0, nullptr}, strange{1, 12, nullptr};
  loom_context* none = nullptr;
  EXPECT_EQ(loom_open(&newer, &none, nullptr), LOOM_NEWER);
  EXPECT_EQ(loom_open(&strange, &none, nullptr), LOOM_BAD_INPUT);
  EXPECT_EQ(loom_character_advance(nullptr, somebody, 0.1), LOOM_BAD_INPUT);
  EXPECT_EQ(loom_character_local(loom_, somebody, nullptr, 100), LOOM_BAD_INPUT);
  loom_transform one;
  EXPECT_EQ(loom_character_local(loom_, somebody, &one, 1), LOOM_TOO_SMALL);
  EXPECT_EQ(loom_character_advance(loom_, somebody, -1), LOOM_BAD_INPUT);
  EXPECT_EQ(loom_character_advance(loom_, somebody, std::nan("")), LOOM_BAD_INPUT);
  const loom_control wild{{HUGE_VALF, 0, 0}, 0, -1, 0};
  EXPECT_EQ(loom_character_control(loom_, somebody, &wild), LOOM_BAD_INPUT);
  EXPECT_EQ(loom_character_control(loom_, somebody, nullptr), LOOM_BAD_INPUT);
  const loom_place nowhere{{0, 0, 0}, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_EQ(loom_character_put(loom_, somebody, &nowhere), LOOM_BAD_INPUT);
  const loom_character_options fast{1e9, 0, 0, 0};
  loom_character more{};
  EXPECT_EQ(loom_character_make(loom_, load(*plain_), loom_no_skeleton, &fast, &more, nullptr), LOOM_BAD_INPUT);
  EXPECT_STREQ(loom_status_name(LOOM_BUSY), "busy");
  EXPECT_STREQ(loom_status_name(-5), "other");
  loom_close(nullptr);
}

#ifdef LOOM_C_EXAMPLE
TEST_F(CHost, TheExampleInC99PrintsAWalk) {
  std::ofstream out(folder_->file("hero.loomrt"), std::ios::binary);
  out.write(reinterpret_cast<const char*>(matching_->data()), static_cast<std::streamsize>(matching_->size()));
  out.close();
  const std::string command = std::string(LOOM_C_EXAMPLE) + " '" + folder_->file("hero.loomrt") + "' 6";
  std::FILE* pipe = ::popen(command.c_str(), "r");  // NOLINT(cert-env33-c): our own words
  ASSERT_NE(pipe, nullptr);
  std::string text;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) text += line.data();
  EXPECT_EQ(::pclose(pipe), 0) << text;
  EXPECT_THAT(text, HasSubstr("matching: 22 joints"));
  EXPECT_THAT(text, HasSubstr("hears: velocity turn"));
  const std::size_t last = text.find(" 6 s: at ");
  ASSERT_NE(last, std::string::npos) << text;
  float x = 0, z = 0;
  ASSERT_EQ(std::sscanf(text.c_str() + last, " 6 s: at %f %f", &x, &z), 2);  // NOLINT(cert-err34-c)
  EXPECT_GT(z, 1) << "it went ahead\n" << text;
  EXPECT_GT(x, 0.5f) << "and then to the left\n" << text;
}
#endif

}  // namespace
}  // namespace loom
