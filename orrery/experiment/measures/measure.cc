#include "orrery/experiment/measures/measure.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/source_file.h"
#include "orrery/experiment/measures/functional_derivatives.h"
#include "orrery/experiment/measures/functionals.h"
#include "orrery/experiment/measures/measure_content.h"
#include "orrery/experiment/measures/measure_reader.h"
#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/tape/tape_tangents.h"
#include "orrery/syntax/parser.h"

namespace orrery {

namespace internal = experiment::internal;

using internal::Functional;

namespace {

// Reports errors as those of an argument, since a measure is no model.
void ThrowIfErrors(const Diagnostics& diagnostics) {
  if (diagnostics.error_count() > 0) {
    throw Error(ErrorCode::kInvalidArgument, diagnostics.list());
  }
}

}  // namespace

void Measure::Content::Compile(const internal::MeasureReader& reader,
                               Expr result) {
  // Every symbol, and each target made here, has the slot of its number.
  const auto target = [&](const char* name) {
    return graph.Symbol({.name = name, .shape = {}});
  };
  std::vector<std::vector<TapeAssignment>> sections;
  const auto assign = [&](Expr value) {
    const Expr symbol = target("formula");
    sections.back().push_back(
        {.target = symbol, .value = value, .iterators = {}});
    return graph.SymbolOrdinal(symbol);
  };
  const std::uint32_t time_slot = graph.SymbolOrdinal(reader.time());
  for (const internal::Taken& taken : reader.taken()) {
    internal::MeasureStep step{
        .functional = taken.functional,
        .formula = {.section = sections.size(), .time_slot = time_slot},
        .argument_slots = {},
        .value_slot = graph.SymbolOrdinal(taken.value)};
    internal::FormulaCode& code = step.formula;
    sections.emplace_back();
    code.result_slot = assign(taken.formula);
    for (const Expr argument : taken.arguments) {
      step.argument_slots.push_back(assign(argument));
    }
    if (taken.formula.type() == ValueType::kBoolean) {
      for (const auto& [left, right] : internal::RelationsIn(taken.formula)) {
        code.relations.emplace_back(assign(left), assign(right));
      }
    }
    code.swift_section = sections.size();
    sections.emplace_back();
    for (const auto& argument : internal::SwiftArguments(taken.formula)) {
      code.swift_arguments.push_back({.place = assign(argument.place),
                                      .is_relative = argument.is_relative,
                                      .range = argument.range});
    }
    steps.push_back(std::move(step));
  }
  const Expr symbol = target("result");
  result_section = sections.size();
  result_slot = graph.SymbolOrdinal(symbol);
  if (reader.taken().size() == 1 && reader.taken().front().value == result) {
    unit = reader.UnitOf(reader.taken().front());
  }
  sections.push_back({{.target = symbol, .value = result, .iterators = {}}});
  for (const auto& [signal, of_signal] : reader.symbols()) {
    signals.push_back(graph.NameOf(of_signal));
    signal_slots.push_back(graph.SymbolOrdinal(of_signal));
  }

  std::vector<std::uint32_t> slots(graph.num_symbols());
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    slots[i] = i;
  }
  TapeBuilder builder(graph, slots, slots.size());
  for (const auto& section : sections) {
    builder.AddSection(section);
  }
  tape = std::move(builder).Finish();
}

