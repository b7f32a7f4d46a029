#include "orrery/experiment/measures/measure_reader.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_map>

#include "orrery/base/error.h"

namespace orrery::experiment::internal {

namespace ast = modelica::ast;
using modelica::FormulaMistake;

struct FunctionalInfo {
  Functional functional = Functional::kFinal;
  bool of_condition = false;
  std::size_t least_arguments = 1;
  std::size_t most_arguments = 1;
};

namespace {

const std::unordered_map<std::string_view, FunctionalInfo>& Functionals() {
  using enum Functional;
  static const std::unordered_map<std::string_view, FunctionalInfo> all = {
      {"final", {kFinal}},
      {"initial", {kInitial}},
      {"at", {kAt, false, 2, 2}},
      {"max", {kMax}},
      {"min", {kMin}},
      {"time_of_max", {kTimeOfMax}},
      {"time_of_min", {kTimeOfMin}},
      {"integral", {kIntegral}},
      {"mean", {kMean}},
      {"rms", {kRms}},
      {"first", {kFirst, true}},
      {"duration", {kDuration, true}},
      {"count", {kCount, true}},
      {"settling_time", {kSettlingTime, false, 1, 3}},
      {"rise_time", {kRiseTime}},
      {"overshoot", {kOvershoot, false, 1, 2}},
  };
  return all;
}

}  // namespace

std::string WithoutPercents(std::string_view text) {
  std::string result;
  std::size_t number = std::string::npos;  // Where a number begins in the
                                           // result.
  for (const char c : text) {
    const bool is_of_number =
        std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
    if (c == '%' && number != std::string::npos) {
      result.insert(number, "(");
      result += "/100)";
      number = std::string::npos;
      continue;
    }
    const bool goes_on =
        !result.empty() &&
        (std::isalnum(static_cast<unsigned char>(result.back())) != 0 ||
         result.back() == '_' || result.back() == ']');
    if (!is_of_number) {
      number = std::string::npos;
    } else if (number == std::string::npos && !goes_on) {
      number = result.size();
    }
    result += c;
  }
  return result;
}

MeasureReader::MeasureReader(ExprGraph& graph,
                             std::string_view text,
                             const SignalTable& signals)
    : FormulaReader(graph, text, "measure"),
      signals_(signals),
      time_(graph.Symbol({.name = "time", .shape = {}})) {}

Expr MeasureReader::Find(const ast::ComponentReference& reference) {
  const std::string name = NameOf(reference.span);
  if (name == "time") {
    if (depth_ == 0) {
      throw FormulaMistake{reference.span,
                           "the time is no number that a run comes to",
                           "say which time, as in final(time)"};
    }
    return time_;
  }
  return FindSignal(name, reference.span);
}

Expr MeasureReader::FindSignal(const std::string& name, const ast::Span& span) {
  const std::optional<std::size_t> signal = signals_.Find(name);
  if (!signal) {
    std::vector<std::string> known = {"time"};
    for (const SignalInfo& info : signals_.signals()) {
      known.push_back(info.name);
    }
    throw FormulaMistake{span,
                         "the results have no signal '" + name + "'",
                         Suggest(name, known)};
  }
  const Expr symbol = SymbolOf(*signal);
  return depth_ == 0 ? Take({.functional = Functional::kFinal,
                             .formula = symbol,
                             .arguments = {},
                             .value = {}})
                     : symbol;
}

Expr MeasureReader::SymbolOf(std::size_t signal) {
  for (const auto& [number, symbol] : symbols_) {
    if (number == signal) {
      return symbol;
    }
  }
  symbols_.emplace_back(
      signal,
      graph().Symbol({.name = signals_.signals()[signal].name, .shape = {}}));
  return symbols_.back().second;
}

std::string MeasureReader::UnitOf(const Taken& taken) const {
  switch (taken.functional) {
    case Functional::kTimeOfMax:
    case Functional::kTimeOfMin:
    case Functional::kFirst:
    case Functional::kDuration:
    case Functional::kSettlingTime:
    case Functional::kRiseTime:
      return "s";
    case Functional::kIntegral:
    case Functional::kCount:
    case Functional::kOvershoot:
      return "";
    default:
      break;
  }
  const SignalInfo* const signal = SignalOf(taken.formula);
  return signal == nullptr ? "" : signal->unit;
}

// Returns null if the symbol is not that of a signal.
const SignalInfo* MeasureReader::SignalOf(Expr symbol) const {
  const auto found = std::ranges::find(
      symbols_, symbol, &std::pair<std::size_t, Expr>::second);
  return found == symbols_.end() ? nullptr : &signals_.signals()[found->first];
}

// True for a Boolean signal, or a value of one.
bool MeasureReader::IsTruth(Expr number) const {
  const auto taken = std::ranges::find(taken_, number, &Taken::value);
  if (taken == taken_.end()) {
    const SignalInfo* const signal = SignalOf(number);
    return signal != nullptr && signal->is_boolean();
  }
  switch (taken->functional) {
    case Functional::kFinal:
    case Functional::kInitial:
    case Functional::kAt:
    case Functional::kMax:
    case Functional::kMin:
      return IsTruth(taken->formula);
    default:
      return false;
  }
}

Expr MeasureReader::Take(Taken what) {
  what.value = graph().Symbol({.name = "taken", .shape = {}});
  taken_.push_back(std::move(what));
  return taken_.back().value;
}

Expr MeasureReader::Apply(const ast::Call& call, const ast::Span& span) {
  const std::string name = ast::ToString(call.function);
  if (name == "der") {
    return FindSignal(NameOf(span), span);
  }
  const auto found = Functionals().find(name);
  const bool is_extreme_of_two =
      (name == "max" || name == "min") && call.arguments.size() == 2;
  if (found == Functionals().end() || is_extreme_of_two) {
    std::vector<std::string> others;
    for (const auto& [spelling, info] : Functionals()) {
      others.emplace_back(spelling);
    }
    return ApplyElementary(call, span, others);
  }
  return Apply(found->second, call, span);
}

Expr MeasureReader::Apply(const FunctionalInfo& info,
                          const ast::Call& call,
                          const ast::Span& span) {
  if (call.arguments.size() < info.least_arguments ||
      call.arguments.size() > info.most_arguments || !call.iterators.empty()) {
    const std::string least = std::to_string(info.least_arguments);
    const std::string most = std::to_string(info.most_arguments);
    throw FormulaMistake{span,
                         "'" + ast::ToString(call.function) + "' takes " +
                             (least == most ? least : least + " to " + most) +
                             (most == "1" ? " argument" : " arguments"),
                         ""};
  }
  Taken what{.functional = info.functional,
             .formula = {},
             .arguments = {},
             .value = {}};
  ++depth_;
  const ast::Expression& formula = *call.arguments[0].value;
  what.formula = info.of_condition ? Condition(formula) : Number(formula);
  --depth_;
  const int depth = std::exchange(depth_, 0);
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    what.arguments.push_back(Number(*call.arguments[i].value));
  }
  depth_ = depth;
  return Take(std::move(what));
}

}  // namespace orrery::experiment::internal
