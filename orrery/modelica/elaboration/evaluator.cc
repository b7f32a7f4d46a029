#include "orrery/modelica/elaboration/evaluator.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <span>
#include <utility>
#include <variant>

#include "orrery/base/call_stack.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::size_t kMaxSteps = 5'000'000;
constexpr std::size_t kMaxCalls = 100;

struct Impossible {};

// True if it is evaluated again sooner than looked up.
bool IsCheap(Expr expr) {
  return expr.op() == Op::kSymbol || expr.op() == Op::kIterator ||
         expr.op() == Op::kArrayConstant ||
         (expr.op() == Op::kIndex && expr.operand(0).op() == Op::kSymbol);
}

std::size_t Count64(const Shape& shape) {
  return static_cast<std::size_t>(NumElements(shape));
}

}  // namespace

void Evaluator::Stop(std::string reason) {
  reason_ = std::move(reason);
  throw Impossible{};
}

void Evaluator::Count(std::size_t steps) {
  steps_ += steps;
  if (steps_ > kMaxSteps) {
    Stop("its computation takes too long");
  }
}

std::optional<Evaluator::Numbers> Evaluator::Run(Expr expr) {
  steps_ = 0;
  iterators_.clear();
  known_.clear();
  frames_.clear();
  last_ = {};
  try {
    return Visit(expr);
  } catch (const Impossible&) {
    return std::nullopt;
  }
}

double Evaluator::Scalar(Expr expr) {
  return Visit(expr).at(0);
}

Evaluator::Numbers Evaluator::Visit(Expr expr) {
  if (expr.is_constant()) {
    return {expr.value()};
  }
  // The values of what has iterators change from one visit to the next.
  const bool is_kept = !IsCheap(expr) &&
                       (iterators_.empty() || !expr.Contains(Trait::kIterator));
  if (is_kept) {
    const auto found = known_.find(expr.id());
    if (found != known_.end()) {
      return found->second;
    }
  }
  if (IsStackNearlyFull()) {
    Stop("it is nested too deeply");
  }
  Count(1);
  Numbers result = Compute(expr);
  if (expr.type() == ValueType::kInteger) {
    CheckIntegers(result);
  }
  if (is_kept) {
    known_.emplace(expr.id(), result);
  }
  return result;
}

void Evaluator::CheckIntegers(const Numbers& numbers) {
  for (const double number : numbers) {
    if (std::abs(number) > kMaxInteger) {
      Stop(
          "an Integer in it is too large: Integers lie between -2^53 and 2^53");
    }
  }
}

Evaluator::Numbers Evaluator::Compute(Expr expr) {
  switch (expr.op()) {
    case Op::kArrayConstant: {
      const auto values = expr.graph().ArrayValues(expr);
      return {values.begin(), values.end()};
    }
    case Op::kSymbol:
      return ValueOf(expr);
    case Op::kIterator: {
      const auto found = iterators_.find(expr.id());
      if (found == iterators_.end()) {
        Stop("it depends on the iterator '" + expr.graph().IteratorName(expr) +
             "'");
      }
      return {found->second};
    }
    case Op::kMakeArray: {
      Numbers result;
      for (std::size_t i = 0; i < expr.num_operands(); ++i) {
        const Numbers part = Visit(expr.operand(i));
        result.insert(result.end(), part.begin(), part.end());
      }
      return result;
    }
    case Op::kIndex:
      return Index(expr);
    case Op::kBuild:
    case Op::kSum:
    case Op::kProduct:
    case Op::kMinimum:
    case Op::kMaximum:
      return Loop(expr);
    case Op::kOutput:
      return Call(expr);
    case Op::kDer:
      Stop("it depends on a derivative");
    case Op::kNoEvent:
      return Visit(expr.operand(0));
    case Op::kPre:
      Stop("it depends on a value before an event");
    case Op::kSample:
      Stop("it depends on 'sample', which is true at times of the run");
    case Op::kDelay:
      Stop("it depends on a delayed value");
    case Op::kTransport:
      Stop("it depends on what 'spatialDistribution' carries in a run");
    default:
      return Elementwise(expr);
  }
}

