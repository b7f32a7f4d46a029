#include "orrery/sim/events/start_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/sim/events/event_case_search.h"

namespace orrery::sim::internal {
namespace {

// Lengths of steps on the path, which is 1 long: of the first one, and of the
// shortest before the path counts as ended; where a start is known already, a
// path that winds is not worth as many steps.
constexpr double kFirstStep = 1.0 / 64;
constexpr double kLeastStep = 1.0 / (1 << 20);
constexpr double kLeastStepBeside = 1.0 / (1 << 10);
// Solutions that are further from where they were expected than this part of
// their size may be others; after a step as short as the first, the path is
// taken to be steep.
constexpr double kOffCourse = 0.3;
// Solutions that differ by at most this part of their size are one.
constexpr double kSame = 1e-6;

using LoopStart = ProgramEvaluator::LoopStart;

// Solves the actual equations with relations as they are at the start values,
// such as those that tell the phase of a medium: with other values its
// equations may have no solution.
bool FindStartFromGuess(EventState& state, EventOutcome& outcome) {
  const Program& program = state.program;
  // What cannot be evaluated there hinders no relation behind it.
  for (const ScheduleStep& step : program.initialization) {
    static_cast<void>(
        state.evaluator.Run(std::span(&step, 1), LoopStart::kGuess));
  }
  for (const Iterate& iterate : state.events.initial_iterates) {
    state.evaluator.Copy({.slot = iterate.result_slot}, {.slot = iterate.slot});
  }
  return SolveEventEquations(
      state, program.initialization, state.events.initial_iterates, outcome);
}

// Solves the actual equations.
bool FindActualStart(EventState& state, EventOutcome& outcome) {
  const Program& program = state.program;
  const bool has_truths =
      std::ranges::any_of(program.blocks, [](const ResidualBlock& block) {
        return block.truth_section.has_value();
      });
  if (has_truths) {
    static_cast<void>(
        state.evaluator.Run(program.initialization, LoopStart::kGuess));
  }
  std::optional<Context> before;
  if (!state.events.initial_iterates.empty()) {
    before = state.evaluator.context();
  }
  if (SolveEventEquations(state,
                          program.initialization,
                          state.events.initial_iterates,
                          outcome)) {
    return true;
  }
  if (outcome.kind != EventOutcome::Kind::kFailed || !before) {
    return false;
  }
  const Context found = state.evaluator.context();
  const Failure failure = state.failure;
  state.evaluator.Restore(*before);
  EventOutcome anew;
  if (FindStartFromGuess(state, anew)) {
    outcome = anew;
    return true;
  }
  state.evaluator.Restore(found);
  state.failure = failure;
  return false;
}

// The path of solutions from the simplified formulas to the actual ones.
class StartPath {
 public:
  // @pre `state.program.homotopy` has a value.
  explicit StartPath(EventState& state)
      : state_(state),
        evaluator_(state.evaluator),
        path_(*state.program.homotopy) {
    for (const ScheduleStep& step : path_.schedule) {
      if (step.kind != ScheduleStep::Kind::kBlock) {
        continue;
      }
      const ResidualBlock& block = state.program.blocks[step.index];
      unknowns_.insert(unknowns_.end(),
                       block.unknown_slots.begin(),
                       block.unknown_slots.end());
      sizes_.insert(sizes_.end(), block.nominal.begin(), block.nominal.end());
    }
  }

  // Solves the equations at `part` of the way.
  bool SolveAt(double part, LoopStart start) {
    evaluator_.memory()[path_.part_slot] = part;
    EventOutcome outcome;
    return SolveEventEquations(
        state_, path_.schedule, path_.iterates, outcome, start);
  }

  // Follows the path from the values in memory.
  // @param by_all_means else it has to begin near these, and is left where it
  //     winds.
  // @returns where it ends; 1: memory holds the solution there.
  double Follow(bool by_all_means) {
    const double least = by_all_means ? kLeastStep : kLeastStepBeside;
    evaluator_.memory()[path_.part_slot] = 0;
    static_cast<void>(evaluator_.Run(path_.schedule, LoopStart::kGuess));
    evaluator_.BeginLoopsAtMemory(path_.schedule);
    if (!SolveAt(0, by_all_means ? LoopStart::kMemory : LoopStart::kAccepted)) {
      return 0;
    }
    before_.clear();
    double reached = 0;
    double last = 0;  // Length of the last step.
    double length = kFirstStep;
    while (reached < 1 && length >= least) {
      const double next = std::min(1.0, reached + length);
      const Context here = evaluator_.context();
      const std::vector<double> at_here = Solution();
      const std::vector<double> expected =
          Expected(at_here, before_.empty() ? 0 : (next - reached) / last);
      Put(expected);
      evaluator_.BeginLoopsAtMemory(path_.schedule);
      if (SolveAt(next, LoopStart::kAccepted) &&
          (length <= kFirstStep || AreNear(expected, Solution(), kOffCourse))) {
        before_ = at_here;
        last = next - reached;
        reached = next;
        length *= 2;
      } else {
        evaluator_.Restore(here);
        length /= 2;
      }
    }
    return reached;
  }

