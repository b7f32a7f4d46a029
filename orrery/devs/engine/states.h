#pragma once

#include <cstddef>
#include <vector>

#include "orrery/devs/modeling/atomic.h"

namespace orrery::devs::internal {

/// Holds the states of atomic models, of many types; those of neighbours lie
/// side by side.
class States {
 public:
  States() = default;
  ~States();
  States(const States&) = delete;
  States& operator=(const States&) = delete;
  States(States&&) noexcept = default;
  States& operator=(States&& other) noexcept;

  /// A new state.
  /// @param make makes it at the place it is given.
  template <typename Make>
  void* Add(const AtomicOps& ops, Make make) {
    void* const place = Allocate(ops);
    if (!ops.is_trivial && kept_.size() == kept_.capacity()) {
      kept_.reserve(2 * kept_.size() + 8);
    }
    make(place);
    if (!ops.is_trivial) {
      kept_.push_back({.destroy = ops.destroy, .state = place});
    }
    return place;
  }

 private:
  struct Kept {
    void (*destroy)(void*);
    void* state;
  };

  void* Allocate(const AtomicOps& ops);

  // Aligned for all that a state may hold.
  std::vector<std::vector<std::max_align_t>> chunks_;
  std::size_t used_ = 0;  // Bytes of the last chunk.
  std::vector<Kept> kept_;
};

}  // namespace orrery::devs::internal
