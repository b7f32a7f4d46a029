#include "orrery/modelica/assist/outline.h"

#include <algorithm>
#include <utility>

#include "orrery/modelica/assist/descriptions.h"
#include "orrery/modelica/assist/name_at.h"
#include "orrery/modelica/assist/open_brackets.h"
#include "orrery/syntax/class_kind.h"

namespace orrery::modelica {
namespace {

using internal::NameTarget;

Symbol::Kind KindOf(const ast::ClassDefinition& text) {
  if (std::holds_alternative<ast::Enumeration>(text.node)) {
    return Symbol::Kind::kEnumeration;
  }
  switch (text.prefixes.kind) {
    case ast::ClassKind::kPackage:
      return Symbol::Kind::kPackage;
    case ast::ClassKind::kFunction:
    case ast::ClassKind::kOperator:
      return Symbol::Kind::kFunction;
    case ast::ClassKind::kType:
    case ast::ClassKind::kRecord:
      return Symbol::Kind::kType;
    case ast::ClassKind::kConnector:
      return Symbol::Kind::kConnector;
    default:
      return Symbol::Kind::kClass;
  }
}

Symbol::Kind KindOf(const ast::ComponentClause& clause) {
  switch (clause.prefix.variability) {
    case ast::Variability::kParameter:
      return Symbol::Kind::kParameter;
    case ast::Variability::kConstant:
      return Symbol::Kind::kConstant;
    default:
      return Symbol::Kind::kComponent;
  }
}

Symbol SymbolOf(const ast::ClassDefinition& text) {
  Symbol symbol = {.name = std::string(text.name.text),
                   .kind = KindOf(text),
                   .detail = std::string(Keyword(text.prefixes.kind)),
                   .span = text.span,
                   .name_span = text.name.span};
  if (const auto* body = std::get_if<ast::Enumeration>(&text.node)) {
    for (const ast::EnumerationLiteral& literal : body->literals) {
      symbol.children.push_back({.name = std::string(literal.name.text),
                                 .kind = Symbol::Kind::kLiteral,
                                 .span = literal.name.span,
                                 .name_span = literal.name.span});
    }
  }
  const auto* const body = std::get_if<ast::LongClass>(&text.node);
  if (body == nullptr) {
    return symbol;
  }
  for (const ast::Element& element : body->elements) {
    if (const auto* nested =
            std::get_if<const ast::ClassDefinition*>(&element.node)) {
      symbol.children.push_back(SymbolOf(**nested));
    } else if (const auto* clause =
                   std::get_if<const ast::ComponentClause*>(&element.node)) {
      for (const ast::ComponentDeclaration& declared : (*clause)->components) {
        symbol.children.push_back({.name = std::string(declared.name.text),
                                   .kind = KindOf(**clause),
                                   .detail = ast::ToString((*clause)->type),
                                   .span = declared.span,
                                   .name_span = declared.name.span});
      }
    }
  }
  return symbol;
}

void AddFoldsOf(const Document& document,
                const ast::ClassDefinition& text,
                std::vector<Fold>& folds) {
  folds.push_back({.span = text.span});
  for (const ast::ClassDefinition* const nested : ClassesIn(text)) {
    AddFoldsOf(document, *nested, folds);
  }
}

// The number of the bracket that closes that of token number `open`; the last
// token if none does.
std::size_t ClosingOf(const Document& document, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < document.tokens().size(); ++i) {
    switch (document.tokens()[i].kind) {
      case TokenKind::kLeftParen:
      case TokenKind::kLeftBracket:
      case TokenKind::kLeftBrace:
        ++depth;
        break;
      case TokenKind::kRightParen:
      case TokenKind::kRightBracket:
      case TokenKind::kRightBrace:
        if (--depth == 0) {
          return i;
        }
        break;
      default:
        break;
    }
  }
  return document.tokens().size() - 1;
}

void AddAnnotations(const Document& document, std::vector<Fold>& folds) {
  const std::vector<Token>& tokens = document.tokens();
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::kAnnotation &&
        tokens[i + 1].kind == TokenKind::kLeftParen) {
      const std::size_t closing = ClosingOf(document, i + 1);
      folds.push_back(
          {.span = {.begin = tokens[i].begin, .end = tokens[closing].end},
           .kind = Fold::Kind::kAnnotation});
    }
  }
}

void AddComments(const Document& document, std::vector<Fold>& folds) {
  std::uint32_t begin = 0;
  for (const Token& token : document.tokens()) {
    const std::string_view gap = document.TextOf(
        ast::Span{.begin = begin, .end = std::max(begin, token.begin)});
    const std::size_t open = gap.find("/*");
    const std::size_t end =
        open == std::string_view::npos ? open : gap.find("*/", open + 2);
    if (end != std::string_view::npos) {
      folds.push_back(
          {.span = {.begin = begin + static_cast<std::uint32_t>(open),
                    .end = begin + static_cast<std::uint32_t>(end) + 2},
           .kind = Fold::Kind::kComment});
    }
    begin = token.end;
  }
}