// An operand may decide on its own, whatever the other depends on.
double Evaluator::Junction(Expr expr) {
  const double decisive = expr.op() == Op::kAnd ? 0 : 1;
  const std::size_t depth = frames_.size();
  const auto iterators = iterators_;
  std::exception_ptr failure;
  try {
    if (Scalar(expr.operand(0)) == decisive) {
      return decisive;
    }
  } catch (const Impossible&) {
    failure = std::current_exception();
  } catch (const NeedsArgument&) {
    failure = std::current_exception();
  }
  if (failure != nullptr) {
    frames_.resize(depth);
    iterators_ = iterators;
    known_.clear();
  }
  const double other = Scalar(expr.operand(1));
  if (failure != nullptr && other != decisive) {
    std::rethrow_exception(failure);
  }
  return other;
}

Evaluator::Numbers Evaluator::Elementwise(Expr expr) {
  if (expr.op() == Op::kSelect && expr.operand(0).is_scalar()) {
    const Expr taken = expr.operand(Scalar(expr.operand(0)) != 0 ? 1 : 2);
    Numbers result = Visit(taken);
    result.resize(Count64(expr.shape()), result.empty() ? 0 : result[0]);
    return result;
  }
  const bool is_junction = expr.op() == Op::kAnd || expr.op() == Op::kOr;
  if (is_junction && expr.is_scalar()) {
    return {Junction(expr)};
  }
  std::vector<Numbers> operands;
  for (std::size_t i = 0; i < expr.num_operands(); ++i) {
    operands.push_back(Visit(expr.operand(i)));
  }
  Count(Count64(expr.shape()));
  Numbers result(Count64(expr.shape()));
  const auto at = [&operands](std::size_t operand, std::size_t i) {
    if (operand >= operands.size()) {
      return 0.0;
    }
    const Numbers& values = operands[operand];
    return values.size() == 1 ? values[0] : values[i];
  };
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = EvaluateOp(expr.op(), at(0, i), at(1, i), at(2, i));
  }
  return result;
}

const Evaluator::Numbers& Evaluator::ValueOf(Expr symbol) {
  const Numbers* value = nullptr;
  if (!frames_.empty()) {
    const auto found = frames_.back().find(symbol.id());
    value = found == frames_.back().end() ? nullptr : &found->second;
  }
  if (value == nullptr) {
    value = symbol_value_(symbol);
  }
  if (value == nullptr) {
    Stop("it depends on '" + symbol.graph().NameOf(symbol) + "'");
  }
  return *value;
}

// A loop that asks for one element after the other copies no more than these.
Evaluator::Numbers Evaluator::Index(Expr expr) {
  const Shape& shape = expr.operand(0).shape();
  std::size_t flat = 0;
  for (std::size_t i = 1; i < expr.num_operands(); ++i) {
    const double at = Scalar(expr.operand(i));
    if (!(at >= 1 && at <= static_cast<double>(shape[i - 1]))) {
      Stop("a subscript is out of bounds in it");
    }
    flat = flat * static_cast<std::size_t>(shape[i - 1]) +
           static_cast<std::size_t>(at) - 1;
  }
  const std::size_t size = Count64(expr.shape());
  const Expr array = expr.operand(0);
  if (array.op() == Op::kMakeArray) {
    // Only the element that is asked for need have a value.
    const std::size_t inner = Count64(array.operand(0).shape());
    if (size <= inner) {
      const Numbers part = Visit(array.operand(flat * size / inner));
      const auto begin =
          part.begin() + static_cast<std::ptrdiff_t>(flat * size % inner);
      return {begin, begin + static_cast<std::ptrdiff_t>(size)};
    }
  }
  const auto chosen = [&](std::span<const double> values) {
    const auto part = values.subspan(flat * size, size);
    return Numbers(part.begin(), part.end());
  };
  switch (array.op()) {
    case Op::kArrayConstant:
      return chosen(array.graph().ArrayValues(array));
    case Op::kSymbol:
      return chosen(ValueOf(array));
    default:
      return chosen(Visit(array));
  }
}

