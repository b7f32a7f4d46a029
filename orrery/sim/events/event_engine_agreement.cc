// Equations whose unknowns include relations and discrete quantities.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

#include "orrery/sim/events/event_engine.h"

namespace orrery::internal {
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

}  // namespace

bool EventEngine::Agrees(std::span<const orrery::Iterate> iterates) {
  const std::span<const double> memory = machine_.memory();
  return (machine_.delays().empty() || machine_.delays().Agree(machine_.t())) &&
         std::ranges::all_of(
             iterates, [memory](const orrery::Iterate& iterate) {
               return memory[iterate.slot] == memory[iterate.result_slot];
             });
}

std::optional<Failure> EventEngine::RunOnce(const Schedule& schedule) {
  if (auto failure = machine_.ApplyDelays()) {
    return failure;
  }
  return machine_.Run(schedule, Machine::LoopStart::kMemory);
}

bool EventEngine::RunToAgreement(const Schedule& schedule,
                                 std::span<const orrery::Iterate> iterates,
                                 EventOutcome& outcome) {
  int num_changed = 0;
  bool is_rounding = false;
  for (int i = 0; i < kMaxEventIterations; ++i) {
    const std::optional<Failure> failure = RunOnce(schedule);
    if (failure && num_changed < kMostChanged &&
        machine_.SolveWithPresentTruths(*failure)) {
      ++num_changed;
      continue;
    }
    if (failure) {
      return Fail(*failure, outcome);
    }
    const bool agrees = Agrees(iterates);
    // Rounding has to decide with either value; else there is no solution.
    const bool was_rounding = is_rounding;
    is_rounding = !agrees && i >= kUndecided && DisagreeByRounding();
    if (was_rounding && is_rounding) {
      ++ties_in_event_;
      return CountTie() || outcome.End(EventOutcome::Kind::kEndless, 0);
    }
    if (i >= kGoingRound - kRound && i < kGoingRound) {
      NoteChanging(iterates, i == kGoingRound - kRound);
    }
    for (const orrery::Iterate& iterate : iterates) {
      machine_.Copy({.slot = iterate.result_slot}, {.slot = iterate.slot});
    }
    if (agrees || (i == kGoingRound && SearchAgreement(schedule, iterates))) {
      return true;
    }
  }
  return outcome.End(EventOutcome::Kind::kEndless, 0);
}

// Adds the iterates that are about to change to those that go round.
void EventEngine::NoteChanging(std::span<const orrery::Iterate> iterates,
                               bool is_first) {
  const std::span<const double> memory = machine_.memory();
  if (is_first) {
    going_round_.clear();
  }
  for (std::size_t i = 0; i < iterates.size(); ++i) {
    const bool changes =
        memory[iterates[i].slot] != memory[iterates[i].result_slot];
    if (changes && std::ranges::find(going_round_, i) == going_round_.end()) {
      going_round_.push_back(i);
    }
  }
}

// Friction that comes to rest: sliding either way reverses it, and only the
// state at rest agrees with itself. Following the equations leads from one to
// the other without end. So all cases of the iterates that go round are tried,
// those with the fewest true ones first.
// @returns false if none agrees; memory is then as before.
bool EventEngine::SearchAgreement(const Schedule& schedule,
                                  std::span<const orrery::Iterate> iterates) {
  const std::span<double> memory = machine_.memory();
  const bool are_truths = std::ranges::all_of(going_round_, [&](std::size_t i) {
    const double value = memory[iterates[i].slot];
    return value == 0 || value == 1;
  });
  if (!are_truths || going_round_.empty() || going_round_.size() > kMostTried) {
    return false;
  }
  const std::vector<double> before(memory.begin(), memory.end());
  for (const std::uint32_t truths : CasesOf(going_round_.size())) {
    if (TryCase(truths, schedule, iterates)) {
      return true;
    }
    std::ranges::copy(before, memory.begin());
  }
  return false;
}

bool EventEngine::TryCase(std::uint32_t truths,
                          const Schedule& schedule,
                          std::span<const orrery::Iterate> iterates) {
  const std::span<double> memory = machine_.memory();
  for (int i = 0; i < kFollowing; ++i) {
    for (std::size_t k = 0; k < going_round_.size(); ++k) {
      memory[iterates[going_round_[k]].slot] = (truths >> k) & 1U;
    }
    if (RunOnce(schedule)) {
      return false;
    }
    if (Agrees(iterates)) {
      return true;
    }
    for (const orrery::Iterate& iterate : iterates) {
      machine_.Copy({.slot = iterate.result_slot}, {.slot = iterate.slot});
    }
  }
  return false;
}

}  // namespace orrery::internal
