#include "orrery/syntax/grammar/item_parser.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace orrery::modelica::internal {

namespace {

// Keywords that can follow the name at an item's beginning in good order.
bool IsInfixWord(TokenKind kind) {
  return kind == TokenKind::kAnd || kind == TokenKind::kOr ||
         kind == TokenKind::kAnnotation || kind == TokenKind::kEnd;
}

bool IsKeyword(TokenKind kind) {
  return kind < TokenKind::kLeftParen;
}

}  // namespace

bool ItemParser::AtItemsEnd() const {
  switch (in_.kind()) {
    case TokenKind::kEnd:
    case TokenKind::kEndOfFile:
    case TokenKind::kElse:
    case TokenKind::kElseIf:
    case TokenKind::kElseWhen:
    case TokenKind::kPublic:
    case TokenKind::kProtected:
    case TokenKind::kEquation:
    case TokenKind::kAlgorithm:
    case TokenKind::kExternal:
    case TokenKind::kAnnotation:
      return true;
    case TokenKind::kInitial:
      return in_.KindAt(1) == TokenKind::kEquation ||
             in_.KindAt(1) == TokenKind::kAlgorithm;
    default:
      return false;
  }
}

// Parses equations or statements until a token that cannot begin one.
template <typename Item>
ast::List<Item> ItemParser::ParseItems() {
  std::vector<Item> items;
  while (!AtItemsEnd()) {
    const std::size_t before = in_.position();
    const TokenKind next = in_.KindAt(1);
    if (in_.At(TokenKind::kIdentifier) &&
        (next == TokenKind::kIdentifier ||
         (IsKeyword(next) && !IsInfixWord(next))) &&
        in_.RepairKeyword()) {
      continue;
    }
    std::optional<Item> item = ParseItem<Item>();
    in_.ExpectSemicolon();
    if (in_.failed()) {
      in_.SkipItem();
    } else if (item) {
      items.push_back(*item);
    }
    if (in_.position() == before) {
      if (AtItemsEnd()) {
        break;
      }
      in_.Take();
    }
  }
  return Keep(items);
}

template <typename Item>
std::optional<Item> ItemParser::ParseItem() {
  const Level level(*this);
  if (!level) {
    return std::nullopt;
  }
  const std::uint32_t begin = in_.begin();
  std::optional<Item> item;
  if constexpr (std::is_same_v<Item, ast::Equation>) {
    item = ParseEquation();
  } else {
    item = ParseStatement();
  }
  const ast::Span span = in_.SpanFrom(begin);
  const ast::Description description = ParseOwnDescription();
  if (item) {
    item->span = span;
    item->description = description;
  }
  return item;
}

std::optional<ast::Equation> ItemParser::ParseEquation() {
  switch (in_.kind()) {
    case TokenKind::kIf:
    case TokenKind::kFor:
    case TokenKind::kWhen:
      return ParseCompound<ast::Equation>();
    case TokenKind::kConnect:
      return ast::Equation{.node = ParseConnect()};
    case TokenKind::kWhile:
    case TokenKind::kBreak:
    case TokenKind::kReturn:
      in_.Complain({in_.begin(), in_.current().end},
                   in_.Found() + " is a statement, not an equation",
                   "put it in an algorithm section");
      ParseStatement();
      return std::nullopt;
    default:
      if (AtElement() && !in_.At(TokenKind::kIdentifier) &&
          !in_.At(TokenKind::kDot) && !in_.At(TokenKind::kPure)) {
        ParseMisplacedDeclaration("equation");
        return std::nullopt;
      }
      return ParseSimpleEquation();
  }
}

std::optional<ast::Statement> ItemParser::ParseStatement() {
  switch (in_.kind()) {
    case TokenKind::kIf:
    case TokenKind::kFor:
    case TokenKind::kWhen:
      return ParseCompound<ast::Statement>();
    case TokenKind::kWhile:
      return ast::Statement{.node = ParseWhile()};
    case TokenKind::kBreak:
      if (!IsInLoop()) {
        in_.Complain({in_.begin(), in_.current().end},
                     "'break' leaves a loop: there is none around it",
                     "put it in a 'for' or a 'while'");
      }
      in_.Take();
      return ast::Statement{.node = ast::Break{}};
    case TokenKind::kReturn:
      in_.Take();
      return ast::Statement{.node = ast::Return{}};
    case TokenKind::kLeftParen:
      return ParseMultiAssignment();
    case TokenKind::kIdentifier:
    case TokenKind::kDot:
      return ParseAssignment();
    case TokenKind::kConnect:
      in_.Complain({in_.begin(), in_.current().end},
                   "'connect' is an equation, not a statement",
                   "put it in an equation section");
      ParseConnect();
      return std::nullopt;
    case TokenKind::kDer:
      in_.Fail({in_.begin(), in_.current().end},
               "a statement cannot assign a derivative",
               "put an equation for it in an equation section");
      return std::nullopt;
    default:
      if (AtElement()) {
        ParseMisplacedDeclaration("algorithm");
      } else {
        in_.FailExpected("a statement");
      }
      return std::nullopt;
  }
}

