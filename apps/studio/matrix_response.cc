// SPDX-License-Identifier: MIT
#include "studio/matrix_response.h"

#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include <loom/picture/pack.h>

namespace loom::studio {
namespace {

constexpr std::size_t kMostCells = 400;  ///< a side of the matrix; of longer clips every few frames are sent

}  // namespace

Response matrix_response(const compare::CostMatrix& matrix, double rate, nlohmann::json header) {
  const std::size_t row_step = (matrix.rows - 1) / kMostCells + 1, column_step = (matrix.columns - 1) / kMostCells + 1;
  std::vector<float> cells;
  for (std::size_t r = 0; r < matrix.rows; r += row_step) {
    for (std::size_t c = 0; c < matrix.columns; c += column_step) cells.push_back(matrix.at(r, c));
  }
  const std::size_t columns = (matrix.columns + column_step - 1) / column_step;
  header.update({{"rows", cells.size() / columns},
                 {"columns", columns},
                 {"row_step", row_step},
                 {"column_step", column_step},
                 {"rate", rate},
                 {"frames", {matrix.rows, matrix.columns}}});
  Response response;
  response.type = "application/octet-stream";
  response.body = picture::pack(header, {std::as_bytes(std::span(cells))});
  return response;
}

}  // namespace loom::studio
