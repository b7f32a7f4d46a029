#include "orrery/modelica/assist/indent.h"

#include <algorithm>
#include <map>
#include <set>

namespace orrery::modelica {
namespace {

// Collects, from the tree of a text, what indents its lines.
class Levels {
 public:
  explicit Levels(const Document& document) : document_(document) {
    for (const ast::StoredClass& stored : document.tree().classes) {
      AddClass(*stored.definition);
    }
  }

  // The level of a line whose first token or comment begins at `offset`.
  [[nodiscard]] std::size_t At(std::uint32_t offset, bool is_token) const;

 private:
  void AddClass(const ast::ClassDefinition& text);
  template <typename Item>
  void AddItems(const ast::List<Item>& items);
  template <typename Item>
  void AddBranches(const ast::List<ast::Branch<Item>>& branches);
  void AddItem(const ast::Equation& equation);
  void AddItem(const ast::Statement& statement);
  template <typename Item>
  bool AddCompound(const Item& item);
  void AddBlock(const ast::Span& span, std::uint32_t body);

  const Document& document_;
  std::vector<ast::Span> bodies_;   // Between the keyword and `end`.
  std::vector<ast::Span> items_;    // Whole items, to their ';'.
  std::set<std::uint32_t> starts_;  // Where items begin.
};

// `span` ends with `end if` or `end Name`.
void Levels::AddBlock(const ast::Span& span, std::uint32_t body) {
  const std::vector<Token>& tokens = document_.tokens();
  std::size_t last = document_.FirstTokenFrom(span.end);
  while (last > 0 && tokens[last - 1].kind != TokenKind::kEnd &&
         tokens[last - 1].begin > span.begin) {
    --last;
  }
  if (last > 0) {
    bodies_.push_back({.begin = body, .end = tokens[last - 1].begin});
  }
}

void Levels::AddClass(const ast::ClassDefinition& text) {
  starts_.insert(text.span.begin);
  const auto* const body = std::get_if<ast::LongClass>(&text.node);
  if (body == nullptr) {
    items_.push_back(text.span);
    return;
  }
  AddBlock(text.span, text.name.span.end);
  for (const ast::Element& element : body->elements) {
    starts_.insert(element.span.begin);
    if (const auto* nested =
            std::get_if<const ast::ClassDefinition*>(&element.node)) {
      AddClass(**nested);
    } else {
      items_.push_back(element.span);
    }
  }
  for (const ast::Section& section : body->sections) {
    if (const auto* equations =
            std::get_if<ast::EquationSection>(&section.node)) {
      AddItems(equations->equations);
    } else if (const auto* algorithm =
                   std::get_if<ast::AlgorithmSection>(&section.node)) {
      AddItems(algorithm->statements);
    }
  }
  if (body->external != nullptr) {
    starts_.insert(body->external->span.begin);
    items_.push_back(body->external->span);
  }
  if (text.description.annotation != nullptr) {
    const std::uint32_t begin =
        document_.KeywordOf(*text.description.annotation);
    starts_.insert(begin);
    items_.push_back(
        {.begin = begin, .end = text.description.annotation->span.end});
  }
}

template <typename Item>
void Levels::AddItems(const ast::List<Item>& items) {
  for (const Item& item : items) {
    starts_.insert(item.span.begin);
    AddItem(item);
  }
}

template <typename Item>
void Levels::AddBranches(const ast::List<ast::Branch<Item>>& branches) {
  for (const ast::Branch<Item>& branch : branches) {
    AddItems(branch.body);
  }
}

template <typename Item>
bool Levels::AddCompound(const Item& item) {
  if (const auto* choice = std::get_if<ast::If<Item>>(&item.node)) {
    AddBranches(choice->branches);
  } else if (const auto* event = std::get_if<ast::When<Item>>(&item.node)) {
    AddBranches(event->branches);
  } else if (const auto* loop = std::get_if<ast::For<Item>>(&item.node)) {
    AddItems(loop->body);
  } else {
    return false;
  }
  AddBlock(item.span, item.span.begin + 1);
  return true;
}

void Levels::AddItem(const ast::Equation& equation) {
  if (!AddCompound(equation)) {
    items_.push_back(WholeOf(equation));
  }
}

void Levels::AddItem(const ast::Statement& statement) {
  if (const auto* loop = std::get_if<ast::While>(&statement.node)) {
    AddItems(loop->body);
    AddBlock(statement.span, statement.span.begin + 1);
  } else if (!AddCompound(statement)) {
    items_.push_back(WholeOf(statement));
  }
}

std::size_t Levels::At(std::uint32_t offset, bool is_token) const {
  const auto holds = [offset](const ast::Span& span) {
    return span.begin < offset && offset < span.end;
  };
  std::size_t level =
      static_cast<std::size_t>(std::ranges::count_if(bodies_, holds));
  const bool is_continued =
      !starts_.contains(offset) && std::ranges::any_of(items_, holds);
  if (is_continued) {
    return level + 1;
  }
  if (!is_token) {
    return level;
  }
  switch (document_.tokens()[document_.FirstTokenFrom(offset)].kind) {
    case TokenKind::kEquation:
    case TokenKind::kAlgorithm:
    case TokenKind::kInitial:
    case TokenKind::kPublic:
    case TokenKind::kProtected:
    case TokenKind::kElse:
    case TokenKind::kElseIf:
    case TokenKind::kElseWhen:
      return level > 0 ? level - 1 : 0;
    default:
      return level;
  }
}

// True if a line that begins at `offset` begins in a string or a comment.
bool IsInside(const Document& document, std::uint32_t offset) {
  const std::size_t next = document.FirstTokenFrom(offset);
  const std::uint32_t end = next == 0 ? 0 : document.tokens()[next - 1].end;
  if (end > offset) {
    return true;
  }
  const std::string_view gap = document.text().substr(end, offset - end);
  const std::size_t open = gap.rfind("/*");
  return open != std::string_view::npos &&
         gap.find("*/", open + 2) == std::string_view::npos;
}

}  // namespace

std::vector<Indent> IndentsOf(const Document& document, std::size_t width) {
  std::vector<Indent> indents;
  if (document.has_errors()) {
    return indents;
  }
  const Levels levels(document);
  const std::string_view text = document.text();
  std::uint32_t begin = 0;
  while (begin < text.size()) {
    std::size_t first = text.find_first_not_of(" \t", begin);
    first = std::min(first, text.size());
    std::size_t end = text.find('\n', begin);
    end = std::min(end, text.size());
    const bool is_empty = first >= end || text[first] == '\r';
    if (!is_empty && !IsInside(document, begin)) {
      const auto at = static_cast<std::uint32_t>(first);
      const std::size_t token = document.FirstTokenFrom(at);
      const bool is_token = document.tokens()[token].begin == at;
      const std::string wanted(levels.At(at, is_token) * width, ' ');
      if (wanted != text.substr(begin, first - begin)) {
        indents.push_back(
            {.span = {.begin = begin, .end = at}, .text = wanted});
      }
    }
    begin = static_cast<std::uint32_t>(end) + 1;
  }
  return indents;
}

}  // namespace orrery::modelica
