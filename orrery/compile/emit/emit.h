#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"
#include "orrery/program/program.h"
#include "orrery/symbolic/emit/tape_builder.h"

namespace orrery::compile::internal {

/// Everything known about a model when it is written out as a Program.
struct CompiledSystem {
  std::vector<SortedEquation> equations;  ///< Between events.
  SortedSystem initial;
  SortedSystem events;  ///< All equations, in an event; empty without events.
  std::vector<std::uint32_t> parameters;
  StartTable starts;
};

/// Lays out memory; writes the schedules and their tape.
[[nodiscard]] std::shared_ptr<Program> Emit(System& system,
                                            CompiledSystem& compiled,
                                            Diagnostics& diagnostics);

/// Gives symbols their places in a run's memory.
class Layout {
 public:
  explicit Layout(const ExprGraph& graph) : graph_(graph) {}

  /// Places `symbol` at the next free slots, once.
  std::uint32_t Place(Expr symbol);

  [[nodiscard]] std::uint32_t SlotOf(Expr symbol) const;

  [[nodiscard]] bool Has(Expr symbol) const;

  /// Returns the slot and sign of a scalar, or of the first element of a slice,
  /// after alias elimination.
  [[nodiscard]] Reference PlaceOf(const System& system,
                                  std::uint32_t scalar) const;

  /// Likewise for an element of the scalar's symbol that the scalar contains.
  [[nodiscard]] Reference PlaceOf(const System& system,
                                  std::uint32_t scalar,
                                  std::uint32_t element) const;

  [[nodiscard]] std::uint32_t num_slots() const noexcept { return next_; }

  /// By symbol ordinal, as the tape wants it.
  [[nodiscard]] std::vector<std::uint32_t> Slots() const;

 private:
  const ExprGraph& graph_;
  std::vector<std::uint32_t> slots_;
  std::uint32_t next_ = 0;
};

/// Finds the slots of constant and of varying quantities. Call when the rest of
/// the program is complete: a slot whose initial value is still NaN is in no
/// list.
void FindSlotsOfVariables(Program& program);

/// A scalar state, or one in a slice of states.
struct StateElement {
  std::uint32_t scalar = 0;
  std::uint32_t element = 0;  ///< Row-major, of its symbol.
};

/// Returns the states of a run in the program's order: as declared. But where
/// many parts are alike, as in part[1].x, part[1].v, part[2].x, ..., all of
/// their x come first, then all of their v: integrators and native code then
/// pass through each in one sweep.
[[nodiscard]] std::vector<StateElement> StatesOf(const System& system);

/// Finds the states that are positions: their derivatives are other states, as
/// aliases or by one of `equations` that copies a state.
/// @returns by state, 1 for a position, else 0.
[[nodiscard]] std::vector<std::uint8_t> FindPositions(
    const System& system,
    const Layout& layout,
    std::span<const SortedEquation> equations,
    std::span<const StateElement> states);

/// A sorted equation or loop. The inner equations of a loop are steps of their
/// own after it.
struct Step {
  const ExplicitEquation* equation = nullptr;
  const AlgebraicLoop* loop = nullptr;
  std::size_t block = 0;  ///< The loop's block in `Program::blocks`.
};

/// Finds the steps that compute some scalars, in time that grows with the steps
/// found, not with all steps.
class StepSearch {
 public:
  /// @param steps must not change while the search is used.
  StepSearch(System& system, std::span<const Step> steps);

  /// Positions in `steps()`, ascending.
  [[nodiscard]] std::vector<std::uint32_t> For(
      std::vector<std::uint32_t> scalars);

  [[nodiscard]] std::span<const Step> steps() const noexcept { return steps_; }

 private:
  System& system_;
  std::span<const Step> steps_;
  std::vector<std::uint32_t> step_of_;   // By scalar.
  std::vector<std::uint32_t> found_in_;  // By step: the last search there.
  std::uint32_t search_ = 0;
};

/// Marks the steps that are needed to compute some scalars.
[[nodiscard]] std::vector<bool> FindNeeded(
    System& system,
    std::span<const Step> steps,
    std::span<const std::uint32_t> scalars);

/// The formulas that a step evaluates.
[[nodiscard]] std::span<const Expr> FormulasOf(const Step& step);

/// Relations whose changes matter in one direction only, because nothing but
/// their edges is used. A change in the other direction re-arms them and is no
/// event.
struct Rearming {
  std::vector<std::uint32_t> truths;  ///< By watch: the scalar of its value;
                                      ///< kNone if both directions matter.
  std::vector<bool> rearmed;          ///< By watch: the value to which it
                                      ///< changes without an event.
  std::vector<Step> following;        ///< Compute what else changes.
};

/// @param steps all equations, as they are in an event.
[[nodiscard]] Rearming FindRearming(System& system,
                                    std::span<const Step> steps);

/// The discrete scalars that `steps` read.
[[nodiscard]] std::vector<std::uint32_t> HeldScalars(
    System& system, std::span<const Step> steps);

/// Finds for each watch whether its change may affect the motion of the states
/// or end the run.
/// @param in_event all equations, as they are in an event.
/// @param of_derivatives those that derivatives depend on.
[[nodiscard]] std::vector<bool> FindActing(
    System& system,
    const CompiledSystem& compiled,
    std::span<const Step> in_event,
    std::span<const Step> of_derivatives);

/// Appends an assignment, for the tape and for people.
void AddAssignment(TapeAssignment assignment,
                   const Origin& origin,
                   std::vector<TapeAssignment>& assignments,
                   std::vector<ScheduledEquation>& equations);

/// Adds sections to the tape, and their equations for people to the program.
class SectionWriter {
 public:
  SectionWriter(System& system, Program& program)
      : system_(system), program_(program) {}

