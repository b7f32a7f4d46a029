#include "orrery/syntax/grammar/class_parser.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>

namespace orrery::modelica::internal {

using ast::ClassDefinition;

namespace {

std::string QuotedName(std::string_view name) {
  return "'" + std::string(name) + "'";
}

}  // namespace

void ClassParser::ParseStoredDefinition(ast::StoredDefinition& result) {
  std::vector<ast::StoredClass> classes;
  ParseWithin(result);
  while (!in_.At(TokenKind::kEndOfFile)) {
    const std::size_t before = in_.position();
    ParseStoredClass(classes);
    if (in_.failed()) {
      in_.SkipItem();
    }
    if (in_.position() == before) {
      in_.Take();
    }
  }
  in_.Finish();
  result.classes = Keep(classes);
}

void ClassParser::ParseWithin(ast::StoredDefinition& result) {
  if (!in_.Accept(TokenKind::kWithin)) {
    return;
  }
  result.within = ast::Name{};
  if (in_.At(TokenKind::kIdentifier)) {
    result.within = ParseName("a package");
  }
  in_.ExpectSemicolon();
  if (in_.failed()) {
    in_.SkipItem();
  }
}

void ClassParser::ParseStoredClass(std::vector<ast::StoredClass>& classes) {
  const std::uint32_t begin = in_.begin();
  if (in_.At(TokenKind::kIdentifier) && !in_.RepairKeyword()) {
    in_.FailExpected("a class (model, package, ...)");
    return;
  }
  if (in_.Accept(TokenKind::kEnd)) {
    in_.Accept(TokenKind::kIdentifier);
    in_.Complain(in_.SpanFrom(begin), "this ends no class that is open");
    in_.ExpectSemicolon();
    return;
  }
  if (in_.At(TokenKind::kWithin)) {
    in_.Fail({begin, in_.current().end}, "'within' must come first");
    return;
  }
  const bool is_final = in_.Accept(TokenKind::kFinal);
  if (!AtClass()) {
    in_.FailExpected("a class (model, package, ...)");
    return;
  }
  const ClassDefinition* definition =
      ParseClassDefinition(/*must_be_short=*/false);
  in_.ExpectSemicolon();
  if (definition != nullptr) {
    classes.push_back({is_final, definition});
  }
}

const ClassDefinition* ClassParser::ParseClassDefinition(bool must_be_short) {
  const Level level(*this);
  if (!level) {
    return nullptr;
  }
  ClassDefinition result;
  const std::uint32_t begin = in_.begin();
  result.prefixes = ParseClassPrefixes();
  const bool is_extension = in_.Accept(TokenKind::kExtends);
  result.name = ParseIdentifier("the class");
  if (in_.failed()) {
    return nullptr;
  }
  if (!must_be_short && (is_extension || !in_.At(TokenKind::kEquals))) {
    blocks_.push_back(
        {TokenKind::kClass, {begin, result.name.span.end}, result.name.text});
    ParseLongClass(result, is_extension);
    blocks_.pop_back();
  } else if (in_.Expect(TokenKind::kEquals)) {
    if (in_.At(TokenKind::kEnumeration)) {
      ParseEnumeration(result);
    } else if (in_.At(TokenKind::kDer)) {
      ParseDerivativeClass(result);
    } else {
      ParseShortClass(result);
    }
    result.description = ParseDescription();
  }
  result.span = in_.SpanFrom(begin);
  return New(result);
}

void ClassParser::ParseShortClass(ClassDefinition& result) {
  ast::ShortClass node;
  if (in_.Accept(TokenKind::kInput)) {
    node.causality = ast::Causality::kInput;
  } else if (in_.Accept(TokenKind::kOutput)) {
    node.causality = ast::Causality::kOutput;
  }
  node.base = ParseTypeSpecifier();
  if (in_.At(TokenKind::kLeftBracket) && !in_.failed()) {
    node.subscripts = ParseSubscripts();
  }
  if (in_.At(TokenKind::kLeftParen) && !in_.failed()) {
    node.modification = ParseClassModification();
  }
  result.node = node;
}

void ClassParser::ParseEnumeration(ClassDefinition& result) {
  in_.Take();
  if (!in_.At(TokenKind::kLeftParen)) {
    in_.FailExpected("'(' after 'enumeration'");
    return;
  }
  in_.Open();
  ast::Enumeration node;
  node.is_open = in_.Accept(TokenKind::kColon);
  std::vector<ast::EnumerationLiteral> literals;
  if (!node.is_open && !in_.At(TokenKind::kRightParen)) {
    do {
      const ast::Identifier name = ParseIdentifier("an enumeration literal");
      literals.push_back({name, ParseDescription()});
    } while (!in_.failed() && in_.Accept(TokenKind::kComma));
  }
  in_.Close(TokenKind::kRightParen, node.is_open ? "" : "','");
  node.literals = Keep(literals);
  result.node = node;
}

void ClassParser::ParseDerivativeClass(ClassDefinition& result) {
  in_.Take();
  if (!in_.At(TokenKind::kLeftParen)) {
    in_.FailExpected("'(' after 'der'");
    return;
  }
  in_.Open();
  ast::DerivativeClass node;
  node.function = ParseTypeSpecifier();
  in_.Expect(TokenKind::kComma);
  node.variables = ParseIdentifiers("an input to differentiate by");
  in_.Close(TokenKind::kRightParen, "','");
  result.node = node;
}

void ClassParser::ParseLongClass(ClassDefinition& result, bool is_extension) {
  const ast::ClassModification* modification = nullptr;
  if (is_extension && in_.At(TokenKind::kLeftParen)) {
    modification = ParseClassModification();
  }
  result.description.strings = ParseStrings();
  if (in_.failed()) {
    in_.SkipItem();
  }
  Body body;
  ParseBody(body);
  ParseEndOfClass();
  ast::LongClass node = FinishBody(body);
  node.is_extension = is_extension;
  node.modification = modification;
  result.node = node;
  result.description.annotation = body.annotation;
}

void ClassParser::ParseBody(Body& body) {
  for (;;) {
    const std::size_t before = in_.position();
    const TokenKind next = in_.KindAt(1);
    switch (in_.kind()) {
      case TokenKind::kEndOfFile:
        return;
      case TokenKind::kEnd:
        if (next != TokenKind::kIf && next != TokenKind::kFor &&
            next != TokenKind::kWhen && next != TokenKind::kWhile) {
          return;
        }
        ParseStray();
        break;
      case TokenKind::kElse:
      case TokenKind::kElseIf:
      case TokenKind::kElseWhen:
        ParseStray();
        break;
      case TokenKind::kExternal:
        ParseExternal(body);
        break;
      case TokenKind::kAnnotation:
        ParseClassAnnotation(body);
        break;
      default:
        ParseSection(body);
        break;
    }
    if (in_.failed()) {
      in_.SkipItem();
    }
    if (in_.position() == before) {
      in_.Take();
    }
  }
}

// An `else` or `end if` that belongs to nothing.
void ClassParser::ParseStray() {
  const std::uint32_t begin = in_.begin();
  std::string what = std::string(in_.TextOf(in_.Take()));
  if (what == "end") {
    what += " " + std::string(in_.TextOf(in_.Take()));
    in_.Accept(TokenKind::kSemicolon);
  }
  in_.Complain({begin, begin + static_cast<std::uint32_t>(what.size())},
               "this '" + what + "' belongs to nothing that is open",
               "remove it");
}

// Takes the keywords that begin a section and sets the body's mode.
bool ClassParser::ParseSectionHeader(Body& body) {
  body.is_initial = false;
  switch (in_.kind()) {
    case TokenKind::kPublic:
    case TokenKind::kProtected:
      body.mode = Mode::kElements;
      body.visibility = in_.Take().kind == TokenKind::kPublic
                            ? ast::Visibility::kPublic
                            : ast::Visibility::kProtected;
      return true;
    case TokenKind::kInitial:
      if (in_.KindAt(1) != TokenKind::kEquation &&
          in_.KindAt(1) != TokenKind::kAlgorithm) {
        return false;
      }
      body.is_initial = true;
      in_.Take();
      break;
    case TokenKind::kEquation:
    case TokenKind::kAlgorithm:
      break;
    default:
      return false;
  }
  body.mode = in_.Take().kind == TokenKind::kEquation ? Mode::kEquations
                                                      : Mode::kAlgorithm;
  return true;
}

void ClassParser::ParseSection(Body& body) {
  const std::uint32_t begin = in_.begin();
  if (body.external != nullptr || body.annotation != nullptr) {
    in_.Warn({begin, in_.current().end},
             body.external != nullptr
                 ? "only the class annotation should follow 'external'"
                 : "the class annotation should be the last in its class");
  }
  const bool has_keyword = ParseSectionHeader(body);
  Body::Piece piece;
  switch (body.mode) {
    case Mode::kElements: {
      const std::size_t first = body.elements.size();
      ParseElements(body);
      piece.element_count = body.elements.size() - first;
      piece.section.node =
          ast::ElementSection{body.visibility, has_keyword, {}};
      break;
    }
    case Mode::kEquations: {
      const auto equations = ParseItems<ast::Equation>();
      piece.section.node = ast::EquationSection{body.is_initial, equations};
      break;
    }
    case Mode::kAlgorithm: {
      const auto statements = ParseItems<ast::Statement>();
      piece.section.node = ast::AlgorithmSection{body.is_initial, statements};
      break;
    }
  }
  piece.section.span = in_.SpanFrom(begin);
  body.pieces.push_back(piece);
}

void ClassParser::ParseElements(Body& body) {
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

ast::LongClass ClassParser::FinishBody(const Body& body) {
  ast::LongClass result;
  result.elements = Keep(body.elements);
  std::vector<ast::Section> sections;
  const ast::Element* next = result.elements.begin();
  for (const Body::Piece& piece : body.pieces) {
    sections.push_back(piece.section);
    auto& node = sections.back().node;
    if (auto* elements = std::get_if<ast::ElementSection>(&node)) {
      elements->elements = {next, piece.element_count};
      next += piece.element_count;
    }
  }
  result.sections = Keep(sections);
  result.external = body.external;
  return result;
}

void ClassParser::ParseExternal(Body& body) {
  ast::External result;
  const std::uint32_t begin = in_.Take().begin;
  if (in_.At(TokenKind::kString)) {
    result.language = MakeString(in_.Take());
  }
  if (in_.At(TokenKind::kIdentifier) || in_.At(TokenKind::kDot)) {
    ast::ComponentReference reference = ParseComponentReference();
    if (!in_.failed() && in_.Accept(TokenKind::kEquals)) {
      result.result = reference;
      result.function = ParseIdentifier("an external function");
    } else {
      result.function = reference.parts.front().name;
      if (reference.parts.size() > 1 || reference.is_global) {
        in_.Complain(reference.span, "an external function has a simple name");
      }
    }
    if (!in_.failed() && !in_.At(TokenKind::kLeftParen)) {
      in_.FailExpected("'(' after the external function's name");
    } else if (!in_.failed()) {
      in_.Open();
      if (!in_.At(TokenKind::kRightParen)) {
        result.arguments = ParseExpressionList();
      }
      in_.Close(TokenKind::kRightParen, "','");
    }
  }
  result.annotation = ParseAnnotation();
  result.span = in_.SpanFrom(begin);
  in_.ExpectSemicolon();
  if (body.external != nullptr) {
    in_.Complain(result.span, "a function has one 'external' at most");
  }
  body.external = New(result);
}

void ClassParser::ParseClassAnnotation(Body& body) {
  const std::uint32_t begin = in_.begin();
  const ast::ClassModification* annotation = ParseAnnotation();
  if (body.annotation != nullptr) {
    in_.Complain(in_.SpanFrom(begin),
                 "a class has one annotation at most",
                 "join it with the one before");
  }
  body.annotation = annotation;
  in_.ExpectSemicolon();
}

// The class is the innermost block.
void ClassParser::ParseEndOfClass() {
  const Block block = blocks_.back();
  const std::string wanted = "'end " + std::string(block.name) + "'";
  const auto note = [&](bool is_shown) {
    if (is_shown) {
      in_.Note(block.begin, QuotedName(block.name) + " begins here");
    }
  };
  if (in_.At(TokenKind::kEndOfFile)) {
    if (!file_end_reported_) {
      file_end_reported_ = true;
      note(in_.Fail({in_.begin(), in_.begin()},
                    "missing " + wanted + " at the end of the file"));
    }
    in_.FailSilently();
    return;
  }
  const Token keyword = in_.Take();
  if (!in_.At(TokenKind::kIdentifier)) {
    note(in_.Complain({keyword.begin, keyword.end},
                      "'end' needs the name of the class",
                      "write " + wanted));
    return;
  }
  const ast::Identifier name = MakeIdentifier(in_.current());
  if (name.text == block.name) {
    in_.Take();
    return;
  }
  const bool ends_outer =
      std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& outer) {
        return outer.kind == TokenKind::kClass && outer.name == name.text;
      });
  if (ends_outer) {
    in_.Return();
    note(in_.Fail({keyword.begin, name.span.end},
                  "missing " + wanted + " before this"));
    return;
  }
  in_.Take();
  note(in_.Complain(
      name.span,
      "expected " + wanted + ", found 'end " + std::string(name.text) + "'",
      "the names must be equal"));
}

}  // namespace orrery::modelica::internal
