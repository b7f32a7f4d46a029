#include "orrery/fmi/exchange/exchange_equations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/fmi/exchange/equation_writer.h"
#include "orrery/fmi/exchange/exchange_formulas.h"
#include "orrery/fmi/exchange/exchange_instance.h"
#include "orrery/fmi/exchange/exchange_variables.h"
#include "orrery/symbolic/element.h"

namespace orrery::fmi {
namespace {

// The arguments of the functions of a point: these come first.
constexpr std::size_t kHandle = 0;
constexpr std::size_t kEpoch = 1;
constexpr std::size_t kTime = 2;
constexpr std::size_t kStates = 3;

/// Builds the equations.
class EquationBuilder {
 public:
  explicit EquationBuilder(std::shared_ptr<const ExchangeModel> model)
      : model_(std::move(model)),
        its_(model_->description()),
        layout_(model_->layout()),
        to_(its_),
        graph_(to_.graph()) {}

  FlatModel Build() {
    to_.Declare(layout_);
    handle_ = to_.handle();
    epoch_ = to_.AddHeld("epoch");
    next_ = to_.AddHeld("next event");
    goes_on_ = to_.AddHeld("goes on");
    ends_ = to_.AddHeld("ends");
    AddStart();
    AddMotion();
    AddDiscrete();
    AddIndicators();
    AddUpdate();
    AddRest();
    return std::move(to_.flat());
  }

 private:
  // The arguments of functions of a point.
  std::vector<Expr> PointArguments() {
    std::vector<Expr> arguments = {handle_, epoch_, to_.flat().time};
    for (const VariableRow* row :
         {&layout_.states, &layout_.continuous_inputs}) {
      const auto elements = to_.ElementsOf(*row);
      arguments.insert(arguments.end(), elements.begin(), elements.end());
    }
    return arguments;
  }

  // A point among arguments.
  [[nodiscard]] static ExchangeInstance::Point PointIn(
      std::span<const double> arguments, std::size_t n, std::size_t m) {
    return {.t = arguments[kTime],
            .x = arguments.subspan(kStates, n),
            .u = arguments.subspan(kStates + n, m)};
  }

  // Puts NaN in place of inputs that are not used.
  void LeaveOutUnused(std::span<const std::uint8_t> uses,
                      std::vector<Expr>& arguments) {
    const VariableRow& inputs = layout_.continuous_inputs;
    const std::size_t first = kStates + layout_.states.size();
    for (std::size_t k = 0; k < uses.size(); ++k) {
      for (std::size_t i = 0; uses[k] == 0 && i < inputs.count(k); ++i) {
        arguments[first + inputs.place(k) + i] =
            graph_.Constant(std::numeric_limits<double>::quiet_NaN());
      }
    }
  }

  std::vector<Expr> ResultsAtPoint(const std::string& name,
                                   Computed what,
                                   std::size_t count) {
    std::vector<Expr> arguments = PointArguments();
    const std::size_t n = layout_.states.size();
    const std::size_t m = layout_.continuous_inputs.size();
    const bool are_results = what.kind == Computed::Kind::kResults;
    if (are_results) {
      LeaveOutUnused(layout_.results[what.group].uses, arguments);
    }
    const auto function = to_.Make(
        name,
        arguments.size(),
        count,
        [what, n, m](std::span<const double> in, std::span<double> out) {
          ExchangeInstance::Of(in[kHandle])
              .Compute(what, PointIn(in, n, m), in[kEpoch], out);
        });
    const bool has_tangent =
        what.kind == Computed::Kind::kDerivatives ||
        (are_results && layout_.results[what.group].are_outputs);
    if (has_tangent && model_->interface().provides_directional_derivatives) {
      function->tangent = [what, n, m, size = arguments.size()](
                              std::span<const double> in,
                              std::span<double> out) {
        ExchangeInstance::Of(in[kHandle])
            .Differentiate(what,
                           PointIn(in, n, m),
                           in[kEpoch],
                           PointIn(in.subspan(size), n, m),
                           out);
      };
    }
    function->sizes.assign(arguments.size(), 1.0);
    const auto note_sizes = [&](const VariableRow& row, std::size_t first) {
      for (std::size_t k = 0; k < row.variables().size(); ++k) {
        const auto& nominal = its_.variables[row.variables()[k]].nominal;
        for (std::size_t i = 0; i < row.count(k); ++i) {
          function->sizes[first + row.place(k) + i] =
              std::abs(nominal.value_or(1.0));
        }
      }
    };
    note_sizes(layout_.states, kStates);
    note_sizes(layout_.continuous_inputs, kStates + n);
    return to_.Results(function, arguments);
  }

