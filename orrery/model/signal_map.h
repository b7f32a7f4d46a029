#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "orrery/model/diagram.h"

namespace orrery {

/// The global vectors of a diagram, and where its signals come from.
///
/// The outputs of all leaf blocks, in the order of `enumerate_leaf_blocks`,
/// make up one vector of signals, their states and events one vector each. The
/// map tells, for each input and output of each block inside, which signal it
/// carries, and for each block where its states and events begin.
/// Source: requirement 1 (see docs/reference/requirements.md), "Compilation"
/// and "Mapping of inputs to the output vector", with its errata, in one pass:
/// each port is followed to its source, which also resolves wires from an input
/// of a diagram straight to an output of it.
///
/// A snapshot: later changes of the diagram do not show. Immutable.
class SignalMap {
 public:
  explicit SignalMap(const Diagram& top);

  /// The size of the vector of signals.
  [[nodiscard]] std::size_t num_signals() const noexcept {
    return num_signals_;
  }

  /// The size of the vector of states.
  [[nodiscard]] std::size_t num_states() const noexcept { return num_states_; }

  /// The size of the vector of events.
  [[nodiscard]] std::size_t num_events() const noexcept { return num_events_; }

  /// The place in the vector of states at which those of `block` begin; they
  /// follow each other, those of a diagram as well.
  /// @throws Error kInvalidArgument if the diagram has no such block.
  [[nodiscard]] std::size_t first_state(const Block& block) const;

  /// The same for the vector of events.
  [[nodiscard]] std::size_t first_event(const Block& block) const;

  /// `outmap[B,i]`: the signal that output `output` of `block` is; none if it
  /// leads to no leaf block (to an input of `top`, or nowhere).
  /// @throws Error kInvalidArgument if the diagram has no such output.
  [[nodiscard]] std::optional<std::size_t> outmap(const Block& block,
                                                  std::size_t output) const;

  /// `inmap[B,i]`: the signal that feeds input `input` of `block`, else as
  /// `outmap`.
  [[nodiscard]] std::optional<std::size_t> inmap(const Block& block,
                                                 std::size_t input) const;

 private:
  static constexpr std::size_t kUndefined = SIZE_MAX;

  /// The places of a block's ports among all ports.
  struct Ports {
    std::size_t first_input = 0;
    std::size_t first_output = 0;
    std::size_t num_inputs = 0;
    std::size_t num_outputs = 0;
    std::size_t first_state = 0;
    std::size_t first_event = 0;
  };

  void AddPorts(const Block& block);
  void AddWires(const Diagram& diagram, std::vector<std::size_t>& source_of);
  void Follow(std::size_t port,
              const std::vector<std::size_t>& source_of,
              std::vector<bool>& is_followed);
  [[nodiscard]] std::optional<std::size_t> SignalAt(std::size_t port) const;
  [[nodiscard]] const Ports& PortsOf(const Block& block) const;

  std::unordered_map<const Block*, Ports> ports_;
  std::vector<std::size_t> signals_;  // By port; kUndefined if none.
  std::size_t num_signals_ = 0;
  std::size_t num_states_ = 0;
  std::size_t num_events_ = 0;
};

/// An output of a leaf block.
struct OutputOfBlock {
  Block* block = nullptr;
  std::size_t output = 0;

  friend bool operator==(const OutputOfBlock&, const OutputOfBlock&) = default;
};

/// All outputs of the leaf blocks of `top`, sorted so that each comes after
/// those that it depends on directly. Dependencies are between outputs, not
/// between blocks, so two signals through one block are no loop. Source: Kahn's
/// algorithm as in requirement 1 (see docs/reference/requirements.md),
/// "Determination of Execution Order". Linear in the number of dependencies.
/// @throws Error kUnsupported naming the members of an algebraic loop in order.
[[nodiscard]] std::vector<OutputOfBlock> ExecutionOrder(const Diagram& top);

}  // namespace orrery
