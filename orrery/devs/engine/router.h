#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "orrery/devs/engine/model_table.h"
#include "orrery/devs/engine/network.h"
#include "orrery/devs/modeling/bag.h"

namespace orrery::devs::internal {

/// The messages of a microstep, on their way from outputs through couplings to
/// the models that receive them.
class Router {
 public:
  /// @param network and `models` must outlive it.
  Router(const Network& network, ModelTable& models) noexcept
      : network_(network), models_(models) {}

  /// Makes room for the messages of the network.
  void LayOut();

  [[nodiscard]] Mail& mail() noexcept { return mail_; }

  [[nodiscard]] const Mail& mail() const noexcept { return mail_; }

  /// The messages that a model has received.
  [[nodiscard]] Bag Received(const Slot& slot) const {
    return {*slot.model,
            network_.source_of_inputs().data() + slot.first_input,
            mail_};
  }

  /// The messages that leave by the outputs of the outermost model.
  [[nodiscard]] Bag Exits() const {
    return {network_.root(), network_.source_of_exits().data(), mail_};
  }

  /// True if any message leaves by these.
  [[nodiscard]] bool has_exits() const;

  /// Delivers the messages of the outputs in `sent`: marks models that have
  /// input.
  /// @returns the number of messages that arrived at atomic models.
  std::int64_t Deliver(std::span<const std::uint32_t> sent);

  /// Models that have received messages, in the order of their arrival.
  [[nodiscard]] std::vector<std::uint32_t>& receivers() noexcept {
    return receivers_;
  }

  /// Forgets all messages. Those of the outputs in `sent` are destroyed.
  void Clear(std::span<const std::uint32_t> sent);

 private:
  // Notes the receivers of messages of a source.
  void Reach(std::uint32_t source, std::uint32_t num_messages) {
    const auto receivers = network_.receivers(source);
    num_arrived_ += static_cast<std::int64_t>(receivers.size() * num_messages);
    for (const std::uint32_t receiver : receivers) {
      Receive(receiver);
    }
  }

  void Receive(std::uint32_t model) {
    bool& has_input = models_.marks[model].has_input;
    if (!has_input) {
      has_input = true;
      receivers_.push_back(model);
    }
  }

  void Append(Network::Place place, Segment segment);
  void DeliverList(std::uint32_t number);
  void SortLists();

  const Network& network_;
  ModelTable& models_;
  Mail mail_;
  // Non-empty lists, by level.
  std::vector<std::vector<std::uint32_t>> filled_;
  std::vector<std::uint32_t> unsorted_;  // Lists to be sorted.
  std::vector<std::pair<std::uint32_t, Segment>> sorted_;
  std::vector<std::uint32_t> receivers_;
  std::int64_t num_arrived_ = 0;
};

}  // namespace orrery::devs::internal
