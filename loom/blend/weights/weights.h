// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace loom::blend {

/// The most coordinates a parameter space may have, and the most examples: what bounds the memory a query takes on the
/// stack.
inline constexpr std::size_t kMaxDimensions = 8;
inline constexpr std::size_t kMaxExamples = 256;

/// The examples of a family as points of its parameter space, in coordinates in which distances mean something (see
/// `ParameterSpace::coordinates`).
struct ExamplePoints {
  std::size_t dimensions = 0;
  std::vector<double> values;  ///< examples × dimensions

  [[nodiscard]] std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
  [[nodiscard]] std::span<const double> operator[](std::size_t i) const {
    return {values.data() + i * dimensions, dimensions};
  }
};

/// The squared distance of two points of as many coordinates.
inline double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

/// How far outside the convex hull of the examples a point may lie and still be met as it is, as a share of the size of
/// the space (`Triangulation::radius`). What lies between examples that curve around a body lies outside their hull by
/// a few centimetres.
inline constexpr double kHullMargin = 0.1;

/// What to do about a point further outside the convex hull of the examples than the margin.
enum class Outside {
  kClamp,        ///< take the point at the margin, towards the nearest point of the hull
  kExtrapolate,  ///< take the point as it is; methods of convex weights (neighbours, inverse) come as near as they can
};

/// How a query went.
struct Weighed {
  bool outside = false;  ///< the point lies outside the convex hull of the examples
  double distance = 0;   ///< how far outside, in coordinates; 0 inside
  bool clamped = false;  ///< the weights are those of the nearest point of the hull
  std::optional<double>
      error;  ///< how far the blend comes out from the point (clamped, if it was), if the method knows
};

/// What a blend with given weights really comes out as: the forward map that weightings invert, exactly or nearly.
///
/// Weights may be any numbers that sum to one. Calls do not allocate and may run on several threads at once.
class BlendModel {
 public:
  virtual ~BlendModel() = default;

  [[nodiscard]] virtual std::size_t examples() const = 0;
  [[nodiscard]] virtual std::size_t dimensions() const = 0;
  /// The coordinates of the blend with these weights, one an example, into `at`.
  virtual void evaluate(std::span<const float> weights, std::span<double> at) const = 0;
  /// The same with its derivative: `jacobian` is dimensions × examples, row after row.
  virtual void differentiate(std::span<const float> weights, std::span<double> at,
                             std::span<double> jacobian) const = 0;
};

class Triangulation;

/// A way from a point of parameter space to weights of the examples (Huang 2012 §4.3): the one interface behind which
/// all methods stand.
///
/// Everything that takes time is done when it is made. A query writes into the caller's memory, does not allocate, and
/// may run on several threads at once. Weights sum to one; those of radial bases and of extrapolation may be negative.
class Weighting {
 public:
  virtual ~Weighting() = default;
  Weighting(const Weighting&) = delete;
  Weighting& operator=(const Weighting&) = delete;

  [[nodiscard]] std::size_t examples() const;
  [[nodiscard]] std::size_t dimensions() const;

  /// The weights for the point `at` (dimensions() finite numbers), one an example, into `weights`.
  Weighed weigh(std::span<const double> at, Outside outside, std::span<float> weights) const;

 protected:
  explicit Weighting(std::shared_ptr<const Triangulation> space) : space_(std::move(space)) {}

  [[nodiscard]] const Triangulation& space() const { return *space_; }
  /// The weights for a point already brought to where it is wanted. Returns how far the blend comes out from it, where
  /// the method knows.
  virtual std::optional<double> weigh_at(std::span<const double> at, std::span<float> weights) const = 0;

 private:
  std::shared_ptr<const Triangulation> space_;
};

/// The methods: the four Huang 2012 compares, and one of our own.
enum class Method { kBarycentric, kRadialBasis, kNeighbours, kInverse, kCorrected };
inline constexpr std::array kMethods = {Method::kBarycentric, Method::kRadialBasis, Method::kNeighbours,
                                        Method::kInverse, Method::kCorrected};

/// "barycentric", "radial-basis", "neighbours", "inverse" or "corrected-basis".
const char* to_string(Method method);
/// The method of that name; nothing when there is none.
std::optional<Method> method_named(std::string_view name);

/// Makes a weighting with the method's default options. `space` triangulates the examples' points; the model must be
/// of the same examples and coordinates. (Barycentric weights and radial bases do not ask the model.)
std::unique_ptr<Weighting> make_weighting(Method method, std::shared_ptr<const Triangulation> space,
                                          std::shared_ptr<const BlendModel> model);

}  // namespace loom::blend
