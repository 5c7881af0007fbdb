// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "bindings/c/motionloom.h"

namespace loom::c {

/// The caller's allocator as the standard containers want one.
template <typename T>
class Allocator {
 public:
  using value_type = T;
  explicit Allocator(const loom_allocator& from) : from_(from) {}
  template <typename U>
  Allocator(const Allocator<U>& other)
      : from_(other.from()) {}  // NOLINT(google-explicit-constructor): as allocators are

  T* allocate(std::size_t count) {
    void* memory = count > SIZE_MAX / sizeof(T) ? nullptr : from_.allocate(from_.user, count * sizeof(T), alignof(T));
    if (memory == nullptr) throw std::bad_alloc();  // caught where C begins
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    from_.release(from_.user, memory, count * sizeof(T), alignof(T));
  }
  [[nodiscard]] const loom_allocator& from() const { return from_; }

  template <typename U>
  bool operator==(const Allocator<U>& other) const {
    return from_.user == other.from().user && from_.allocate == other.from().allocate;
  }

 private:
  loom_allocator from_;
};

/// Objects under numbers that are never used twice: a number whose object is gone finds nothing.
///
/// A number is the place in the table and, above it, how often that place was used. Objects that only one thread may
/// use at a time are borrowed: a second borrower is told so and does not wait.
template <typename T>
class HandleTable {
  struct Entry;

 public:
  explicit HandleTable(const loom_allocator& allocator)
      : allocator_(allocator), slots_(Allocator<Slot>(allocator)), free_(Allocator<std::size_t>(allocator)) {}

  template <typename... Args>
  std::uint64_t add(Args&&... args) {
    auto object = std::allocate_shared<Entry>(Allocator<Entry>(allocator_), std::forward<Args>(args)...);
    const std::lock_guard lock(guard_);
    std::size_t at = slots_.size();
    if (free_.empty()) {
      slots_.push_back({});
      free_.reserve(slots_.size());  // so that removing never allocates
    } else {
      at = free_.back();
      free_.pop_back();
    }
    slots_[at].object = std::move(object);
    ++slots_[at].uses;
    return number(at, slots_[at].uses);
  }

  /// What the number stands for, to be read by any number of threads; null where there is nothing.
  std::shared_ptr<const T> find(std::uint64_t number) {
    const std::lock_guard lock(guard_);
    const Slot* slot = slot_of(number);
    return slot == nullptr ? nullptr : std::shared_ptr<const T>(slot->object, &slot->object->value);
  }

  /// What the number stands for, for one thread alone; gives it back when it is destroyed.
  class Borrowed {
   public:
    Borrowed() = default;
    explicit Borrowed(std::shared_ptr<Entry> entry) : entry_(std::move(entry)) {}
    Borrowed(Borrowed&& other) noexcept : status(other.status), entry_(std::move(other.entry_)) {}
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    Borrowed& operator=(Borrowed&&) = delete;
    ~Borrowed() {
      if (entry_) entry_->busy.store(false, std::memory_order_release);
    }
    T* operator->() const { return &entry_->value; }
    T& operator*() const { return entry_->value; }
    explicit operator bool() const { return entry_ != nullptr; }
    loom_status status = LOOM_OK;

   private:
    std::shared_ptr<Entry> entry_;
  };

  Borrowed borrow(std::uint64_t number) {
    const std::lock_guard lock(guard_);
    Slot* slot = slot_of(number);
    if (slot == nullptr) return refuse(LOOM_BAD_HANDLE);
    if (slot->object->busy.exchange(true, std::memory_order_acquire)) return refuse(LOOM_BUSY);
    return Borrowed(slot->object);
  }

  loom_status remove(std::uint64_t number) {
    std::shared_ptr<Entry> gone;  // destroyed when the lock is given back
    const std::lock_guard lock(guard_);
    Slot* slot = slot_of(number);
    if (slot == nullptr) return LOOM_BAD_HANDLE;
    if (slot->object->busy.load(std::memory_order_acquire)) return LOOM_BUSY;
    gone = std::move(slot->object);
    slot->object.reset();
    free_.push_back((number & 0xffffffffU) - 1);
    return LOOM_OK;
  }

 private:
  struct Entry {
    template <typename... Args>
    explicit Entry(Args&&... args) : value{std::forward<Args>(args)...} {}
    T value;
    std::atomic<bool> busy{false};
  };
  struct Slot {
    std::shared_ptr<Entry> object;
    std::uint32_t uses = 0;
  };

  static std::uint64_t number(std::size_t at, std::uint32_t uses) {
    return std::uint64_t{uses} << 32 | (static_cast<std::uint32_t>(at) + 1);
  }
  static Borrowed refuse(loom_status status) {
    Borrowed none;
    none.status = status;
    return none;
  }
  Slot* slot_of(std::uint64_t number) {
    const std::size_t at = (number & 0xffffffffU) - 1;
    if ((number & 0xffffffffU) == 0 || at >= slots_.size()) return nullptr;
    Slot& slot = slots_[at];
    return slot.object && slot.uses == number >> 32 ? &slot : nullptr;
  }

  loom_allocator allocator_;
  std::mutex guard_;
  std::vector<Slot, Allocator<Slot>> slots_;
  std::vector<std::size_t, Allocator<std::size_t>> free_;  ///< places without an object
};

}  // namespace loom::c
