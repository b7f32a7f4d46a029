#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orrery/base/time.h"

namespace orrery::process {

class Resource;

namespace internal {

class Dependent;
class Run;

/// A place in the list of those that depend on a cell.
struct Link {
  Dependent* owner = nullptr;
  Link** list = nullptr;  ///< Of the cell; null: in none.
  Link* previous = nullptr;
  Link* next = nullptr;

  void Insert(Dependent& who, Link*& first) noexcept {
    owner = &who;
    list = &first;
    previous = nullptr;
    next = first;
    if (next != nullptr) {
      next->previous = this;
    }
    first = this;
  }

  void Remove() noexcept {
    if (list == nullptr) {
      return;
    }
    (previous != nullptr ? previous->next : *list) = next;
    if (next != nullptr) {
      next->previous = previous;
    }
    list = nullptr;
  }
};

/// What an evaluation reads.
class Reads {
 public:
  void Clear() noexcept {
    lists_.clear();
    expiry_ = Duration::max();
    is_early_ = false;
  }

  /// What has these dependents was read; it holds for `expiry`.
  void Add(Link*& dependents, Duration expiry = Duration::max()) {
    expiry_ = std::min(expiry_, expiry);
    if (std::ranges::find(lists_, &dependents) == lists_.end()) {
      lists_.push_back(&dependents);
    }
  }

  /// Something of it is about to be set.
  void MarkEarly() noexcept { is_early_ = true; }

  [[nodiscard]] bool is_early() const noexcept { return is_early_; }

  /// How long all of it holds.
  [[nodiscard]] Duration expiry() const noexcept { return expiry_; }

  /// Each once.
  [[nodiscard]] std::span<Link** const> lists() const noexcept {
    return lists_;
  }

 private:
  std::vector<Link**> lists_;
  Duration expiry_ = Duration::max();
  bool is_early_ = false;
};

/// What is computed from cells and computed again when one of those changes or
/// expires that it read last time.
class Dependent {
 public:
  Dependent() = default;
  virtual ~Dependent();
  Dependent(const Dependent&) = delete;
  Dependent& operator=(const Dependent&) = delete;

  /// Evaluates it in `run`, reading cells.
  virtual void Evaluate(Run& run) = 0;

  [[nodiscard]] bool depends_on_cells() const noexcept { return used_ > 0; }

  std::uint64_t order = 0;     ///< Among those that are evaluated together.
  bool is_changed = false;     ///< Waits for its evaluation.
  bool takes_samples = false;  ///< Is evaluated when an instant is settled.

 protected:
  /// From now on it depends on what was read, and nothing else.
  void DependOn(const Reads& reads);

  void Forget() noexcept { Keep(0); }

 private:
  Link& LinkAt(std::size_t i) {
    return i < few_.size() ? few_[i] : more_[i - few_.size()];
  }

  // The first `used` links.
  void Keep(std::uint32_t used) noexcept {
    for (; used_ > used; --used_) {
      LinkAt(used_ - 1).Remove();
    }
  }

  std::uint32_t used_ = 0;
  std::uint32_t num_more_ = 0;
  std::array<Link, 2> few_;
  std::unique_ptr<Link[]> more_;
};

/// A resource as its run knows it.
struct ResourceEntry {
  Resource* resource = nullptr;
  std::size_t profile = 0;  ///< If it has one.
  std::uint32_t stamp = 0;  ///< Of its entry in the list; 0: none.
};

}  // namespace internal
}  // namespace orrery::process
