# SPDX-License-Identifier: MIT
# Installs the command, the library, its headers and a CMake package, so that `find_package(motionloom)` works.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS loom RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS loom-assimp-worker RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/motionloom)
install(TARGETS motionloom motionloom_runtime EXPORT motionloomTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/loom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "detail" EXCLUDE)
install(EXPORT motionloomTargets NAMESPACE motionloom:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/motionloom)
configure_package_config_file(cmake/motionloomConfig.cmake.in ${CMAKE_BINARY_DIR}/motionloomConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/motionloom)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/motionloomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/motionloomConfig.cmake ${CMAKE_BINARY_DIR}/motionloomConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/motionloom)
