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

namespace orrery::internal {

/// Everything known about a model when it is written out as a Program.
struct CompiledSystem {
  std::vector<SortedEquation> equations;  ///< Between events.
  SortedSystem initial;
  SortedSystem events;  ///< All equations, in an event; empty without events.
  std::vector<std::uint32_t> parameters;
  StartTable starts;
};

/// Lays out memory, writes the schedules and their tape.
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

  /// Where a scalar, or the first element of a slice, is, by the name that
  /// stands for it.
  [[nodiscard]] Reference PlaceOf(const System& system,
                                  std::uint32_t scalar) const;

  /// Where an element of the symbol of a scalar is that is in that scalar.
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

/// Notes where the values of variables are; when all else is known of them.
/// What is no number by then is nobody's value.
void FindSlotsOfVariables(Program& program);

/// A scalar state, or one in a slice of states.
struct StateElement {
  std::uint32_t scalar = 0;
  std::uint32_t element = 0;  ///< Of its symbol.
};

/// The states of a run, in the order that programs have them in: as declared;
/// but where many parts are alike, as in part[1].x, part[1].v, part[2].x, ...,
/// first all of their x, then all of their v: integrators and native code then
/// go through each in one sweep.
[[nodiscard]] std::vector<StateElement> StatesOf(const System& system);

/// Which of the states are positions: their derivatives are other states, by
/// name or by an equation between `equations` that copies one.
[[nodiscard]] std::vector<std::uint8_t> FindPositions(
    const System& system,
    const Layout& layout,
    std::span<const SortedEquation> equations,
    std::span<const StateElement> states);

/// One step of the sorted equations without their grouping into loops.
struct Step {
  const ExplicitEquation* equation = nullptr;
  const AlgebraicLoop* loop = nullptr;
  std::size_t block = 0;  ///< Of the loop: into `Program::blocks`.
};

/// Finds which steps it takes to compute some scalars, in time that grows with
/// what is found, not with all steps.
class StepSearch {
 public:
  /// @param steps which stay as they are while the search is used.
  StepSearch(System& system, std::span<const Step> steps);

  /// Positions in `steps()`, ascending.
  [[nodiscard]] std::vector<std::uint32_t> For(
      std::vector<std::uint32_t> scalars);

  [[nodiscard]] std::span<const Step> steps() const noexcept { return steps_; }

 private:
  System& system_;
  std::span<const Step> steps_;
  std::vector<std::uint32_t> step_of_;   // By scalar.
  std::vector<std::uint32_t> found_in_;  // By step: the last search to find it.
  std::uint32_t search_ = 0;
};

/// Which of `steps` it takes to compute some scalars.
[[nodiscard]] std::vector<bool> FindNeeded(
    System& system,
    std::span<const Step> steps,
    std::span<const std::uint32_t> scalars);

/// The formulas that a step evaluates.
[[nodiscard]] std::span<const Expr> FormulasOf(const Step& step);

/// Relations of which only the changes in one direction matter, because nothing
/// but edges is made of them: those in the other one are no events.
struct Rearming {
  std::vector<std::uint32_t> truths;  ///< By watch: a scalar, or kNone.
  std::vector<bool> rearmed;          ///< By watch: its truth that may come.
  std::vector<Step> following;        ///< What else changes with them.
};

/// @param steps all equations, as they are in an event.
[[nodiscard]] Rearming FindRearming(System& system,
                                    std::span<const Step> steps);

/// The discrete scalars that `steps` read.
[[nodiscard]] std::vector<std::uint32_t> HeldScalars(
    System& system, std::span<const Step> steps);

/// By watch, whether a change of it may change how the states move, or end the
/// run.
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

/// Adds sections to the tape and remembers what stands in them for people.
class SectionWriter {
 public:
  SectionWriter(System& system, Program& program)
      : system_(system), program_(program) {}

  /// Keeps assignments; `Finish` writes them as section number `result`.
  std::size_t Add(std::vector<TapeAssignment> assignments,
                  std::vector<ScheduledEquation> equations = {});

