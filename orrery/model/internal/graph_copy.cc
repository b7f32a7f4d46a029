#include "orrery/model/internal/graph_copy.h"

#include <type_traits>
#include <utility>
#include <variant>

namespace orrery::model::internal {

Expr GraphCopy::Copy(Expr from) {
  if (!from) {
    return {};
  }
  std::vector<Expr> stack = {from};
  while (!stack.empty()) {
    const Expr node = stack.back();
    if (done_.Find(node.id()) != NodeIndex::kNone) {
      stack.pop_back();
      continue;
    }
    bool is_ready = true;
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      if (done_.Find(node.operand(i).id()) == NodeIndex::kNone) {
        stack.push_back(node.operand(i));
        is_ready = false;
      }
    }
    if (is_ready) {
      done_.Insert(node.id(), Rebuild(node).id());
      stack.pop_back();
    }
  }
  return to_.At(done_.Find(from.id()));
}

std::vector<Expr> GraphCopy::Copy(const std::vector<Expr>& from) {
  std::vector<Expr> result;
  result.reserve(from.size());
  for (const Expr expr : from) {
    result.push_back(Copy(expr));
  }
  return result;
}

Expr GraphCopy::Rebuild(Expr node) {
  const ExprGraph& from = node.graph();
  if (node.op() == Op::kCall) {
    // Its body is copied first: that uses the scratch below.
    const FunctionHandle function = Copy(from.FunctionOf(node));
    std::vector<Expr> arguments;
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      arguments.push_back(to_.At(done_.Find(node.operand(i).id())));
    }
    return to_.Call(function, arguments);
  }
  operands_.clear();
  for (std::size_t i = 0; i < node.num_operands(); ++i) {
    operands_.push_back(to_.At(done_.Find(node.operand(i).id())));
  }
  const std::span<const Expr> operands = operands_;
  switch (ElementwiseOperands(node.op())) {
    case 1:
      return to_.Unary(node.op(), operands[0]);
    case 2:
      return to_.Binary(node.op(), operands[0], operands[1]);
    case 3:
      return to_.Select(operands[0], operands[1], operands[2]);
    default:
      break;
  }
  switch (node.op()) {
    case Op::kConstant:
      return to_.Constant(node.value(), node.type());
    case Op::kArrayConstant:
      return to_.ArrayConstant(
          from.ArrayValues(node), node.shape(), node.type());
    case Op::kSymbol:
      return to_.Symbol({.name = from.NameOf(node),
                         .type = node.type(),
                         .shape = node.shape()});
    case Op::kIterator:
      return to_.Iterator(from.IteratorName(node), from.IteratorRange(node));
    case Op::kMakeArray:
      return to_.MakeArray(operands);
    case Op::kIndex:
      return to_.Index(operands[0], operands.subspan(1));
    case Op::kOpaque:
      return to_.Opaque(from.OpaqueOf(node), operands);
    case Op::kOutput:
      return to_.Output(operands[0], from.OutputIndex(node));
    case Op::kDer:
      return to_.Der(operands[0]);
    case Op::kPre:
      return to_.Pre(operands[0]);
    case Op::kNoEvent:
      return to_.NoEvent(operands[0]);
    case Op::kSample:
      return to_.Sample(operands[0], operands[1]);
    case Op::kDelay:
      return to_.Delay(operands[0], operands[1], operands[2]);
    case Op::kTransport:
      return to_.Transport(operands);
    default:  // kBuild, kSum, kProduct, kMinimum, kMaximum
      return to_.Loop(node.op(), operands[0], operands[1]);
  }
}

// Functions -----------------------------------------------------------------

GraphCopy::FunctionHandle GraphCopy::Copy(const FunctionHandle& from) {
  const auto known = functions_.find(from.get());
  if (known != functions_.end()) {
    return known->second;
  }
  const auto copy_all = [this](const std::vector<Function::Variable>& all) {
    std::vector<Function::Variable> result;
    result.reserve(all.size());
    for (const Function::Variable& variable : all) {
      result.push_back(
          {.symbol = Copy(variable.symbol), .initial = Copy(variable.initial)});
    }
    return result;
  };
  auto result = std::make_shared<Function>();
  result->name = from->name;
  result->inputs = Copy(from->inputs);
  result->outputs = copy_all(from->outputs);
  // Calls of the function in itself refer to the copy.
  functions_.emplace(from.get(), result);
  result->locals = copy_all(from->locals);
  result->body = Copy(from->body);
  if (from->derivative) {
    result->derivative = {.function = Copy(from->derivative->function),
                          .takes = from->derivative->takes};
  }
  return result;
}

Statements GraphCopy::Copy(const Statements& from) {
  Statements result;
  result.reserve(from.size());
  for (const Statement& statement : from) {
    Statement copy{.step = BreakStatement{}, .span = statement.span};
    std::visit(
        [&](const auto& step) {
          using Step = std::decay_t<decltype(step)>;
          if constexpr (std::is_empty_v<Step>) {
            copy.step = step;
          } else {
            copy.step = CopyStep(step);
          }
        },
        statement.step);
    result.push_back(std::move(copy));
  }
  return result;
}

Assignment GraphCopy::CopyStep(const Assignment& step) {
  return {.target = Copy(step.target),
          .subscripts = Copy(step.subscripts),
          .value = Copy(step.value)};
}

IfStatement GraphCopy::CopyStep(const IfStatement& step) {
  IfStatement result;
  for (const IfStatement::Branch& branch : step.branches) {
    result.branches.push_back(
        {.condition = Copy(branch.condition), .body = Copy(branch.body)});
  }
  return result;
}

ForStatement GraphCopy::CopyStep(const ForStatement& step) {
  return {.iterator = Copy(step.iterator), .body = Copy(step.body)};
}

WhileStatement GraphCopy::CopyStep(const WhileStatement& step) {
  return {.condition = Copy(step.condition), .body = Copy(step.body)};
}

AssertStatement GraphCopy::CopyStep(const AssertStatement& step) {
  return {.condition = Copy(step.condition),
          .message = step.message,
          .writer = Copy(step.writer)};
}

}  // namespace orrery::model::internal
