// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/blend/steps/step_examples.h>
#include <loom/sample/sample.h>

namespace loom::testing {

/// Steps of the sample walks, with setting off and arriving in all directions, made once for a program.
inline const blend::StepLibrary& sample_steps() {
  static const blend::StepLibrary made = [] {
    sample::SampleOptions options;
    options.rate = 30;
    const std::vector<std::string> only = {"approach", "turn-in-place", "side-step",     "walk-slow",
                                           "start",    "stop",          "walk-normal-1", "walk-turn"};
    std::vector<motion::Clip> clips;
    std::vector<motion::Contacts> contacts;
    auto samples = sample::make_samples(options, only).value();
    for (sample::SampleClip& one : samples) {
      if (one.clip.name.find("run") != std::string::npos) continue;
      clips.push_back(std::move(one.clip));
      contacts.push_back(std::move(one.contacts));
    }
    return blend::find_steps(clips, contacts).value();
  }();
  return made;
}

}  // namespace loom::testing
