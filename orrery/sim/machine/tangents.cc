#include "orrery/sim/machine/tangents.h"

#include "orrery/base/error.h"
#include "orrery/sim/machine/program_evaluator.h"

namespace orrery::sim::internal {

Tangents::Tangents(ProgramEvaluator& evaluator, std::size_t num_directions)
    : evaluator_(evaluator),
      along_(num_directions, TapeTangents(*evaluator.program().tape)) {
  ORRERY_CHECK(num_directions > 0);
}

void Tangents::Seed(std::size_t direction, Reference at) {
  seeds_.push_back({.direction = direction, .at = at});
  PutSeeds();
}

void Tangents::PutSeeds() noexcept {
  for (const OneSeed& seed : seeds_) {
    along_[seed.direction][seed.at.slot] = static_cast<double>(seed.at.sign);
  }
}

void Tangents::Clear() noexcept {
  for (TapeTangents& tangents : along_) {
    tangents.Clear();
  }
  PutSeeds();
}

void Tangents::SetConstant(std::uint32_t slot) noexcept {
  for (TapeTangents& tangents : along_) {
    tangents[slot] = 0;
  }
  PutSeeds();
}

void Tangents::Copy(Reference from, Reference to) noexcept {
  for (std::size_t j = 0; j < along_.size(); ++j) {
    along_[j][to.slot] = static_cast<double>(to.sign) * Of(j, from);
  }
}

std::optional<Failure> Tangents::RunSection(std::size_t section) noexcept {
  for (TapeTangents& tangents : along_) {
    const Tape::Outcome outcome =
        tangents.Run(section, evaluator_.memory().data());
    if (outcome != Tape::Outcome::kDone) {
      return Failure{
          .step = {.kind = ScheduleStep::Kind::kSection, .index = section},
          .tape = outcome};
    }
  }
  PutSeeds();
  return std::nullopt;
}

std::optional<Failure> Tangents::Linearize(
    std::span<const ScheduleStep> schedule) {
  for (const ScheduleStep& step : schedule) {
    if (step.kind == ScheduleStep::Kind::kBlock &&
        !evaluator_.loop(step.index).Linearize(evaluator_.memory().data())) {
      return Failure{.step = step, .loop = LoopResult::kSingular};
    }
  }
  return std::nullopt;
}

// dr/dz dz = -dr/d(others) d(others)
std::optional<Failure> Tangents::PassLoop(std::size_t index) {
  const ResidualBlock& block = evaluator_.program().blocks[index];
  LoopSolver& loop = evaluator_.loop(index);
  for (TapeTangents& tangents : along_) {
    for (const std::uint32_t slot : block.unknown_slots) {
      tangents[slot] = 0;
    }
  }
  if (auto failure = RunSection(block.residual_section)) {
    return failure;
  }
  for (TapeTangents& tangents : along_) {
    loop_.clear();
    for (const std::uint32_t slot : block.residual_slots) {
      loop_.push_back(-tangents[slot]);
    }
    loop.SolveTangent(loop_);
    for (std::size_t i = 0; i < loop_.size(); ++i) {
      tangents[block.unknown_slots[i]] = loop_[i];
    }
  }
  return std::nullopt;
}

std::optional<Failure> Tangents::Pass(std::span<const ScheduleStep> schedule) {
  for (const ScheduleStep& step : schedule) {
    auto failure = step.kind == ScheduleStep::Kind::kSection
                       ? RunSection(step.index)
                       : PassLoop(step.index);
    if (failure) {
      return failure;
    }
  }
  return std::nullopt;
}

}  // namespace orrery::sim::internal
