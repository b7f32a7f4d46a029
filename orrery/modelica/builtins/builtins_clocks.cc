#include "orrery/modelica/builtins/builtins_clocks.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/builtins/built_in_call.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/clocks.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::size_t kMaxName = 60;

// A reference to a variable that changes during a run, or to an element of one.
bool IsVariable(const Session& session, Expr expr) {
  const Expr symbol = expr.op() == Op::kIndex ? expr.operand(0) : expr;
  if (symbol.op() != Op::kSymbol) {
    return false;
  }
  for (std::size_t i = 1; i < expr.num_operands(); ++i) {
    if (!expr.operand(i).is_constant()) {
      return false;
    }
  }
  const auto found = session.component_of.find(symbol.id());
  return found == session.component_of.end()
             ? session.clocks.IsVariable(symbol)
             : found->second->variability > Variability::kParameter;
}

ClockUse NewUse(const BuiltInCall& call, ClockUse::Kind kind) {
  return {.kind = kind,
          .span = At(call.context.where.scope, call.span),
          .path = call.context.where.instance->path};
}

// Sets the operand of a clock operator. A formula gets a variable of its own.
const ClassNode* SetArgument(const BuiltInCall& call,
                             const BuiltInArguments& arguments,
                             ClockUse& use) {
  CheckNotInFunction(call);
  Session& session = call.context.session;
  const Value value = ModelValue(call, arguments, 0);
  if (!value.is_number() || value.is_empty_array) {
    call.context.Fail(arguments[0]->span,
                      "'" + ast::ToString(call.written.function) +
                          "' takes numbers and Booleans, not " +
                          Describe(value));
  }
  if (HasIterator(value.expr, call.context.iterators)) {
    throw NeedsUnrolling{};
  }
  const bool is_clock = session.tree.IsClock(value.enumeration);
  if (is_clock || IsVariable(session, value.expr)) {
    use.argument = value.expr;
    return value.enumeration;
  }
  use.formula = value.expr;
  use.argument =
      session.clocks.NewVariable(orrery::ToText(value.expr, kMaxName),
                                 value.expr.type(),
                                 value.expr.shape());
  return value.enumeration;
}

Value NoteUse(const BuiltInCall& call,
              ClockUse use,
              ValueType type,
              const Shape& shape,
              const ClassNode* enumeration) {
  ClockTable& clocks = call.context.session.clocks;
  const std::string of =
      use.argument ? orrery::ToText(use.argument, kMaxName) : "";
  use.result = clocks.NewVariable(
      ast::ToString(call.written.function) + "(" + of + ")", type, shape);
  const Expr result = use.result;
  clocks.Add(std::move(use));
  return NumberValue(call.context.AsRead(result), enumeration);
}

// Records the use and returns its result, which has the type of its argument.
Value LikeArgument(const BuiltInCall& call,
                   ClockUse use,
                   const ClassNode* enumeration) {
  ClockTable& clocks = call.context.session.clocks;
  const Expr like = use.argument;
  if (call.context.session.tree.IsClock(enumeration)) {
    use.result = clocks.NewClock();
    clocks.Add(use);
    return NumberValue(use.result, enumeration);
  }
  return NoteUse(call, std::move(use), like.type(), like.shape(), enumeration);
}

std::int64_t CountArgument(const BuiltInCall& call,
                           const BuiltInArguments& arguments,
                           std::size_t i,
                           std::int64_t least) {
  const std::string name = ast::ToString(call.written.function);
  const std::int64_t count = LowerConstantInteger(
      call.context, *arguments[i], "a whole number that '" + name + "' takes");
  if (count < least) {
    call.context.Fail(arguments[i]->span,
                      "'" + name + "' takes a number of at least " +
                          std::to_string(least) + " here, not " +
                          std::to_string(count));
  }
  return count;
}

bool IsVarying(const BuiltInCall& call, const Value& value) {
  return !VaryingIn(call.context.session, value.expr).empty();
}

// Each tick sets the interval to the next one (specification 3.6, section
// 16.3).
void SetVarying(const BuiltInCall& call,
                const BuiltInArguments& arguments,
                ClockUse& use) {
  use.kind = ClockUse::Kind::kVarying;
  SetArgument(call, arguments, use);
}

void SetMethod(const BuiltInCall& call,
               const BuiltInArguments& arguments,
               ClockUse& use) {
  if (arguments.size() < 2) {
    call.Fail("'Clock' of a clock takes the method of a solver, too",
              "as Clock(c, solverMethod = \"ImplicitEuler\")");
  }
  const Value method = ArgumentValue(call, arguments, 1);
  if (method.text == nullptr) {
    call.context.Fail(
        arguments[1]->span,
        "the method of a solver is a String, not " + Describe(method));
  }
  use.method = *method.text;
}

