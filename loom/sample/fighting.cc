// SPDX-License-Identifier: MIT
#include <loom/sample/catalogue.h>
namespace loom::sample {
void add_fights(Catalogue&) {}
}  // namespace loom::sample
