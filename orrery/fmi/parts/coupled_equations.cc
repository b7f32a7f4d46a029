#include "orrery/fmi/parts/coupled_equations.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/fmi/exchange/communication_step.h"
#include "orrery/fmi/exchange/equation_writer.h"
#include "orrery/fmi/exchange/exchange_formulas.h"
#include "orrery/fmi/parts/coupled_instance.h"

namespace orrery::fmi {
namespace {

/// Builds the equations.
class CoupledBuilder {
 public:
  explicit CoupledBuilder(std::shared_ptr<const CoupledModel> model)
      : model_(std::move(model)),
        layout_(model_->layout()),
        to_(model_->description()),
        graph_(to_.graph()),
        num_continuous_(layout_.continuous_inputs.size()),
        num_discrete_(layout_.discrete_inputs.size()) {}

  FlatModel Build() {
    to_.Declare(layout_);
    const Expr step = CommunicationStep();
    epoch_ = to_.AddHeld("epoch");
    next_ = to_.AddHeld("next point");
    settles_ = to_.AddHeld("settles");
    ends_ = to_.AddHeld("ends");
    AddHeldInputs();
    AddStart(step);
    AddComputed();
    AddStep();
    if (!inputs_.empty()) {
      AddTaking();
    }
    to_.EndWhere(ends_);
    to_.flat().foreign_parts.push_back(
        {.model = model_, .handle = to_.handle(), .after_step = {}});
    return std::move(to_.flat());
  }

 private:
  // The inputs as the FMU has them.
  void AddHeldInputs() {
    inputs_ = to_.ElementsOf(layout_.continuous_inputs);
    std::ranges::move(to_.ElementsOf(layout_.discrete_inputs),
                      std::back_inserter(inputs_));
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      held_.push_back(
          to_.AddHeld("input " + std::to_string(i + 1), inputs_[i].type()));
      to_.StateInitially(held_.back(), inputs_[i]);
    }
  }

  // The step as a parameter, unless the FMU has a variable of its name.
  Expr CommunicationStep() {
    if (!HasCommunicationParameter(model_->description())) {
      return graph_.Constant(model_->step());
    }
    return to_.AddParameter(std::string(kCommunication),
                            model_->step(),
                            {.unit = "s",
                             .display_unit = {},
                             .description = std::string(kCommunicationText),
                             .span = {},
                             .enumeration = nullptr});
  }

  void AddStart(Expr step) {
    std::vector<Expr> arguments = {to_.handle(), to_.flat().time, step};
    const std::array rows = {
        &layout_.parameters, &layout_.states, &layout_.discrete_inputs};
    for (const VariableRow* row : rows) {
      std::ranges::move(to_.ElementsOf(*row), std::back_inserter(arguments));
    }
    const auto results = to_.Results(
        to_.Make("start",
                 arguments.size(),
                 1,
                 [p = layout_.parameters.size(), n = layout_.states.size()](
                     std::span<const double> in, std::span<double> out) {
                   CoupledInstance& instance = CoupledInstance::Of(in[0]);
                   instance.Start({.t = in[1],
                                   .step = in[2],
                                   .parameters = in.subspan(3, p),
                                   .starts = in.subspan(3 + p, n),
                                   .discrete_inputs = in.subspan(3 + p + n)});
                   out[0] = instance.epoch();
                 }),
        arguments);
    to_.StateInitially(epoch_, results[0]);
    to_.StateInitially(next_, to_.flat().time);  // The first point.
    to_.StateInitially(settles_, graph_.Constant(0));
    to_.StateInitially(ends_, graph_.Constant(0));
  }

  // All that the FMU computes, and its values at the start.
  void AddComputed() {
    for (const Expr element : to_.ElementsOf(model_->computed())) {
      to_.State(element, graph_.Pre(element));
    }
    for (std::size_t k = 0; k < layout_.results.size(); ++k) {
      const ResultGroup& group = layout_.results[k];
      const std::vector<Expr> arguments = StartArguments(group);
      const auto values = to_.Results(
          to_.Make("at start",
                   arguments.size(),
                   group.row.size(),
                   [k](std::span<const double> in, std::span<double> out) {
                     CoupledInstance::Of(in[0]).GetAtStart(
                         k, in.subspan(2), in[1], out);
                   }),
          arguments);
      const std::vector<Expr> elements = to_.ElementsOf(group.row);
      for (std::size_t i = 0; i < elements.size(); ++i) {
        to_.StateInitially(elements[i], AsType(values[i], elements[i].type()));
      }
    }
    for (const auto& [alias, of] : layout_.aliases) {
      to_.State(to_.SymbolOf(alias), to_.SymbolOf(of));
    }
  }

