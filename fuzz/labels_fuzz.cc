// SPDX-License-Identifier: MIT
// Any bytes as a table of labels: it is refused, or every row has a file, a label and a range that is not empty.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <loom/library/label_table.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::library;
  const auto table = parse_label_table({reinterpret_cast<const char*>(data), size}, "fuzz.csv");
  if (!table) return 0;
  std::vector<std::string> motions = {"a/walk.bvh", "b/walk.bvh", "run"};
  for (const LabelRow& row : table->rows) {
    if (row.file.empty() || row.label.empty()) std::abort();
    const auto label = label_of(row, 1, 120, 50, 30);
    if (label && (label->begin >= label->end || label->end > 50)) std::abort();
    motions.push_back(row.file);
  }
  const LabelMatches matches = match_labels(*table, motions);
  // Every row names itself at least, whether alone or not.
  if (!matches.unmatched.empty()) std::abort();
  return 0;
}
