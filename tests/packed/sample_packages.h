// SPDX-License-Identifier: MIT
// Small packed characters of every kind, made of samples.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/graph/build.h>
#include <loom/library/library.h>
#include <loom/machine/build.h>
#include <loom/packed/pack.h>
#include <loom/packed/packed_character.h>
#include <loom/policy/graph_policy.h>
#include <loom/project/build.h>
#include <loom/project/machines.h>
#include <loom/sample/sample.h>

namespace loom::testing {

inline library::Library sample_library(const std::string& path, const std::vector<std::string>& groups) {
  auto made = sample::make_samples({}, groups).value();
  std::vector<motion::Clip> clips;
  for (sample::SampleClip& one : made) clips.push_back(std::move(one.clip));
  auto library = library::Library::open_or_create(path).value();
  EXPECT_TRUE(library.add_clips(clips));
  return library;
}

inline constexpr const char* kMachineText =
    "machine small\n"
    "state stand: idle\n"
    "state walk: walk\n"
    "default stand\n"
    "transition stand -> stand self\n"
    "transition walk -> walk self\n"
    "transition stand -> walk\n"
    "transition walk -> stand\n";

/// Walks in a library with a graph "plain", a graph "steered" with its policy, and a policy over fragments "policy".
inline library::Library walking_library(const std::string& path) {
  auto library = sample_library(path, {"walk", "idle", "start", "stop"});
  EXPECT_TRUE(project::build_graph(library, "plain", {}, {}));
  EXPECT_TRUE(project::build_graph(library, "steered", {}, {}));
  policy::GraphPolicyOptions steering;
  steering.headings = 8;
  steering.discount = 0.9;
  EXPECT_TRUE(project::train_graph_policy(library, "steered", steering));
  return library;
}

}  // namespace loom::testing
