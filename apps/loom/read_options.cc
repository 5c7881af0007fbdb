// SPDX-License-Identifier: MIT
#include "loom/read_options.h"

#include <string>

namespace loom::app {

void add_root_offset(CLI::App& options, io::ReadOptions& read) {
  const auto set = [&read](const std::string& word) {
    read.root_offset = word == "add"       ? io::RootOffset::kAdd
                       : word == "replace" ? io::RootOffset::kReplace
                                           : io::RootOffset::kAuto;
  };
  options
      .add_option_function<std::string>("--root-offset", set,
                                        "whether positions of a BVH file's root add to its OFFSET or replace it: auto, "
                                        "add or replace (auto: as the body stands on the floor)")
      ->transform(CLI::IsMember({"auto", "add", "replace"}, CLI::ignore_case));
}

}  // namespace loom::app
