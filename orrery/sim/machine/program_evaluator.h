#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/base/system/attendant.h"
#include "orrery/program/program.h"
#include "orrery/sim/machine/delay_lines.h"
#include "orrery/sim/machine/failure.h"
#include "orrery/sim/machine/loop_solver.h"
#include "orrery/sim/machine/tangents.h"

namespace orrery::sim::internal {

/// The context of one run of a program, and the evaluation of its schedules.
class ProgramEvaluator {
 public:
  /// @param attendant may be null.
  /// @throws Error kUnsupported as SectionRunner.
  explicit ProgramEvaluator(const Program& program,
                            CodeChoice code = CodeChoice::kAuto,
                            std::shared_ptr<Attendant> attendant = nullptr);
  ProgramEvaluator(const ProgramEvaluator&) = delete;
  ProgramEvaluator& operator=(const ProgramEvaluator&) = delete;
  ~ProgramEvaluator() = default;

  [[nodiscard]] const Program& program() const noexcept { return program_; }

  /// Resets it for another run of the program, as if it had just been made.
  /// @returns false if that is impossible; only destruction is allowed then.
  [[nodiscard]] bool Renew();

  /// All values of the run: a copy is a snapshot, but for a program with
  /// `foreign` code, whose own values stay where they are.
  [[nodiscard]] const Context& context() const noexcept { return context_; }

  [[nodiscard]] Context& context() noexcept { return context_; }

  /// Continues from a snapshot of a run of the same program.
  void Restore(const Context& context);

  /// Writes all that later results depend on, or reads it. Precondition: the
  /// program has no `foreign` code.
  void Transfer(StateStream& stream);

  [[nodiscard]] std::span<double> memory() noexcept { return context_.memory; }

  [[nodiscard]] std::span<const double> memory() const noexcept {
    return context_.memory;
  }

  /// What code of others said when it ended the run.
  [[nodiscard]] std::string EndWords() const;

  [[nodiscard]] double t() const noexcept {
    return context_.memory[program_.time_slot];
  }

  void set_t(double t) noexcept { context_.memory[program_.time_slot] = t; }

  [[nodiscard]] double Value(Reference at) const noexcept {
    return static_cast<double>(at.sign) * context_.memory[at.slot];
  }

  void SetValue(Reference at, double value) noexcept {
    context_.memory[at.slot] = static_cast<double>(at.sign) * value;
    if (tangents_ != nullptr) {
      tangents_->SetConstant(at.slot);
    }
  }

  /// Copies a value with its tangents.
  void Copy(Reference from, Reference to) noexcept {
    context_.memory[to.slot] = static_cast<double>(to.sign) * Value(from);
    if (tangents_ != nullptr) {
      tangents_->Copy(from, to);
    }
  }

  /// Copies `count` values with their tangents, from slot `from` on.
  void Copy(std::uint32_t from,
            std::uint32_t to,
            std::uint32_t count) noexcept {
    double* const memory = context_.memory.data();
    std::memmove(memory + to, memory + from, count * sizeof(double));
    for (std::uint32_t i = 0; tangents_ != nullptr && i < count; ++i) {
      tangents_->Copy({.slot = from + i}, {.slot = to + i});
    }
  }

  /// True if two ranges of `count` slots differ. A NaN equals any NaN.
  [[nodiscard]] bool Differ(std::uint32_t one,
                            std::uint32_t other,
                            std::uint32_t count) const noexcept {
    const double* const memory = context_.memory.data();
    for (std::uint32_t i = 0; i < count; ++i) {
      const double a = memory[one + i];
      const double b = memory[other + i];
      if (a != b && !(std::isnan(a) && std::isnan(b))) {
        return true;
      }
    }
    return false;
  }

  /// Reads `slot`, with its tangents, into `numbers` for `Write`.
  void Read(std::uint32_t slot, std::span<double> numbers) const {
    numbers[0] = context_.memory[slot];
    if (tangents_ != nullptr) {
      ReadTangents(slot, numbers.subspan(1));
    }
  }

  /// How many numbers `Read` gives.
  [[nodiscard]] std::size_t NumbersRead() const noexcept {
    return tangents_ == nullptr ? 1 : 1 + tangents_->size();
  }

  /// Writes the numbers of a `Read`.
  void Write(Reference to, std::span<const double> numbers) noexcept {
    context_.memory[to.slot] = static_cast<double>(to.sign) * numbers[0];
    if (tangents_ != nullptr) {
      WriteTangents(to, numbers.subspan(1));
    }
  }

  /// Makes all assignments; reads all values before the first one.
  void Assign(std::span<const Handler::Assignment> assignments);

  /// While it lives, `tangents` follow all that is computed, set and copied in
  /// the evaluator. Null: nothing is differentiated.
  class Following {
   public:
    Following(ProgramEvaluator& evaluator, Tangents* tangents) noexcept
        : evaluator_(evaluator), before_(evaluator.tangents_) {
      evaluator.tangents_ = tangents;
    }

    Following(const Following&) = delete;
    Following& operator=(const Following&) = delete;

