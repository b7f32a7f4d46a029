#include "orrery/syntax/grammar/modification_parser.h"

#include <variant>

namespace orrery::modelica::internal {

const ast::ClassModification* ModificationParser::ParseAnnotation() {
  if (in_.failed() || !in_.Accept(TokenKind::kAnnotation)) {
    return nullptr;
  }
  return ParseClassModification();
}

ast::Description ModificationParser::ParseDescription() {
  ast::Description result = {.strings = ParseStrings()};
  result.annotation = ParseAnnotation();
  return result;
}

// The description of an equation or a component. An annotation that only
// classes have belongs to the class: a ';' is missing before it.
ast::Description ModificationParser::ParseOwnDescription() {
  ast::Description result = {.strings = ParseStrings()};
  const std::uint32_t end = in_.previous_end();
  result.annotation = ParseAnnotation();
  if (result.annotation == nullptr) {
    return result;
  }
  for (const ast::Argument& argument : result.annotation->arguments) {
    const auto* said = std::get_if<ast::ElementModification>(&argument.node);
    if (said != nullptr && ast::ToString(said->name) == "experiment") {
      in_.Complain({end, end},
                   "missing ';' before the annotation: 'experiment' is of the "
                   "class",
                   "add ';'");
    }
  }
  return result;
}

bool ModificationParser::AtModification() const {
  return in_.At(TokenKind::kLeftParen) || in_.At(TokenKind::kEquals) ||
         in_.At(TokenKind::kAssign);
}

const ast::Modification* ModificationParser::ParseModification() {
  const Level level(*this);
  if (!level) {
    return nullptr;
  }
  ast::Modification result;
  const std::uint32_t begin = in_.begin();
  if (in_.At(TokenKind::kLeftParen)) {
    result.arguments = ParseClassModification();
  }
  // ':=' is the grammar's old second spelling of '=' here.
  if (!in_.failed() &&
      (in_.Accept(TokenKind::kEquals) || in_.Accept(TokenKind::kAssign))) {
    if (in_.Accept(TokenKind::kBreak)) {
      result.is_break = true;
    } else {
      result.value = ParseExpression();
    }
  }
  result.span = in_.SpanFrom(begin);
  return New(result);
}

const ast::ClassModification* ModificationParser::ParseClassModification(
    bool may_break) {
  const Level level(*this);
  if (!level) {
    return nullptr;
  }
  const std::uint32_t begin = in_.begin();
  if (!in_.At(TokenKind::kLeftParen)) {
    in_.FailExpected("'('");
    return nullptr;
  }
  in_.Open();
  std::vector<ast::Argument> arguments;
  if (!in_.At(TokenKind::kRightParen)) {
    do {
      if (in_.At(TokenKind::kBreak) && !may_break) {
        in_.Complain({in_.begin(), in_.current().end},
                     "only what 'extends' inherits can be left out",
                     "move this to an extends clause");
      }
      const ast::Argument argument =
          in_.At(TokenKind::kBreak) ? ParseInheritanceBreak() : ParseArgument();
      if (!in_.failed()) {
        arguments.push_back(argument);
      }
    } while (!in_.failed() && in_.Accept(TokenKind::kComma));
  }
  in_.Close(TokenKind::kRightParen, "','");
  return New(ast::ClassModification{in_.SpanFrom(begin), Keep(arguments)});
}

ast::Argument ModificationParser::ParseArgument() {
  ast::Argument result;
  const std::uint32_t begin = in_.begin();
  result.is_redeclare = in_.Accept(TokenKind::kRedeclare);
  result.is_each = in_.Accept(TokenKind::kEach);
  result.is_final = in_.Accept(TokenKind::kFinal);
  result.is_replaceable = in_.Accept(TokenKind::kReplaceable);
  if (result.is_redeclare || result.is_replaceable) {
    ParseReplacement(result);
  } else {
    ast::ElementModification modification;
    modification.name = ParseName("an element to modify");
    if (!in_.failed() && AtModification()) {
      modification.modification = ParseModification();
    }
    modification.description = ParseStrings();
    result.node = modification;
  }
  result.span = in_.SpanFrom(begin);
  return result;
}

void ModificationParser::ParseReplacement(ast::Argument& argument) {
  if (AtClass()) {
    argument.node = ParseClassDefinition(/*must_be_short=*/true);
  } else {
    argument.node = ParseComponentClause(/*is_single=*/true);
  }
  if (argument.is_replaceable) {
    argument.constraint = ParseConstrainingClause();
  }
}

ast::Argument ModificationParser::ParseInheritanceBreak() {
  ast::Argument result;
  const std::uint32_t begin = in_.Take().begin;
  if (in_.At(TokenKind::kConnect)) {
    const ast::Connect connect = ParseConnect();
    result.node = ast::BreakConnect{connect.from, connect.to};
  } else {
    result.node = ast::BreakElement{ParseIdentifier("an element to leave out")};
  }
  result.span = in_.SpanFrom(begin);
  return result;
}

ast::Connect ModificationParser::ParseConnect() {
  in_.Take();
  ast::Connect result;
  if (!in_.At(TokenKind::kLeftParen)) {
    in_.FailExpected("'(' after 'connect'");
    return result;
  }
  in_.Open();
  result.from = ParseComponentReference();
  in_.Expect(TokenKind::kComma);
  result.to = ParseComponentReference();
  in_.Close(TokenKind::kRightParen);
  return result;
}

const ast::ConstrainingClause* ModificationParser::ParseConstrainingClause() {
  const std::uint32_t begin = in_.begin();
  if (in_.failed() || !in_.Accept(TokenKind::kConstrainedBy)) {
    return nullptr;
  }
  ast::ConstrainingClause result;
  result.type = ParseTypeSpecifier();
  if (!in_.failed() && in_.At(TokenKind::kLeftParen)) {
    result.modification = ParseClassModification();
  }
  result.span = in_.SpanFrom(begin);
  return New(result);
}

}  // namespace orrery::modelica::internal
