#include "orrery/modelica/text_edits/connector_sizing.h"

#include "orrery/modelica/classes/class_tree.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica {
namespace {

const ast::Expressions& WrittenSizesOf(const internal::Member& member) {
  const ast::Expressions& own = member.declaration->subscripts;
  return own.empty() ? member.clause->subscripts : own;
}

// The name of the parameter in `u[nu]`; empty for other sizes.
std::string_view NameOfSize(const internal::Member& member) {
  const ast::Expressions& sizes = WrittenSizesOf(member);
  const auto* const reference =
      sizes.size() != 1
          ? nullptr
          : std::get_if<ast::ComponentReference>(&sizes.front()->node);
  const bool is_name = reference != nullptr && reference->parts.size() == 1 &&
                       reference->parts.front().subscripts.empty();
  return is_name ? reference->parts.front().name.text : std::string_view();
}

bool CountsConnections(const internal::Member& parameter) {
  const ast::Modification* const dialog = internal::ArgumentIn(
      parameter.declaration->description.annotation, "Dialog");
  return dialog != nullptr &&
         internal::SaysTrue(dialog->arguments, "connectorSizing");
}

// A component of a class; null if it is none.
const internal::Member* ElementNamed(internal::ClassNode* node,
                                     std::string_view name) {
  const internal::Member* const member =
      node == nullptr || name.empty() ? nullptr : node->Find(name);
  return member == nullptr || member->clause == nullptr ? nullptr : member;
}

}  // namespace

ConnectorSizing::ConnectorSizing(Workspace& workspace,
                                 const Document& document,
                                 const std::string& class_name)
    : tree_(workspace.TreeOf(document)), node_(tree_.FindGlobal(class_name)) {
  if (node_ != nullptr) {
    tree_.Expand(node_);
  }
}

internal::ClassNode* ConnectorSizing::ClassOf(const ast::Name& type) const {
  if (node_ == nullptr) {
    return nullptr;
  }
  const internal::ClassTree::Found found =
      tree_.Find(node_->scope, type.parts, type.is_global);
  const bool is_class = found.node != nullptr && found.member == nullptr;
  if (!is_class) {
    return nullptr;
  }
  tree_.Expand(found.node);
  return found.node;
}

std::optional<ConnectorSizing::Parameter> ConnectorSizing::ParameterOf(
    const ast::Name& type, std::string_view connector) const {
  internal::ClassNode* const node = ClassOf(type);
  const internal::Member* const array = ElementNamed(node, connector);
  const internal::Member* const parameter =
      array == nullptr ? nullptr : ElementNamed(node, NameOfSize(*array));
  if (parameter == nullptr || !CountsConnections(*parameter)) {
    return std::nullopt;
  }
  const ast::Modification* const written = parameter->declaration->modification;
  const auto* const value =
      written == nullptr || written->value == nullptr
          ? nullptr
          : std::get_if<ast::IntegerLiteral>(&written->value->node);
  return Parameter{.name = std::string(parameter->name),
                   .value = value == nullptr ? 0 : value->value};
}

bool ConnectorSizing::IsArray(const ast::Name* type,
                              std::string_view element) const {
  const internal::Member* const member =
      ElementNamed(type == nullptr ? node_ : ClassOf(*type), element);
  return member != nullptr && !WrittenSizesOf(*member).empty();
}

}  // namespace orrery::modelica