ColouredName::Kind ColourOf(const NameTarget& target) {
  switch (target.kind) {
    case NameTarget::Kind::kClass:
      switch (target.node->kind()) {
        case ast::ClassKind::kPackage:
          return ColouredName::Kind::kNamespace;
        case ast::ClassKind::kFunction:
        case ast::ClassKind::kOperator:
          return ColouredName::Kind::kFunction;
        case ast::ClassKind::kType:
          return ColouredName::Kind::kType;
        default:
          return ColouredName::Kind::kClass;
      }
    case NameTarget::Kind::kLiteral:
      return ColouredName::Kind::kLiteral;
    case NameTarget::Kind::kAttribute:
      return ColouredName::Kind::kProperty;
    case NameTarget::Kind::kComponent:
      if (target.member->clause != nullptr) {
        const ast::Variability its = target.member->clause->prefix.variability;
        if (its == ast::Variability::kParameter) {
          return ColouredName::Kind::kParameter;
        }
        if (its == ast::Variability::kConstant) {
          return ColouredName::Kind::kConstant;
        }
      }
      return ColouredName::Kind::kVariable;
    default:
      return ColouredName::Kind::kVariable;
  }
}

}  // namespace

std::vector<Symbol> SymbolsOf(const Document& document) {
  std::vector<Symbol> symbols;
  for (const ast::StoredClass& stored : document.tree().classes) {
    symbols.push_back(SymbolOf(*stored.definition));
  }
  return symbols;
}

std::vector<Fold> FoldsOf(const Document& document) {
  std::vector<Fold> folds;
  for (const ast::StoredClass& stored : document.tree().classes) {
    AddFoldsOf(document, *stored.definition, folds);
  }
  AddAnnotations(document, folds);
  AddComments(document, folds);
  std::erase_if(folds, [&](const Fold& fold) {
    return document.TextOf(fold.span).find('\n') == std::string_view::npos;
  });
  std::ranges::sort(folds, {}, [](const Fold& fold) {
    return std::pair(fold.span.begin, fold.span.end);
  });
  return folds;
}

std::vector<ast::Span> SelectionsAt(const Document& document,
                                    std::uint32_t offset) {
  const std::vector<Token>& tokens = document.tokens();
  std::vector<ast::Span> spans;
  const auto add = [&spans](std::uint32_t begin, std::uint32_t end) {
    const bool is_larger =
        spans.empty() ||
        (begin <= spans.back().begin && end >= spans.back().end &&
         end - begin > spans.back().end - spans.back().begin);
    if (is_larger) {
      spans.push_back({.begin = begin, .end = end});
    }
  };
  const std::size_t word = document.WordAt(offset);
  if (word < tokens.size()) {
    add(tokens[word].begin, tokens[word].end);
    std::size_t first = 0;
    if (!internal::NameBefore(document, word + 1, first).empty()) {
      add(tokens[first].begin, tokens[word].end);
    }
  }
  const auto brackets = internal::OpenBracketsAt(document, offset);
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 has no reversed views.
  for (auto at = brackets.rbegin(); at != brackets.rend(); ++at) {
    const std::uint32_t end = tokens[ClosingOf(document, at->token)].end;
    add(tokens[at->token].end, std::max(tokens[at->token].end, end - 1));
    add(tokens[at->first].begin, end);
  }
  const std::size_t next = document.FirstTokenFrom(offset);
  std::size_t last = next;
  while (last < tokens.size() && tokens[last].kind != TokenKind::kSemicolon &&
         tokens[last].kind != TokenKind::kEndOfFile) {
    ++last;
  }
  if (last < tokens.size()) {
    add(tokens[internal::ItemBegin(document, next)].begin, tokens[last].end);
  }
  const auto around = document.ClassesAround(offset);
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 has no reversed views.
  for (auto at = around.rbegin(); at != around.rend(); ++at) {
    add((*at)->span.begin, (*at)->span.end);
  }
  add(0, static_cast<std::uint32_t>(document.text().size()));
  return spans;
}

std::vector<ColouredName> ColoursOf(Workspace& workspace,
                                    const Document& document) {
  std::vector<ColouredName> names;
  internal::WalkNames(
      workspace,
      document,
      document,
      {.wants = [](const ast::Identifier& name) { return !name.text.empty(); },
       .within = std::nullopt},
      [&](const internal::NameUse& use) {
        if (!use.target) {
          return;
        }
        names.push_back(
            {.span = use.name.span,
             .kind = ColourOf(use.target),
             .is_declaration = use.role == internal::NameRole::kDeclaration,
             .is_built_in = use.target.declared.file == nullptr});
      });
  std::ranges::stable_sort(
      names, {}, [](const ColouredName& name) { return name.span.begin; });
  names.erase(std::unique(names.begin(),
                          names.end(),
                          [](const ColouredName& a, const ColouredName& b) {
                            return a.span.begin == b.span.begin;
                          }),
              names.end());
  return names;
}

}  // namespace orrery::modelica
