#include "orrery/syntax/grammar/element_parser.h"

namespace orrery::modelica::internal {

using ast::ClassKind;

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

std::optional<ClassKind> ClassKindOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kClass:
      return ClassKind::kClass;
    case TokenKind::kModel:
      return ClassKind::kModel;
    case TokenKind::kRecord:
      return ClassKind::kRecord;
    case TokenKind::kBlock:
      return ClassKind::kBlock;
    case TokenKind::kConnector:
      return ClassKind::kConnector;
    case TokenKind::kType:
      return ClassKind::kType;
    case TokenKind::kPackage:
      return ClassKind::kPackage;
    case TokenKind::kFunction:
      return ClassKind::kFunction;
    case TokenKind::kOperator:
      return ClassKind::kOperator;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool ElementParser::AtClass() const {
  switch (in_.kind()) {
    case TokenKind::kEncapsulated:
    case TokenKind::kPartial:
    case TokenKind::kExpandable:
    case TokenKind::kImpure:
      return true;
    case TokenKind::kPure:
      return in_.KindAt(1) != TokenKind::kLeftParen;
    default:
      return ClassKindOf(in_.kind()).has_value();
  }
}

ast::ClassPrefixes ElementParser::ParseClassPrefixes() {
  ast::ClassPrefixes result;
  result.is_encapsulated = in_.Accept(TokenKind::kEncapsulated);
  result.is_partial = in_.Accept(TokenKind::kPartial);
  if (in_.Accept(TokenKind::kPure)) {
    result.purity = ast::Purity::kPure;
  } else if (in_.Accept(TokenKind::kImpure)) {
    result.purity = ast::Purity::kImpure;
  }
  const TokenKind next = in_.KindAt(1);
  if (in_.At(TokenKind::kOperator) &&
      (next == TokenKind::kRecord || next == TokenKind::kFunction)) {
    in_.Take();
    result.is_operator = true;
  }
  result.is_expandable = in_.Accept(TokenKind::kExpandable);
  const auto kind = ClassKindOf(in_.kind());
  if (!kind) {
    in_.FailExpected("a kind of class (model, package, ...)");
    return result;
  }
  if (result.is_expandable && *kind != ClassKind::kConnector) {
    in_.Complain({in_.begin(), in_.current().end},
                 "only a connector can be expandable");
  }
  if (result.purity != ast::Purity::kUnspecified &&
      *kind != ClassKind::kFunction) {
    in_.Complain({in_.begin(), in_.current().end},
                 "only a function can be pure or impure");
  }
  in_.Take();
  result.kind = *kind;
  return result;
}

bool ElementParser::AtElement() const {
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
bool ElementParser::AtDoubtfulName() const {
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
bool ElementParser::AtEquation() const {
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

std::optional<ast::Element> ElementParser::ParseElement(
    ast::Visibility visibility) {
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

bool ElementParser::ParseDeclaredElement(ast::Element& element) {
  if (AtClass()) {
    const ast::ClassDefinition* definition =
        ParseClassDefinition(/*must_be_short=*/false);
    if (definition == nullptr) {
      return false;
    }
    element.node = definition;
  } else if (AtElement()) {
    element.node = ParseComponentClause(/*is_single=*/false);
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

const ast::Import* ElementParser::ParseImport() {
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

const ast::Extends* ElementParser::ParseExtends() {
  in_.Take();
  ast::Extends result;
  result.base = ParseTypeSpecifier();
  if (in_.At(TokenKind::kLeftParen) && !in_.failed()) {
    result.modification = ParseClassModification(/*may_break=*/true);
  }
  result.annotation = ParseAnnotation();
  return New(result);
}

ast::TypePrefix ElementParser::ParseTypePrefix() {
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

const ast::ComponentClause* ElementParser::ParseComponentClause(
    bool is_single) {
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

ast::ComponentDeclaration ElementParser::ParseComponentDeclaration(
    bool is_single) {
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

}  // namespace orrery::modelica::internal
