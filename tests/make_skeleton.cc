// SPDX-License-Identifier: MIT
#include "tests/make_skeleton.h"

#include <cstdio>
#include <utility>
#include <vector>

namespace loom::testing {

motion::Skeleton outline_skeleton(std::string_view outline) {
  std::vector<motion::Joint> joints;
  std::vector<int> open;  // the joints whose braces are open
  for (std::size_t i = 0; i < outline.size();) {
    const char c = outline[i];
    if (c == '{') {
      open.push_back(static_cast<int>(joints.size()) - 1);
      ++i;
    } else if (c == '}') {
      open.pop_back();
      ++i;
    } else if (c == '[') {
      const std::string numbers(outline.substr(i + 1, outline.find(']', i) - i - 1));
      Vec3& o = joints.back().offset;
      std::sscanf(numbers.c_str(), "%f %f %f", &o.x, &o.y, &o.z);
      i = outline.find(']', i) + 1;
    } else if (c == ' ' || c == '\n') {
      ++i;
    } else {
      const bool quoted = c == '\'';
      const std::size_t begin = quoted ? i + 1 : i;
      const std::size_t end = std::min(outline.find_first_of(quoted ? "'" : "{}[ \n", begin), outline.size());
      joints.push_back(
          {std::string(outline.substr(begin, end - begin)), open.empty() ? motion::kNoParent : open.back(), {}});
      i = quoted ? end + 1 : end;
    }
  }
  return motion::Skeleton::create(std::move(joints), {}).value();
}

}  // namespace loom::testing