  // Continuous inputs, with NaN in place of those that are not used.
  std::vector<Expr> StartArguments(const ResultGroup& group) {
    std::vector<Expr> arguments = {to_.handle(), epoch_};
    const VariableRow& inputs = layout_.continuous_inputs;
    for (std::size_t k = 0; k < inputs.variables().size(); ++k) {
      for (std::size_t i = 0; i < inputs.count(k); ++i) {
        arguments.push_back(
            group.uses[k] != 0
                ? inputs_[inputs.place(k) + i]
                : graph_.Constant(std::numeric_limits<double>::quiet_NaN()));
      }
    }
    return arguments;
  }

  // The step of the FMU in the event at each communication point.
  void AddStep() {
    const Expr is_due = to_.AddHidden("communication point",
                                      orrery::ValueType::kBoolean,
                                      orrery::Variability::kDiscrete);
    to_.State(is_due, graph_.Binary(Op::kLessEqual, next_, to_.flat().time));
    to_.Label(is_due, "communication point", "");
    std::vector<Expr> arguments = {to_.handle(), epoch_};
    arguments.insert(arguments.end(), held_.begin(), held_.end());
    std::ranges::move(to_.ElementsOf(layout_.parameters),
                      std::back_inserter(arguments));
    constexpr std::size_t kFirstValue = 3;
    const auto results = to_.Results(
        to_.Make("step",
                 arguments.size(),
                 kFirstValue + model_->computed().size(),
                 [m = num_continuous_, d = num_discrete_](
                     std::span<const double> in, std::span<double> out) {
                   CoupledInstance& instance = CoupledInstance::Of(in[0]);
                   const auto result =
                       instance.GoOn({.continuous_inputs = in.subspan(2, m),
                                      .discrete_inputs = in.subspan(2 + m, d),
                                      .parameters = in.subspan(2 + m + d)},
                                     in[1]);
                   out[0] = instance.epoch();
                   out[1] = result.next_time;
                   out[2] = result.is_terminated ? 1 : 0;
                   std::ranges::copy(result.values, out.begin() + kFirstValue);
                 }),
        arguments);
    EventHandler handler{.condition = is_due, .assignments = {}, .path = {}};
    handler.assignments = {{.target = epoch_, .value = results[0]},
                           {.target = next_, .value = results[1]},
                           {.target = ends_, .value = results[2]},
                           {.target = settles_, .value = graph_.Constant(1)}};
    const auto elements = to_.ElementsOf(model_->computed());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      handler.assignments.push_back(
          {.target = elements[i],
           .value = AsType(results[kFirstValue + i], elements[i].type())});
    }
    to_.flat().handlers.push_back(std::move(handler));
  }

  // Inputs are taken once the equations have seen the results of a step, again
  // and again while they change.
  void AddTaking() {
    std::vector<Expr> arguments = inputs_;
    arguments.insert(arguments.end(), held_.begin(), held_.end());
    const auto results = to_.Results(
        to_.Make("inputs differ",
                 arguments.size(),
                 1,
                 [size = inputs_.size()](std::span<const double> in,
                                         std::span<double> out) {
                   out[0] = std::ranges::equal(in.first(size), in.subspan(size))
                                ? 0
                                : 1;
                 }),
        arguments);
    EventHandler handler{
        .condition =
            graph_.Binary(Op::kLess, graph_.Constant(1.0 / 2), settles_),
        .assignments = {{.target = settles_, .value = results[0]}},
        .path = {}};
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      handler.assignments.push_back({.target = held_[i], .value = inputs_[i]});
    }
    to_.flat().handlers.push_back(std::move(handler));
  }

  std::shared_ptr<const CoupledModel> model_;
  const ExchangeLayout& layout_;
  EquationWriter to_;
  ExprGraph& graph_;
  std::size_t num_continuous_;
  std::size_t num_discrete_;
  std::vector<Expr> inputs_;  // Elements: continuous ones, then others.
  std::vector<Expr> held_;    // Likewise, as the FMU has them.
  Expr epoch_;
  Expr next_;
  Expr settles_;
  Expr ends_;
};

}  // namespace

FlatModel CoupledEquationsOf(const Fmu& fmu,
                             std::span<const ParameterText> texts,
                             std::optional<double> step) {
  return CoupledBuilder(std::make_shared<const CoupledModel>(fmu, texts, step))
      .Build();
}

}  // namespace orrery::fmi
