// SPDX-License-Identifier: MIT
#pragma once

#include <loom/base/result.h>
#include <loom/library/detail/database.h>

namespace loom::library {

/// Makes the tables of a library in an empty database, in one transaction. Does nothing where they exist.
Result<void> create_schema(Database& database);

/// Whether `database` is a library this program can read. Fails, saying which, on a file that is something else, on
/// one made by a newer program, and on one whose tables are not those of its version.
Result<void> check_schema(const Database& database);

}  // namespace loom::library
