#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/devs/engine/model_table.h"
#include "orrery/devs/engine/network.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::devs::internal {

class Run;

/// The models that are imminent in classic DEVS, of which one moves at a time:
/// the first by rank if one order holds for the whole hierarchy, else the one
/// that SELECT chooses.
class Selection {
 public:
  /// @param models must outlive it.
  explicit Selection(ModelTable& models) noexcept : models_(models) {}

  /// Ranks the models of a network.
  /// @throws Error kInvalidArgument if the options list a model twice.
  void LayOut(const Network& network, const Options& options);

  /// Adds the models that are due at `now`.
  void Add(std::span<const std::uint32_t> due, std::int64_t now);

  [[nodiscard]] bool empty() const noexcept { return imminent_.empty(); }

  /// Takes the model that moves next; Lane::kNone if none is imminent any more.
  [[nodiscard]] std::uint32_t Take(Run& run);

  void Clear() noexcept { imminent_.clear(); }

 private:
  [[nodiscard]] auto LaterRank() const {
    return [this](std::uint32_t a, std::uint32_t b) {
      return rank_.empty() ? a > b : rank_[a] > rank_[b];
    };
  }

  [[nodiscard]] std::uint32_t SelectByParts(Run& run) const;

  ModelTable& models_;
  // With one order for all it is a heap. On top is the model with the least
  // rank_ or, if that is empty, the least number.
  std::vector<std::uint32_t> imminent_;
  bool by_rank_ = false;
  std::vector<std::uint32_t> rank_;
};

}  // namespace orrery::devs::internal
