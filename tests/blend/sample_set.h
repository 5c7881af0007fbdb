// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/motion/contacts.h>
#include <loom/sample/sample.h>

namespace loom::testing {

/// Sample motions with what is known about them.
struct SampleSet {
  std::vector<motion::Clip> clips;
  std::vector<motion::Contacts> contacts;
  std::vector<double> strokes;  ///< seconds; only of those that have one
};

inline SampleSet sample_set(const std::vector<std::string>& names, double rate = 30) {
  sample::SampleOptions options;
  options.rate = rate;
  SampleSet set;
  for (const std::string& name : names) {
    sample::SampleClip made = sample::make_sample(name, options).value();
    if (made.stroke) set.strokes.push_back(static_cast<double>(*made.stroke) / rate);
    set.clips.push_back(std::move(made.clip));
    set.contacts.push_back(std::move(made.contacts));
  }
  return set;
}

/// "reach-01" to the one numbered `count`.
inline std::vector<std::string> family_names(const std::string& family, int count) {
  std::vector<std::string> names;
  for (int n = 1; n <= count; ++n) names.push_back(family + (n < 10 ? "-0" : "-") + std::to_string(n));
  return names;
}

}  // namespace loom::testing
