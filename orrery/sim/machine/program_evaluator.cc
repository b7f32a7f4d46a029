#include "orrery/sim/machine/program_evaluator.h"

#include <utility>

#include "orrery/base/error.h"

namespace orrery::sim::internal {

ProgramEvaluator::ProgramEvaluator(const Program& program,
                                   CodeChoice code,
                                   std::shared_ptr<Attendant> attendant)
    : program_(program),
      attendant_(std::move(attendant)),
      sections_(*program.tape, program.native.get(), code, attendant_),
      context_{.memory = program.initial_memory},
      delays_(*this) {
  for (const ForeignCode& code_of_others : program.foreign) {
    foreign_.push_back(code_of_others.model->MakeInstance());
  }
  WriteHandles();
  std::size_t num_unknowns = 0;
  for (std::size_t i = 0; i < program.blocks.size(); ++i) {
    loops_.push_back(std::make_unique<LoopSolver>(
        program, i, sections_, num_unknowns, attendant_));
    num_unknowns += program.blocks[i].unknown_slots.size();
  }
  context_.loop_starts.resize(num_unknowns);
  for (const auto& loop : loops_) {
    loop->BeginAtMemory(context_);
  }
}

std::string ProgramEvaluator::EndWords() const {
  std::string words;
  for (const auto& instance : foreign_) {
    words += instance->EndWords();
  }
  return words;
}

bool ProgramEvaluator::Renew() {
  context_.memory = program_.initial_memory;
  WriteHandles();
  NoteHeldChange();
  return loops_.empty() && delays_.empty();
}

void ProgramEvaluator::Restore(const Context& context) {
  ORRERY_CHECK(context.memory.size() == context_.memory.size() &&
               context.loop_starts.size() == context_.loop_starts.size());
  context_ = context;
  WriteHandles();
  NoteHeldChange();
  for (const auto& loop : loops_) {
    loop->ForgetAll();
  }
}

void ProgramEvaluator::Transfer(StateStream& stream) {
  ORRERY_CHECK(foreign_.empty());
  stream.Same(context_.memory);
  stream.Same(context_.loop_starts);
  delays_.Transfer(stream);
  for (const auto& loop : loops_) {
    loop->Transfer(stream, context_);
  }
  if (stream.reads()) {
    NoteHeldChange();
  }
}

void ProgramEvaluator::WriteHandles() noexcept {
  for (std::size_t i = 0; i < foreign_.size(); ++i) {
    context_.memory[program_.foreign[i].handle_slot] = foreign_[i]->handle();
  }
}

void ProgramEvaluator::SetStates(std::span<const double> x) noexcept {
  for (std::size_t i = 0; i < program_.state_slots.size(); ++i) {
    context_.memory[program_.state_slots[i]] = x[i];
  }
}

void ProgramEvaluator::GetStates(std::span<double> x) const noexcept {
  for (std::size_t i = 0; i < program_.state_slots.size(); ++i) {
    x[i] = context_.memory[program_.state_slots[i]];
  }
}

void ProgramEvaluator::GetDerivatives(std::span<double> dx) const noexcept {
  for (std::size_t i = 0; i < dx.size(); ++i) {
    dx[i] = Value(program_.derivatives_at[i]);
  }
}

std::optional<Failure> ProgramEvaluator::SolveLoop(const ScheduleStep& step,
                                                   LoopStart start) {
  LoopSolver& loop = *loops_[step.index];
  if (start == LoopStart::kGuess && !program_.blocks[step.index].is_linear) {
    loop.TakeTruths(context_);
    return std::nullopt;
  }
  const LoopResult result = start == LoopStart::kAccepted
                                ? loop.Solve(context_)
                                : loop.SolveAtStart(context_);
  if (result != LoopResult::kSolved) {
    return Failure{.step = step, .loop = result};
  }
  if (tangents_ == nullptr) {
    return std::nullopt;
  }
  const auto failure = tangents_->Linearize({&step, 1});
  return failure ? failure : tangents_->PassLoop(step.index);
}

bool ProgramEvaluator::SolveWithPresentTruths(const Failure& failure) {
  return failure.step.kind == ScheduleStep::Kind::kBlock &&
         loops_[failure.step.index]->SolveWithPresentTruths(context_) ==
             LoopResult::kSolved;
}

Failure ProgramEvaluator::FailureOf(std::size_t section,
                                    Tape::Outcome outcome) noexcept {
  return {.step = {.kind = ScheduleStep::Kind::kSection, .index = section},
          .tape = outcome};
}

void ProgramEvaluator::Assign(
    std::span<const Handler::Assignment> assignments) {
  if (assignments.size() == 1) {
    Copy({.slot = assignments[0].value_slot}, assignments[0].target);
    return;
  }
  const std::size_t stride = NumbersRead();
  assigned_.resize(assignments.size() * stride);
  double* next = assigned_.data();
  if (tangents_ == nullptr) {
    double* const memory = context_.memory.data();
    for (const Handler::Assignment& assignment : assignments) {
      *next++ = memory[assignment.value_slot];
    }
    next = assigned_.data();
    for (const auto& [target, value_slot] : assignments) {
      memory[target.slot] = static_cast<double>(target.sign) * *next++;
    }
    return;
  }
  for (const Handler::Assignment& assignment : assignments) {
    Read(assignment.value_slot, {next, stride});
    next += stride;
  }
  next = assigned_.data();
  for (const Handler::Assignment& assignment : assignments) {
    Write(assignment.target, {next, stride});
    next += stride;
  }
}

void ProgramEvaluator::ReadTangents(std::uint32_t slot,
                                    std::span<double> numbers) const {
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    numbers[j] = tangents_->Of(j, {.slot = slot});
  }
}

void ProgramEvaluator::WriteTangents(Reference to,
                                     std::span<const double> numbers) noexcept {
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    tangents_->At(j, to.slot) = static_cast<double>(to.sign) * numbers[j];
  }
}

void ProgramEvaluator::AcceptLoops() {
  for (const auto& loop : loops_) {
    loop->Accept(context_);
  }
}

void ProgramEvaluator::AcceptLoops(std::span<const ScheduleStep> schedule) {
  for (const ScheduleStep& step : schedule) {
    if (step.kind == ScheduleStep::Kind::kBlock) {
      loops_[step.index]->Accept(context_);
    }
  }
}

void ProgramEvaluator::BeginLoopsAtMemory(
    std::span<const ScheduleStep> schedule) {
  for (const ScheduleStep& step : schedule) {
    if (step.kind == ScheduleStep::Kind::kBlock) {
      loops_[step.index]->BeginAtMemory(context_);
    }
  }
}

void ProgramEvaluator::ForgetMatrices() noexcept {
  for (const auto& loop : loops_) {
    loop->Forget();
  }
}

std::int64_t ProgramEvaluator::loop_iterations() const noexcept {
  std::int64_t sum = 0;
  for (const auto& loop : loops_) {
    sum += loop->iterations();
  }
  return sum;
}

std::int64_t ProgramEvaluator::loop_factorizations() const noexcept {
  std::int64_t sum = 0;
  for (const auto& loop : loops_) {
    sum += loop->factorizations();
  }
  return sum;
}

}  // namespace orrery::sim::internal
