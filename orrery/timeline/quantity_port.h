#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/model/outside.h"
#include "orrery/process/types/polynomial.h"
#include "orrery/program/program.h"
#include "orrery/sim/events/quantity_watch.h"
#include "orrery/sim/run/program_run.h"
#include "orrery/sim/types/curve.h"

namespace orrery::timeline::internal {

/// A curve of tasks, seen from `now`.
[[nodiscard]] sim::internal::Curve ToCurve(
    const process::Polynomial& polynomial, double now);

/// `at` REL `bound`.
/// @param relation kLess, kLessEqual, kGreater or kGreaterEqual.
[[nodiscard]] sim::internal::QuantityRelation MakeRelation(
    Reference at,
    process::Relation relation,
    const sim::internal::Curve& bound);

/// The quantities of the equations of a Simulation, as tasks and connections
/// know them: by numbers.
class QuantityPort final : public process::Outside {
 public:
  QuantityPort(process::Model* owner, std::string_view name)
      : Outside(owner, name) {}

  struct Known {
    enum class Kind : std::uint8_t { kInput, kState, kOther };

    std::string name;
    Reference at;
    ValueType type = ValueType::kReal;
    Kind kind = Kind::kOther;
    std::size_t index = 0;  ///< Index among inputs or states.
    std::string source;     ///< Source of a connected input.
    std::optional<std::size_t> link_of_tasks;  ///< Link of tasks that set it.
  };

  /// @throws Error kInvalidArgument as NameTable::Get.
  std::size_t NumberOf(const Program& program,
                       const NameTable& names,
                       std::string_view name);

  [[nodiscard]] const Known& operator[](std::size_t number) const {
    return known_[number];
  }

  /// Checks that a quantity may be connected.
  /// @throws Error kInvalidModel unless it is an input without a connection or,
  ///     with `takes_states`, a state.
  void CheckMayConnect(std::size_t number,
                       const std::string& from,
                       bool takes_states) const;

  /// Records that the input follows `from`.
  void SetSource(std::size_t number, const std::string& from) {
    known_[number].source = from;
    is_set_ = true;
  }

  /// The source of the input in a slot, for people; empty if there is none.
  [[nodiscard]] std::string SourceOf(std::uint32_t slot) const;

  /// The inputs that follow something, by number.
  [[nodiscard]] std::vector<std::size_t> ConnectedInputs() const;

  /// True if inputs or states may be set at times that are not known yet.
  [[nodiscard]] bool is_set() const noexcept { return is_set_; }

  /// The link by which tasks set the quantity; added to `links` if it is new.
  std::size_t LinkOfTasks(std::size_t number, std::vector<std::string>& links);

  void BeginRun(sim::internal::ProgramRun& run);
  void EndRun();

  /// The present value, for tasks.
  /// @throws Error kInvalidArgument outside of runs, kInvalidModel in a
  ///     function of a condition or resource that is being evaluated.
  [[nodiscard]] double Get(std::size_t number) const;

  /// The present value, in a run.
  /// @throws Error kInvalidModel if there is none; the run has ended.
  [[nodiscard]] double ValueOf(std::size_t number) const;

  using Outside::ObserveEarly;

  [[nodiscard]] bool is_watched() const noexcept { return !items_.empty(); }

  /// The present value of the comparison. The condition that is being evaluated
  /// observes it.
  bool Compares(std::size_t number,
                process::Relation relation,
                const process::Polynomial& bound);

  /// Drops comparisons that nobody observes.
  void Prune();

  /// Notifies the observers of comparisons that have changed, by the values in
  /// memory. One that an event has changed back is told as changed first.
  /// @returns true if such a comparison has to be told again.
  bool Tell();

 private:
  struct Item {
    sim::internal::QuantityWatch::Entry* entry = nullptr;
    Signal signal;
  };

  [[nodiscard]] sim::internal::ProgramRun& run(std::string_view purpose,
                                               std::size_t number) const;

  std::vector<Known> known_;
  std::vector<std::unique_ptr<Item>> items_;
  sim::internal::ProgramRun* run_ = nullptr;
  bool is_set_ = false;
};

/// Checks that a quantity can have the value at `now`.
/// @throws Error kInvalidArgument if its type cannot.
void CheckValue(const QuantityPort::Known& known, double value, Duration now);

/// The curve of a quantity's slot.
/// @throws Error kInvalidModel if the curve moves and the quantity is no Real.
[[nodiscard]] sim::internal::Curve CurveOf(
    const QuantityPort::Known& known,
    const process::Polynomial& polynomial,
    Duration now);

}  // namespace orrery::timeline::internal
