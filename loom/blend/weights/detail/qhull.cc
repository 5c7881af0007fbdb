// SPDX-License-Identifier: MIT
#include <cstdio>
#include <string>

#include <fmt/format.h>
extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <loom/blend/weights/detail/qhull.h>

namespace loom::blend {
namespace {

/// One run of Qhull, freed at the end. Qhull leaves by longjmp from within its own C code and writes what it thinks to
/// a file; nobody reads that file.
class Run {
 public:
  Run(std::vector<double> points, std::size_t dimensions, std::string command)
      : points_(std::move(points)), command_(std::move(command)), silence_(std::fopen("/dev/null", "w")) {
    if (silence_ == nullptr) return;
    qh_zero(&state_, silence_);
    begun_ = true;
    status_ = qh_new_qhull(&state_, static_cast<int>(dimensions), static_cast<int>(points_.size() / dimensions),
                           points_.data(), False, command_.data(), nullptr, silence_);
  }
  ~Run() {
    if (begun_) {
      qh_freeqhull(&state_, !qh_ALL);
      int left = 0, total = 0;
      qh_memfreeshort(&state_, &left, &total);
    }
    if (silence_ != nullptr) std::fclose(silence_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] qhT* state() { return &state_; }

 private:
  std::vector<double> points_;
  std::string command_;
  std::FILE* silence_;
  qhT state_{};
  bool begun_ = false;
  int status_ = -1;
};

std::vector<double> hull_facets(qhT* qh, std::size_t dimensions) {
  std::vector<double> facets;
  facetT* facet = nullptr;
  FORALLfacets {
    facets.insert(facets.end(), facet->normal, facet->normal + dimensions);
    facets.push_back(facet->offset);
  }
  return facets;
}

std::vector<std::uint32_t> delaunay_corners(qhT* qh, std::size_t dimensions, std::size_t count) {
  std::vector<std::uint32_t> corners;
  facetT* facet = nullptr;
  vertexT *vertex = nullptr, **vertexp = nullptr;
  FORALLfacets {
    if (facet->upperdelaunay != 0) continue;
    const std::size_t before = corners.size();
    FOREACHvertex_(facet->vertices) {
      const int id = qh_pointid(qh, vertex->point);
      if (id >= 0 && static_cast<std::size_t>(id) < count) corners.push_back(static_cast<std::uint32_t>(id));
    }
    // A corner at Qhull's point at infinity, or a facet it could not split: not a simplex of ours.
    if (corners.size() - before != dimensions + 1) corners.resize(before);
  }
  return corners;
}

}  // namespace

Result<HullOfPoints> run_qhull(const std::vector<double>& points, std::size_t dimensions) {
  int status = 0;
  for (const char* robust : {"Qt", "QJ"}) {
    Run hull(points, dimensions, fmt::format("qhull {} Pp", robust));
    Run delaunay(points, dimensions, fmt::format("qhull d {} Qbb Qc {} Pp", robust, robust[1] == 't' ? "Qz" : ""));
    status = hull.status() != 0 ? hull.status() : delaunay.status();
    if (status != 0) continue;
    HullOfPoints found{hull_facets(hull.state(), dimensions),
                       delaunay_corners(delaunay.state(), dimensions, points.size() / dimensions)};
    if (!found.facets.empty() && !found.corners.empty()) return found;
  }
  return fail(fmt::format("the examples' parameters cannot be triangulated (Qhull says {})", status));
}

}  // namespace loom::blend
