#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

  /// A cell was read whose dependents are `list` and that holds for `expiry`.
  void DependOn(Link*& list, std::optional<Duration> expiry);

  /// How long what it read holds.
  [[nodiscard]] std::optional<Duration> expiry() const noexcept {
    return expiry_;
  }

  [[nodiscard]] bool depends_on_cells() const noexcept { return used_ > 0; }

  std::uint64_t order = 0;     ///< Among those that are evaluated together.
  bool is_changed = false;     ///< Waits for its evaluation.
  bool takes_samples = false;  ///< Is evaluated when an instant is settled.

 protected:
  void BeginReads() noexcept {
    used_ = 0;
    expiry_.reset();
  }

  void EndReads() noexcept;
  void Forget() noexcept;

 private:
  Link& LinkAt(std::size_t i) {
    return i < few_.size() ? few_[i] : *more_[i - few_.size()];
  }

  std::uint32_t used_ = 0;    // Links of what was read last.
  std::uint32_t linked_ = 0;  // Of those and of what was read before it.
  std::optional<Duration> expiry_;
  std::array<Link, 2> few_;
  std::vector<std::unique_ptr<Link>> more_;
};

/// A resource as its run knows it.
struct ResourceEntry {
  Resource* resource = nullptr;
  std::size_t profile = 0;  ///< If it has one.
  std::uint32_t stamp = 0;  ///< Of its entry in the list; 0: none.
};

}  // namespace internal
}  // namespace orrery::process
