#include <algorithm>

#include "orrery/syntax/recursive_descent.h"

namespace orrery::modelica::internal {

using ast::BinaryOperator;
using ast::Expression;
using ast::Precedence;
using ast::UnaryOperator;

namespace {

std::optional<BinaryOperator> BinaryOperatorOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kOr:
      return BinaryOperator::kOr;
    case TokenKind::kAnd:
      return BinaryOperator::kAnd;
    case TokenKind::kLess:
      return BinaryOperator::kLess;
    case TokenKind::kLessEqual:
      return BinaryOperator::kLessEqual;
    case TokenKind::kGreater:
      return BinaryOperator::kGreater;
    case TokenKind::kGreaterEqual:
      return BinaryOperator::kGreaterEqual;
    case TokenKind::kEqualEqual:
      return BinaryOperator::kEqual;
    case TokenKind::kNotEqual:
      return BinaryOperator::kNotEqual;
    case TokenKind::kPlus:
      return BinaryOperator::kAdd;
    case TokenKind::kMinus:
      return BinaryOperator::kSubtract;
    case TokenKind::kDotPlus:
      return BinaryOperator::kElementAdd;
    case TokenKind::kDotMinus:
      return BinaryOperator::kElementSubtract;
    case TokenKind::kTimes:
      return BinaryOperator::kMultiply;
    case TokenKind::kDivide:
      return BinaryOperator::kDivide;
    case TokenKind::kDotTimes:
      return BinaryOperator::kElementMultiply;
    case TokenKind::kDotDivide:
      return BinaryOperator::kElementDivide;
    case TokenKind::kPower:
      return BinaryOperator::kPower;
    case TokenKind::kDotPower:
      return BinaryOperator::kElementPower;
    default:
      return std::nullopt;
  }
}

std::optional<UnaryOperator> UnaryOperatorOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kPlus:
      return UnaryOperator::kPlus;
    case TokenKind::kMinus:
      return UnaryOperator::kMinus;
    case TokenKind::kDotPlus:
      return UnaryOperator::kElementPlus;
    case TokenKind::kDotMinus:
      return UnaryOperator::kElementMinus;
    case TokenKind::kNot:
      return UnaryOperator::kNot;
    default:
      return std::nullopt;
  }
}

// The grammar has at most one operator of these in a row, between operands
// that bind more strongly; a power's are primaries.
bool IsChain(Precedence precedence) {
  return precedence != Precedence::kRelation &&
         precedence != Precedence::kPower;
}

}  // namespace

const Expression* Parser::MakeInvalid() {
  return NewExpression(in_.begin(), ast::Invalid{});
}

const Expression* Parser::ParseWholeExpression() {
  in_.CallEnd("the end of the formula");
  const Expression* result = ParseExpression();
  if (!in_.failed() && !in_.At(TokenKind::kEndOfFile)) {
    in_.FailExpected("an operator or the end of the expression");
  }
  in_.Finish();
  return result;
}

const Expression* Parser::ParseExpression() {
  const Level level(*this);
  if (!level) {
    return MakeInvalid();
  }
  return in_.At(TokenKind::kIf) ? ParseIfExpression() : ParseSimpleExpression();
}

const Expression* Parser::ParseCondition() {
  const Expression* result = ParseExpression();
  if (in_.At(TokenKind::kEquals) && !in_.failed()) {
    in_.Complain(
        {in_.begin(), in_.current().end}, "'=' does not compare", "write '=='");
    in_.Take();
    ParseExpression();
  }
  return result;
}

const Expression* Parser::ParseIfExpression() {
  const std::uint32_t begin = in_.begin();
  std::vector<ast::IfExpressionBranch> branches;
  do {
    in_.Take();
    const Expression* condition = ParseCondition();
    in_.Expect(TokenKind::kThen);
    branches.push_back({condition, ParseExpression()});
  } while (in_.At(TokenKind::kElseIf) && !in_.failed());
  if (!in_.failed() && !in_.At(TokenKind::kElse)) {
    in_.FailExpected("'else' with the value of this if-expression otherwise");
  }
  in_.Expect(TokenKind::kElse);
  const Expression* otherwise = ParseExpression();
  return NewExpression(begin, ast::IfExpression{Keep(branches), otherwise});
}

const Expression* Parser::ParseSimpleExpression() {
  const std::uint32_t begin = in_.begin();
  const Expression* first = ParseOperation(Precedence::kOr);
  if (in_.failed() || !in_.Accept(TokenKind::kColon)) {
    return first;
  }
  const Expression* second = ParseOperation(Precedence::kOr);
  if (in_.failed() || !in_.Accept(TokenKind::kColon)) {
    return NewExpression(begin, ast::Range{first, nullptr, second});
  }
  const Expression* third = ParseOperation(Precedence::kOr);
  return NewExpression(begin, ast::Range{first, second, third});
}