double Measure::Content::Take(const internal::MeasureStep& step,
                              internal::RunFormula& e,
                              const std::vector<double>& memory) const {
  const double length = e.stop() - e.start();
  const double first = e[0];
  const double last = e[e.rows() - 1];
  const auto argument = [&](std::size_t i, double otherwise) {
    return i < step.argument_slots.size() ? memory[step.argument_slots[i]]
                                          : otherwise;
  };
  switch (step.functional) {
    case Functional::kFinal:
      return last;
    case Functional::kInitial:
      return first;
    case Functional::kAt:
      return internal::ValueAt(e, argument(0, 0));
    case Functional::kMax:
      return internal::Maximum(e).value;
    case Functional::kMin:
      return internal::Minimum(e).value;
    case Functional::kTimeOfMax:
      return internal::Maximum(e).since;
    case Functional::kTimeOfMin:
      return internal::Minimum(e).since;
    case Functional::kIntegral:
      return internal::Integral(e);
    case Functional::kMean:
      return length > 0 ? internal::Integral(e) / length : last;
    case Functional::kRms:
      return length > 0 ? std::sqrt(internal::IntegralOfSquare(e) / length)
                        : std::abs(last);
    case Functional::kFirst:
      return internal::WhereItHolds(e).first;
    case Functional::kDuration:
      return internal::WhereItHolds(e).duration;
    case Functional::kCount:
      return internal::WhereItHolds(e).count;
    case Functional::kSettlingTime: {
      const double target = argument(1, last);
      const double band = argument(0, 0.02) * std::abs(target - first);
      return internal::SettledSince(e, target, band) - e.start();
    }
    case Functional::kRiseTime: {
      const double way = last - first;
      const Direction direction =
          way < 0 ? Direction::kFalling : Direction::kRising;
      return internal::FirstReached(e, first + 0.9 * way, direction) -
             internal::FirstReached(e, first + 0.1 * way, direction);
    }
    case Functional::kOvershoot: {
      const double target = argument(0, last);
      const double way = target - first;
      const double peak =
          (way < 0 ? internal::Minimum(e) : internal::Maximum(e)).value;
      return std::max(0.0, (peak - target) / way);
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Measure::Measure(const std::string& text, const SignalTable& signals)
    : text_(text) {
  const auto file = std::make_shared<const SourceFile>(
      "measure", internal::WithoutPercents(text));
  Diagnostics diagnostics;
  const modelica::ParsedExpression parsed =
      modelica::ParseExpression(file, diagnostics);
  ThrowIfErrors(diagnostics);
  const auto content = std::make_shared<Content>();
  internal::MeasureReader reader(content->graph, file->text(), signals);
  try {
    const Expr result = reader.Read(*parsed.expression);
    content->is_condition = result.type() == ValueType::kBoolean;
    content->Compile(reader, result);
  } catch (const modelica::FormulaMistake& mistake) {
    diagnostics.Add(MakeDiagnostic(
        Severity::kError,
        {.file = file, .begin = mistake.span.begin, .end = mistake.span.end},
        mistake.message,
        mistake.hint));
    ThrowIfErrors(diagnostics);
  }
  content_ = content;
}

bool Measure::is_condition() const noexcept {
  return content_->is_condition;
}

const std::string& Measure::unit() const noexcept {
  return content_->unit;
}

const std::vector<std::string>& Measure::signals() const noexcept {
  return content_->signals;
}

bool Measure::Content::needs_last_row_only() const noexcept {
  return std::ranges::all_of(steps, [](const internal::MeasureStep& step) {
    return step.functional == Functional::kFinal;
  });
}

bool Measure::needs_last_row_only() const noexcept {
  return content_->needs_last_row_only();
}

std::vector<internal::SignalSlot> Measure::Content::SignalsOf(
    const Trajectory& run) const {
  const bool of_last_row = needs_last_row_only();
  const std::span<const double> none;
  std::vector<internal::SignalSlot> found;
  found.reserve(signals.size());
  for (std::size_t i = 0; i < signals.size(); ++i) {
    found.push_back(
        {{run[signals[i]], of_last_row ? none : run.time()}, signal_slots[i]});
  }
  return found;
}

double Measure::Of(const Trajectory& run) const {
  if (run.rows() == 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  std::vector<double> memory = content_->tape->NewMemory();
  const std::vector<internal::SignalSlot> signals = content_->SignalsOf(run);
  for (const internal::MeasureStep& step : content_->steps) {
    internal::RunFormula formula =
        content_->FormulaOf(step, run, signals, memory);
    memory[step.value_slot] = content_->Take(step, formula, memory);
  }
  content_->tape->Run(content_->result_section, memory.data());
  return memory[content_->result_slot];
}

bool Measure::is_differentiable() const noexcept {
  return !content_->is_condition &&
         std::ranges::none_of(content_->steps,
                              [](const internal::MeasureStep& step) {
                                switch (step.functional) {
                                  case Functional::kTimeOfMax:
                                  case Functional::kTimeOfMin:
                                  case Functional::kFirst:
                                  case Functional::kDuration:
                                  case Functional::kCount:
                                    return true;
                                  default:
                                    return false;
                                }
                              });
}

std::vector<double> Measure::Gradient(const Trajectory& run,
                                      std::span<const std::string> with) const {
  std::vector<double> gradient(with.size(), kNaN);
  if (run.rows() == 0 || !is_differentiable()) {
    return gradient;
  }
  const Content& content = *content_;
  const std::vector<internal::SignalSlot> signals = content.SignalsOf(run);
  std::vector<double> memory = content.tape->NewMemory();
  for (std::size_t j = 0; j < with.size(); ++j) {
    const internal::MovingSignals moving =
        internal::FindMoving(run, with[j], signals);
    TapeTangents tangents(*content.tape);
    for (const internal::MeasureStep& step : content.steps) {
      internal::RunFormula e = content.FormulaOf(step, run, signals, memory);
      const double value = content.Take(step, e, memory);
      const double moves =
          internal::DerivativeOf(step, e, moving, memory, tangents);
      memory[step.value_slot] = value;
      tangents[step.value_slot] = moves;
    }
    tangents.Run(content.result_section, memory.data());
    gradient[j] = tangents[content.result_slot];
  }
  return gradient;
}

}  // namespace orrery
