#include "orrery/model/opaque_block.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/symbolic/element.h"

namespace orrery {

void OpaqueBlock::SetDerivative(Routine derivative) {
  derivative_ = std::move(derivative);
}

void OpaqueBlock::SetOutputs(std::vector<Quantity> outputs,
                             std::vector<Quantity> feedthrough,
                             Routine values) {
  groups_.push_back({.outputs = std::move(outputs),
                     .feedthrough = std::move(feedthrough),
                     .values = std::move(values)});
}

void OpaqueBlock::Equations(EquationSet& eq) {
  std::vector<Expr> states;
  std::vector<Expr> outputs;
  for (std::size_t i = 0; i < quantities().size(); ++i) {
    if (quantities()[i].kind == QuantityKind::kState) {
      const auto elements = ElementsOf((*this)[quantities()[i].name]);
      states.insert(states.end(), elements.begin(), elements.end());
    }
  }
  if (!states.empty() && derivative_ == nullptr) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot trace " + path() +
                    ": it has states, but no function for their derivatives; "
                    "call SetDerivative in its constructor");
  }
  if (!states.empty()) {
    const auto results = Call(eq, derivative_, nullptr, states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      eq.Der(states[i]) = results[i];
    }
  }
  for (const OutputGroup& group : groups_) {
    outputs.clear();
    for (const Quantity& output : group.outputs) {
      const auto elements = ElementsOf(output);
      outputs.insert(outputs.end(), elements.begin(), elements.end());
    }
    const auto results =
        Call(eq, group.values, &group.feedthrough, outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      eq.Set(outputs[i]) = results[i];
    }
  }
}

std::vector<Expr> OpaqueBlock::Call(EquationSet& eq,
                                    const Routine& routine,
                                    const std::vector<Quantity>* feedthrough,
                                    std::size_t num_results) {
  const auto is_fed_through = [&](std::size_t index) {
    return feedthrough == nullptr ||
           std::ranges::any_of(*feedthrough, [&](const Quantity& input) {
             return &input.owner() == this && input.index() == index;
           });
  };
  const Expr unknown =
      eq.graph().Constant(std::numeric_limits<double>::quiet_NaN());
  std::vector<Expr> arguments = {eq.time()};
  const auto append = [&](QuantityKind kind) {
    const std::size_t before = arguments.size();
    for (std::size_t i = 0; i < quantities().size(); ++i) {
      if (quantities()[i].kind != kind) {
        continue;
      }
      auto elements = ElementsOf((*this)[quantities()[i].name]);
      if (kind == QuantityKind::kInput && !is_fed_through(i)) {
        std::ranges::fill(elements, unknown);
      }
      arguments.insert(arguments.end(), elements.begin(), elements.end());
    }
    return arguments.size() - before;
  };
  const std::size_t states = append(QuantityKind::kState);
  const std::size_t inputs = append(QuantityKind::kInput);
  const std::size_t parameters = append(QuantityKind::kParameter);
  auto function = std::make_shared<OpaqueFunction>();
  function->name = name();
  function->num_inputs = arguments.size();
  function->num_outputs = num_results;
  function->evaluate = [routine, states, inputs, parameters](
                           std::span<const double> values,
                           std::span<double> results) {
    routine({.time = values[0],
             .states = values.subspan(1, states),
             .inputs = values.subspan(1 + states, inputs),
             .parameters = values.subspan(1 + states + inputs, parameters)},
            results);
  };
  const Expr call = eq.graph().Opaque(std::move(function), arguments);
  std::vector<Expr> results;
  for (std::size_t i = 0; i < num_results; ++i) {
    results.push_back(eq.graph().Output(call, i));
  }
  return results;
}

}  // namespace orrery
