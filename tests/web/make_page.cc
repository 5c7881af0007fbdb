// SPDX-License-Identifier: MIT
// Writes the page that viewer_page.mjs opens: a walk with labels, and something that is no body, under a name that
// would break out of a careless page.
#include <cstdio>

#include <loom/picture/viewer_page.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::vector<loom::motion::Clip> clips = {
      loom::testing::make_gait({}).clip, loom::testing::random_clip(loom::testing::random_skeleton(12, 4), 90, 120, 4)};
  clips[0].name = "walk";
  clips[0].labels = {{"walk", 0, clips[0].frames()}, {"</script><b>turn", 10, 40}};
  clips[1].name = "</script><img src=x onerror=\"window.broken=1\">{{script}}";
  const auto written = loom::picture::write_viewer_page(clips, {"Test <page> & more"}, argv[1]);
  if (!written) std::puts(written.error().to_string().c_str());
  return written ? 0 : 1;
}
