#include "orrery/modelica/equations/clock_ticks.h"

#include <string>
#include <utility>

#include "orrery/model/flat_model.h"
#include "orrery/modelica/session/session.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

double ToDouble(const Rational& number) {
  return number.convert_to<double>();
}

}  // namespace

ClockTicks& TickTable::Of(Expr variable, const SourceSpan& span) {
  return Of(*partitions_.ClockOf(variable), span);
}

ClockTicks& TickTable::Of(const TickTimes& times, const SourceSpan& span) {
  const auto [found, is_new] =
      ticks_.try_emplace({times.source, times.rate.factor, times.rate.shift});
  ClockTicks& ticks = found->second;
  if (is_new) {
    ticks.times = &times;
    ticks.name = "clock" + std::to_string(ticks_.size());
    ticks.span = times.source == nullptr ? span : times.source->span;
    SetActive(ticks);
    ExprGraph& graph = session_.graph;
    ticks.ticked = Hidden("ticked", ValueType::kBoolean, ticks);
    variables_.Equate(
        ticks.ticked,
        graph.Binary(Op::kOr, ticks.active, graph.Pre(ticks.ticked)),
        ticks.span);
  }
  return ticks;
}

void TickTable::SetActive(ClockTicks& ticks) {
  ExprGraph& graph = session_.graph;
  const ClockUse* const source = ticks.times->source;
  if (source != nullptr && source->kind == ClockUse::Kind::kEvent) {
    ticks.active = ActiveOfEvent(*source);
    TakeEvery(ticks, ticks.times->rate);
    return;
  }
  if (source != nullptr && source->kind == ClockUse::Kind::kVarying) {
    const Parts& parts = PartsOf(*source);
    ticks.active = parts.is_over;
    TakeEvery(ticks,
              {.factor = ticks.times->rate.factor * parts.count,
               .shift = ticks.times->rate.shift * parts.count});
    return;
  }
  const auto times = [&](const Rational& factor) {
    const Expr number = graph.Constant(ToDouble(factor));
    return source == nullptr
               ? number
               : graph.Binary(Op::kMultiply, number, source->interval);
  };
  const Expr first = graph.Constant(session_.flat.experiment.start.value_or(0));
  ticks.interval = times(ticks.times->rate.factor);
  ticks.active = graph.Sample(
      graph.Binary(Op::kAdd, first, times(ticks.times->rate.shift)),
      ticks.interval);
}

// A clock ticks one pass of the event iteration after its condition became
// true, since discrete variables may make the condition false again.
Expr TickTable::ActiveOfEvent(const ClockUse& source) {
  ExprGraph& graph = session_.graph;
  const Expr due =
      graph.Symbol({.name = "due(" + graph.NameOf(source.condition) + ")",
                    .type = ValueType::kBoolean});
  variables_.Declare(due, source.span);
  variables_.Equate(due, graph.Pre(source.condition), source.span);
  const Expr rises =
      graph.Binary(Op::kAnd, due, graph.Unary(Op::kNot, graph.Pre(due)));
  return graph.Binary(
      Op::kAnd, rises, graph.Unary(Op::kNot, session_.flat.initial));
}

// Lengths and origins of intervals are counted in the clock's units, so that
// rounding errors do not add up.
TickTable::Parts& TickTable::PartsOf(const ClockUse& source) {
  const auto [found, is_new] = parts_.try_emplace(&source);
  Parts& parts = found->second;
  if (!is_new) {
    return parts;
  }
  ExprGraph& graph = session_.graph;
  const auto declare = [&](const char* what, ValueType type, double start) {
    const Expr symbol = graph.Symbol(
        {.name = "parts" + std::to_string(parts_.size()) + what, .type = type});
    Variable& variable = variables_.Declare(symbol, source.span);
    variable.start = graph.Constant(start, type);
    variable.fixed = true;
    return symbol;
  };
  const ValueType unit = source.argument.type();
  parts.count = partitions_.PartsOf(source);
  parts.number =
      declare(".number", ValueType::kInteger, ToDouble(parts.count) - 1);
  parts.length = declare(".length", unit, 0);
  parts.origin = declare(".origin", unit, 0);
  parts.first =
      graph.Symbol({.name = "parts" + std::to_string(parts_.size()) + ".first",
                    .type = ValueType::kReal});
  variables_.Declare(parts.first, source.span);
  parts.end =
      graph.Symbol({.name = "parts" + std::to_string(parts_.size()) + ".end",
                    .type = ValueType::kReal});
  variables_.Declare(parts.end, source.span);
  parts.is_over = graph.Binary(
      Op::kAnd,
      graph.Unary(Op::kNot, session_.flat.initial),
      graph.Binary(Op::kLessEqual, graph.Pre(parts.end), session_.flat.time));
  AdvanceParts(parts, source);
  return parts;
}

