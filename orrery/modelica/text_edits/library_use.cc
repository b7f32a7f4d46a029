#include "orrery/modelica/text_edits/library_use.h"

#include <string_view>
#include <vector>

#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/text_edits/annotation_edits.h"
#include "orrery/syntax/annotations.h"
#include "orrery/syntax/lexer.h"

namespace orrery::modelica {
namespace {

// The identifiers of a dotted name, in the text that they refer to.
std::vector<ast::Identifier> PartsOfName(const std::string& dotted) {
  std::vector<ast::Identifier> parts;
  const std::string_view text = dotted;
  for (const Token& token : Tokenize(dotted).tokens) {
    if (token.kind == TokenKind::kIdentifier) {
      parts.push_back(
          {.text = text.substr(token.begin, token.end - token.begin),
           .span = {.begin = token.begin, .end = token.end}});
    }
  }
  return parts;
}

// The class at the top around that of a dotted name; null if there is none.
internal::ClassNode* TopOf(internal::ClassTree& tree,
                           const std::string& dotted) {
  const std::vector<ast::Identifier> parts = PartsOfName(dotted);
  internal::ClassNode* const node =
      parts.empty() ? nullptr : tree.FindGlobal(parts.front().text);
  return node == nullptr || node->definition == nullptr ? nullptr : node;
}

}  // namespace

std::optional<LibraryUse> UseOf(Workspace& workspace,
                                const Document& document,
                                const std::string& class_name,
                                const std::string& type) {
  internal::ClassTree& tree = workspace.TreeOf(document);
  internal::ClassNode* const around = tree.FindGlobal(class_name);
  internal::ClassNode* const top = TopOf(tree, class_name);
  const bool is_in_package =
      around != nullptr && top != nullptr &&
      top->kind() == ast::ClassKind::kPackage && top->scope->file != nullptr &&
      std::holds_alternative<ast::LongClass>(top->definition->node);
  if (!is_in_package) {
    return std::nullopt;
  }
  tree.Expand(around);
  const std::vector<ast::Identifier> parts = PartsOfName(type);
  const internal::ClassTree::Found found =
      tree.Find(around->scope, {parts.data(), parts.size()}, false);
  internal::ClassNode* const library =
      found.node == nullptr ? nullptr : TopOf(tree, found.node->name);
  if (library == nullptr || library == top) {
    return std::nullopt;
  }
  const std::string version =
      internal::TextIn(library->definition->description.annotation, "version");
  if (version.empty() || internal::NamesUse(*top->definition, library->name)) {
    return std::nullopt;
  }
  return LibraryUse{.package = top->name,
                    .path = top->scope->file->name(),
                    .library = library->name,
                    .version = version};
}

}  // namespace orrery::modelica