  // Sets the elements of a row's variables to formulas.
  void StateAll(const VariableRow& row, std::span<const Expr> values) {
    const std::vector<Expr> elements = to_.ElementsOf(row);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      to_.State(elements[i], AsType(values[i], elements[i].type()));
    }
  }

  void AddStart() {
    std::vector<Expr> arguments = {handle_, to_.flat().time};
    const std::array rows = {
        &layout_.parameters, &layout_.states, &layout_.discrete_inputs};
    for (const VariableRow* row : rows) {
      AddArguments(*row, arguments);
    }
    std::array<std::size_t, 3> sizes{};
    std::ranges::transform(rows, sizes.begin(), &VariableRow::size);
    const auto results = to_.Results(
        to_.Make("start",
                 arguments.size(),
                 1,
                 [sizes](std::span<const double> in, std::span<double> out) {
                   ExchangeInstance& instance = ExchangeInstance::Of(in[0]);
                   std::array<std::span<const double>, 3> parts;
                   std::size_t first = 2;
                   for (std::size_t i = 0; i < parts.size(); ++i) {
                     parts[i] = in.subspan(first, sizes[i]);
                     first += sizes[i];
                   }
                   instance.Start({.t = in[1],
                                   .parameters = parts[0],
                                   .x = parts[1],
                                   .discrete_inputs = parts[2]});
                   out[0] = instance.epoch();
                 }),
        arguments);
    to_.StateInitially(epoch_, results[0]);
    to_.StateInitially(next_,
                       graph_.Constant(std::numeric_limits<double>::max()));
    to_.StateInitially(goes_on_, graph_.Constant(0));
    to_.StateInitially(ends_, graph_.Constant(0));
    AddStartStates();
  }

  // The states whose starts the FMU computes.
  void AddStartStates() {
    const std::vector<bool> are_exact = AreExact();
    if (std::ranges::find(are_exact, false) == are_exact.end()) {
      return;
    }
    std::vector<Expr> arguments = {handle_, epoch_};
    const auto inputs = to_.ElementsOf(layout_.continuous_inputs);
    arguments.insert(arguments.end(), inputs.begin(), inputs.end());
    const auto results = to_.Results(
        to_.Make("start states",
                 arguments.size(),
                 are_exact.size(),
                 [](std::span<const double> in, std::span<double> out) {
                   ExchangeInstance::Of(in[kHandle])
                       .GetStartStates(in.subspan(kTime), in[kEpoch], out);
                 }),
        arguments);
    const std::vector<Expr> states = to_.ElementsOf(layout_.states);
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (!are_exact[i]) {
        to_.StateInitially(states[i], results[i]);
      }
    }
  }

