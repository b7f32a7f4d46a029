#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/compile/internal/sort.h"
#include "orrery/compile/internal/system.h"
#include "orrery/program/program.h"
#include "orrery/symbolic/tape.h"

namespace orrery::internal {

/// Relations between time and formulas over parameters, taken out of the
/// equations: `truth` is the Boolean that stands for time >= threshold.
struct TimeThreshold {
  Expr truth;      ///< A Boolean symbol.
  Expr threshold;  ///< A Real symbol, set to `formula` before a run.
  Expr formula;
  bool is_strict = false;
};

/// Replaces relations like `time > t0` in all equations by Booleans that change
/// at known times. A relation that is not affine in time with a constant slope,
/// or has quantities of the run in it, stays as it is.
[[nodiscard]] std::vector<TimeThreshold> ExtractTimeRelations(System& system);

/// Parameters and constants in an order in which each follows from those before
/// it: positions in `FlatModel::variables`. Reports cycles.
[[nodiscard]] std::vector<std::uint32_t> SortParameters(
    System& system, Diagnostics& diagnostics);

/// The equations that hold at the start only, sorted: they determine the states
/// and all else from the start values; empty if the states simply start at
/// their start values.
[[nodiscard]] std::vector<SortedEquation> SortInitialEquations(
    System& system, Diagnostics& diagnostics);

/// A quantity's `start`, by the name that stands for it: its own, else that of
/// an alias; empty if none has one.
struct StartValue {
  Expr value;
  bool is_fixed = false;
};

[[nodiscard]] std::vector<StartValue> FindStarts(System& system);

/// Everything known about a model when it is written out as a Program.
struct CompiledSystem {
  std::vector<SortedEquation> equations;
  std::vector<SortedEquation> initial_equations;
  std::vector<std::uint32_t> parameters;
  std::vector<TimeThreshold> thresholds;
};

/// Lays out memory, writes the schedules and their tape.
[[nodiscard]] std::shared_ptr<const Program> Emit(
    System& system, const CompiledSystem& compiled, Diagnostics& diagnostics);

/// Gives symbols their places in a run's memory.
class Layout {
 public:
  explicit Layout(const ExprGraph& graph) : graph_(graph) {}

  /// Places `symbol` at the next free slots, once.
  std::uint32_t Place(Expr symbol);

  [[nodiscard]] std::uint32_t SlotOf(Expr symbol) const;

  [[nodiscard]] bool Has(Expr symbol) const;

  [[nodiscard]] std::uint32_t num_slots() const noexcept { return next_; }

  /// By symbol ordinal, as the tape wants it.
  [[nodiscard]] std::vector<std::uint32_t> Slots() const;

 private:
  const ExprGraph& graph_;
  std::vector<std::uint32_t> slots_;
  std::uint32_t next_ = 0;
};

/// Adds sections to the tape and remembers what stands in them for people.
class SectionWriter {
 public:
  SectionWriter(System& system, Program& program)
      : system_(system), program_(program) {}

  /// Keeps assignments; `Finish` writes them as section number `result`.
  std::size_t Add(std::vector<TapeAssignment> assignments,
                  std::vector<ScheduledEquation> equations = {});

  /// Builds the tape once every symbol has its place.
  void Finish(const Layout& layout);

 private:
  System& system_;
  Program& program_;
  std::vector<std::vector<TapeAssignment>> sections_;
};

/// One step of the sorted equations without their grouping into loops.
struct Step {
  const ExplicitEquation* equation = nullptr;
  const AlgebraicLoop* loop = nullptr;
  std::size_t block = 0;  ///< Of the loop: into `Program::blocks`.
};

/// Writes the directional derivatives of `steps` into `program.tangent`; leaves
/// it empty if their structure is too dense to be worth it.
void EmitTangents(System& system,
                  std::span<const Step> steps,
                  Layout& layout,
                  SectionWriter& sections,
                  Program& program);

}  // namespace orrery::internal