  /// Keeps assignments; `Finish` writes them as section number `result`.
  std::size_t Add(std::vector<TapeAssignment> assignments,
                  std::vector<ScheduledEquation> equations = {});

  /// Appends the assignments to the end of `schedule`, if there are any.
  /// Without equations they join a section at its end.
  void AddTo(Schedule& schedule,
             std::vector<TapeAssignment> assignments,
             std::vector<ScheduledEquation> equations = {});

  /// Adds sections and blocks that compute `steps`.
  void AddSteps(std::span<const Step> steps, Schedule& schedule);

  /// Builds the tape. Call when every symbol has its place.
  void Finish(const Layout& layout);

 private:
  System& system_;
  Program& program_;
  std::vector<std::vector<TapeAssignment>> sections_;
};

/// Writes algebraic loops into `Program::blocks`.
class BlockWriter {
 public:
  BlockWriter(System& system,
              Layout& layout,
              SectionWriter& sections,
              Program& program)
      : system_(system),
        layout_(layout),
        sections_(sections),
        program_(program) {}

  /// Notes the relations that `sorted` iterates. Blocks that are written later
  /// may compute their values.
  void NoteRelations(const SortedSystem& sorted);

  /// Returns the steps; every loop becomes a block, followed by its inner
  /// equations.
  [[nodiscard]] std::vector<Step> StepsOf(
      const std::vector<SortedEquation>& sorted);

 private:
  std::size_t BlockOf(const AlgebraicLoop& loop);
  std::size_t WriteBlock(const AlgebraicLoop& loop);
  void WriteResiduals(const AlgebraicLoop& loop, ResidualBlock& block);
  void WriteTruths(const AlgebraicLoop& loop, ResidualBlock& block);
  void WriteJacobian(const AlgebraicLoop& loop, ResidualBlock& block);

  System& system_;
  Layout& layout_;
  SectionWriter& sections_;
  Program& program_;
  std::map<std::vector<std::uint32_t>, std::size_t> blocks_;  // By loop.
  std::unordered_map<std::uint32_t, Expr> relations_;         // By key.
};

/// Returns the slot of the formula's value after `assignments`. A formula that
/// is no scalar of the system gets an assignment there.
[[nodiscard]] std::uint32_t SlotFor(System& system,
                                    Layout& layout,
                                    Expr formula,
                                    std::string name,
                                    std::vector<TapeAssignment>& assignments);

/// Writes `Program::delays` and the sections for their operands and delay
/// times.
class DelayWriter {
 public:
  DelayWriter(System& system,
              Layout& layout,
              SectionWriter& sections,
              Program& program,
              Diagnostics& diagnostics)
      : system_(system),
        layout_(layout),
        sections_(sections),
        program_(program),
        diagnostics_(diagnostics) {}

  void PlaceSymbols();

  /// Writes the values and delay times at the start, after all else is known.
  void WriteStart();

  /// Sorts the delays so that no delay time depends on a later delay.
  /// @param steps the equations between events.
  void Sort(std::span<const Step> steps);

  /// Writes the delays. Call after `Sort`, with the same steps.
  void Write(std::span<const Step> steps);

  /// True if `formulas` contain a delay whose time varies between events.
  [[nodiscard]] bool AnyVaries(std::span<const Expr> formulas) const;

 private:
  using Numbers = std::vector<std::uint32_t>;

  struct Needs {
    std::vector<Step> steps;
    std::vector<Expr> formulas;  ///< The given ones and those of the steps.
  };

  struct Slots {
    std::uint32_t time = 0;
    std::uint32_t most = 0;
    std::vector<TapeAssignment> time_assignments;  ///< None for a quantity.
  };

  Needs NeedsOf(StepSearch& search, std::span<const Expr> formulas);
  void Number();
  [[nodiscard]] Numbers ValuesIn(std::span<const Expr> formulas) const;
  void WriteOperands(StepSearch& search);

