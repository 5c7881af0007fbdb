# SPDX-License-Identifier: MIT
# What the run-time library is built of in a web page. Debian's libraries are made for the machine that builds, and so are
# most headers of /usr/include; what the run-time library uses of them is headers alone, which are linked into a folder of
# their own, so that nothing else is seen. There are no threads: base/parallel.cc runs pieces one after the other.

# What a packed character needs (loom/packed) and what that is built on.
set(LOOM_WASM_MODULES base motion character take compare polish play blend graph behavior machine policy matching packed)

# Folders of these that nothing in a package comes to: they take as long to compile as half of the rest.
set(LOOM_WASM_LEAVES_OUT "/(compare/cpu|compare/detail|blend/steps|blend/family/detail)/[^/]*$")

set(headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(found eigen3/Eigen fmt hwy nanoflann.hpp tl xxhash.h)
  if(NOT EXISTS /usr/include/${found})
    message(FATAL_ERROR "/usr/include/${found} is missing: tools/setup.sh build installs it")
  endif()
  cmake_path(GET found FILENAME name)
  file(CREATE_LINK /usr/include/${found} ${headers}/${name} SYMBOLIC)
endforeach()

# Emscripten 3.1.6 has a libc++ without std::bit_cast, for a compiler that has it: found before its own <bit>.
file(CONFIGURE OUTPUT ${headers}/bit @ONLY CONTENT [=[
#pragma once
#include_next <bit>
#ifndef __cpp_lib_bit_cast
#include <type_traits>
namespace std {
template <typename To, typename From>
  requires(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>)
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
]=])

foreach(target fmt::fmt Eigen3::Eigen hwy::hwy nanoflann::nanoflann tl::expected TBB::tbb Threads::Threads)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE ${headers})
endforeach()
set_target_properties(fmt::fmt PROPERTIES INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1)

# Vectors of four floats and exceptions of WebAssembly's own: Chrome 95, Firefox 100, Safari 16.4.
add_compile_options(-msimd128 -fwasm-exceptions)
add_link_options(-msimd128 -fwasm-exceptions)