Evaluator::Numbers Evaluator::Loop(Expr expr) {
  const Expr iterator = expr.operand(0);
  const orrery::Range range = expr.graph().IteratorRange(iterator);
  const Op op = expr.op();
  Numbers result;
  if (op != Op::kBuild) {
    const double first = op == Op::kSum       ? 0
                         : op == Op::kProduct ? 1
                         : op == Op::kMinimum
                             ? std::numeric_limits<double>::max()
                             : std::numeric_limits<double>::lowest();
    result.assign(Count64(expr.shape()), first);
  }
  const Op step = op == Op::kSum       ? Op::kAdd
                  : op == Op::kProduct ? Op::kMultiply
                  : op == Op::kMinimum ? Op::kMin
                                       : Op::kMax;
  for (std::int64_t i = 0; i < range.count; ++i) {
    iterators_[iterator.id()] =
        static_cast<double>(range.start + i * range.step);
    const Numbers part = Visit(expr.operand(1));
    Count(part.size() + 1);
    if (op == Op::kBuild) {
      result.insert(result.end(), part.begin(), part.end());
      continue;
    }
    for (std::size_t k = 0; k < part.size(); ++k) {
      result[k] = EvaluateOp(step, result[k], part[k], 0);
    }
  }
  iterators_.erase(iterator.id());
  return result;
}

// Functions -----------------------------------------------------------------

Evaluator::Numbers Evaluator::Call(Expr output) {
  const Expr call = output.operand(0);
  if (call.op() == Op::kOpaque) {
    return {External(call)[call.graph().OutputIndex(output)]};
  }
  if (frames_.size() >= kMaxCalls) {
    Stop("its functions call each other too deeply");
  }
  const std::shared_ptr<const Function> function =
      call.graph().FunctionOf(call);
  std::vector<Numbers> arguments;
  for (std::size_t i = 0; i < call.num_operands(); ++i) {
    arguments.push_back(Visit(call.operand(i)));
    arguments.back().resize(Count64(function->inputs[i].shape()),
                            arguments.back().empty() ? 0 : arguments.back()[0]);
  }
  if (last_.function != function.get() || last_.inputs != arguments) {
    std::vector<Numbers> outputs = Execute(*function, arguments);
    last_ = {.function = function.get(),
             .inputs = std::move(arguments),
             .outputs = std::move(outputs)};
  }
  return last_.outputs[call.graph().OutputIndex(output)];
}

std::vector<Evaluator::Numbers> Evaluator::Execute(
    const Function& function, const std::vector<Numbers>& arguments) {
  Frame frame;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    frame.emplace(function.inputs[i].id(), arguments[i]);
  }
  auto outer = std::exchange(iterators_, {});
  auto known = std::exchange(known_, {});
  frames_.push_back(std::move(frame));
  for (const auto* variables : {&function.outputs, &function.locals}) {
    for (const Function::Variable& variable : *variables) {
      const std::size_t size = Count64(variable.symbol.shape());
      Count(size);
      Numbers value = variable.initial ? Visit(variable.initial) : Numbers{0};
      value.resize(size, value.empty() ? 0 : value[0]);
      frames_.back()[variable.symbol.id()] = std::move(value);
      known_.clear();
    }
  }
  Execute(function.body);
  std::vector<Numbers> outputs;
  for (const Function::Variable& output : function.outputs) {
    outputs.push_back(std::move(frames_.back()[output.symbol.id()]));
  }
  frames_.pop_back();
  iterators_ = std::move(outer);
  known_ = std::move(known);
  return outputs;
}

