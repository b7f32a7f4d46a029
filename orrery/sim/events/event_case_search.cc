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

std::optional<Failure> RunOnce(EventState& state, const Schedule& schedule) {
  if (auto failure = state.evaluator.ApplyDelays()) {
    return failure;
  }
  return state.evaluator.Run(schedule, ProgramEvaluator::LoopStart::kMemory);
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
             std::span<const Iterate> iterates) {
  const std::span<double> memory = state.evaluator.memory();
  for (int i = 0; i < kFollowing; ++i) {
    for (std::size_t k = 0; k < state.going_round.size(); ++k) {
      memory[iterates[state.going_round[k]].slot] = (truths >> k) & 1U;
    }
    if (RunOnce(state, schedule)) {
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

// Friction that comes to rest: sliding either way reverses it, and only the
// state at rest agrees with itself. Following the equations leads from one to
// the other without end. So all cases of the iterates that go round are tried,
// those with the fewest true ones first.
// @returns false if none agrees; memory is then as before.
bool SearchCases(EventState& state,
                 const Schedule& schedule,
                 std::span<const Iterate> iterates) {
  const std::span<double> memory = state.evaluator.memory();
  const bool are_truths =
      std::ranges::all_of(state.going_round, [&](std::size_t i) {
        const double value = memory[iterates[i].slot];
        return value == 0 || value == 1;
      });
  if (!are_truths || state.going_round.empty() ||
      state.going_round.size() > kMostTried) {
    return false;
  }
  const std::vector<double> before(memory.begin(), memory.end());
  for (const std::uint32_t truths : CasesOf(state.going_round.size())) {
    if (TryCase(state, truths, schedule, iterates)) {
      return true;
    }
    std::ranges::copy(before, memory.begin());
  }
  return false;
}

}  // namespace

bool SolveEventEquations(EventState& state,
                         const Schedule& schedule,
                         std::span<const Iterate> iterates,
                         EventOutcome& outcome) {
  int num_changed = 0;
  bool is_rounding = false;
  for (int i = 0; i < kMaxEventIterations; ++i) {
    const std::optional<Failure> failure = RunOnce(state, schedule);
    if (failure && num_changed < kMostChanged &&
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
        (i == kGoingRound && SearchCases(state, schedule, iterates))) {
      return true;
    }
  }
  return outcome.End(EventOutcome::Kind::kEndless, 0);
}

}  // namespace orrery::sim::internal
