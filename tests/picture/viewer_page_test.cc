// SPDX-License-Identifier: MIT
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/picture/pack.h>
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

std::string page_of(const std::vector<motion::Clip>& clips, const ViewerOptions& options = {}) {
  std::vector<ViewerClip> shown;
  for (const motion::Clip& clip : clips) shown.push_back({&clip, nullptr, "group"});
  return viewer_page(shown, options).value();
}

/// A clip as the page reads it out of its base64 (web/src/motion.ts): a JSON header, then arrays.
struct Carried {
  explicit Carried(const json& clip) : bytes(decode(clip["motion"])) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    header = json::parse(bytes.substr(sizeof length, length));
    frames = header["frames"];
    const std::size_t joints = header["joints"], at = sizeof length + length;
    roots = floats(at, 3 * frames);
    rotations = floats(at + 4 * roots.size(), 4 * joints * frames);
    planted = bytes.substr(at + 4 * (roots.size() + rotations.size()), frames);
  }

  std::vector<float> floats(std::size_t at, std::size_t count) const {
    std::vector<float> values(count);
    std::memcpy(values.data(), bytes.data() + at, 4 * count);
    return values;
  }

  std::string bytes, planted;
  json header;
  std::size_t frames = 0;
  std::vector<float> roots, rotations;
};

TEST(ViewerPage, CarriesEveryPose) {
  const motion::Clip clip = testing::make_gait({}).clip;
  const Carried shown(data_of(page_of({clip}))["clips"][0]);
  ASSERT_EQ(shown.frames, clip.frames());
  ASSERT_EQ(shown.header["headings"].size(), clip.frames());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    ASSERT_EQ(shown.roots[3 * f + 2], clip.roots[f].z);
    for (std::size_t j = 0; j < clip.joints(); ++j) {
      const float* told = shown.rotations.data() + 4 * (f * clip.joints() + j);
      const Quat own = clip.pose(f)[j];
      ASSERT_EQ(std::vector<float>(told, told + 4), (std::vector<float>{own.w, own.x, own.y, own.z}));
    }
  }
}

TEST(ViewerPage, CarriesTheBodyOfTheStudio) {
  const motion::Clip clip = testing::make_gait({}).clip;
  const json data = data_of(page_of({clip}));
  EXPECT_EQ(decode(data["bodies"][0]), pack_body(*clip.skeleton, skin::SkinDetail::kFine));
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
  EXPECT_EQ(Carried(data["clips"][0]).header["labels"][0]["name"], "</SCRIPT><img onerror=x>");
}

TEST(ViewerPage, AsksForNoOtherFile) {
  std::string page = page_of({testing::make_gait({}).clip});
  for (const char* mark : {"{{title}}", "{{style}}", "{{data}}", "{{script}}"}) {
    EXPECT_EQ(page.find(mark), std::string::npos) << "not filled: " << mark;
  }
  for (const char* open : {"<style>", "<script>"}) {  // what stands in them tests/web/viewer_page.mjs watches
    const std::string close = std::string("</") + (open + 1);
    const std::size_t begin = page.find(open) + std::strlen(open);
    page.erase(begin, page.find(close, begin) - begin);
  }
  for (const char* place : {"http:", "https:", "src=", "@import", "url("}) {
    EXPECT_EQ(page.find(place), std::string::npos) << place;
  }
}

TEST(ViewerPage, FastClipsAreThinnedAndSaySo) {
  testing::Gait fast;
  fast.rate = 120;
  motion::Clip clip = testing::make_gait(fast).clip;
  clip.labels = {{"all", 0, clip.frames()}, {"some", 11, 20}};
  const json told = data_of(page_of({clip}))["clips"][0];
  EXPECT_EQ(told["stride"], 2);
  EXPECT_EQ(told["frames"], clip.frames());
  EXPECT_EQ(told["rate"], 120);
  const Carried shown(told);
  ASSERT_EQ(shown.frames, (clip.frames() + 1) / 2);
  EXPECT_EQ(shown.header["rate"], 60);
  EXPECT_EQ(shown.roots[3], clip.roots[2].x);
  EXPECT_EQ(shown.rotations[4 * clip.joints()], clip.pose(2)[0].w);
  EXPECT_EQ(shown.header["labels"][0]["end"], shown.frames);
  EXPECT_EQ(shown.header["labels"][1]["begin"], 5);
  EXPECT_EQ(shown.header["labels"][1]["end"], 10);
}

TEST(ViewerPage, ClipsOnOneBodyShareIt) {
  const motion::Clip walk = testing::make_gait({}).clip;
  const motion::Clip other = testing::random_clip(testing::random_skeleton(5, 1), 10, 30, 1);
  const json data = data_of(page_of({walk, other, walk}));
  ASSERT_EQ(data["bodies"].size(), 2u);
  EXPECT_EQ(Carried(data["clips"][0]).header["body"], "0");
  EXPECT_EQ(Carried(data["clips"][1]).header["body"], "1");
  EXPECT_EQ(Carried(data["clips"][2]).header["body"], "0");
  EXPECT_FALSE(Carried(data["clips"][1]).header.contains("foot_points")) << "a thing without feet has no contacts";
  EXPECT_TRUE(Carried(data["clips"][1]).header.contains("floor"));
  EXPECT_TRUE(Carried(data["clips"][0]).header.contains("foot_points"));
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
