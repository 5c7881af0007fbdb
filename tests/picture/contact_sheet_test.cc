// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/picture/contact_sheet.h>
#include <loom/picture/save.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"
#include "tests/temporary_folder.h"

namespace loom::picture {
namespace {

using testing::TemporaryFolder;

template <typename S>
std::vector<S> shapes_of(const Drawing& drawing) {
  std::vector<S> found;
  for (const Shape& shape : drawing.shapes()) {
    if (const S* s = std::get_if<S>(&shape)) found.push_back(*s);
  }
  return found;
}

std::size_t count_text(const Drawing& drawing, const std::string& part) {
  const std::vector<Text> texts = shapes_of<Text>(drawing);
  return static_cast<std::size_t>(
      std::count_if(texts.begin(), texts.end(), [&](const Text& t) { return t.text.find(part) != std::string::npos; }));
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(ContactSheet, SaysWhatItShows) {
  motion::Clip clip = testing::make_gait({}).clip;
  clip.name = "a walk";
  clip.labels = {{"walk", 0, 60}, {"stroll", 60, clip.frames()}};
  ContactSheetOptions options;
  options.poses = 7;
  const auto sheet = draw_contact_sheet(clip, options);
  ASSERT_TRUE(sheet) << sheet.error().to_string();
  EXPECT_EQ(count_text(*sheet, "a walk"), 1u);
  EXPECT_EQ(count_text(*sheet, std::to_string(clip.frames()) + " frames · 30 Hz"), 1u);
  EXPECT_EQ(count_text(*sheet, "stroll"), 1u);
  EXPECT_EQ(count_text(*sheet, "left heel"), 1u);
  EXPECT_EQ(count_text(*sheet, "frame "), 7u) << "one caption a pose";
  EXPECT_EQ(count_text(*sheet, "frame " + std::to_string(clip.frames() - 1)), 1u) << "the last frame is among them";
}

TEST(ContactSheet, EverythingLiesOnThePaper) {
  for (const bool trail : {false, true}) {
    for (const View view : {View::kSide, View::kFront, View::kTop}) {
      ContactSheetOptions options;
      options.trail = trail;
      options.view = view;
      options.width = 1000;
      options.height = trail ? 700.0f : 0.0f;
      const auto sheet = draw_contact_sheet(testing::make_gait({}).clip, options);
      ASSERT_TRUE(sheet) << sheet.error().to_string();
      EXPECT_TRUE(!trail || sheet->height() == 700);
      for (const Capsule& limb : shapes_of<Capsule>(*sheet)) {
        for (const Point& p : {limb.a, limb.b}) {
          EXPECT_TRUE(p.x > 0 && p.x < sheet->width() && p.y > 0 && p.y < sheet->height()) << p.x << ", " << p.y;
        }
      }
    }
  }
}

TEST(ContactSheet, PosesSeenFromTheSideWalkToTheRight) {
  // The toes of every pose of a walk are to the right of its heel, whichever way the walk goes on the floor.
  motion::Clip clip = testing::make_gait({}).clip;
  motion::move(clip, {3, -2, 2.0f});
  const Performance performance = prepare(clip);
  for (std::size_t f = 0; f < clip.frames(); f += 10) {
    const Camera camera = look(View::kSide, performance.ground[f].heading);
    const std::vector<Vec3> anchors = performance.anchors(f);
    const Sole sole = performance.figure.left_sole;
    EXPECT_GT(camera.project(anchors[static_cast<std::size_t>(sole.toe)]).x,
              camera.project(anchors[static_cast<std::size_t>(sole.heel)]).x + 5);
    const Vec3 left = anchors[static_cast<std::size_t>(performance.figure.left_sole.toe)];
    const Vec3 right = anchors[static_cast<std::size_t>(performance.figure.right_sole.toe)];
    EXPECT_GT(camera.depth(right), camera.depth(left)) << "the right side is nearer to the viewer";
  }
}

TEST(ContactSheet, FootprintsLieWhereTheFeetStood) {
  const testing::GaitClip gait = testing::make_gait({});
  const Performance performance = prepare(gait.clip);
  const std::vector<Footprint> prints = find_footprints(performance);
  ASSERT_GE(prints.size(), 5u);
  for (const Footprint& print : prints) {
    // Somewhere in the clip the toe rests there for a while.
    const Sole sole = print.side == Side::kLeft ? performance.figure.left_sole : performance.figure.right_sole;
    const auto& planted = print.side == Side::kLeft ? gait.left_planted : gait.right_planted;
    std::size_t frames = 0;
    for (std::size_t f = 0; f < gait.clip.frames(); ++f) {
      const Vec3 toe = performance.on_floor(performance.anchors(f)[static_cast<std::size_t>(sole.toe)]);
      if (planted[f] && distance(toe, print.toe) < 0.02f) ++frames;
    }
    EXPECT_GE(frames, 3u);
  }
}

TEST(ContactSheet, AnySkeletonAndAnyLengthCanBeDrawn) {
  for (const std::size_t joints : {1u, 2u, 30u, 300u}) {
    for (const std::size_t frames : {1u, 2u, 50u}) {
      const motion::Clip clip = testing::random_clip(testing::random_skeleton(joints, joints + frames), frames, 30, 9);
      for (const bool trail : {false, true}) {
        ContactSheetOptions options;
        options.trail = trail;
        const auto sheet = draw_contact_sheet(clip, options);
        ASSERT_TRUE(sheet) << sheet.error().to_string();
        EXPECT_GE(shapes_of<Capsule>(*sheet).size(), joints > 1 ? joints - 1 : 1);
        EXPECT_EQ(count_text(*sheet, "no feet found"), 1u);
      }
    }
  }
}

TEST(ContactSheet, MoreLabelsThanFitAreCounted) {
  motion::Clip clip = testing::make_gait({}).clip;
  for (int i = 0; i < 9; ++i) clip.labels.push_back({"label " + std::to_string(i), 0, clip.frames()});
  const auto sheet = draw_contact_sheet(clip);
  ASSERT_TRUE(sheet);
  EXPECT_EQ(count_text(*sheet, "and 6 more labels"), 1u);
}

TEST(ContactSheet, RefusesWhatCannotBeDrawn) {
  const auto skeleton = testing::small_person();
  const motion::Clip empty = testing::random_clip(skeleton, 0, 30, 1), clip = testing::random_clip(skeleton, 5, 30, 1);
  ASSERT_FALSE(draw_contact_sheet(empty));
  EXPECT_NE(draw_contact_sheet(empty).error().message.find("no frames"), std::string::npos);
  for (const auto& [poses, width, height] : {std::tuple{0, 1600.0f, 0.0f},
                                             {201, 1600.0f, 0.0f},
                                             {10, 100.0f, 0.0f},
                                             {10, 1e9f, 0.0f},
                                             {10, 1600.0f, 5.0f},
                                             {10, NAN, 0.0f}}) {
    ContactSheetOptions options;
    options.poses = poses;
    options.width = width;
    options.height = height;
    EXPECT_FALSE(draw_contact_sheet(clip, options)) << poses << " poses, " << width << " by " << height;
  }
}

TEST(ContactSheet, WritesPngOrSvgAfterTheEnding) {
  const TemporaryFolder folder;
  const motion::Clip clip = testing::make_gait({}).clip;
  const std::string png = folder.file("walk.PNG"), svg = folder.file("walk.svg");
  ASSERT_TRUE(write_contact_sheet(clip, {}, png));
  ASSERT_TRUE(write_contact_sheet(clip, {}, svg));
  EXPECT_EQ(bytes_of(png).substr(1, 3), "PNG");
  EXPECT_EQ(bytes_of(svg).substr(0, 4), "<svg");
  const auto other = write_contact_sheet(clip, {}, folder.file("walk.gif"));
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find(".png or .svg"), std::string::npos);
  const auto nowhere = write_contact_sheet(clip, {}, folder.file("missing/walk.png"));
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().to_string().find("missing/walk.png"), std::string::npos);
}

TEST(ContactSheet, SameClipSameBytes) {
  const TemporaryFolder folder;
  const motion::Clip clip = testing::make_gait({}).clip;
  ASSERT_TRUE(write_contact_sheet(clip, {}, folder.file("a.png")));
  ASSERT_TRUE(write_contact_sheet(clip, {}, folder.file("b.png")));
  EXPECT_EQ(bytes_of(folder.file("a.png")), bytes_of(folder.file("b.png")));
}

TEST(Save, AFailedWriteLeavesTheOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("walk.png", "old");
  Drawing large(20000, 10);
  EXPECT_FALSE(save(large, path));
  EXPECT_EQ(bytes_of(path), "old");
}

TEST(ContactSheet, RealCaptureOfEachKindIsDrawn) {
  LOOM_REQUIRE_MOCAP();
  for (const char* name : {"cmu30/02_01.bvh", "cmu30/118_02.bvh", "formats/test_mocapbank.bvh", "formats/bvh_test3.bvh",
                           "formats/rotation_first_root.bvh"}) {
    const auto motions = io::read_motion((testing::mocap_folder() / name).string());
    ASSERT_TRUE(motions) << motions.error().to_string();
    const auto sheet = draw_contact_sheet(motions->front().clip);
    ASSERT_TRUE(sheet) << sheet.error().to_string();
    EXPECT_EQ(count_text(*sheet, "left heel"), std::string(name).find("root") == std::string::npos ? 1u : 0u) << name;
  }
}

}  // namespace
}  // namespace loom::picture
