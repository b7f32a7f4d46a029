#include "orrery/sim/events/event_case_search.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "orrery/sim/events/event_iteration.h"
#include "orrery/sim/events/relation_values.h"

namespace orrery::sim::internal {
namespace {

// Iterations of relations within one microstep. A solvable system of n
// relations needs n at most, but for ties.
constexpr int kMaxEventIterations = 200;

// Limit on loops that are solved with relations evaluated at each point.
constexpr int kMostChanged = 10;

// Iterations after which rounding may be the reason.
constexpr int kUndecided = 100;

// Iterates that change in the last kRound iterations before kGoingRound are
// taken to go round in circles; their values are tried one by one.
constexpr int kGoingRound = 40;
constexpr int kRound = 20;
constexpr std::size_t kMostTried = 10;  // Unknowns: 1024 cases.

// Runs in which the other iterates follow those.
constexpr int kFollowing = 4;

// The numbers with `bits` bits, those with few ones first.
std::vector<std::uint32_t> CasesOf(std::size_t bits) {
  std::vector<std::uint32_t> cases(std::size_t{1} << bits);
  std::iota(cases.begin(), cases.end(), 0U);
  std::ranges::stable_sort(
      cases, {}, [](std::uint32_t number) { return std::popcount(number); });
  return cases;
}

std::optional<Failure> RunOnce(EventState& state,
                               const Schedule& schedule,
                               ProgramEvaluator::LoopStart start) {
  if (auto failure = state.evaluator.ApplyDelays()) {
    return failure;
  }
  if (start == ProgramEvaluator::LoopStart::kAccepted) {
    state.evaluator.ForgetMatrices();  // Iterates change; kMemory does it, too.
  }
  return state.evaluator.Run(schedule, start);
}

bool Agrees(EventState& state, std::span<const Iterate> iterates) {
  const std::span<const double> memory = state.evaluator.memory();
  return (state.evaluator.delays().empty() ||
          state.evaluator.delays().Agree(state.evaluator.t())) &&
         std::ranges::all_of(iterates, [memory](const Iterate& iterate) {
           return memory[iterate.slot] == memory[iterate.result_slot];
         });
}

// Adds the iterates that are about to change to those that go round.
void NoteChanging(EventState& state,
                  std::span<const Iterate> iterates,
                  bool is_first) {
  const std::span<const double> memory = state.evaluator.memory();
  if (is_first) {
    state.going_round.clear();
  }
  for (std::size_t i = 0; i < iterates.size(); ++i) {
    const bool changes =
        memory[iterates[i].slot] != memory[iterates[i].result_slot];
    if (changes &&
        std::ranges::find(state.going_round, i) == state.going_round.end()) {
      state.going_round.push_back(i);
    }
  }
}

bool TryCase(EventState& state,
             std::uint32_t truths,
             const Schedule& schedule,
             std::span<const Iterate> iterates,
             ProgramEvaluator::LoopStart start) {
  const std::span<double> memory = state.evaluator.memory();
  for (int i = 0; i < kFollowing; ++i) {
    for (std::size_t k = 0; k < state.going_round.size(); ++k) {
      memory[iterates[state.going_round[k]].slot] = (truths >> k) & 1U;
    }
    if (RunOnce(state, schedule, start)) {
      return false;
    }
    if (Agrees(state, iterates)) {
      return true;
    }
    for (const Iterate& iterate : iterates) {
      state.evaluator.Copy({.slot = iterate.result_slot},
                           {.slot = iterate.slot});
    }
  }
  return false;
}

bool IsTruth(const EventState& state, const Iterate& iterate) {
  const double value = state.evaluator.memory()[iterate.slot];
  return value == 0 || value == 1;
}

// Tries all cases of the iterates that go round.
// @returns false if none agrees; memory is then as before.
bool TryCases(EventState& state,
              const Schedule& schedule,
              std::span<const Iterate> iterates,
              ProgramEvaluator::LoopStart start) {
  const bool are_truths = std::ranges::all_of(
      state.going_round,
      [&](std::size_t i) { return IsTruth(state, iterates[i]); });
  if (!are_truths || state.going_round.empty() ||
      state.going_round.size() > kMostTried) {
    return false;
  }
  const std::span<double> memory = state.evaluator.memory();
  const std::vector<double> before(memory.begin(), memory.end());
  for (const std::uint32_t truths : CasesOf(state.going_round.size())) {
    if (TryCase(state, truths, schedule, iterates, start)) {
      return true;
    }
    std::ranges::copy(before, memory.begin());
  }
  return false;
}

// Adds the relations that stand beside those that go round, as those of one
// loop do.
// @returns true if there are any.
bool AddNeighbours(EventState& state, std::span<const Iterate> iterates) {
  std::vector<std::size_t>& all = state.going_round;
  const std::vector<std::size_t> first = all;
  const auto add = [&](std::size_t i) {
    if (i < iterates.size() && all.size() < kMostTried &&
        IsTruth(state, iterates[i]) && std::ranges::find(all, i) == all.end()) {
      all.push_back(i);
    }
  };
  for (std::size_t way = 1; way < kMostTried; ++way) {
    for (const std::size_t i : first) {
      add(i + way);
      add(i - way);  // Below 0 it wraps, beyond the end.
    }
  }
  return all.size() > first.size();
}

// Friction that comes to rest: sliding either way reverses it, and only the
// state at rest agrees with itself. Following the equations leads from one to
// the other without end. So all cases of the iterates that go round are tried,
// those with the fewest true ones first. A trigger whose state ends goes round
// between that state and the amplifier's: its other state needs relations that
// do not go round.
// @returns false if none agrees; memory is then as before.
bool SearchCases(EventState& state,
                 const Schedule& schedule,
                 std::span<const Iterate> iterates,
                 ProgramEvaluator::LoopStart start) {
  return TryCases(state, schedule, iterates, start) ||
         (!state.going_round.empty() && AddNeighbours(state, iterates) &&
          TryCases(state, schedule, iterates, start));
}

}  // namespace

bool SolveEventEquations(EventState& state,
                         const Schedule& schedule,
                         std::span<const Iterate> iterates,
                         EventOutcome& outcome,
                         ProgramEvaluator::LoopStart start) {
  int num_changed = 0;
  bool is_rounding = false;
  for (int i = 0; i < kMaxEventIterations; ++i) {
    const std::optional<Failure> failure = RunOnce(state, schedule, start);
    if (failure && num_changed < kMostChanged &&
        start == ProgramEvaluator::LoopStart::kMemory &&
        state.evaluator.SolveWithPresentTruths(*failure)) {
      ++num_changed;
      continue;
    }
    if (failure) {
      return FailEvent(state, *failure, outcome);
    }
    const bool agrees = Agrees(state, iterates);
    // Rounding has to decide with either value; else there is no solution.
    const bool was_rounding = is_rounding;
    is_rounding = !agrees && i >= kUndecided && DisagreeByRounding(state);
    if (was_rounding && is_rounding) {
      ++state.ties.in_event;
      return CountTie(state) || outcome.End(EventOutcome::Kind::kEndless, 0);
    }
    if (i >= kGoingRound - kRound && i < kGoingRound) {
      NoteChanging(state, iterates, i == kGoingRound - kRound);
    }
    for (const Iterate& iterate : iterates) {
      state.evaluator.Copy({.slot = iterate.result_slot},
                           {.slot = iterate.slot});
    }
    if (agrees ||
        (i == kGoingRound && SearchCases(state, schedule, iterates, start))) {
      return true;
    }
  }
  return outcome.End(EventOutcome::Kind::kEndless, 0);
}

}  // namespace orrery::sim::internal
