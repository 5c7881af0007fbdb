// SPDX-License-Identifier: MIT
// The shared library libmotionloom_card.so: what card.h promises, for cards of NVIDIA.
#include <loom/compare/cuda/cloud_on_card.h>
#include <loom/graph/cuda/trees_on_card.h>
#include <loom/policy/cuda/sweep_on_card.h>

namespace loom::card {
namespace {

bool open_card(std::uint32_t which, Device* device, Failure* failure) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0, built = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&built);
    if (driver == 0) return tell(failure, "there is no driver of NVIDIA");
    std::snprintf(failure->text, sizeof(failure->text), "the driver is of CUDA %d.%d, and this was built with %d.%d",
                  driver / 1000, driver % 1000 / 10, built / 1000, built % 1000 / 10);
    return false;
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) {
    return tell(failure, "there is no card of NVIDIA");
  }
  if (!good(status, failure, "looking for a card")) return false;
  opened_card = static_cast<int>(which % static_cast<std::uint32_t>(count));
  if (!use_card(failure)) return false;
  cudaDeviceProp properties{};
  if (!good(cudaGetDeviceProperties(&properties, opened_card), failure, "asking the card what it is")) return false;
  // The first that needs the card itself: one that is somebody's alone says so here.
  std::size_t free_bytes = 0, all = 0;
  if (!good(cudaMemGetInfo(&free_bytes, &all), failure, "the card cannot be had")) return false;
  cudaFuncAttributes attributes{};
  if (!good(cudaFuncGetAttributes(&attributes, run_kernel<AnyCloudKernel>), failure, "the card cannot run this")) {
    return false;
  }
  std::snprintf(device->name, sizeof(device->name), "%s", properties.name);
  device->major = properties.major;
  device->minor = properties.minor;
  device->multiprocessors = properties.multiProcessorCount;
  device->shared_memory = properties.sharedMemPerBlockOptin;
  device->memory = all;
  device->free_memory = free_bytes;
  return true;
}

constexpr Api kApi{kApiVersion, open_card, load_cloud, drop_cloud,
                   find_in_cloud, load_sweep, drop_sweep, sweep_on_card,
                   load_trees, drop_trees, trees_on_card};

}  // namespace
}  // namespace loom::card

extern "C" __attribute__((visibility("default"))) const loom::card::Api* motionloom_card() {
  return &loom::card::kApi;
}
