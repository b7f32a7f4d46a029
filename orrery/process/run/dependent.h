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

/// An element of the list of dependents of a cell.
struct Link {
  Dependent* owner = nullptr;
  Link** list = nullptr;  ///< The list of the cell; null: in none.
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

/// The cells that an evaluation has read.
class Reads {
 public:
  void Clear() noexcept {
    lists_.clear();
    expiry_ = Duration::max();
    is_early_ = false;
  }

  /// Adds a cell by its list of dependents. Its value is constant for `expiry`.
  void Add(Link*& dependents, Duration expiry = Duration::max()) {
    expiry_ = std::min(expiry_, expiry);
    if (std::ranges::find(lists_, &dependents) == lists_.end()) {
      lists_.push_back(&dependents);
    }
  }

  /// Notes that something it read is about to be set.
  void MarkEarly() noexcept { is_early_ = true; }

  [[nodiscard]] bool is_early() const noexcept { return is_early_; }

  /// The time for which all reads stay valid.
  [[nodiscard]] Duration expiry() const noexcept { return expiry_; }

  /// The lists of dependents, each once.
  [[nodiscard]] std::span<Link** const> lists() const noexcept {
    return lists_;
  }

 private:
  std::vector<Link**> lists_;
  Duration expiry_ = Duration::max();
  bool is_early_ = false;
};

/// A computation that is repeated when a cell that it read last time changes or
/// expires.
class Dependent {
 public:
  Dependent() = default;
  virtual ~Dependent();
  Dependent(const Dependent&) = delete;
  Dependent& operator=(const Dependent&) = delete;

  /// Evaluates it in `run`, reading cells.
  virtual void Evaluate(Run& run) = 0;

  [[nodiscard]] bool depends_on_cells() const noexcept { return used_ > 0; }

  std::uint64_t order = 0;     ///< Order of evaluation.
  bool is_changed = false;     ///< An evaluation is scheduled.
  bool takes_samples = false;  ///< It is evaluated at the end of an instant.

 protected:
  /// Makes it depend on these reads, and nothing else.
  void DependOn(const Reads& reads);

  void Forget() noexcept { Keep(0); }

 private:
  Link& LinkAt(std::size_t i) {
    return i < few_.size() ? few_[i] : more_[i - few_.size()];
  }

  // Keeps the first `used` links.
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

/// The data of a run about a resource.
struct ResourceEntry {
  Resource* resource = nullptr;
  std::size_t profile = 0;  ///< Index of its profile, if it has one.
  std::uint32_t stamp = 0;  ///< Stamp of its entry in the list; 0: none.
};

}  // namespace internal
}  // namespace orrery::process
