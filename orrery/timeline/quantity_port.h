#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/process/model/outside.h"
#include "orrery/process/types/polynomial.h"
#include "orrery/program/program.h"
#include "orrery/sim/events/quantity_watch.h"
#include "orrery/sim/run/simulation_run.h"
#include "orrery/sim/types/curve.h"

namespace orrery::internal {

/// A curve of tasks, seen from `now`.
[[nodiscard]] Curve ToCurve(const process::Polynomial& polynomial, double now);

/// `at` REL `bound`.
/// @param relation kLess, kLessEqual, kGreater or kGreaterEqual.
[[nodiscard]] QuantityRelation MakeRelation(Reference at,
                                            process::Relation relation,
                                            const Curve& bound);

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
    std::size_t index = 0;  ///< Among the inputs or states.
    std::string source;     ///< Of an input that is connected.
    std::optional<std::size_t> link_of_tasks;  ///< That set it.
  };

  /// @throws Error kInvalidArgument as NameTable::Get.
  std::size_t NumberOf(const Program& program,
                       const NameTable& names,
                       std::string_view name);

  [[nodiscard]] const Known& operator[](std::size_t number) const {
    return known_[number];
  }

  /// What a connection needs.
  /// @throws Error kInvalidModel unless it is an input that nothing else is
  ///     connected to or, if they are welcome, a state.
  void CheckMayConnect(std::size_t number,
                       const std::string& from,
                       bool takes_states) const;

  /// From now on the input follows `from`.
  void SetSource(std::size_t number, const std::string& from) {
    known_[number].source = from;
    is_set_ = true;
  }

  /// What the input in a slot follows, for people; empty if nothing.
  [[nodiscard]] std::string SourceOf(std::uint32_t slot) const;

  /// The inputs that follow something, by number.
  [[nodiscard]] std::vector<std::size_t> ConnectedInputs() const;

  /// Whether inputs or states may be set at times that are not known yet.
  [[nodiscard]] bool is_set() const noexcept { return is_set_; }

  /// A task sets it, by the link that is found, or added, there.
  std::size_t LinkOfTasks(std::size_t number, std::vector<std::string>& links);

  void BeginRun(SimulationRun& run);
  void EndRun();

  /// The value now, for tasks.
  /// @throws Error kInvalidArgument outside of runs, kInvalidModel from what is
  ///     evaluated.
  [[nodiscard]] double Get(std::size_t number) const;

  /// In a run: the value now.
  /// @throws Error kInvalidModel if there is none; the run has ended.
  [[nodiscard]] double ValueOf(std::size_t number) const;

  using Outside::ObserveEarly;

  [[nodiscard]] bool is_watched() const noexcept { return !items_.empty(); }

  /// Whether it compares so now; what is evaluated depends on it.
  bool Compares(std::size_t number,
                process::Relation relation,
                const process::Polynomial& bound);

  /// Drops comparisons that nobody waits for any more.
  void Prune();

  /// Tells those who wait for comparisons that have changed, for the values in
  /// memory; what an event has changed back is told first as it was before.
  /// @returns whether any is to be told again.
  bool Tell();

 private:
  struct Item {
    QuantityWatch::Entry* entry = nullptr;
    Signal signal;
  };

  [[nodiscard]] SimulationRun& run(std::string_view purpose,
                                   std::size_t number) const;

  std::vector<Known> known_;
  std::vector<std::unique_ptr<Item>> items_;
  SimulationRun* run_ = nullptr;
  bool is_set_ = false;
};

}  // namespace orrery::internal
