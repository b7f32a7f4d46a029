#include "orrery/syntax/grammar/implied_ranges.h"

#include <algorithm>
#include <utility>

namespace orrery::modelica::internal {

using ast::Expression;

void ImpliedRanges::Note(const ast::ComponentReference& reference) {
  if (open_scopes_ == 0) {
    return;
  }
  for (std::size_t part = 0; part < reference.parts.size(); ++part) {
    const ast::Expressions& subscripts = reference.parts[part].subscripts;
    for (std::size_t i = 0; i < subscripts.size(); ++i) {
      const auto* const name =
          std::get_if<ast::ComponentReference>(&subscripts[i]->node);
      if (name != nullptr && name->parts.size() == 1 && !name->is_global &&
          name->parts.front().subscripts.empty()) {
        uses_.push_back(
            {name->parts.front().name.text, reference, part, i + 1});
      }
    }
  }
}

// size(a, k) for the dimension k of a that the subscript stands in.
const Expression* ImpliedRanges::MakeSize(const Use& use) {
  const ast::Span span = use.reference.span;
  std::vector<ast::ReferencePart> parts(
      use.reference.parts.begin(),
      use.reference.parts.begin() + static_cast<std::ptrdiff_t>(use.part + 1));
  parts.back().subscripts = {};
  const ast::ComponentReference array = {.span = span,
                                         .is_global = use.reference.is_global,
                                         .parts = memory_.Keep(parts)};
  const ast::IntegerLiteral dimension = {
      static_cast<std::int64_t>(use.dimension)};
  const std::vector<ast::CallArgument> arguments = {
      {.value = memory_.New(Expression{span, array})},
      {.value = memory_.New(Expression{span, dimension})}};
  const std::vector<ast::ReferencePart> size = {{.name = {"size", span}}};
  return memory_.New(Expression{
      span,
      ast::Call{.function = {.span = span, .parts = memory_.Keep(size)},
                .arguments = memory_.Keep(arguments)}});
}

// Uses since `begin` are in the loop.
ast::List<ast::ForIndex> ImpliedRanges::Close(
    std::vector<ast::ForIndex> indices, std::size_t begin) {
  const auto first = uses_.begin() + static_cast<std::ptrdiff_t>(begin);
  for (ast::ForIndex& index : indices) {
    std::vector<const Expression*> sizes;
    for (auto use = first; use != uses_.end(); ++use) {
      if (index.range == nullptr && use->name == index.name.text) {
        sizes.push_back(MakeSize(*use));
      }
    }
    index.sizes = memory_.Keep(sizes);
  }
  const auto is_own = [&](const Use& use) {
    return std::ranges::find(indices, use.name, [](const ast::ForIndex& index) {
             return index.name.text;
           }) != indices.end();
  };
  uses_.erase(std::remove_if(first, uses_.end(), is_own), uses_.end());
  return memory_.Keep(indices);
}

}  // namespace orrery::modelica::internal
