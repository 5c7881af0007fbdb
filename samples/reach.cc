// SPDX-License-Identifier: MIT
// Reach a target: twenty-four recorded reaches are blended to one that puts the hand where it is wanted.
//
// Prints:
//   24 examples that place the joint RightHand
//   to -0.10  1.20  0.56: touches at 0.90 s, 0 mm off
//   to -0.30  0.90  0.50: touches at 0.90 s, 0 mm off
//   to  0.00  1.20  1.50: touches at 0.90 s, 843 mm off
#include <cstdio>

#include <loom/blend/family/family.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/motion_maker.h>
#include <loom/blend/family/stored_family.h>

#include "sample_library.h"

using namespace loom;

namespace {

Result<void> run() {
  const SampleLibrary samples({"reach"});
  auto library = samples.open();
  if (!library) return fail_from(library);

  // Clips that do the same thing in different ways are a family: aligned in time so that all touch at the same moment,
  // and measured, so that each is a point in the space of where the hand was.
  blend::FamilyOptions options;
  options.label = "reach";
  const auto built = blend::build_family(*library, options);
  if (!built) return fail_from(built);
  if (auto stored = blend::store_family(*library, "reach", built->family, built->input_hash, "{}"); !stored)
    return stored;

  // From now on it is loaded, which takes milliseconds.
  const auto stored = blend::load_family(*library, "reach");
  if (!stored) return fail_from(stored);
  const blend::Family& family = *stored->family;
  std::printf("%zu examples that place the joint %s\n", family.members.size(),
              stored->space->skeleton()->joint(static_cast<std::size_t>(family.joint)).name.c_str());

  // Weights are found so that the blend comes out where it is asked for, feet planted and all; or, where no example
  // comes near, as the last of these, as near as it can.
  const auto maker = blend::MotionMaker::create(stored->family, stored->space, blend::Method::kCorrected);
  if (!maker) return fail_from(maker);
  for (const Vec3 target : {Vec3{-0.1f, 1.2f, 0.56f}, Vec3{-0.3f, 0.9f, 0.5f}, Vec3{0, 1.2f, 1.5f}}) {
    const blend::JointTarget wish{family.joint, target, 0};  // metres, as seen from the character at its start
    const auto made = maker->reach(std::span(&wish, 1));
    if (!made) return fail_from(made);
    const motion::Clip& clip = made->blended.clip;
    std::printf("to %5.2f %5.2f %5.2f: touches at %.2f s, %.0f mm off\n", static_cast<double>(target.x),
                static_cast<double>(target.y), static_cast<double>(target.z),
                static_cast<double>(made->blended.strokes[0]) / clip.rate, 1000 * made->error);
  }
  return {};
}

}  // namespace

int main() {
  const auto done = run();
  if (!done) std::fprintf(stderr, "%s\n", done.error().to_string().c_str());
  return done ? 0 : 1;
}
