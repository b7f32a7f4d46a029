#include "orrery/modelica/assist/open_brackets.h"

#include <algorithm>

namespace orrery::modelica::internal {
namespace {

bool EndsItem(TokenKind kind) {
  switch (kind) {
    case TokenKind::kSemicolon:
    case TokenKind::kEquation:
    case TokenKind::kAlgorithm:
    case TokenKind::kPublic:
    case TokenKind::kProtected:
    case TokenKind::kThen:
    case TokenKind::kLoop:
      return true;
    default:
      return false;
  }
}

bool IsClassKeyword(TokenKind kind) {
  switch (kind) {
    case TokenKind::kModel:
    case TokenKind::kBlock:
    case TokenKind::kClass:
    case TokenKind::kPackage:
    case TokenKind::kRecord:
    case TokenKind::kConnector:
    case TokenKind::kFunction:
    case TokenKind::kType:
    case TokenKind::kOperator:
      return true;
    default:
      return false;
  }
}

// True if the head of a class, with its description, ends before token number
// `at`.
bool EndsHead(const std::vector<Token>& tokens, std::size_t at) {
  if (tokens[at].kind == TokenKind::kEquals ||
      tokens[at].kind == TokenKind::kString ||
      tokens[at].kind == TokenKind::kPlus) {
    return false;
  }
  std::size_t last = at;
  while (last > 0 && (tokens[last - 1].kind == TokenKind::kString ||
                      tokens[last - 1].kind == TokenKind::kPlus)) {
    --last;
  }
  return last > 1 && tokens[last - 1].kind == TokenKind::kIdentifier &&
         IsClassKeyword(tokens[last - 2].kind);
}

// The number of the bracket that opens what token number `closing` closes; 0 if
// none does.
std::size_t OpeningOf(const Document& document, std::size_t closing) {
  int depth = 0;
  for (std::size_t i = closing + 1; i-- > 0;) {
    const TokenKind kind = document.tokens()[i].kind;
    if (kind == TokenKind::kRightBracket) {
      ++depth;
    } else if (kind == TokenKind::kLeftBracket && --depth == 0) {
      return i;
    }
  }
  return 0;
}

}  // namespace

std::size_t ItemBegin(const Document& document, std::size_t at) {
  while (at > 0 && !EndsItem(document.tokens()[at - 1].kind) &&
         !EndsHead(document.tokens(), at)) {
    --at;
  }
  return at;
}

std::vector<ast::Identifier> NameBefore(const Document& document,
                                        std::size_t end,
                                        std::size_t& first) {
  const std::vector<Token>& tokens = document.tokens();
  std::vector<ast::Identifier> parts;
  first = end;
  std::size_t at = end;
  while (at > 0) {
    std::size_t name = at - 1;
    if (tokens[name].kind == TokenKind::kRightBracket) {
      const std::size_t open = OpeningOf(document, name);
      if (open == 0) {
        break;
      }
      name = open - 1;
    }
    if (tokens[name].kind != TokenKind::kIdentifier) {
      break;
    }
    parts.push_back(
        {.text = document.TextOf(tokens[name]),
         .span = {.begin = tokens[name].begin, .end = tokens[name].end}});
    first = name;
    if (name == 0 || tokens[name - 1].kind != TokenKind::kDot) {
      break;
    }
    at = name - 1;
  }
  std::ranges::reverse(parts);
  return parts;
}

std::vector<OpenBracket> OpenBracketsAt(const Document& document,
                                        std::uint32_t offset) {
  const std::vector<Token>& tokens = document.tokens();
  const std::size_t end = document.FirstTokenFrom(offset);
  std::vector<OpenBracket> open;
  std::vector<bool> is_round;
  for (std::size_t i = ItemBegin(document, end); i < end; ++i) {
    switch (tokens[i].kind) {
      case TokenKind::kLeftParen: {
        OpenBracket bracket = {.token = i};
        bracket.name = NameBefore(document, i, bracket.first);
        open.push_back(std::move(bracket));
        is_round.push_back(true);
        break;
      }
      case TokenKind::kLeftBracket:
      case TokenKind::kLeftBrace:
        is_round.push_back(false);
        break;
      case TokenKind::kRightParen:
      case TokenKind::kRightBracket:
      case TokenKind::kRightBrace:
        if (!is_round.empty() && is_round.back()) {
          open.pop_back();
        }
        if (!is_round.empty()) {
          is_round.pop_back();
        }
        break;
      case TokenKind::kComma:
        if (!open.empty() && is_round.back()) {
          ++open.back().commas;
          open.back().argument.clear();
        }
        break;
      case TokenKind::kEquals:
        if (!open.empty() && is_round.back() &&
            tokens[i - 1].kind == TokenKind::kIdentifier) {
          open.back().argument = document.TextOf(tokens[i - 1]);
        }
        break;
      default:
        break;
    }
  }
  return open;
}

Scope* ScopeAt(Workspace& workspace,
               const Document& document,
               std::uint32_t offset) {
  const auto around = document.ClassesAround(offset);
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 has no reversed views.
  for (auto at = around.rbegin(); at != around.rend(); ++at) {
    if (ClassNode* const node = workspace.NodeOf(document, **at)) {
      workspace.TreeOf(document).Expand(node);
      return node->scope;
    }
  }
  return workspace.TreeOf(document).global();
}

}  // namespace orrery::modelica::internal
