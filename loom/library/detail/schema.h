// SPDX-License-Identifier: MIT
#pragma once

#include <loom/base/result.h>
#include <loom/library/detail/database.h>

namespace loom::library {

/// The version of libraries that hold packed frames (library/pack.h). Others are kept as version 1, which older
/// programs read too.
inline constexpr int kPackedSchemaVersion = 2;

/// Makes the tables of a library in an empty database, in one transaction. Does nothing where they exist. One for
/// packed frames says so by its version, and lies in small pages, since a packed clip would fill large ones in part.
Result<void> create_schema(Database& database, bool packed = false);

/// Makes a library one that may hold packed frames, where it is none yet: older programs refuse it from then on. To be
/// called within a transaction.
Result<void> allow_packed(const Database& database);

/// Whether `database` is a library this program can read. Fails, saying which, on a file that is something else, on
/// one made by a newer program, and on one whose tables are not those of its version.
Result<void> check_schema(const Database& database);

}  // namespace loom::library
