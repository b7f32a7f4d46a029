#include <algorithm>

#include "orrery/syntax/recursive_descent.h"

/// The iterators of loops, reductions and array constructors. The range of one
/// may be left out: it follows from the subscripts that the iterator stands as,
/// which are read before it (specification 3.6, section 11.2.2.1).
namespace orrery::modelica::internal {

using ast::Expression;

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