// The length of an interval is read when its first part begins.
void TickTable::AdvanceParts(const Parts& parts, const ClockUse& source) {
  ExprGraph& graph = session_.graph;
  const ValueType unit = source.argument.type();
  const Expr count = graph.Constant(ToDouble(parts.count), unit);
  const Expr one = graph.Constant(1, ValueType::kInteger);
  const Expr is_last = graph.Binary(
      Op::kLessEqual,
      graph.Constant(ToDouble(parts.count) - 1, ValueType::kInteger),
      graph.Pre(parts.number));
  const Expr begins = graph.Binary(Op::kAnd, parts.is_over, is_last);
  const auto update = [&](Expr variable, Expr condition, Expr value) {
    variables_.Equate(variable,
                      graph.Select(condition, value, graph.Pre(variable)),
                      source.span);
  };
  update(parts.number,
         parts.is_over,
         graph.Select(is_last,
                      graph.Constant(0, ValueType::kInteger),
                      graph.Binary(Op::kAdd, graph.Pre(parts.number), one)));
  update(parts.length, begins, source.argument);
  update(
      parts.origin,
      begins,
      graph.Binary(Op::kAdd, graph.Pre(parts.origin), graph.Pre(parts.length)));
  update(parts.first, session_.flat.initial, session_.flat.time);
  const Expr units =
      graph.Binary(Op::kAdd,
                   graph.Binary(Op::kMultiply, parts.origin, count),
                   graph.Binary(Op::kMultiply,
                                graph.Binary(Op::kAdd, parts.number, one),
                                parts.length));
  const Expr per_second = graph.Constant(
      ToDouble(parts.count) * static_cast<double>(source.resolution));
  variables_.Equate(
      parts.end,
      graph.Binary(
          Op::kAdd, parts.first, graph.Binary(Op::kDivide, units, per_second)),
      source.span);
  session_.flat.assertions.push_back(
      {.condition = graph.Binary(
           Op::kOr,
           graph.Unary(Op::kNot, begins),
           graph.Binary(Op::kLess, graph.Constant(0, unit), source.argument)),
       .message = {.parts = {{.text = "the interval of a clock must be greater "
                                      "than 0",
                              .value = {}}}},
       .span = source.span,
       .path = source.path});
}

// The value of interval() at the first tick (specification 3.6, section 16.10).
Expr TickTable::FirstIntervalOf(const TickTimes& times) {
  const ClockUse& source = *times.source;
  if (source.kind != ClockUse::Kind::kVarying) {
    return source.interval;
  }
  ExprGraph& graph = session_.graph;
  Expr start = variables_.StartOf(source.argument);
  if (source.formula) {
    Substitution starts(graph);
    for (const Expr symbol : SymbolsOf(source.formula)) {
      if (variables_.Declared(symbol) != nullptr &&
          variables_.Declared(symbol)->variability > Variability::kParameter) {
        starts.Add(symbol, variables_.StartOf(symbol));
      }
    }
    start = starts.Apply(source.formula);
  }
  return graph.Binary(
      Op::kMultiply,
      start,
      graph.Constant(ToDouble(times.rate.factor / source.resolution)));
}

// Keeps every few of the ticks of an event clock or of the ends of parts: a
// counter of the remaining ones runs down.
void TickTable::TakeEvery(ClockTicks& ticks, const ClockRate& rate) {
  if (rate == ClockRate()) {
    return;
  }
  if (denominator(rate.factor) != 1 || denominator(rate.shift) != 1) {
    session_.Fail(
        ticks.span,
        "between the ticks of a clock of events no clock can tick: it "
        "is not known when the next event comes",
        "convert it by whole factors and shifts");
  }
  ExprGraph& graph = session_.graph;
  const auto number = [&](const Rational& value) {
    return graph.Constant(ToDouble(value), ValueType::kInteger);
  };
  const Expr left =
      Hidden("left", ValueType::kInteger, ticks, number(rate.shift + 1));
  const Expr before = graph.Pre(left);
  const Expr is_due = graph.Binary(Op::kLessEqual, before, number(1));
  variables_.Equate(
      left,
      IfActive(ticks,
               graph.Select(is_due,
                            number(rate.factor),
                            graph.Binary(Op::kSubtract, before, number(1))),
               left),
      ticks.span);
  ticks.active = graph.Binary(Op::kAnd, ticks.active, is_due);
}

Expr TickTable::TimeOf(ClockTicks& ticks) {
  if (!ticks.time) {
    ExprGraph& graph = session_.graph;
    ticks.time = Hidden("time", ValueType::kReal, ticks);
    variables_.Equate(
        ticks.time,
        graph.Select(session_.flat.initial,
                     session_.flat.time,
                     IfActive(ticks, session_.flat.time, ticks.time)),
        ticks.span);
  }
  return ticks.time;
}

// The interval is measured from tick to tick.
Expr TickTable::IntervalOf(ClockTicks& ticks) {
  if (!ticks.interval) {
    ExprGraph& graph = session_.graph;
    ticks.interval = Hidden("interval", ValueType::kReal, ticks);
    const Expr since = graph.Binary(
        Op::kSubtract, session_.flat.time, graph.Pre(TimeOf(ticks)));
    variables_.Equate(ticks.interval,
                      IfActive(ticks,
                               graph.Select(graph.Pre(ticks.ticked),
                                            since,
                                            FirstIntervalOf(*ticks.times)),
                               ticks.interval),
                      ticks.span);
  }
  return ticks.interval;
}

Expr TickTable::IsFirst(ClockTicks& ticks) {
  if (!ticks.is_first) {
    ExprGraph& graph = session_.graph;
    ticks.is_first =
        Hidden("is_first", ValueType::kBoolean, ticks, graph.Boolean(true));
    variables_.Equate(ticks.is_first,
                      IfActive(ticks,
                               graph.Unary(Op::kNot, graph.Pre(ticks.ticked)),
                               ticks.is_first),
                      ticks.span);
  }
  return ticks.is_first;
}

Expr TickTable::Hidden(std::string name,
                       ValueType type,
                       const ClockTicks& ticks,
                       Expr start) {
  const Expr symbol = session_.graph.Symbol(
      {.name = ticks.name + "." + std::move(name), .type = type});
  variables_.Declare(symbol, ticks.span).start = start;
  return symbol;
}

// `value` at ticks; between ticks the variable keeps its value.
Expr TickTable::IfActive(const ClockTicks& ticks, Expr value, Expr variable) {
  ExprGraph& graph = session_.graph;
  return graph.Select(ticks.active, value, graph.Pre(variable));
}

}  // namespace orrery::modelica::internal
