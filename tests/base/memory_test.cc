// SPDX-License-Identifier: MIT
#include <limits>
#include <new>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>

#include "tests/temporary_folder.h"

namespace loom {
namespace {

using ::testing::HasSubstr;

/// What a made-up system says: its files lie in `folder`.
std::size_t available_in(const testing::TemporaryFolder& folder) {
  return available_memory(folder.path().string() + "/");
}

TEST(AvailableMemory, IsWhatTheMachineSays) {
  const testing::TemporaryFolder system;
  system.write("proc/meminfo", "MemTotal:  9000 kB\nMemFree:  10 kB\nMemAvailable:    4000 kB\n");
  EXPECT_EQ(available_in(system), 4000u * 1024);
}

TEST(AvailableMemory, IsNoMoreThanAControlGroupLeaves) {
  const testing::TemporaryFolder system;
  system.write("proc/meminfo", "MemAvailable:    4000 kB\n");
  system.write("proc/self/cgroup", "0::/a/b\n");
  system.write("sys/fs/cgroup/a/b/memory.max", "max\n");
  system.write("sys/fs/cgroup/a/b/memory.current", "700000\n");
  EXPECT_EQ(available_in(system), 4000u * 1024);
  system.write("sys/fs/cgroup/a/memory.max", "1000000\n");
  system.write("sys/fs/cgroup/a/memory.current", "800000\n");
  EXPECT_EQ(available_in(system), 200000u) << "the group around it limits too";
  system.write("sys/fs/cgroup/a/memory.stat", "anon 5\ninactive_file 300000\n");
  EXPECT_EQ(available_in(system), 500000u) << "pages of files can be dropped";
}

TEST(AvailableMemory, KnowsTheOlderControlGroups) {
  const testing::TemporaryFolder system;
  system.write("proc/meminfo", "MemAvailable:    4000 kB\n");
  system.write("proc/self/cgroup", "12:cpu:/x\n4:memory:/docker/x\n");
  system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  system.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "5\n");
  EXPECT_EQ(available_in(system), 4000u * 1024);
  system.write("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "1000\n");
  system.write("sys/fs/cgroup/memory/docker/x/memory.usage_in_bytes", "5000\n");
  EXPECT_EQ(available_in(system), 0u);
}

TEST(AvailableMemory, WithoutAWordOfTheSystemThereIsNoBound) {
  const testing::TemporaryFolder system;
  EXPECT_EQ(available_in(system), std::numeric_limits<std::size_t>::max());
}

TEST(FreeMemory, LeavesSomeOfTheMachineToOthers) {
  const std::size_t available = available_memory(), free = free_memory();
  EXPECT_GT(free, 0u);
  EXPECT_LT(free, available);
}

TEST(MemoryLimit, CountsWhatTheProcessHoldsAlready) {
  const MemoryLimit limit(std::size_t{1} << 40);
  const std::size_t before = free_memory();
  EXPECT_LT(before, std::size_t{1} << 40);
  const std::vector<char> held(std::size_t{64} << 20, 1);
  EXPECT_LT(free_memory() + (std::size_t{32} << 20), before) << held.size();
}

TEST(RequireMemory, SaysWhatIsTakenWhatIsFreeAndWhatToDo) {
  const MemoryLimit limit(1);
  const auto refused = require_memory(149e9, "training on 272,778 fragments", "cut fewer");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "training on 272,778 fragments takes about 149 GB of memory, and 0 bytes are free: cut fewer, or allow "
            "more");
  EXPECT_FALSE(require_memory(std::numeric_limits<double>::infinity(), "all", "nothing"));
  EXPECT_TRUE(require_memory(0, "nothing", "nothing"));
}

TEST(RequireMemory, TellsOfWhatIsLargeBeforeItIsTaken) {
  std::vector<double> told;
  {
    const MemoryLimit limit(
        0, [&](const MemoryRequirement& r) { told.push_back(r.bytes); }, 1000);
    EXPECT_TRUE(require_memory(999, "a little", "less"));
    EXPECT_TRUE(require_memory(1000, "enough", "less"));
  }
  EXPECT_TRUE(require_memory(2000, "after", "less"));
  EXPECT_EQ(told, std::vector<double>{1000});
}

TEST(WithinMemory, RunningOutIsAnErrorEvenFromALoopOnAllCores) {
  const auto result = within_memory("so many frames", []() -> Result<int> {
    parallel_for(100, 1, [](std::size_t begin, std::size_t) {
      if (begin == 57) throw std::bad_alloc();
    });
    return 1;
  });
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("not enough memory for so many frames"));
  const auto absurd = within_memory("nonsense", []() -> Result<std::size_t> {
    return std::vector<double>(std::numeric_limits<std::size_t>::max() / 2).size();
  });
  EXPECT_FALSE(absurd);
}

TEST(DescribeBytes, HasThreeDigits) {
  EXPECT_EQ(describe_bytes(0), "0 bytes");
  EXPECT_EQ(describe_bytes(999), "999 bytes");
  EXPECT_EQ(describe_bytes(1000), "1.00 kB");
  EXPECT_EQ(describe_bytes(17.94e9), "17.9 GB");
  EXPECT_EQ(describe_bytes(149e9), "149 GB");
  EXPECT_EQ(describe_bytes(99.96e6), "100 MB");
}

}  // namespace
}  // namespace loom
