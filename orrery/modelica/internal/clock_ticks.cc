#include <string>
#include <utility>

#include "orrery/modelica/internal/clocked_equations.h"
#include "orrery/modelica/internal/session.h"

/// When a clock ticks, as formulas.
namespace orrery::modelica::internal {
namespace {

double ToDouble(const Rational& number) {
  return number.convert_to<double>();
}

}  // namespace

ClockedEquations::Ticks& ClockedEquations::TicksOf(Expr variable,
                                                   const SourceSpan& span) {
  return TicksOf(*partitions_.ClockOf(variable), span);
}

ClockedEquations::Ticks& ClockedEquations::TicksOf(const TickTimes& times,
                                                   const SourceSpan& span) {
  const auto [found, is_new] =
      ticks_.try_emplace({times.source, times.rate.factor, times.rate.shift});
  Ticks& ticks = found->second;
  if (is_new) {
    ticks.times = &times;
    ticks.name = "clock" + std::to_string(ticks_.size());
    ticks.span = times.source == nullptr ? span : times.source->span;
    SetActive(ticks);
    ExprGraph& graph = session_.graph;
    ticks.ticked = Hidden("ticked", ValueType::kBoolean, ticks);
    Equate(ticks.ticked,
           graph.Binary(Op::kOr, ticks.active, graph.Pre(ticks.ticked)),
           ticks.span);
  }
  return ticks;
}

void ClockedEquations::SetActive(Ticks& ticks) {
  ExprGraph& graph = session_.graph;
  const ClockUse* const source = ticks.times->source;
  if (source != nullptr && source->kind == Kind::kEvent) {
    ticks.active = ActiveOfEvent(*source);
    if (ticks.times->rate != ClockRate()) {
      TakeEvery(ticks);
    }
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

// A clock ticks in the pass of the event's iteration that follows the one in
// which its condition became true: what is held may undo the condition.
Expr ClockedEquations::ActiveOfEvent(const ClockUse& source) {
  ExprGraph& graph = session_.graph;
  const Expr due =
      graph.Symbol({.name = "due(" + graph.NameOf(source.condition) + ")",
                    .type = ValueType::kBoolean});
  Declare(due, source.span);
  Equate(due, graph.Pre(source.condition), source.span);
  const Expr rises =
      graph.Binary(Op::kAnd, due, graph.Unary(Op::kNot, graph.Pre(due)));
  return graph.Binary(
      Op::kAnd, rises, graph.Unary(Op::kNot, session_.flat.initial));
}

// Of an event clock's ticks, every few: what is left to the next counts down.
void ClockedEquations::TakeEvery(Ticks& ticks) {
  const ClockRate& rate = ticks.times->rate;
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
  Equate(left,
         IfActive(ticks,
                  graph.Select(is_due,
                               number(rate.factor),
                               graph.Binary(Op::kSubtract, before, number(1))),
                  left),
         ticks.span);
  ticks.active = graph.Binary(Op::kAnd, ticks.active, is_due);
}

Expr ClockedEquations::TimeOf(Ticks& ticks) {
  if (!ticks.time) {
    ExprGraph& graph = session_.graph;
    ticks.time = Hidden("time", ValueType::kReal, ticks);
    Equate(ticks.time,
           graph.Select(session_.flat.initial,
                        session_.flat.time,
                        IfActive(ticks, session_.flat.time, ticks.time)),
           ticks.span);
  }
  return ticks.time;
}

// That of an event clock is measured.
Expr ClockedEquations::IntervalOf(Ticks& ticks) {
  if (!ticks.interval) {
    ExprGraph& graph = session_.graph;
    ticks.interval = Hidden("interval", ValueType::kReal, ticks);
    const Expr since = graph.Binary(
        Op::kSubtract, session_.flat.time, graph.Pre(TimeOf(ticks)));
    Equate(ticks.interval,
           IfActive(ticks,
                    graph.Select(graph.Pre(ticks.ticked),
                                 since,
                                 ticks.times->source->interval),
                    ticks.interval),
           ticks.span);
  }
  return ticks.interval;
}

Expr ClockedEquations::IsFirst(Ticks& ticks) {
  if (!ticks.is_first) {
    ExprGraph& graph = session_.graph;
    ticks.is_first =
        Hidden("is_first", ValueType::kBoolean, ticks, graph.Boolean(true));
    Equate(ticks.is_first,
           IfActive(ticks,
                    graph.Unary(Op::kNot, graph.Pre(ticks.ticked)),
                    ticks.is_first),
           ticks.span);
  }
  return ticks.is_first;
}

}  // namespace orrery::modelica::internal