const Expression* Parser::ParseOperation(Precedence min) {
  const std::uint32_t begin = in_.begin();
  const Expression* left = ParseOperand(min);
  while (!in_.failed()) {
    const auto op = BinaryOperatorOf(in_.kind());
    if (!op || PrecedenceOf(*op) < min) {
      break;
    }
    left = ParseSteps(left, begin, PrecedenceOf(*op));
  }
  return left;
}

const Expression* Parser::ParseSteps(const Expression* first,
                                     std::uint32_t begin,
                                     Precedence precedence) {
  std::vector<ast::OperationStep> steps;
  for (;;) {
    const auto op = BinaryOperatorOf(in_.kind());
    if (!op || PrecedenceOf(*op) != precedence || in_.failed()) {
      break;
    }
    if (!steps.empty() && !IsChain(precedence)) {
      in_.Complain({in_.begin(), in_.current().end},
                   in_.Found() + " cannot follow another operator of its kind",
                   "use parentheses");
    }
    in_.Take();
    steps.push_back({*op, ParseOperation(Above(precedence))});
  }
  return NewExpression(begin, ast::Operation{first, Keep(steps)});
}

const Expression* Parser::ParseOperand(Precedence min) {
  const auto op = UnaryOperatorOf(in_.kind());
  if (!op) {
    return ParsePrimary();
  }
  if (min <= PrecedenceOf(*op)) {
    const std::uint32_t begin = in_.begin();
    in_.Take();
    const Expression* operand = ParseOperation(Above(PrecedenceOf(*op)));
    return NewExpression(begin, ast::Unary{*op, operand});
  }
  in_.Complain({in_.begin(), in_.current().end},
               in_.Found() + " cannot follow another operator",
               "put the operand and its sign in parentheses");
  while (UnaryOperatorOf(in_.kind())) {
    in_.Take();
  }
  return ParsePrimary();
}

std::vector<ast::ForIndex> Parser::ParseForIndices() {
  std::vector<ast::ForIndex> indices;
  do {
    const std::uint32_t begin = in_.begin();
    ast::ForIndex index = {.name = ParseIdentifier("an iterator")};
    if (!in_.failed() && in_.Accept(TokenKind::kIn)) {
      index.range = ParseExpression();
    }
    index.span = in_.SpanFrom(begin);
    indices.push_back(index);
  } while (!in_.failed() && in_.Accept(TokenKind::kComma));
  return indices;
}

void Parser::NoteSubscripts(const ast::ComponentReference& reference) {
  if (open_notings_ == 0) {
    return;
  }
  for (std::size_t part = 0; part < reference.parts.size(); ++part) {
    const ast::Expressions& subscripts = reference.parts[part].subscripts;
    for (std::size_t i = 0; i < subscripts.size(); ++i) {
      const auto* const name =
          std::get_if<ast::ComponentReference>(&subscripts[i]->node);
      if (name != nullptr && name->parts.size() == 1 && !name->is_global &&
          name->parts.front().subscripts.empty()) {
        named_subscripts_.push_back(
            {name->parts.front().name.text, reference, part, i + 1});
      }
    }
  }
}

// size(a, k) for the dimension k of a that the subscript stands in.
const Expression* Parser::MakeSize(const NamedSubscript& subscript) {
  const ast::ComponentReference& use = subscript.reference;
  std::vector<ast::ReferencePart> parts(
      use.parts.begin(),
      use.parts.begin() + static_cast<std::ptrdiff_t>(subscript.part + 1));
  parts.back().subscripts = {};
  const ast::ComponentReference array = {
      .span = use.span, .is_global = use.is_global, .parts = Keep(parts)};
  const std::vector<ast::CallArgument> arguments = {
      {.value = New(Expression{use.span, array})},
      {.value = New(Expression{use.span,
                               ast::IntegerLiteral{static_cast<std::int64_t>(
                                   subscript.dimension)}})}};
  const std::vector<ast::ReferencePart> size = {{.name = {"size", use.span}}};
  return New(
      Expression{use.span,
                 ast::Call{.function = {.span = use.span, .parts = Keep(size)},
                           .arguments = Keep(arguments)}});
}

// The indices of a loop whose body is parsed. Those with an implied range get
// the subscripts noted since `begin` (specification 3.6, section 11.2.2.1).
ast::List<ast::ForIndex> Parser::CloseIndices(
    std::vector<ast::ForIndex> indices, std::size_t begin) {
  const auto first =
      named_subscripts_.begin() + static_cast<std::ptrdiff_t>(begin);
  for (ast::ForIndex& index : indices) {
    std::vector<const Expression*> sizes;
    for (auto use = first; use != named_subscripts_.end(); ++use) {
      if (index.range == nullptr && use->name == index.name.text) {
        sizes.push_back(MakeSize(*use));
      }
    }
    index.sizes = Keep(sizes);
  }
  const auto is_own = [&](const NamedSubscript& use) {
    return std::ranges::find(indices, use.name, [](const ast::ForIndex& index) {
             return index.name.text;
           }) != indices.end();
  };
  named_subscripts_.erase(
      std::remove_if(first, named_subscripts_.end(), is_own),
      named_subscripts_.end());
  return Keep(indices);
}

}  // namespace orrery::modelica::internal