  /// To be run at the end of `schedule`; nothing without assignments. What has
  /// no equations joins a section that ends it.
  void AddTo(Schedule& schedule,
             std::vector<TapeAssignment> assignments,
             std::vector<ScheduledEquation> equations = {});

  /// Adds sections and blocks that compute `steps`.
  void AddSteps(std::span<const Step> steps, Schedule& schedule);

  /// Builds the tape once every symbol has its place.
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

  /// Loops that follow may hold truths of the relations that are iterated here.
  void NoteRelations(const SortedSystem& sorted);

  /// Every loop becomes a block, followed by its inner equations.
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
  std::unordered_map<std::uint32_t, Expr> relations_;         // By truth.
};

/// Where the formula's value is after `assignments`, to which it is added if it
/// is no quantity by itself.
[[nodiscard]] std::uint32_t SlotFor(System& system,
                                    Layout& layout,
                                    Expr formula,
                                    std::string name,
                                    std::vector<TapeAssignment>& assignments);

/// Writes `Program::delays` and what they take.
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

  /// What is known at the start, after all else is.
  void WriteStart();

  /// Brings them into an order in which no delay time depends on later ones.
  /// @param steps the equations between events.
  void Sort(std::span<const Step> steps);

  /// As for `Sort`, which comes before.
  void Write(std::span<const Step> steps);

  /// Whether `formulas` contain a delay whose time varies between events.
  [[nodiscard]] bool AnyVaries(std::span<const Expr> formulas) const;

 private:
  using Numbers = std::vector<std::uint32_t>;

  struct Needs {
    std::vector<Step> steps;
    std::vector<Expr> formulas;  ///< What the steps evaluate, and the given.
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

/// Whether it computes the residual of a constraint.
[[nodiscard]] bool IsResidual(const System& system, const Step& step);

/// Writes the constraints of the states, but for what is fixed at the start,
/// into `Program::constraints`.
/// @param steps of all equations between events.
void EmitConstraints(System& system,
                     std::span<const Step> steps,
                     const Layout& layout,
                     SectionWriter& sections,
                     Program& program);

/// As `ConstraintProgram::state_levels`, for states as of `StatesOf`.
/// @param steps of all equations between events.
[[nodiscard]] std::vector<std::uint8_t> FindStateLevels(
    System& system,
    std::span<const Step> steps,
    std::span<const StateElement> states);

/// As `ConstraintProgram::is_start_fixed`, for states as of `StatesOf`.
[[nodiscard]] std::vector<std::uint8_t> FindFixedStarts(
    const StartTable& starts, std::span<const StateElement> states);

/// Writes the determinants of `System::parameter_loops`, each loop once, into
/// `Program::determinants`.
void EmitDeterminants(System& system,
                      Layout& layout,
                      SectionWriter& sections,
                      Program& program);

/// Writes what makes events and what happens in them into `Program::events`.
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

  /// Times of sample(), at the start of the initialization.
  void WriteTicks();

  /// What is done at the end of a microstep. After its equations.
  void WriteActions();

  /// The operands of relations, by the steps that it takes to compute them.
  /// Those that depend on delays whose times vary are computed by a schedule.
  void WriteWatches(std::span<const Step> steps, const DelayWriter& delays);

  /// Which of the relations re-arm, by the `steps` of an event. After
  /// `WriteWatches`.
  void WriteRearming(std::span<const Step> steps);

  /// Which of the relations act, with arguments as of `FindActing`. After
  /// `WriteWatches`.
  void WriteActing(const CompiledSystem& compiled,
                   std::span<const Step> in_event,
                   std::span<const Step> of_derivatives);

  /// What of the discrete quantities `steps` see.
  void WriteHeld(std::span<const Step> steps);

  void WriteDiscrete(const CompiledSystem& compiled);

  /// Which handlers see what earlier ones did, by the `steps` of an event.
  /// After all else.
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

/// What is known before a run of the quantities that vary in it: writes start
/// values, and the ranges of them and of parameters, into a program.
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

  /// Start values of states, of all that is given one, and of the unknowns of
  /// loops. All quantities have their places.
  void WriteStarts(StartTable& starts);

  /// The ranges that the model gives. After `WriteStarts` and after the
  /// variables are listed.
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

}  // namespace orrery::internal
