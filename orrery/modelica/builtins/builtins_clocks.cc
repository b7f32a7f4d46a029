#include <optional>
#include <utility>
#include <vector>

#include "orrery/modelica/builtins/builtins.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/clocks.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

/// The operators of synchronous models (specification 3.6, chapter 16).
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

}  // namespace

bool BuiltIns::IsClock(const Value& value) const {
  return value.is_number() && value.expr.is_scalar() &&
         lowering_.session.tree.IsClock(value.enumeration);
}

ClockUse BuiltIns::NewUse(ClockUse::Kind kind) {
  return {.kind = kind,
          .span = At(lowering_.where.scope, span_),
          .path = lowering_.where.instance->path};
}

// Sets the operand of a clock operator. A formula gets a variable of its own.
const ClassNode* BuiltIns::SetArgument(const Arguments& arguments,
                                       ClockUse& use) {
  CheckNotInFunction();
  Session& session = lowering_.session;
  const Value value = AsInModel(arguments, 0);
  if (!value.is_number() || value.is_empty_array) {
    lowering_.Fail(arguments[0]->span,
                   "'" + ast::ToString(call_.function) +
                       "' takes numbers and Booleans, not " + Describe(value));
  }
  if (HasIterator(value.expr, lowering_.iterators)) {
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

// Records the use and returns its result, which has the type of its argument.
Value BuiltIns::LikeArgument(ClockUse use, const ClassNode* enumeration) {
  ClockTable& clocks = lowering_.session.clocks;
  const Expr like = use.argument;
  if (lowering_.session.tree.IsClock(enumeration)) {
    use.result = clocks.NewClock();
    clocks.Add(use);
    return NumberValue(use.result, enumeration);
  }
  return Noted(std::move(use), like.type(), like.shape(), enumeration);
}

Value BuiltIns::Noted(ClockUse use,
                      ValueType type,
                      const Shape& shape,
                      const ClassNode* enumeration) {
  ClockTable& clocks = lowering_.session.clocks;
  const std::string of =
      use.argument ? orrery::ToText(use.argument, kMaxName) : "";
  use.result = clocks.NewVariable(
      ast::ToString(call_.function) + "(" + of + ")", type, shape);
  const Expr result = use.result;
  clocks.Add(std::move(use));
  return NumberValue(AsRead(result), enumeration);
}

std::int64_t BuiltIns::Count(const Arguments& arguments,
                             std::size_t i,
                             std::int64_t least) {
  const std::string name = ast::ToString(call_.function);
  const std::int64_t count = LowerConstantInteger(
      lowering_, *arguments[i], "a whole number that '" + name + "' takes");
  if (count < least) {
    lowering_.Fail(arguments[i]->span,
                   "'" + name + "' takes a number of at least " +
                       std::to_string(least) + " here, not " +
                       std::to_string(count));
  }
  return count;
}

// Constructors --------------------------------------------------------------

Value BuiltIns::MakeClock(const Arguments& arguments) {
  CheckNotInFunction();
  Session& session = lowering_.session;
  ClockUse use = NewUse(ClockUse::Kind::kInferred);
  use.result = session.clocks.NewClock();
  if (!arguments.empty()) {
    SetSource(arguments, use);
  }
  session.clocks.Add(use);
  return NumberValue(use.result, session.tree.clock());
}

void BuiltIns::SetSource(const Arguments& arguments, ClockUse& use) {
  const Value first = Get(arguments, 0);
  if (IsClock(first)) {
    use.kind = ClockUse::Kind::kSolver;
    use.argument = first.expr;
    SetMethod(arguments, use);
    return;
  }
  const bool is_plain = first.is_number() && !first.is_empty_array &&
                        first.expr.is_scalar() && first.enumeration == nullptr;
  const auto type = is_plain ? std::optional(first.expr.type()) : std::nullopt;
  if (type == ValueType::kBoolean) {
    use.kind = ClockUse::Kind::kEvent;
    SetCondition(arguments, first.expr, use);
  } else if (type == ValueType::kInteger && IsVarying(first)) {
    use.resolution = arguments.size() > 1 ? Count(arguments, 1, 1) : 1;
    SetVarying(arguments, use);
  } else if (type == ValueType::kInteger) {
    use.kind = ClockUse::Kind::kRational;
    use.counter = Count(arguments, 0, 1);
    use.resolution = arguments.size() > 1 ? Count(arguments, 1, 1) : 1;
  } else if (type == ValueType::kReal && arguments.size() == 1 &&
             IsVarying(first)) {
    SetVarying(arguments, use);
  } else if (type == ValueType::kReal && arguments.size() == 1) {
    use.kind = ClockUse::Kind::kPeriodic;
    use.interval = ParameterArgument(arguments, 0);
    CheckInterval(use.interval, arguments[0]->span);
  } else {
    FailCall("'Clock' takes an interval, a condition or a clock, not " +
                 Describe(first) + (arguments.size() > 1 ? " and more" : ""),
             "as Clock(), Clock(0.1), Clock(1, 10), Clock(x > 1) or Clock(c, "
             "solverMethod = \"ImplicitEuler\")");
  }
}

bool BuiltIns::IsVarying(const Value& value) const {
  return !VaryingIn(lowering_.session, value.expr).empty();
}

// Each tick sets the interval to the next one (specification 3.6, section
// 16.3).
void BuiltIns::SetVarying(const Arguments& arguments, ClockUse& use) {
  use.kind = ClockUse::Kind::kVarying;
  SetArgument(arguments, use);
}

void BuiltIns::SetMethod(const Arguments& arguments, ClockUse& use) {
  if (arguments.size() < 2) {
    FailCall("'Clock' of a clock takes the method of a solver, too",
             "as Clock(c, solverMethod = \"ImplicitEuler\")");
  }
  const Value method = Get(arguments, 1);
  if (method.text == nullptr) {
    lowering_.Fail(
        arguments[1]->span,
        "the method of a solver is a String, not " + Describe(method));
  }
  use.method = *method.text;
}

void BuiltIns::SetCondition(const Arguments& arguments,
                            Expr condition,
                            ClockUse& use) {
  Session& session = lowering_.session;
  use.condition = session.clocks.NewVariable(
      orrery::ToText(condition, kMaxName), ValueType::kBoolean, {});
  use.formula = condition;
  use.interval = arguments.size() > 1 ? ParameterArgument(arguments, 1)
                                      : Number(0, ValueType::kReal);
}

// Conversions ---------------------------------------------------------------

Value BuiltIns::SubSample(const Arguments& arguments) {
  return BySampling(ClockUse::Kind::kSubSample, arguments);
}

Value BuiltIns::SuperSample(const Arguments& arguments) {
  return BySampling(ClockUse::Kind::kSuperSample, arguments);
}

Value BuiltIns::BySampling(ClockUse::Kind kind, const Arguments& arguments) {
  ClockUse use = NewUse(kind);
  const ClassNode* const enumeration = SetArgument(arguments, use);
  use.counter = arguments.size() > 1 ? Count(arguments, 1, 0) : 0;
  return LikeArgument(std::move(use), enumeration);
}

Value BuiltIns::ShiftSample(const Arguments& arguments) {
  return ByShifting(ClockUse::Kind::kShiftSample, arguments);
}

Value BuiltIns::BackSample(const Arguments& arguments) {
  return ByShifting(ClockUse::Kind::kBackSample, arguments);
}

Value BuiltIns::ByShifting(ClockUse::Kind kind, const Arguments& arguments) {
  ClockUse use = NewUse(kind);
  const ClassNode* const enumeration = SetArgument(arguments, use);
  use.counter = Count(arguments, 1, 0);
  use.resolution = arguments.size() > 2 ? Count(arguments, 2, 1) : 1;
  return LikeArgument(std::move(use), enumeration);
}

Value BuiltIns::NoClock(const Arguments& arguments) {
  ClockUse use = NewUse(ClockUse::Kind::kNoClock);
  const ClassNode* const enumeration = SetArgument(arguments, use);
  if (lowering_.session.tree.IsClock(enumeration)) {
    FailCall("'noClock' takes a clocked variable, not a clock");
  }
  return LikeArgument(std::move(use), enumeration);
}

// Values --------------------------------------------------------------------

// Replaces variables, in a reference to their elements, by the previous ones.
Value BuiltIns::Previous(const Arguments& arguments) {
  CheckNotInFunction();
  const Value value = AsInModel(arguments, 0);
  const std::vector<Expr> symbols =
      value.is_number() ? SymbolsOf(value.expr) : std::vector<Expr>();
  const bool is_time = value.expr == lowering_.session.flat.time;
  if (symbols.empty() || IsClock(value) || is_time) {
    const bool is_formula = value.is_number() && !IsClock(value);
    const std::string given = is_formula ? "a formula" : Describe(value);
    lowering_.Fail(arguments[0]->span,
                   "'previous' takes a clocked variable, not " +
                       (is_time ? "the time" : given),
                   "give a formula a variable of its own");
  }
  Substitution previous(graph_);
  for (const Expr symbol : symbols) {
    if (IsVariable(lowering_.session, symbol)) {
      previous.Add(symbol, PreviousOf(symbol));
    }
  }
  return NumberValue(previous.Apply(value.expr), value.enumeration);
}

Value BuiltIns::Hold(const Arguments& arguments) {
  ClockUse use = NewUse(ClockUse::Kind::kHold);
  const ClassNode* const enumeration = SetArgument(arguments, use);
  if (lowering_.session.tree.IsClock(enumeration)) {
    FailCall("'hold' takes a clocked variable, not a clock");
  }
  return LikeArgument(std::move(use), enumeration);
}

// Made once for each variable.
Expr BuiltIns::PreviousOf(Expr variable) {
  constexpr ClockUse::Kind kKind = ClockUse::Kind::kPrevious;
  if (const Expr known = lowering_.session.clocks.Find(kKind, variable)) {
    return AsRead(known);
  }
  ClockUse use = NewUse(kKind);
  use.argument = variable;
  return LikeArgument(std::move(use), nullptr).expr;
}

// @param clock empty where it is to be inferred.
Value BuiltIns::SampleClocked(const Arguments& arguments, Expr clock) {
  ClockUse use = NewUse(ClockUse::Kind::kSample);
  const ClassNode* const enumeration = SetArgument(arguments, use);
  if (lowering_.session.tree.IsClock(enumeration)) {
    FailCall("'sample' takes a value first, then a clock");
  }
  use.clock = clock;
  return LikeArgument(std::move(use), enumeration);
}

Value BuiltIns::Interval(const Arguments& arguments) {
  return OfClock(ClockUse::Kind::kInterval, arguments, ValueType::kReal);
}

Value BuiltIns::FirstTick(const Arguments& arguments) {
  return OfClock(ClockUse::Kind::kFirstTick, arguments, ValueType::kBoolean);
}

Value BuiltIns::OfClock(ClockUse::Kind kind,
                        const Arguments& arguments,
                        ValueType type) {
  ClockUse use = NewUse(kind);
  if (arguments.empty()) {
    CheckNotInFunction();
  } else {
    SetArgument(arguments, use);
  }
  return Noted(std::move(use), type, {}, nullptr);
}

}  // namespace orrery::modelica::internal