  System& system_;
  Layout& layout_;
  SectionWriter& sections_;
  Program& program_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::uint32_t, Slots> slots_;  // By the value's symbol.
  NodeMap number_of_;  // By the value's symbol: the position of the delay.
};

/// See `Program::degree_of_motion`.
[[nodiscard]] std::optional<int> DegreeOfMotion(const Program& program);

/// Writes the directional derivatives of `steps` into `program.tangent`; leaves
/// it empty if their structure is too dense to be worth it.
/// @param states as of `StatesOf`.
void EmitTangents(System& system,
                  std::span<const StateElement> states,
                  std::span<const Step> steps,
                  Layout& layout,
                  SectionWriter& sections,
                  Program& program);

/// True if it computes the residual of a constraint.
[[nodiscard]] bool IsResidual(const System& system, const Step& step);

/// Writes the constraints of the states and their schedule into
/// `Program::constraints`, without the lists by state.
/// @param steps of all equations between events.
void EmitConstraints(System& system,
                     std::span<const Step> steps,
                     const Layout& layout,
                     SectionWriter& sections,
                     Program& program);

/// Returns `ConstraintProgram::state_levels`, for states as of `StatesOf`.
/// @param steps of all equations between events.
[[nodiscard]] std::vector<std::uint8_t> FindStateLevels(
    System& system,
    std::span<const Step> steps,
    std::span<const StateElement> states);

/// Returns `ConstraintProgram::is_start_fixed`, for states as of `StatesOf`.
[[nodiscard]] std::vector<std::uint8_t> FindFixedStarts(
    const StartTable& starts, std::span<const StateElement> states);

/// Writes the determinants of `System::parameter_loops`, each loop once, into
/// `Program::determinants`.
void EmitDeterminants(System& system,
                      Layout& layout,
                      SectionWriter& sections,
                      Program& program);

/// Writes events and their actions into `Program::events`.
class EventWriter {
 public:
  EventWriter(System& system,
              Layout& layout,
              SectionWriter& sections,
              Program& program)
      : system_(system),
        layout_(layout),
        sections_(sections),
        program_(program),
        events_(program.events) {}

  /// Writes the times of sample(), after the equations of the initialization.
  void WriteTicks();

  /// Writes the actions at the end of a microstep. Call after its equations.
  void WriteActions();

  /// Writes the operands of relations with the steps that compute them: a
  /// section, or a schedule if a loop or a delay with a varying time is needed.
  void WriteWatches(std::span<const Step> steps, const DelayWriter& delays);

  /// Finds the relations that re-arm, by the `steps` of an event. Call after
  /// `WriteWatches`.
  void WriteRearming(std::span<const Step> steps);

  /// Finds the relations that act, with arguments as of `FindActing`. Call
  /// after `WriteWatches`.
  void WriteActing(const CompiledSystem& compiled,
                   std::span<const Step> in_event,
                   std::span<const Step> of_derivatives);

  /// Writes the slots of the discrete quantities that `steps` read.
  void WriteHeld(std::span<const Step> steps);

  void WriteDiscrete(const CompiledSystem& compiled);

  /// Finds the handlers that see the effects of earlier ones, by the `steps` of
  /// an event. Call last.
  void FindOrderOfHandlers(std::span<const Step> steps);

 private:
  [[nodiscard]] std::optional<WatchedRelation::Hold> HoldOf(
      const Watch& watch) const;
  std::uint32_t SlotFor(Expr formula,
                        std::string name,
                        std::vector<TapeAssignment>& assignments);
  RunMessage MessageOf(const Message& message,
                       std::span<const Expr> values,
                       std::vector<TapeAssignment>& assignments);

  System& system_;
  Layout& layout_;
  SectionWriter& sections_;
  Program& program_;
  EventProgram& events_;
};

/// Writes start values into a program, and the ranges (min, max) of variables
/// and parameters.
class StartWriter {
 public:
  StartWriter(System& system,
              Layout& layout,
              SectionWriter& sections,
              Program& program,
              Diagnostics& diagnostics)
      : system_(system),
        layout_(layout),
        sections_(sections),
        program_(program),
        diagnostics_(diagnostics) {}

  /// Writes start values of states, of all that have one, and of the unknowns
  /// of loops. Call when all quantities have their places.
  void WriteStarts(StartTable& starts);

  /// Writes the ranges that the model gives. Call after `WriteStarts` and after
  /// the variables are listed.
  void WriteLimits();

  /// Completes the initial memory, which has the parameters already.
  void Evaluate();

 private:
  struct Formulas {
    std::vector<TapeAssignment> assignments;
    std::vector<ScheduledEquation> equations;
  };

  void WriteStart(StartTable& starts, std::uint32_t scalar);
  void FinishBinding();
  void CheckVaries(std::uint32_t variable, Expr value, std::string_view what);
  void AddLimits(std::uint32_t v);
  Limits::Bound WriteBound(std::uint32_t variable,
                           Expr value,
                           std::string_view what);

  System& system_;
  Layout& layout_;
  SectionWriter& sections_;
  Program& program_;
  Diagnostics& diagnostics_;
  std::uint32_t binding_variable_ = 0;
  Formulas binding_;
  Formulas bounds_;
  std::unordered_map<double, std::uint32_t> constant_slots_;

  struct Constants {
    std::uint32_t slot = 0;
    std::uint32_t count = 1;  // Slots in a row.
    double value = 0;
  };

  std::vector<Constants> constants_;
};

}  // namespace orrery::compile::internal