void SetCondition(const BuiltInCall& call,
                  const BuiltInArguments& arguments,
                  Expr condition,
                  ClockUse& use) {
  Session& session = call.context.session;
  use.condition = session.clocks.NewVariable(
      orrery::ToText(condition, kMaxName), ValueType::kBoolean, {});
  use.formula = condition;
  use.interval = arguments.size() > 1 ? ParameterArgument(call, arguments, 1)
                                      : call.Number(0, ValueType::kReal);
}

void SetSource(const BuiltInCall& call,
               const BuiltInArguments& arguments,
               ClockUse& use) {
  const Value first = ArgumentValue(call, arguments, 0);
  if (IsClock(call, first)) {
    use.kind = ClockUse::Kind::kSolver;
    use.argument = first.expr;
    SetMethod(call, arguments, use);
    return;
  }
  const bool is_plain = first.is_number() && !first.is_empty_array &&
                        first.expr.is_scalar() && first.enumeration == nullptr;
  const auto type = is_plain ? std::optional(first.expr.type()) : std::nullopt;
  if (type == ValueType::kBoolean) {
    use.kind = ClockUse::Kind::kEvent;
    SetCondition(call, arguments, first.expr, use);
  } else if (type == ValueType::kInteger && IsVarying(call, first)) {
    use.resolution =
        arguments.size() > 1 ? CountArgument(call, arguments, 1, 1) : 1;
    SetVarying(call, arguments, use);
  } else if (type == ValueType::kInteger) {
    use.kind = ClockUse::Kind::kRational;
    use.counter = CountArgument(call, arguments, 0, 1);
    use.resolution =
        arguments.size() > 1 ? CountArgument(call, arguments, 1, 1) : 1;
  } else if (type == ValueType::kReal && arguments.size() == 1 &&
             IsVarying(call, first)) {
    SetVarying(call, arguments, use);
  } else if (type == ValueType::kReal && arguments.size() == 1) {
    use.kind = ClockUse::Kind::kPeriodic;
    use.interval = ParameterArgument(call, arguments, 0);
    CheckInterval(call, use.interval, arguments[0]->span);
  } else {
    call.Fail("'Clock' takes an interval, a condition or a clock, not " +
                  Describe(first) + (arguments.size() > 1 ? " and more" : ""),
              "as Clock(), Clock(0.1), Clock(1, 10), Clock(x > 1) or Clock(c, "
              "solverMethod = \"ImplicitEuler\")");
  }
}

Value LowerClock(const BuiltInCall& call, const BuiltInArguments& arguments) {
  CheckNotInFunction(call);
  Session& session = call.context.session;
  ClockUse use = NewUse(call, ClockUse::Kind::kInferred);
  use.result = session.clocks.NewClock();
  if (!arguments.empty()) {
    SetSource(call, arguments, use);
  }
  session.clocks.Add(use);
  return NumberValue(use.result, session.tree.clock());
}

Value BySampling(const BuiltInCall& call,
                 ClockUse::Kind kind,
                 const BuiltInArguments& arguments) {
  ClockUse use = NewUse(call, kind);
  const ClassNode* const enumeration = SetArgument(call, arguments, use);
  use.counter = arguments.size() > 1 ? CountArgument(call, arguments, 1, 0) : 0;
  return LikeArgument(call, std::move(use), enumeration);
}

Value LowerSubSample(const BuiltInCall& call,
                     const BuiltInArguments& arguments) {
  return BySampling(call, ClockUse::Kind::kSubSample, arguments);
}

Value LowerSuperSample(const BuiltInCall& call,
                       const BuiltInArguments& arguments) {
  return BySampling(call, ClockUse::Kind::kSuperSample, arguments);
}

Value ByShifting(const BuiltInCall& call,
                 ClockUse::Kind kind,
                 const BuiltInArguments& arguments) {
  ClockUse use = NewUse(call, kind);
  const ClassNode* const enumeration = SetArgument(call, arguments, use);
  use.counter = CountArgument(call, arguments, 1, 0);
  use.resolution =
      arguments.size() > 2 ? CountArgument(call, arguments, 2, 1) : 1;
  return LikeArgument(call, std::move(use), enumeration);
}

Value LowerShiftSample(const BuiltInCall& call,
                       const BuiltInArguments& arguments) {
  return ByShifting(call, ClockUse::Kind::kShiftSample, arguments);
}

Value LowerBackSample(const BuiltInCall& call,
                      const BuiltInArguments& arguments) {
  return ByShifting(call, ClockUse::Kind::kBackSample, arguments);
}

Value LowerNoClock(const BuiltInCall& call, const BuiltInArguments& arguments) {
  ClockUse use = NewUse(call, ClockUse::Kind::kNoClock);
  const ClassNode* const enumeration = SetArgument(call, arguments, use);
  if (call.context.session.tree.IsClock(enumeration)) {
    call.Fail("'noClock' takes a clocked variable, not a clock");
  }
  return LikeArgument(call, std::move(use), enumeration);
}

