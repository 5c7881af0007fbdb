// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <fmt/format.h>

namespace loom::testing {

/// A BVH file of somebody in T-pose who looks along +Z, 35 joints called q0 to q34: names that say nothing. With a
/// twist joint in each upper arm and three fingers a hand.
inline std::string bare_person_bvh() {
  std::string text = "HIERARCHY\n";
  int count = 0;
  const auto open = [&](double x, double y, double z) {
    text += fmt::format("{} q{}\n{{\nOFFSET {} {} {}\nCHANNELS {}Zrotation Xrotation Yrotation\n",
                        count == 0 ? "ROOT" : "JOINT", count, x, y, z,
                        count == 0 ? "6 Xposition Yposition Zposition " : "3 ");
    ++count;
  };
  const auto close = [&](int joints) { text += std::string(static_cast<std::size_t>(joints), '}') + "\n"; };
  const auto end = [&](double x, double y, double z) {
    text += fmt::format("End Site\n{{\nOFFSET {} {} {}\n}}\n", x, y, z);
  };
  open(0, 92, 0);                    // hips
  open(0, 12, -1), open(0, 18, -1);  // spine, chest
  open(0, 22, 2), open(0, 9, 1);     // neck, head
  end(0, 20, 0), close(2);
  for (const int side : {1, -1}) {
    open(side * 3, 15, 3), open(side * 15, 2, -3);  // collarbone, upper arm
    open(side * 14, 0, 0), open(side * 14, 0, 0);   // twist, forearm
    open(side * 26, 0, 0);                          // hand
    for (const int finger : {3, 0, -3}) {
      open(side * 9, 0, finger), open(side * 4, 0, 0);
      end(side * 3, 0, 0), close(2);
    }
    close(5);
  }
  close(2);
  for (const int side : {1, -1}) {
    open(side * 9, -3, 0), open(0, -43, 1), open(0, -42, -3), open(0, -4, 14);  // thigh, shin, foot, toe
    end(0, 0, 6), close(4);
  }
  close(1);
  text += "MOTION\nFrames: 1\nFrame Time: 0.01\n";
  for (int channel = 0; channel < 3 * count + 3; ++channel) text += channel == 1 ? "92 " : "0 ";
  return text + "\n";
}

}  // namespace loom::testing