    ~Following() { evaluator_.tangents_ = before_; }

   private:
    ProgramEvaluator& evaluator_;
    Tangents* before_;
  };

  /// @param x one element a state; more may follow.
  void SetStates(std::span<const double> x) noexcept;
  void GetStates(std::span<double> x) const noexcept;

  /// The states' derivatives; after `Program::derivatives` has run.
  void GetDerivatives(std::span<double> dx) const noexcept;

  enum class LoopStart : std::uint8_t {
    kAccepted,  ///< Loops are solved from the last accepted solution.
    kMemory,    ///< From the values in memory, by all means.
    kGuess      ///< Nonlinear loops keep their z, but relations follow it.
  };

  /// True until somebody asks for an end. After that, schedules fail, and so
  /// does all that needs them.
  [[nodiscard]] bool goes_on() const noexcept {
    return attendant_ == nullptr || attendant_->goes_on();
  }

  /// Lets schedules run again, for the work after such an end.
  void IgnoreAttendant() noexcept { attendant_ = nullptr; }

  /// Runs `schedule`.
  /// @returns its failure, which refers to `schedule`; none if it ran to its
  ///     end.
  std::optional<Failure> Run(std::span<const ScheduleStep> schedule,
                             LoopStart start = LoopStart::kAccepted) {
    if (!goes_on() && !schedule.empty()) {
      return Failure{.step = schedule.front()};
    }
    for (std::size_t i = 0; i < schedule.size(); ++i) {
      const ScheduleStep& step = schedule[i];
      const bool is_section = step.kind == ScheduleStep::Kind::kSection;
      if (auto failure =
              is_section ? RunSection(step.index) : SolveLoop(step, start)) {
        failure->before = schedule.first(i);
        return failure;
      }
    }
    return std::nullopt;
  }

  std::optional<Failure> RunSection(std::size_t section) noexcept {
    if (tangents_ != nullptr) {
      return tangents_->RunSection(section);
    }
    const Tape::Outcome outcome =
        sections_.Run(section, context_.memory.data());
    return outcome == Tape::Outcome::kDone
               ? std::nullopt
               : std::optional(FailureOf(section, outcome));
  }

  /// Solves the loop of `failure` once more, with relations between its members
  /// evaluated at each point.
  /// @returns true if it has a solution, which memory then agrees with.
  bool SolveWithPresentTruths(const Failure& failure);

  /// Accepts the solutions of all loops, or of those in a schedule: the next
  /// ones are searched from there.
  void AcceptLoops();
  void AcceptLoops(std::span<const ScheduleStep> schedule);

  /// Lets loops in a schedule be searched from the values in memory.
  void BeginLoopsAtMemory(std::span<const ScheduleStep> schedule);

  /// Lets loops evaluate their matrices anew: discrete values may change.
  void ForgetMatrices() noexcept;

  /// Tells that parameters, or held quantities that derivatives depend on, have
  /// changed.
  void NoteHeldChange() noexcept { ++age_of_held_; }

  /// True while a Following with tangents lives.
  [[nodiscard]] bool is_following() const noexcept {
    return tangents_ != nullptr;
  }

  /// Grows with each call of `NoteHeldChange`.
  [[nodiscard]] std::int64_t age_of_held() const noexcept {
    return age_of_held_;
  }

  /// Runs the program's tape.
  [[nodiscard]] SectionRunner& sections() noexcept { return sections_; }

  /// The loop with this index in `Program::blocks`.
  [[nodiscard]] LoopSolver& loop(std::size_t i) noexcept { return *loops_[i]; }

  [[nodiscard]] const LoopSolver& loop(std::size_t i) const noexcept {
    return *loops_[i];
  }

  [[nodiscard]] DelayLines& delays() noexcept { return delays_; }

  /// Writes the delayed values; time, inputs and states are in memory.
  std::optional<Failure> ApplyDelays() {
    return delays_.empty() ? std::nullopt : delays_.Apply(t());
  }

  [[nodiscard]] std::int64_t loop_iterations() const noexcept;

  /// Factorizations of all loops, without those of Newton's method.
  [[nodiscard]] std::int64_t loop_factorizations() const noexcept;

 private:
  std::optional<Failure> SolveLoop(const ScheduleStep& step, LoopStart start);
  [[nodiscard]] static Failure FailureOf(std::size_t section,
                                         Tape::Outcome outcome) noexcept;
  void WriteHandles() noexcept;
  void ReadTangents(std::uint32_t slot, std::span<double> numbers) const;
  void WriteTangents(Reference to, std::span<const double> numbers) noexcept;

  const Program& program_;
  std::shared_ptr<Attendant> attendant_;
  SectionRunner sections_;
  std::vector<std::unique_ptr<ForeignInstance>> foreign_;
  Context context_;
  std::vector<std::unique_ptr<LoopSolver>> loops_;
  DelayLines delays_;
  std::int64_t age_of_held_ = 0;
  Tangents* tangents_ = nullptr;  // Null: nothing is differentiated.
  std::vector<double> assigned_;  // Scratch.
};

}  // namespace orrery::sim::internal
