// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <loom/base/result.h>
#include <loom/blend/family/family.h>
#include <loom/blend/weights/triangulation.h>

namespace loom::blend {

/// The points of a family's members tied into simplices. Fails when they have no extent (all in one place).
Result<std::shared_ptr<const Triangulation>> triangulate(const Family& family);

}  // namespace loom::blend
