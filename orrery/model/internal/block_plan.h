#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "orrery/model/block.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::model::internal {

/// The place of an array or scalar in the memory.
struct BlockSlots {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The evaluation plan of a block's functions.
struct BlockPlan {
  static constexpr std::size_t kOutputSection = 0;
  static constexpr std::size_t kDerivativeSection = 1;
  static constexpr std::size_t kEventSection = 2;
  static constexpr std::size_t kGivenSection = 3;

  std::string path;
  std::vector<BlockSlots> states;
  std::vector<BlockSlots> inputs;
  /// The results of the sections for outputs, derivatives and events.
  std::array<std::vector<BlockSlots>, kGivenSection> results;
  std::vector<std::size_t> feedthrough;
  std::vector<std::vector<std::size_t>> feedthrough_of;  // By output element.
  std::string unsolved;        // The reason why there is no order; else empty.
  std::optional<Tape> tape;    // Unless unsolved.
  std::vector<double> memory;  // Initial values for a run; slot 0 is the time.
};

/// The explicit equations of a block as steps, sorted by Kahn's algorithm
/// (requirement 1, docs/reference/requirements.md, "Determination of Execution
/// Order"), compiled to a tape.
[[nodiscard]] BlockPlan MakeBlockPlan(Block& block);

}  // namespace orrery::model::internal
