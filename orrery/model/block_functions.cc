#include "orrery/model/block_functions.h"

#include <algorithm>
#include <string>

#include "orrery/base/error.h"
#include "orrery/model/internal/block_plan.h"

namespace orrery {

namespace internal = model::internal;

using internal::BlockPlan;
using internal::BlockSlots;

namespace {

std::size_t CountOf(std::span<const BlockSlots> all) {
  std::size_t count = 0;
  for (const BlockSlots& slots : all) {
    count += slots.count;
  }
  return count;
}

}  // namespace

BlockFunctions::BlockFunctions(Block& block)
    : plan_(std::make_unique<const BlockPlan>(internal::MakeBlockPlan(block))) {
}

BlockFunctions::~BlockFunctions() = default;

const std::vector<std::size_t>& BlockFunctions::feedthrough_inputs()
    const noexcept {
  return plan_->feedthrough;
}

const std::vector<std::size_t>& BlockFunctions::feedthrough_inputs(
    std::size_t output) const {
  if (output >= plan_->feedthrough_of.size()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot tell the inputs of output " + std::to_string(output) +
                    " of " + plan_->path + ": it has " +
                    std::to_string(plan_->feedthrough_of.size()) +
                    " outputs, numbered from 0");
  }
  return plan_->feedthrough_of[output];
}

std::vector<double> BlockFunctions::Outputs(double t,
                                            std::span<const double> x,
                                            std::span<const double> u) const {
  return Run(BlockPlan::kOutputSection, t, x, u);
}

std::vector<double> BlockFunctions::Derivatives(
    double t, std::span<const double> x, std::span<const double> u) const {
  return Run(BlockPlan::kDerivativeSection, t, x, u);
}

std::vector<double> BlockFunctions::Events(double t,
                                           std::span<const double> x,
                                           std::span<const double> u) const {
  return Run(BlockPlan::kEventSection, t, x, u);
}

std::vector<double> BlockFunctions::Run(std::size_t section,
                                        double t,
                                        std::span<const double> x,
                                        std::span<const double> u) const {
  const BlockPlan& plan = *plan_;
  const std::string what = "cannot evaluate " + plan.path + ": ";
  if (!plan.unsolved.empty()) {
    throw Error(ErrorCode::kUnsupported, what + plan.unsolved);
  }
  if (x.size() != CountOf(plan.states) || u.size() != CountOf(plan.inputs)) {
    throw Error(ErrorCode::kInvalidArgument,
                what + "it has " + std::to_string(CountOf(plan.states)) +
                    " states and " + std::to_string(CountOf(plan.inputs)) +
                    " inputs, but " + std::to_string(x.size()) + " and " +
                    std::to_string(u.size()) + " values are given");
  }
  std::vector<double> memory = plan.memory;
  const auto scatter = [&memory](std::span<const double> values,
                                 std::span<const BlockSlots> places) {
    auto next = values.begin();
    for (const BlockSlots& slots : places) {
      std::copy_n(next,
                  slots.count,
                  memory.begin() + static_cast<std::ptrdiff_t>(slots.first));
      next += static_cast<std::ptrdiff_t>(slots.count);
    }
  };
  memory.front() = t;
  scatter(x, plan.states);
  scatter(u, plan.inputs);
  if (plan.tape->Run(section, memory.data()) != Tape::Outcome::kDone) {
    const auto fault = plan.tape->FindFault(section, memory);
    throw Error(ErrorCode::kInvalidModel,
                what + (fault ? fault->message : "a formula has no value"));
  }
  std::vector<double> results;
  for (const BlockSlots& slots : plan.results.at(section)) {
    const auto first =
        memory.begin() + static_cast<std::ptrdiff_t>(slots.first);
    results.insert(
        results.end(), first, first + static_cast<std::ptrdiff_t>(slots.count));
  }
  return results;
}

}  // namespace orrery