// All that an external function gives. Its outputs are asked for one by one.
const Evaluator::Numbers& Evaluator::External(Expr call) {
  const OpaqueFunction& function = *call.graph().OpaqueOf(call);
  Numbers inputs;
  for (std::size_t i = 0; i < call.num_operands(); ++i) {
    inputs.push_back(Scalar(call.operand(i)));
  }
  if (external_.function != &function || external_.inputs != inputs) {
    Numbers outputs(function.num_outputs);
    try {
      function.evaluate(inputs, outputs);
    } catch (const std::exception& failure) {
      Stop(function.name + " failed: " + failure.what());
    }
    external_ = {.function = &function,
                 .inputs = std::move(inputs),
                 .outputs = std::move(outputs)};
  }
  return external_.outputs;
}

Evaluator::Flow Evaluator::Execute(const Statements& body) {
  for (const Statement& statement : body) {
    const Flow flow = ExecuteOne(statement);
    if (flow != Flow::kNext) {
      return flow;
    }
  }
  return Flow::kNext;
}

Evaluator::Flow Evaluator::ExecuteOne(const Statement& statement) {
  Count(1);
  const auto& step = statement.step;
  if (const auto* assignment = std::get_if<Assignment>(&step)) {
    Assign(*assignment);
  } else if (const auto* choice = std::get_if<IfStatement>(&step)) {
    for (const IfStatement::Branch& branch : choice->branches) {
      if (Scalar(branch.condition) != 0) {
        return Execute(branch.body);
      }
    }
  } else if (const auto* loop = std::get_if<ForStatement>(&step)) {
    return ExecuteFor(*loop);
  } else if (const auto* repeat = std::get_if<WhileStatement>(&step)) {
    while (Scalar(repeat->condition) != 0) {
      Count(1);
      const Flow flow = Execute(repeat->body);
      if (flow == Flow::kBreak) {
        break;
      }
      if (flow == Flow::kReturn) {
        return flow;
      }
    }
  } else if (const auto* check = std::get_if<AssertStatement>(&step)) {
    if (Scalar(check->condition) == 0) {
      if (check->writer) {
        Scalar(check->writer);  // Throws the message.
      }
      Stop("an assertion fails in it: " + check->message);
    }
  } else if (std::holds_alternative<BreakStatement>(step)) {
    return Flow::kBreak;
  } else {
    return Flow::kReturn;
  }
  return Flow::kNext;
}

Evaluator::Flow Evaluator::ExecuteFor(const ForStatement& loop) {
  const orrery::Range range =
      loop.iterator.graph().IteratorRange(loop.iterator);
  for (std::int64_t i = 0; i < range.count; ++i) {
    iterators_[loop.iterator.id()] =
        static_cast<double>(range.start + i * range.step);
    const Flow flow = Execute(loop.body);
    if (flow == Flow::kBreak) {
      break;
    }
    if (flow == Flow::kReturn) {
      iterators_.erase(loop.iterator.id());
      return flow;
    }
  }
  iterators_.erase(loop.iterator.id());
  return Flow::kNext;
}

void Evaluator::Assign(const Assignment& assignment) {
  Numbers value = Visit(assignment.value);
  const Shape& shape = assignment.target.shape();
  std::size_t flat = 0;
  std::size_t size = Count64(shape);
  for (std::size_t i = 0; i < assignment.subscripts.size(); ++i) {
    const double at = Scalar(assignment.subscripts[i]);
    const auto extent = static_cast<std::size_t>(shape[i]);
    if (!(at >= 1 && at <= static_cast<double>(extent))) {
      Stop("a subscript is out of bounds in it");
    }
    flat = flat * extent + static_cast<std::size_t>(at) - 1;
    size /= extent;
  }
  value.resize(size, value.empty() ? 0 : value[0]);
  Numbers& target = frames_.back()[assignment.target.id()];
  std::ranges::copy(value,
                    target.begin() + static_cast<std::ptrdiff_t>(flat * size));
  known_.clear();
}

}  // namespace orrery::modelica::internal