  // The unknowns of all loops, as they are in memory.
  [[nodiscard]] std::vector<double> Solution() const {
    std::vector<double> values;
    values.reserve(unknowns_.size());
    for (const std::uint32_t slot : unknowns_) {
      values.push_back(state_.evaluator.memory()[slot]);
    }
    return values;
  }

  // The values of relations and of discrete quantities in loops.
  [[nodiscard]] std::vector<double> Choices() const {
    std::vector<double> values;
    values.reserve(path_.iterates.size());
    for (const Iterate& iterate : path_.iterates) {
      values.push_back(state_.evaluator.memory()[iterate.slot]);
    }
    return values;
  }

  // True if two solutions differ by at most a part of their size.
  [[nodiscard]] bool AreNear(std::span<const double> a,
                             std::span<const double> b,
                             double part) const {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const double size = std::max({std::abs(a[i]), std::abs(b[i]), sizes_[i]});
      if (!(std::abs(a[i] - b[i]) <= part * size)) {
        return false;
      }
    }
    return true;
  }

 private:
  // On a straight line through the last two solutions.
  [[nodiscard]] std::vector<double> Expected(const std::vector<double>& here,
                                             double steps) const {
    std::vector<double> values = here;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      values[i] += steps * (here[i] - before_[i]);
    }
    return values;
  }

  void Put(std::span<const double> values) {
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      evaluator_.memory()[unknowns_[i]] = values[i];
    }
  }

  EventState& state_;
  ProgramEvaluator& evaluator_;
  const HomotopyPath& path_;
  std::vector<std::uint32_t> unknowns_;  // Slots.
  std::vector<double> sizes_;            // Usual ones, by unknown.
  std::vector<double> before_;           // The solution before the last one.
};

// Solutions as they are told apart.
struct FoundStart {
  std::vector<double> unknowns;
  std::vector<double> choices;
};

// The solution of the actual equations that is in memory as the path has it;
// none: the loops that depend on homotopy() have none there.
std::optional<FoundStart> ActualOf(StartPath& path) {
  if (!path.SolveAt(1, LoopStart::kMemory)) {
    return std::nullopt;
  }
  return FoundStart{.unknowns = path.Solution(), .choices = path.Choices()};
}

bool FindStartByHomotopy(EventState& state, EventOutcome& outcome) {
  ProgramEvaluator& evaluator = state.evaluator;
  const Context before = evaluator.context();
  const bool is_found = FindActualStart(state, outcome);
  const Failure failure = state.failure;
  const Context found = evaluator.context();
  bool leads_elsewhere = false;
  {
    const ProgramEvaluator::Following none(evaluator, nullptr);
    StartPath path(state);
    const auto actual = is_found ? ActualOf(path) : std::nullopt;
    evaluator.Restore(before);
    const double end = path.Follow(!actual);
    const bool is_same = actual && path.Choices() == actual->choices &&
                         path.AreNear(path.Solution(), actual->unknowns, kSame);
    leads_elsewhere = end == 1 && !is_same;
    if (end < 1 && !actual) {
      state.homotopy_end = end;
    }
  }
  if (leads_elsewhere) {
    EventOutcome anew;
    if (FindActualStart(state, anew)) {
      outcome = anew;
      return true;
    }
  }
  if (is_found) {  // To the same bits as without homotopy().
    evaluator.Restore(before);
    return FindActualStart(state, outcome);
  }
  evaluator.Restore(found);
  state.failure = failure;
  return false;
}

}  // namespace

bool SearchStart(EventState& state, EventOutcome& outcome) {
  state.homotopy_end.reset();
  return state.program.homotopy ? FindStartByHomotopy(state, outcome)
                                : FindActualStart(state, outcome);
}

}  // namespace orrery::sim::internal
