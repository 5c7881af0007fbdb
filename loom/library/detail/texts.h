// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/library/detail/database.h>

namespace loom::library {

/// The first column of every row that a query gives, as text. What it asks about is bound already.
inline Result<std::vector<std::string>> texts_of(Result<Statement> query) {
  if (!query) return fail_from(query);
  std::vector<std::string> texts;
  for (;;) {
    const auto row = query->step();
    if (!row) return fail_from(row);
    if (!*row) return texts;
    texts.push_back(query->text(0));
  }
}

}  // namespace loom::library
