// SPDX-License-Identifier: MIT
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/motion/kinematics.h>
#include <loom/picture/figure.h>
#include <loom/picture/viewer_page.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"

namespace loom::picture {
namespace {

using nlohmann::json;

/// What the page carries, as the page itself reads it.
json data_of(const std::string& page) {
  const std::string open = "<script id=\"data\" type=\"application/json\">";
  const std::size_t begin = page.find(open) + open.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

/// The opposite of `to_base64`, written on its own.
std::string decode(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    held += 6;
    if (held >= 8) bytes += static_cast<char>(bits >> (held -= 8) & 255);
  }
  return bytes;
}

template <typename T>
std::vector<T> numbers(const std::string& text) {
  const std::string bytes = decode(text);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

std::string page_of(const std::vector<motion::Clip>& clips, const ViewerOptions& options = {}) {
  std::vector<ViewerClip> shown;
  for (const motion::Clip& clip : clips) shown.push_back({&clip, nullptr, "group"});
  return viewer_page(shown, options).value();
}

TEST(ViewerPage, CarriesEveryPointToATenthOfAMillimetre) {
  const motion::Clip clip = testing::make_gait({}).clip;
  const json data = data_of(page_of({clip}));
  const json& shown = data["clips"][0];
  const auto roots = numbers<float>(shown["roots"]);
  const auto points = numbers<std::int16_t>(shown["points"]);
  const float unit = shown["unit"];
  const Figure figure = make_figure(*clip.skeleton);
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  ASSERT_EQ(roots.size(), clip.frames() * 4);
  ASSERT_EQ(points.size(), clip.frames() * figure.anchors.size() * 3);
  std::vector<Vec3> anchors(figure.anchors.size());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    figure.place({poses.positions.data() + f * poses.points, poses.points},
                 {poses.rotations.data() + f * poses.joints, poses.joints}, anchors);
    for (std::size_t i = 0; i < anchors.size(); ++i) {
      const std::int16_t* p = points.data() + (f * anchors.size() + i) * 3;
      const Vec3 told{p[0] * unit + roots[f * 4], p[1] * unit + roots[f * 4 + 1], p[2] * unit + roots[f * 4 + 2]};
      ASSERT_LT(distance(told, anchors[i]), 1e-4f);
    }
  }
}

TEST(ViewerPage, HostileTextStaysText) {
  std::vector<motion::Clip> clips = {testing::make_gait({}).clip};
  clips[0].name = "</script><script>alert(1)</script><!-- {{script}} {{data}} \xFF \" ' \\ \n";
  clips[0].labels = {{"</SCRIPT><img onerror=x>", 0, 5}};
  ViewerOptions options;
  options.title = "<b>{{data}}</b> & 'title'";
  const std::string page = page_of(clips, options);
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(page.find("<img onerror"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;b&gt;{{data}}&lt;/b&gt; &amp; &#39;title&#39;</title>"), std::string::npos);
  const json data = data_of(page);
  const std::string name = data["clips"][0]["name"];
  EXPECT_EQ(name.substr(0, 58), clips[0].name.substr(0, 58)) << "the page reads the very name, bad bytes apart";
  EXPECT_EQ(data["clips"][0]["labels"][0][0], "</SCRIPT><img onerror=x>");
}

TEST(ViewerPage, NamesNoOtherPlace) {
  const std::string page = page_of({testing::make_gait({}).clip});
  for (const char* place : {"http:", "https:", "src=", "@import", "url("}) {
    EXPECT_EQ(page.find(place), std::string::npos) << place;
  }
  EXPECT_EQ(page.find("{{"), std::string::npos) << "every mark of the template is filled";
}

TEST(ViewerPage, FastClipsAreThinnedAndSaySo) {
  testing::Gait fast;
  fast.rate = 120;
  const motion::Clip clip = testing::make_gait(fast).clip;
  const json shown = data_of(page_of({clip}))["clips"][0];
  EXPECT_EQ(shown["stride"], 2);
  EXPECT_EQ(shown["frames"], clip.frames());
  const auto roots = numbers<float>(shown["roots"]);
  ASSERT_EQ(roots.size(), (clip.frames() + 1) / 2 * 4);
  EXPECT_EQ(roots[4], clip.roots[2].x);
}

TEST(ViewerPage, ClipsOnOneBodyShareItsFigure) {
  const motion::Clip walk = testing::make_gait({}).clip;
  const motion::Clip other = testing::random_clip(testing::random_skeleton(5, 1), 10, 30, 1);
  const json data = data_of(page_of({walk, other, walk}));
  ASSERT_EQ(data["figures"].size(), 2u);
  EXPECT_EQ(data["clips"][2]["figure"], 0);
  EXPECT_EQ(data["clips"][1]["figure"], 1);
  EXPECT_TRUE(data["clips"][1]["planted"].is_null()) << "a thing without feet has no contacts";
  EXPECT_FALSE(data["clips"][0]["planted"].is_null());
}

TEST(ViewerPage, RefusesNothingToShow) {
  EXPECT_FALSE(viewer_page({}));
  const motion::Clip empty = testing::random_clip(testing::small_person(), 0, 30, 1);
  const ViewerClip shown{&empty, nullptr, {}};
  const auto page = viewer_page({&shown, 1});
  ASSERT_FALSE(page);
  EXPECT_NE(page.error().message.find("no frames"), std::string::npos);
}

}  // namespace
}  // namespace loom::picture