void ItemParser::ParseMisplacedDeclaration(std::string_view section) {
  in_.Complain(
      {in_.begin(), in_.current().end},
      "a declaration cannot stand in an " + std::string(section) + " section",
      "move it up, or begin a 'public' or 'protected' section");
  ParseElement(ast::Visibility::kPublic);
}

template <typename Item>
std::optional<Item> ItemParser::ParseCompound() {
  switch (in_.kind()) {
    case TokenKind::kIf:
      return Item{.node = ast::If<Item>{
                      ParseBranches<Item>(TokenKind::kIf, TokenKind::kElseIf)}};
    case TokenKind::kWhen:
      return Item{.node = ast::When<Item>{ParseBranches<Item>(
                      TokenKind::kWhen, TokenKind::kElseWhen)}};
    default:
      return Item{.node = ParseFor<Item>()};
  }
}

// A when-clause has no `else`: with `when` behind it, it is meant to be one
// word.
bool ItemParser::TakeElseOfWhen() {
  if (!in_.At(TokenKind::kElse) || in_.KindAt(1) != TokenKind::kWhen) {
    return false;
  }
  const std::uint32_t begin = in_.begin();
  in_.Take();
  in_.Complain({begin, in_.current().end},
               "'else when' opens another when-clause in this one",
               "write 'elsewhen'");
  return true;
}

template <typename Item>
ast::List<ast::Branch<Item>> ItemParser::ParseBranches(TokenKind open,
                                                       TokenKind next) {
  blocks_.push_back({open, {in_.begin(), in_.current().end}, {}});
  std::vector<ast::Branch<Item>> branches;
  do {
    in_.Take();
    const ast::Expression* condition = ParseCondition();
    in_.Expect(TokenKind::kThen);
    if (in_.failed()) {
      in_.SkipItem();
    }
    branches.push_back({condition, ParseItems<Item>()});
  } while (in_.At(next) || (open == TokenKind::kWhen && TakeElseOfWhen()));
  if (open == TokenKind::kIf && in_.Accept(TokenKind::kElse)) {
    branches.push_back({nullptr, ParseItems<Item>()});
  }
  ParseEndOf(open);
  return Keep(branches);
}

template <typename Item>
ast::For<Item> ItemParser::ParseFor() {
  const Token keyword = in_.Take();
  blocks_.push_back({TokenKind::kFor, {keyword.begin, keyword.end}, {}});
  std::vector<ast::ForIndex> indices = ParseForIndices();
  in_.Expect(TokenKind::kLoop);
  if (in_.failed()) {
    in_.SkipItem();
  }
  const ImpliedRanges::Scope scope(ranges());
  const ast::List<Item> body = ParseItems<Item>();
  ParseEndOf(TokenKind::kFor);
  return {scope.Close(std::move(indices)), body};
}

ast::While ItemParser::ParseWhile() {
  const Token keyword = in_.Take();
  blocks_.push_back({TokenKind::kWhile, {keyword.begin, keyword.end}, {}});
  const ast::Expression* condition = ParseCondition();
  in_.Expect(TokenKind::kLoop);
  if (in_.failed()) {
    in_.SkipItem();
  }
  const ast::List<ast::Statement> body = ParseItems<ast::Statement>();
  ParseEndOf(TokenKind::kWhile);
  return {condition, body};
}

bool ItemParser::IsOpenBelow(TokenKind kind) const {
  for (std::size_t i = blocks_.size() - 1; i-- > 0;) {
    if (blocks_[i].kind == TokenKind::kClass) {
      return false;
    }
    if (blocks_[i].kind == kind) {
      return true;
    }
  }
  return false;
}

bool ItemParser::IsInLoop() const {
  const auto innermost =
      std::find_if(blocks_.rbegin(), blocks_.rend(), [](const Block& block) {
        return block.kind == TokenKind::kClass ||
               block.kind == TokenKind::kFor || block.kind == TokenKind::kWhile;
      });
  return innermost != blocks_.rend() && innermost->kind != TokenKind::kClass;
}

