// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/library/body_choice.h>
#include <loom/motion/fit.h>

namespace loom::library {

void BodyChoice::add(Body body, std::string owner) { known_.push_back({std::move(body), std::move(owner)}); }

BodyChoice::Choice BodyChoice::choose(const Body& skeleton, const std::string& name) {
  for (const Known& known : known_) {
    if (motion::same_body(*skeleton, *known.body)) return {known.body, false, {}};
    if (!keep_apart_ && motion::fit_obstacle(*skeleton, *known.body).empty()) return {known.body, true, {}};
  }
  std::string notice;
  if (!keep_apart_ && !known_.empty()) {
    notice = fmt::format("keeps a body of its own: compared with '{}', {}", known_.front().owner,
                         motion::fit_obstacle(*known_.front().body, *skeleton));
  }
  add(skeleton, name);
  return {skeleton, false, std::move(notice)};
}

}  // namespace loom::library
