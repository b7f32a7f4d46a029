#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orrery::process {

class Facility;

namespace internal {

class Evaluations;

/// The kinds of messages to a facility, which differ if the step throws.
enum class PostKind : std::uint8_t {
  kReturn,  ///< Holds even then: something goes back.
  kEffect,  ///< Is undone.
};

/// The messages of the batch at work to facilities, and the facilities that are
/// to decide on its requests.
class FacilityQueue {
 public:
  /// Tells `facility` of `argument` when the batch is committed.
  void Post(std::uint32_t step,
            Facility& facility,
            std::uint64_t argument,
            PostKind kind) {
    posted_.push_back({.step = step,
                       .kind = kind,
                       .facility = &facility,
                       .argument = argument});
  }

  /// Tells it at once.
  void Tell(Facility& facility, std::uint64_t argument);

  /// Lets it decide when the batch is committed.
  void Mark(Facility& facility);

  /// Tells the facilities of the messages, in the order of the steps; then lets
  /// them decide, and marks what depends on these.
  void Settle(Evaluations& evaluations) {
    if (!posted_.empty() || !unsettled_.empty()) {
      SettleAll(evaluations);
    }
  }

  /// Drops the messages of the last step that do not hold if it throws.
  void UndoStep(std::uint32_t step);

  /// Drops all messages.
  void Drop() noexcept;

  /// Gives the steps other numbers, and sorts by these.
  void Renumber(std::span<const std::uint32_t> ranks);

 private:
  struct Posted {
    std::uint32_t step;
    PostKind kind;
    Facility* facility;
    std::uint64_t argument;
  };

  void SettleAll(Evaluations& evaluations);

  std::vector<Posted> posted_;
  std::vector<Facility*> unsettled_;
};

}  // namespace internal
}  // namespace orrery::process
