#include "orrery/sim/internal/machine.h"

namespace orrery::internal {

Machine::Machine(const Program& program)
    : program_(program), memory_(program.initial_memory) {
  for (std::size_t i = 0; i < program.blocks.size(); ++i) {
    loops_.emplace_back(program, i);
  }
  AcceptLoops();
}

void Machine::SetStates(std::span<const double> x) noexcept {
  for (std::size_t i = 0; i < x.size(); ++i) {
    memory_[program_.state_slots[i]] = x[i];
  }
}

void Machine::GetStates(std::span<double> x) const noexcept {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = memory_[program_.state_slots[i]];
  }
}

void Machine::GetDerivatives(std::span<double> dx) const noexcept {
  for (std::size_t i = 0; i < dx.size(); ++i) {
    dx[i] = Value(program_.derivatives_at[i]);
  }
}

std::optional<Failure> Machine::Run(const Schedule& schedule, LoopStart start) {
  for (const ScheduleStep& step : schedule) {
    if (step.kind == ScheduleStep::Kind::kSection) {
      if (auto failure = RunSection(step.index)) {
        return failure;
      }
      continue;
    }
    LoopSolver& loop = loops_[step.index];
    const LoopResult result = start == LoopStart::kMemory
                                  ? loop.SolveAtStart(memory_.data())
                                  : loop.Solve(memory_.data());
    if (result != LoopResult::kSolved) {
      return Failure{.step = step, .loop = result};
    }
  }
  return std::nullopt;
}

std::optional<Failure> Machine::RunSection(std::size_t section) noexcept {
  const Tape::Outcome outcome = program_.tape->Run(section, memory_.data());
  if (outcome == Tape::Outcome::kDone) {
    return std::nullopt;
  }
  return Failure{
      .step = {.kind = ScheduleStep::Kind::kSection, .index = section},
      .tape = outcome};
}

void Machine::AcceptLoops() {
  for (LoopSolver& loop : loops_) {
    loop.Accept(memory_.data());
  }
}

void Machine::ForgetMatrices() noexcept {
  for (LoopSolver& loop : loops_) {
    loop.Forget();
  }
}

std::int64_t Machine::loop_iterations() const noexcept {
  std::int64_t sum = 0;
  for (const LoopSolver& loop : loops_) {
    sum += loop.iterations();
  }
  return sum;
}

}  // namespace orrery::internal
