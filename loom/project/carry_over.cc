// SPDX-License-Identifier: MIT
#include <loom/character/character_file.h>
#include <loom/project/carry_over.h>

namespace loom::project {
namespace {

using Body = std::shared_ptr<const motion::Skeleton>;

/// The body as it stands at rest.
Result<character::HumanBody> at_rest(const Body& body) {
  auto looked = character::look_at_body(motion::Clip{"body", body, 30, {}, {}, {}});
  if (looked && !looked->stands) return fail("the body does not stand at rest");
  return looked;
}

}  // namespace

library::CarryOver between_humans() {
  return {[](const motion::Clip& clip, const Body& body) {
            return at_rest(body).has_value() && character::look_at_body(clip).has_value();
          },
          [](const motion::Clip& clip, const Body& body) -> Result<motion::Clip> {
            const auto to = at_rest(body);
            if (!to) return fail_from(to);
            return character::carry(clip, *to);
          }};
}

}  // namespace loom::project
