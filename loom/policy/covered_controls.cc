// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/policy/covered_controls.h>

namespace loom::policy {

ControlSpace covered_space(const ControlSpace& space, const FragmentSet& fragments, float least_quality) {
  ControlSpace covered = space;
  std::erase_if(covered.bins, [&](const ControlSignal& bin) {
    return std::none_of(fragments.fragments.begin(), fragments.fragments.end(), [&](const Fragment& fragment) {
      return control_quality(space.weights, fragment.evident, bin) >= least_quality;
    });
  });
  return covered.bins.empty() ? space : covered;
}

Trace keep_to(const ControlSpace& space, const Trace& trace) {
  const BinFinder bins(space);
  Trace kept = trace;
  for (ControlSignal& signal : kept.signals) signal = space.bins[bins.find(signal)];
  return kept;
}

}  // namespace loom::policy
