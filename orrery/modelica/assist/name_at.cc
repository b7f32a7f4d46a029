#include "orrery/modelica/assist/name_at.h"

namespace orrery::modelica::internal {

void WalkNames(Workspace& workspace,
               const Document& asked,
               const Document& document,
               const NameFilter& filter,
               const NameWalk::Take& take) {
  NameResolver names(workspace.TreeOf(asked));
  NameWalk(document, names, filter, take)
      .Run([&](const ast::ClassDefinition& text) {
        return workspace.NodeOf(asked, document, text);
      });
}

std::optional<NameUse> NameAt(Workspace& workspace,
                              const Document& document,
                              std::uint32_t offset) {
  std::optional<NameUse> found;
  const NameFilter filter = {
      .wants =
          [offset](const ast::Identifier& name) {
            return name.span.begin <= offset && offset <= name.span.end &&
                   !name.text.empty();
          },
      .within = ast::Span{.begin = offset, .end = offset}};
  WalkNames(workspace, document, document, filter, [&](const NameUse& use) {
    if (!found || (!found->target && use.target)) {
      found = use;
    }
  });
  return found;
}

std::vector<NameUse> NamesWritten(Workspace& workspace,
                                  const Document& asked,
                                  const Document& document,
                                  std::string_view word) {
  std::vector<NameUse> uses;
  const NameFilter filter = {
      .wants =
          [word](const ast::Identifier& name) { return name.text == word; },
      .within = std::nullopt};
  WalkNames(workspace, asked, document, filter, [&](const NameUse& use) {
    uses.push_back(use);
  });
  return uses;
}

}  // namespace orrery::modelica::internal
