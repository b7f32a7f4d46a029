#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/modeling/model.h"

namespace orrery::devs::internal {

/// A model without its hierarchy: its atomic models and the sources of their
/// inputs.
///
/// A *source* of messages is an output, or a list of sources in the order of
/// couplings. Inputs with the same sources share one list. Outputs are
/// numbered: those of the atomic models, model by model, then the inputs of the
/// outermost model, by which messages enter. Sources are numbered: the outputs,
/// then the lists.
class Network {
 public:
  static constexpr std::uint32_t kNothing =
      std::numeric_limits<std::uint32_t>::max();

  /// A position in a list.
  struct Place {
    std::uint32_t list = 0;
    std::uint32_t position = 0;
    /// For a list of level 0: the only atomic model that it reaches, or
    /// kNothing.
    std::uint32_t receiver = kNothing;
  };

  /// Linear in the numbers of models, ports and couplings.
  explicit Network(const Coupled& root);

  [[nodiscard]] const Coupled& root() const noexcept { return *root_; }

  /// The atomic models in the order of declaration, depth first.
  [[nodiscard]] std::span<const Model* const> atomics() const noexcept {
    return atomics_;
  }

  /// The sources of the inputs of atomic model `i` (kNothing if there is none)
  /// begin at source_of_inputs()[first_input(i)].
  [[nodiscard]] std::uint32_t first_input(std::size_t atomic) const noexcept {
    return first_input_[atomic];
  }

  [[nodiscard]] std::span<const std::uint32_t> source_of_inputs() const {
    return source_of_input_;
  }

  /// The sources of the outputs of the outermost model.
  [[nodiscard]] std::span<const std::uint32_t> source_of_exits() const {
    return source_of_exit_;
  }

  /// The outputs of atomic model `i` have the numbers from first_output(i) on.
  [[nodiscard]] std::uint32_t first_output(std::size_t atomic) const noexcept {
    return first_output_[atomic];
  }

  [[nodiscard]] std::uint32_t num_outputs() const noexcept {
    return num_outputs_;
  }

  [[nodiscard]] std::uint32_t num_lists() const noexcept {
    return static_cast<std::uint32_t>(level_of_list_.size());
  }

  /// The level of a list: 0 if it is in no list and reaches one atomic model at
  /// most; else above the levels of the lists in it.
  [[nodiscard]] std::uint32_t level_of_list(std::size_t list) const noexcept {
    return level_of_list_[list];
  }

  /// The atomic models with an input that `source` reaches; a model comes once
  /// for each such input.
  [[nodiscard]] std::span<const std::uint32_t> receivers(
      std::uint32_t source) const noexcept {
    const std::uint32_t first = routes_[source].first_receiver;
    return {receivers_.data() + first,
            routes_[source + 1].first_receiver - first};
  }

  /// The positions of `source` in lists.
  [[nodiscard]] std::span<const Place> places(
      std::uint32_t source) const noexcept {
    const std::uint32_t first = routes_[source].first_place;
    return {places_.data() + first, routes_[source + 1].first_place - first};
  }

  /// The number of an atomic model.
  /// @throws Error kInvalidArgument if it is not in the network.
  [[nodiscard]] std::uint32_t NumberOf(const Model& model) const;

  /// The number, among outputs, of an input of the outermost model.
  [[nodiscard]] std::uint32_t EntryOf(const Port& port) const noexcept {
    return first_output_.back() + port.index();
  }

 private:
  friend class NetworkBuilder;

  // The destinations of a source; they end where those of the next begin.
  struct Route {
    std::uint32_t first_receiver = 0;
    std::uint32_t first_place = 0;
  };

  const Coupled* root_;
  std::vector<const Model*> atomics_;
  std::vector<std::uint32_t> first_input_;
  std::vector<std::uint32_t> first_output_;
  std::uint32_t num_outputs_ = 0;
  std::vector<std::uint32_t> source_of_input_;
  std::vector<std::uint32_t> source_of_exit_;
  std::vector<std::uint32_t> level_of_list_;
  std::vector<Route> routes_;  // By source.
  std::vector<std::uint32_t> receivers_;
  std::vector<Place> places_;
  // By node (model, numbered depth first): for a coupled model the begin of its
  // parts in part_nodes_, for an atomic one its number.
  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> part_nodes_;
};

}  // namespace orrery::devs::internal