// `end if` and the like; the block is the innermost one.
void ItemParser::ParseEndOf(TokenKind kind) {
  const std::string wanted = "'end " + std::string(Spelling(kind)) + "'";
  const Block block = blocks_.back();
  const TokenKind next = in_.KindAt(1);
  const bool is_other_end =
      in_.At(TokenKind::kEnd) &&
      (next == TokenKind::kIf || next == TokenKind::kFor ||
       next == TokenKind::kWhen || next == TokenKind::kWhile);
  const std::uint32_t begin = in_.begin();
  bool is_shown = false;
  if (in_.At(TokenKind::kEnd) && next == kind) {
    in_.Take();
    in_.Take();
  } else if (is_other_end && !IsOpenBelow(next)) {
    in_.Take();
    in_.Take();
    is_shown = in_.Complain(in_.SpanFrom(begin),
                            "expected " + wanted + ", found 'end " +
                                std::string(Spelling(next)) + "'");
  } else {
    is_shown = in_.Fail({begin, in_.current().end},
                        "missing " + wanted + " before " + in_.Found());
  }
  if (is_shown) {
    in_.Note(block.begin,
             "the '" + std::string(Spelling(kind)) + "' begins here");
  }
  blocks_.pop_back();
}

std::optional<ast::Equation> ItemParser::ParseSimpleEquation() {
  const ast::Expression* left = ParseSimpleExpression();
  if (in_.failed()) {
    return std::nullopt;
  }
  if (in_.At(TokenKind::kAssign)) {
    in_.Complain({in_.begin(), in_.current().end},
                 "an equation is written with '=', not ':='",
                 "write '=', or put an assignment in an algorithm section");
    in_.Take();
    ParseExpression();
    return std::nullopt;
  }
  if (in_.Accept(TokenKind::kEquals)) {
    const ast::Expression* right = ParseExpression();
    return ast::Equation{.node = ast::SimpleEquation{left, right}};
  }
  const auto* call = std::get_if<ast::Call>(&left->node);
  if (call != nullptr &&
      KeywordOrIdentifier(call->function.parts.front().name.text) ==
          TokenKind::kIdentifier) {
    return ast::Equation{.node = ast::CallItem{left}};
  }
  const auto* operation = std::get_if<ast::Operation>(&left->node);
  if (operation != nullptr &&
      operation->steps.front().op == ast::BinaryOperator::kEqual) {
    in_.Complain(
        left->span, "an equation is written with '=', not '=='", "write '='");
  } else if (in_.At(TokenKind::kIdentifier) &&
             std::holds_alternative<ast::ComponentReference>(left->node)) {
    in_.FailExpected("'=' of an equation",
                     "a declaration stands before 'equation'");
  } else {
    in_.FailExpected("'=' of an equation");
  }
  return std::nullopt;
}

std::optional<ast::Statement> ItemParser::ParseAssignment() {
  const std::uint32_t begin = in_.begin();
  const ast::ComponentReference target = ParseComponentReference();
  if (in_.failed()) {
    return std::nullopt;
  }
  if (in_.At(TokenKind::kLeftParen)) {
    const ast::Call call = ParseCallArguments(target);
    return ast::Statement{.node = ast::CallItem{NewExpression(begin, call)}};
  }
  if (in_.At(TokenKind::kEquals)) {
    in_.Complain({in_.begin(), in_.current().end},
                 "an assignment is written with ':=', not '='",
                 "write ':=', or put an equation in an equation section");
    in_.Take();
    ParseExpression();
    return std::nullopt;
  }
  if (!in_.At(TokenKind::kAssign)) {
    in_.FailExpected("':=' of an assignment");
    return std::nullopt;
  }
  in_.Take();
  const ast::Expression* value = ParseExpression();
  return ast::Statement{.node = ast::Assignment{target, value}};
}

std::optional<ast::Statement> ItemParser::ParseMultiAssignment() {
  const ast::Expressions targets = ParseOutputs();
  if (in_.At(TokenKind::kEquals) && !in_.failed()) {
    in_.Complain({in_.begin(), in_.current().end},
                 "an assignment is written with ':=', not '='",
                 "write ':='");
    in_.Take();
  } else {
    in_.Expect(TokenKind::kAssign);
  }
  if (in_.failed()) {
    return std::nullopt;
  }
  const ast::Expression* call = ParseExpression();
  if (!in_.failed() && !std::holds_alternative<ast::Call>(call->node)) {
    in_.Complain(call->span,
                 "only a function call gives several results",
                 "assign a single value without parentheses");
  }
  return ast::Statement{.node = ast::MultiAssignment{targets, call}};
}

template ast::List<ast::Equation> ItemParser::ParseItems();
template ast::List<ast::Statement> ItemParser::ParseItems();

}  // namespace orrery::modelica::internal
