// SPDX-License-Identifier: MIT
#include <bit>
#include <cstdint>
#include <cstring>

#include <loom/motion/skeleton_blob.h>

namespace loom::motion {
namespace {

static_assert(std::endian::native == std::endian::little, "a library holds little-endian numbers, as they are");

void put_bytes(std::vector<std::byte>& out, const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  const std::size_t old = out.size();
  out.resize(old + bytes);
  std::memcpy(&out[old], data, bytes);
}

template <typename T>
void put(std::vector<std::byte>& out, const T& value) {
  put_bytes(out, &value, sizeof value);
}

/// Takes values off the front of some bytes and remembers when there were too few.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <typename T>
  T take() {
    T value{};
    if (const auto bytes = take_bytes(sizeof value); !bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::span<const std::byte> take_bytes(std::size_t count) {
    if (count > left_.size()) {
      ok_ = false;
      left_ = {};
      return {};
    }
    const auto taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
  bool ok_ = true;
};

}  // namespace

std::vector<std::byte> to_blob(const Skeleton& skeleton) {
  std::vector<std::byte> out;
  put(out, static_cast<std::uint32_t>(skeleton.size()));
  put(out, static_cast<std::uint32_t>(skeleton.end_sites().size()));
  for (const Joint& joint : skeleton.joints()) {
    put(out, static_cast<std::int32_t>(joint.parent));
    put(out, joint.offset);
    put(out, static_cast<std::uint32_t>(joint.name.size()));
    put_bytes(out, joint.name.data(), joint.name.size());
  }
  for (const EndSite& site : skeleton.end_sites()) {
    put(out, static_cast<std::int32_t>(site.joint));
    put(out, site.offset);
  }
  return out;
}

Result<Skeleton> skeleton_from_blob(std::span<const std::byte> bytes) {
  Reader in(bytes);
  const auto joint_count = in.take<std::uint32_t>(), site_count = in.take<std::uint32_t>();
  // Each takes at least 16 bytes, so a count that lies is found out before memory is spent on it.
  if (!in.ok() || (std::uint64_t{joint_count} + site_count) * 16 > bytes.size()) {
    return fail_as(ErrorKind::kDamaged, "a stored skeleton is cut short");
  }
  std::vector<Joint> joints(joint_count);
  for (Joint& joint : joints) {
    joint.parent = in.take<std::int32_t>();
    joint.offset = in.take<Vec3>();
    const auto name = in.take_bytes(in.take<std::uint32_t>());
    joint.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  }
  std::vector<EndSite> sites(site_count);
  for (EndSite& site : sites) {
    site.joint = in.take<std::int32_t>();
    site.offset = in.take<Vec3>();
  }
  if (!in.ok()) return fail_as(ErrorKind::kDamaged, "a stored skeleton is cut short");
  if (!in.at_end())
    return fail_as(ErrorKind::kDamaged, "a stored skeleton is followed by bytes that do not belong to it");
  auto skeleton = Skeleton::create(std::move(joints), std::move(sites));
  if (!skeleton) return fail_as(ErrorKind::kDamaged, "a stored skeleton is not valid: " + skeleton.error().message);
  return skeleton;
}

}  // namespace loom::motion
