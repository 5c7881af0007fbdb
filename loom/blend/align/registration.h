// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/contacts.h>

namespace loom::blend {

/// A moment of one clip and the moment of another that belongs to it, both in seconds.
struct Mark {
  double from = 0;  ///< in the reference
  double to = 0;    ///< in the other clip

  friend bool operator==(const Mark&, const Mark&) = default;
};

/// Which moment of a clip belongs to which moment of the reference: a strictly increasing, smooth curve (the
/// registration curves of Kovar and Gleicher as Srinivasan 2009 §5.3 uses them).
///
/// It goes through its knots exactly; between them it is the monotone cubic of Fritsch and Butland 1984, whose slope is
/// continuous and positive everywhere. So it can be followed both ways: `inverse` undoes `at` to the precision of the
/// numbers. Beyond its ends it goes on straight.
class RegistrationCurve {
 public:
  /// Fails on fewer than two knots, or when a knot does not lie after the one before in both clips, naming it.
  static Result<RegistrationCurve> create(std::vector<Mark> knots);

  [[nodiscard]] double at(double from) const;     ///< the other clip's moment for one of the reference
  [[nodiscard]] double inverse(double to) const;  ///< the reference's moment for one of the other clip
  [[nodiscard]] double slope(double from) const;  ///< how fast the other clip runs there, seconds a second; positive
  [[nodiscard]] const std::vector<Mark>& knots() const { return knots_; }

 private:
  explicit RegistrationCurve(std::vector<Mark> knots);
  [[nodiscard]] std::size_t segment(double value, double Mark::*side) const;

  std::vector<Mark> knots_;
  std::vector<double> slopes_;  ///< one a knot
};

struct FitOptions {
  double knot_seconds = 0.15;  ///< between knots; the path's steps within are averaged out
  double max_slope = 4;        ///< slopes between knots stay within [1 / max_slope, max_slope]
};

/// The curve that follows `path` (strictly increasing both ways, at least two points) smoothly and meets `marks`
/// exactly. Marks must be consistent with each other (see `consistent_marks`) and lie within the path; the path's ends
/// are marks too. O(path).
RegistrationCurve fit_registration(std::span<const Mark> path, std::span<const Mark> marks,
                                   const FitOptions& options = {});

/// Of `marks` the most that can all be kept: each at least `min_seconds` after the one before, with slopes between them
/// within [1 / max_slope, max_slope]. The first and the last are always kept. O(marks²).
std::vector<Mark> consistent_marks(std::vector<Mark> marks, double min_seconds, double max_slope);

/// The moments at which the same foot comes down or lifts in both clips, in the order of time: each plant of the
/// reference is paired with the plant of the same foot in the other clip that overlaps it most under the `rough`
/// curve, if that pairs it too. Plants cut off by a clip's ends give only the moment that was seen.
std::vector<Mark> matching_contacts(const motion::Contacts& reference, double reference_rate,
                                    const motion::Contacts& other, double other_rate, const RegistrationCurve& rough);

}  // namespace loom::blend