// Made once for each variable.
Expr PreviousOf(const BuiltInCall& call, Expr variable) {
  constexpr ClockUse::Kind kKind = ClockUse::Kind::kPrevious;
  if (const Expr known = call.context.session.clocks.Find(kKind, variable)) {
    return call.context.AsRead(known);
  }
  ClockUse use = NewUse(call, kKind);
  use.argument = variable;
  return LikeArgument(call, std::move(use), nullptr).expr;
}

// Replaces variables, in a reference to their elements, by the previous ones.
Value LowerPrevious(const BuiltInCall& call,
                    const BuiltInArguments& arguments) {
  CheckNotInFunction(call);
  const Value value = ModelValue(call, arguments, 0);
  const std::vector<Expr> symbols =
      value.is_number() ? SymbolsOf(value.expr) : std::vector<Expr>();
  const bool is_time = value.expr == call.context.session.flat.time;
  if (symbols.empty() || IsClock(call, value) || is_time) {
    const bool is_formula = value.is_number() && !IsClock(call, value);
    const std::string given = is_formula ? "a formula" : Describe(value);
    call.context.Fail(arguments[0]->span,
                      "'previous' takes a clocked variable, not " +
                          (is_time ? "the time" : given),
                      "give a formula a variable of its own");
  }
  Substitution previous(call.graph);
  for (const Expr symbol : symbols) {
    if (IsVariable(call.context.session, symbol)) {
      previous.Add(symbol, PreviousOf(call, symbol));
    }
  }
  return NumberValue(previous.Apply(value.expr), value.enumeration);
}

Value LowerHold(const BuiltInCall& call, const BuiltInArguments& arguments) {
  ClockUse use = NewUse(call, ClockUse::Kind::kHold);
  const ClassNode* const enumeration = SetArgument(call, arguments, use);
  if (call.context.session.tree.IsClock(enumeration)) {
    call.Fail("'hold' takes a clocked variable, not a clock");
  }
  return LikeArgument(call, std::move(use), enumeration);
}

Value LowerOfClock(const BuiltInCall& call,
                   ClockUse::Kind kind,
                   const BuiltInArguments& arguments,
                   ValueType type) {
  ClockUse use = NewUse(call, kind);
  if (arguments.empty()) {
    CheckNotInFunction(call);
  } else {
    SetArgument(call, arguments, use);
  }
  return NoteUse(call, std::move(use), type, {}, nullptr);
}

Value LowerInterval(const BuiltInCall& call,
                    const BuiltInArguments& arguments) {
  return LowerOfClock(
      call, ClockUse::Kind::kInterval, arguments, ValueType::kReal);
}

Value LowerFirstTick(const BuiltInCall& call,
                     const BuiltInArguments& arguments) {
  return LowerOfClock(
      call, ClockUse::Kind::kFirstTick, arguments, ValueType::kBoolean);
}

}  // namespace

bool IsClock(const BuiltInCall& call, const Value& value) {
  return value.is_number() && value.expr.is_scalar() &&
         call.context.session.tree.IsClock(value.enumeration);
}

Value LowerSampleClocked(const BuiltInCall& call,
                         const BuiltInArguments& arguments,
                         Expr clock) {
  ClockUse use = NewUse(call, ClockUse::Kind::kSample);
  const ClassNode* const enumeration = SetArgument(call, arguments, use);
  if (call.context.session.tree.IsClock(enumeration)) {
    call.Fail("'sample' takes a value first, then a clock");
  }
  use.clock = clock;
  return LikeArgument(call, std::move(use), enumeration);
}

std::span<const BuiltInEntry> ClockBuiltIns() {
  static const std::vector<BuiltInEntry> entries = {
      {"Clock",
       LowerClock,
       0,
       2,
       {"intervalCounter",
        "resolution",
        "interval",
        "resolution",
        "condition",
        "startInterval",
        "c",
        "solverMethod"}},
      {"previous", LowerPrevious, 1, 1, {}},
      {"hold", LowerHold, 1, 1, {}},
      {"subSample", LowerSubSample, 1, 2, {"u", "factor"}},
      {"superSample", LowerSuperSample, 1, 2, {"u", "factor"}},
      {"shiftSample",
       LowerShiftSample,
       2,
       3,
       {"u", "shiftCounter", "resolution"}},
      {"backSample", LowerBackSample, 2, 3, {"u", "backCounter", "resolution"}},
      {"noClock", LowerNoClock, 1, 1, {}},
      {"interval", LowerInterval, 0, 1, {}},
      {"firstTick", LowerFirstTick, 0, 1, {}},
  };
  return entries;
}

}  // namespace orrery::modelica::internal