  // The start values of states that the FMU computes are no arguments.
  void AddArguments(const VariableRow& row, std::vector<Expr>& arguments) {
    std::vector<Expr> elements = to_.ElementsOf(row);
    if (&row == &layout_.states) {
      const std::vector<bool> are_exact = AreExact();
      for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!are_exact[i]) {
          elements[i] = graph_.Constant(0);
        }
      }
    }
    arguments.insert(arguments.end(), elements.begin(), elements.end());
  }

  // By state, whether its start is exact.
  [[nodiscard]] std::vector<bool> AreExact() const {
    std::vector<bool> are_exact;
    for (std::size_t k = 0; k < layout_.are_starts_exact.size(); ++k) {
      are_exact.insert(are_exact.end(),
                       layout_.states.count(k),
                       layout_.are_starts_exact[k] != 0);
    }
    return are_exact;
  }

  void AddMotion() {
    const std::size_t n = layout_.states.size();
    const std::vector<Expr> states = to_.ElementsOf(layout_.states);
    std::vector<Expr> rates;
    if (n > 0) {
      rates = ResultsAtPoint(
          "derivatives", {.kind = Computed::Kind::kDerivatives}, n);
    }
    for (std::size_t i = 0; i < n; ++i) {
      to_.State(graph_.Der(states[i]), rates[i]);
    }
    for (const auto& [variable, state] : layout_.derivatives) {
      if (to_.SymbolOf(variable)) {
        const auto elements = orrery::ElementsOf(to_.SymbolOf(variable));
        for (std::size_t i = 0; i < elements.size(); ++i) {
          to_.State(elements[i],
                    graph_.Der(states[layout_.states.place(state) + i]));
        }
      }
    }
    for (std::size_t k = 0; k < layout_.results.size(); ++k) {
      const ResultGroup& group = layout_.results[k];
      StateAll(group.row,
               ResultsAtPoint(group.are_outputs ? "outputs" : "locals",
                              {.kind = Computed::Kind::kResults, .group = k},
                              group.row.size()));
    }
    for (const auto& [alias, of] : layout_.aliases) {
      to_.State(to_.SymbolOf(alias), ValueOf(of));
    }
  }

  // The formula of a variable, which may be the derivative of a state.
  Expr ValueOf(VariableIndex variable) {
    if (to_.SymbolOf(variable)) {
      return to_.SymbolOf(variable);
    }
    const auto found =
        std::ranges::find(layout_.derivatives,
                          variable,
                          &std::pair<VariableIndex, std::size_t>::first);
    return graph_.Der(to_.SymbolOf(layout_.states.variables()[found->second]));
  }

  void AddDiscrete() {
    const std::array arguments = {handle_, epoch_};
    if (const std::size_t count = layout_.told_clocks.size(); count > 0) {
      const auto counts = to_.Results(
          to_.Make("ticks",
                   arguments.size(),
                   count,
                   [](std::span<const double> in, std::span<double> out) {
                     ExchangeInstance::Of(in[kHandle])
                         .GetTickCounts(in[kEpoch], out);
                   }),
          arguments);
      for (std::size_t i = 0; i < count; ++i) {
        const Expr symbol = to_.SymbolOf(layout_.told_clocks[i]);
        to_.State(symbol, AsType(counts[i], symbol.type()));
      }
    }
    if (layout_.discrete.size() == 0) {
      return;
    }
    StateAll(layout_.discrete,
             to_.Results(to_.Make("discrete",
                                  arguments.size(),
                                  layout_.discrete.size(),
                                  [](std::span<const double> in,
                                     std::span<double> out) {
                                    ExchangeInstance::Of(in[kHandle])
                                        .GetDiscrete(in[kEpoch], out);
                                  }),
                         arguments));
  }

  void AddIndicators() {
    const std::size_t count = its_.num_event_indicators;
    if (count == 0) {
      return;
    }
    const auto results = ResultsAtPoint(
        "indicators", {.kind = Computed::Kind::kIndicators}, count);
    for (std::size_t i = 0; i < count; ++i) {
      const Expr truth = to_.AddHidden("indicator " + std::to_string(i + 1),
                                       orrery::ValueType::kBoolean,
                                       orrery::Variability::kDiscrete);
      to_.State(truth,
                graph_.Binary(Op::kLess, graph_.Constant(0), results[i]));
      to_.Label(truth,
                "event indicator " + std::to_string(i + 1),
                MeaningOfIndicator(its_, i));
      truths_.push_back(truth);
    }
  }

  // The handler of all events; one is when the FMU said so.
  void AddUpdate() {
    const Expr is_due = to_.AddHidden("time event",
                                      orrery::ValueType::kBoolean,
                                      orrery::Variability::kDiscrete);
    to_.State(is_due, graph_.Binary(Op::kLessEqual, next_, to_.flat().time));
    to_.Label(is_due, "time event", "");
    std::vector<Expr> arguments = PointArguments();
    for (const auto& elements : {to_.ElementsOf(layout_.discrete_inputs),
                                 TriggeredClocks(),
                                 to_.ElementsOf(layout_.parameters)}) {
      arguments.insert(arguments.end(), elements.begin(), elements.end());
    }
    const std::size_t n = layout_.states.size();
    const std::size_t m = layout_.continuous_inputs.size();
    const std::size_t num_discrete = layout_.discrete_inputs.size();
    const std::size_t num_clocks = layout_.triggered_clocks.size();
    const auto results = to_.Results(
        to_.Make("update",
                 arguments.size(),
                 4 + n,
                 [n, m, num_discrete, num_clocks](std::span<const double> in,
                                                  std::span<double> out) {
                   ExchangeInstance& instance =
                       ExchangeInstance::Of(in[kHandle]);
                   const auto rest = in.subspan(kStates + n + m);
                   const auto update = instance.UpdateDiscreteStates(
                       PointIn(in, n, m),
                       {.discrete = rest.first(num_discrete),
                        .tick_counts = rest.subspan(num_discrete, num_clocks),
                        .parameters = rest.subspan(num_discrete + num_clocks)});
                   out[0] = instance.epoch();
                   out[1] = update.next_time;
                   out[2] = update.goes_on ? 1 : 0;
                   out[3] = update.is_terminated ? 1 : 0;
                   std::ranges::copy(instance.x(), out.begin() + 4);
                 }),
        arguments);
    const Expr half = graph_.Constant(0.5);
    EventHandler handler{.condition = NeedsUpdate(half),
                         .assignments = {},
                         .path = {},
                         .is_of_each_event = true};
    std::vector<Expr> targets = {epoch_, next_, goes_on_, ends_};
    const auto states = to_.ElementsOf(layout_.states);
    targets.insert(targets.end(), states.begin(), states.end());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      handler.assignments.push_back(
          {.target = targets[i], .value = results[i]});
    }
    to_.flat().handlers.push_back(std::move(handler));
    to_.EndWhere(ends_);
  }

  // The counts at whose rises they tick.
  std::vector<Expr> TriggeredClocks() {
    std::vector<Expr> counts;
    for (const VariableIndex clock : layout_.triggered_clocks) {
      counts.push_back(to_.SymbolOf(clock));
    }
    return counts;
  }

  // Holds after the first pass of an event: the FMU wants another one, or what
  // comes from outside has changed since the last.
  Expr NeedsUpdate(Expr half) {
    const Expr goes_on = graph_.Binary(Op::kLess, half, goes_on_);
    std::vector<Expr> inputs = to_.ElementsOf(layout_.discrete_inputs);
    std::ranges::move(TriggeredClocks(), std::back_inserter(inputs));
    if (inputs.empty() && layout_.continuous_inputs.size() == 0) {
      return goes_on;
    }
    inputs.insert(inputs.end(), truths_.begin(), truths_.end());
    return graph_.Binary(Op::kOr, goes_on, HasChanged(graph_, inputs));
  }

  void AddRest() {
    ForeignPart part{.model = model_, .handle = handle_, .after_step = {}};
    if (model_->interface().needs_completed_step && layout_.states.size() > 0) {
      const std::vector<Expr> arguments = PointArguments();
      const std::size_t n = layout_.states.size();
      const std::size_t m = layout_.continuous_inputs.size();
      part.after_step = to_.Results(
          to_.Make("step",
                   arguments.size(),
                   1,
                   [n, m](std::span<const double> in, std::span<double> out) {
                     out[0] =
                         ExchangeInstance::Of(in[kHandle])
                                 .CompleteStep(PointIn(in, n, m), in[kEpoch])
                             ? 1
                             : 0;
                   }),
          arguments)[0];
    }
    to_.flat().foreign_parts.push_back(std::move(part));
  }

  std::shared_ptr<const ExchangeModel> model_;
  const Description& its_;
  const ExchangeLayout& layout_;
  EquationWriter to_;
  ExprGraph& graph_;
  std::vector<Expr> truths_;  // By event indicator.
  Expr handle_;
  Expr epoch_;
  Expr next_;
  Expr goes_on_;
  Expr ends_;
};

}  // namespace

FlatModel EquationsOf(const Fmu& fmu,
                      std::span<const ParameterText> texts,
                      std::span<const ParameterText> sizes) {
  return EquationBuilder(
             std::make_shared<const ExchangeModel>(fmu, texts, sizes))
      .Build();
}

}  // namespace orrery::fmi
