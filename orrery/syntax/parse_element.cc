#include "orrery/syntax/recursive_descent.h"

namespace orrery::modelica::internal {
namespace {

// The tokens that can follow `Type name` in a component clause.
bool CanFollowComponent(TokenKind kind) {
  switch (kind) {
    case TokenKind::kLeftBracket:
    case TokenKind::kLeftParen:
    case TokenKind::kEquals:
    case TokenKind::kAssign:
    case TokenKind::kSemicolon:
    case TokenKind::kComma:
    case TokenKind::kIf:
    case TokenKind::kString:
    case TokenKind::kAnnotation:
    case TokenKind::kConstrainedBy:
    case TokenKind::kInvalid:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool Parser::AtElement() const {
  switch (in_.kind()) {
    case TokenKind::kImport:
    case TokenKind::kExtends:
    case TokenKind::kRedeclare:
    case TokenKind::kFinal:
    case TokenKind::kInner:
    case TokenKind::kOuter:
    case TokenKind::kReplaceable:
    case TokenKind::kFlow:
    case TokenKind::kStream:
    case TokenKind::kDiscrete:
    case TokenKind::kParameter:
    case TokenKind::kConstant:
    case TokenKind::kInput:
    case TokenKind::kOutput:
    case TokenKind::kIdentifier:
    case TokenKind::kDot:
      return true;
    default:
      return AtClass();
  }
}

// True at a name, perhaps a misspelt keyword, after which no declaration goes
// on like this.
bool Parser::AtDoubtfulName() const {
  const TokenKind next = in_.KindAt(1);
  if (!in_.At(TokenKind::kIdentifier)) {
    return false;
  }
  if (next < TokenKind::kLeftParen) {
    return true;
  }
  if (next != TokenKind::kIdentifier) {
    return false;
  }
  const bool is_alone = in_.IsFirstOnLine() && in_.IsFirstOnLine(1);
  return is_alone ||
         (!CanFollowComponent(in_.KindAt(2)) && !in_.IsFirstOnLine(2));
}

// True if an equation stands where a declaration is expected.
bool Parser::AtEquation() const {
  switch (in_.kind()) {
    case TokenKind::kDer:
    case TokenKind::kConnect:
    case TokenKind::kIf:
    case TokenKind::kFor:
    case TokenKind::kWhen:
    case TokenKind::kLeftParen:
    case TokenKind::kInteger:
    case TokenKind::kReal:
    case TokenKind::kMinus:
      return true;
    case TokenKind::kIdentifier:
      break;
    default:
      return false;
  }
  std::size_t ahead = 1;
  while (in_.KindAt(ahead) == TokenKind::kDot &&
         in_.KindAt(ahead + 1) == TokenKind::kIdentifier) {
    ahead += 2;
  }
  const TokenKind next = in_.KindAt(ahead);
  return next == TokenKind::kEquals || next == TokenKind::kLeftParen ||
         (next >= TokenKind::kLess && next <= TokenKind::kDotPower);
}

void Parser::ParseElements(Body& body) {
  while (!AtItemsEnd()) {
    const std::size_t before = in_.position();
    if (AtDoubtfulName() && in_.RepairKeyword()) {
      continue;
    }
    if (AtEquation()) {
      in_.Complain({in_.begin(), in_.current().end},
                   "an equation cannot stand among declarations",
                   "write 'equation' before it");
      body.mode = Mode::kEquations;
      return;
    }
    const auto element = ParseElement(body.visibility);
    in_.ExpectSemicolon();
    if (in_.failed()) {
      in_.SkipItem();
    } else if (element) {
      body.elements.push_back(*element);
    }
    if (in_.position() == before) {
      if (AtItemsEnd()) {
        break;
      }
      in_.Take();
    }
  }
}

std::optional<ast::Element> Parser::ParseElement(ast::Visibility visibility) {
  ast::Element result;
  const std::uint32_t begin = in_.begin();
  result.visibility = visibility;
  if (in_.At(TokenKind::kImport)) {
    result.node = ParseImport();
  } else if (in_.At(TokenKind::kExtends)) {
    result.node = ParseExtends();
  } else {
    result.is_redeclare = in_.Accept(TokenKind::kRedeclare);
    result.is_final = in_.Accept(TokenKind::kFinal);
    result.is_inner = in_.Accept(TokenKind::kInner);
    result.is_outer = in_.Accept(TokenKind::kOuter);
    result.is_replaceable = in_.Accept(TokenKind::kReplaceable);
    if (!ParseDeclaredElement(result)) {
      return std::nullopt;
    }
  }
  result.span = in_.SpanFrom(begin);
  return result;
}

bool Parser::ParseDeclaredElement(ast::Element& element) {
  if (AtClass()) {
    const ast::ClassDefinition* definition = ParseClassDefinition();
    if (definition == nullptr) {
      return false;
    }
    element.node = definition;
  } else if (AtElement()) {
    element.node = ParseComponentClause();
  } else {
    in_.FailExpected("a declaration");
    return false;
  }
  if (in_.At(TokenKind::kConstrainedBy) && !element.is_replaceable) {
    in_.Complain({in_.begin(), in_.current().end},
                 "only what is replaceable can be constrained",
                 "write 'replaceable' in front of the declaration");
  }
  if (const auto* clause = ParseConstrainingClause()) {
    ast::ConstrainingClause described = *clause;
    described.description = ParseDescription();
    element.constraint = New(described);
  }
  return true;
}

const ast::Import* Parser::ParseImport() {
  in_.Take();
  ast::Import result;
  if (in_.At(TokenKind::kIdentifier) && in_.KindAt(1) == TokenKind::kEquals) {
    result.kind = ast::ImportKind::kRenamed;
    result.alias = MakeIdentifier(in_.Take());
    in_.Take();
    result.name = ParseName("what to import");
  } else {
    result.name = ParseName("what to import");
    if (in_.failed()) {
      return New(result);
    }
    // `.*` is one token, or two with space between them.
    if (in_.Accept(TokenKind::kDotTimes)) {
      result.kind = ast::ImportKind::kUnqualified;
    } else if (in_.Accept(TokenKind::kDot)) {
      if (in_.Accept(TokenKind::kTimes)) {
        result.kind = ast::ImportKind::kUnqualified;
      } else {
        result.kind = ast::ImportKind::kList;
        in_.Open();
        result.names = ParseIdentifiers("what to import");
        in_.Close(TokenKind::kRightBrace, "','");
      }
    }
  }
  result.description = ParseDescription();
  return New(result);
}

const ast::Extends* Parser::ParseExtends() {
  in_.Take();
  ast::Extends result;
  result.base = ParseTypeSpecifier();
  if (in_.At(TokenKind::kLeftParen) && !in_.failed()) {
    result.modification = ParseClassModification(/*may_break=*/true);
  }
  result.annotation = ParseAnnotation();
  return New(result);
}

ast::TypePrefix Parser::ParseTypePrefix() {
  ast::TypePrefix result;
  if (in_.Accept(TokenKind::kFlow)) {
    result.flow = ast::FlowPrefix::kFlow;
  } else if (in_.Accept(TokenKind::kStream)) {
    result.flow = ast::FlowPrefix::kStream;
  }
  if (in_.Accept(TokenKind::kDiscrete)) {
    result.variability = ast::Variability::kDiscrete;
  } else if (in_.Accept(TokenKind::kParameter)) {
    result.variability = ast::Variability::kParameter;
  } else if (in_.Accept(TokenKind::kConstant)) {
    result.variability = ast::Variability::kConstant;
  }
  if (in_.Accept(TokenKind::kInput)) {
    result.causality = ast::Causality::kInput;
  } else if (in_.Accept(TokenKind::kOutput)) {
    result.causality = ast::Causality::kOutput;
  }
  return result;
}

// With `is_single`, parses the one component of a redeclaration.
const ast::ComponentClause* Parser::ParseComponentClause(bool is_single) {
  ast::ComponentClause result;
  const std::uint32_t begin = in_.begin();
  result.prefix = ParseTypePrefix();
  result.type = ParseTypeSpecifier();
  if (in_.At(TokenKind::kLeftBracket) && !in_.failed() && !is_single) {
    result.subscripts = ParseSubscripts();
  }
  std::vector<ast::ComponentDeclaration> components;
  do {
    components.push_back(ParseComponentDeclaration(is_single));
  } while (!is_single && !in_.failed() && in_.Accept(TokenKind::kComma));
  result.components = Keep(components);
  result.span = in_.SpanFrom(begin);
  return New(result);
}

ast::ComponentDeclaration Parser::ParseComponentDeclaration(bool is_single) {
  ast::ComponentDeclaration result;
  const std::uint32_t begin = in_.begin();
  result.name = ParseIdentifier("a component");
  if (in_.At(TokenKind::kLeftBracket) && !in_.failed()) {
    result.subscripts = ParseSubscripts();
  }
  if (!in_.failed() && AtModification()) {
    result.modification = ParseModification();
  }
  if (!is_single && !in_.failed() && in_.Accept(TokenKind::kIf)) {
    result.condition = ParseCondition();
  }
  result.description = ParseOwnDescription();
  result.span = in_.SpanFrom(begin);
  return result;
}

bool Parser::AtModification() const {
  return in_.At(TokenKind::kLeftParen) || in_.At(TokenKind::kEquals) ||
         in_.At(TokenKind::kAssign);
}

const ast::Modification* Parser::ParseModification() {
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

const ast::ClassModification* Parser::ParseClassModification(bool may_break) {
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

ast::Argument Parser::ParseArgument() {
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

void Parser::ParseReplacement(ast::Argument& argument) {
  if (AtClass()) {
    argument.node = ParseClassDefinition(/*must_be_short=*/true);
  } else {
    argument.node = ParseComponentClause(/*is_single=*/true);
  }
  if (argument.is_replaceable) {
    argument.constraint = ParseConstrainingClause();
  }
}

ast::Argument Parser::ParseInheritanceBreak() {
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

const ast::ConstrainingClause* Parser::ParseConstrainingClause() {
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
