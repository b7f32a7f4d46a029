#include "orrery/modelica/assist/hover.h"

#include <utility>

#include "orrery/modelica/assist/descriptions.h"
#include "orrery/modelica/assist/name_at.h"
#include "orrery/modelica/assist/open_brackets.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica {
namespace {

using internal::Member;
using internal::NameTarget;

std::string Fenced(const std::string& code) {
  return "```modelica\n" + code + "\n```\n";
}

std::string HoverOfComponent(internal::ClassTree& tree,
                             const NameTarget& target) {
  Member& member = *target.member;
  if (member.clause == nullptr) {
    return {};
  }
  std::string text = Fenced(internal::DeclarationOf(member));
  const std::string unit = internal::AttributeOf(tree, member, "unit");
  if (!unit.empty()) {
    text += "\nunit `" + unit + "`";
    const std::string shown =
        internal::AttributeOf(tree, member, "displayUnit");
    if (!shown.empty() && shown != unit) {
      text += ", shown in `" + shown + "`";
    }
    text += "\n";
  }
  const internal::ClassNode* const type = tree.TypeOf(member);
  if (type != nullptr && type->definition != nullptr) {
    const std::string about = internal::DescriptionOf(*type);
    text += "\ntype `" + type->name + "`" +
            (about.empty() ? "" : ": " + about) + "\n";
  }
  text += "\nin `" + target.node->name + "`\n";
  return text;
}

std::string HoverOfClass(const internal::ClassNode& node) {
  std::string text = Fenced(internal::DeclarationOf(node));
  text += "\n`" + node.name + "`\n";
  const std::string documentation = internal::DocumentationOf(node);
  if (!documentation.empty()) {
    text += "\n" + documentation + "\n";
  }
  return text;
}

std::string TextOf(internal::ClassTree& tree, const NameTarget& target) {
  switch (target.kind) {
    case NameTarget::Kind::kClass:
      return HoverOfClass(*target.node);
    case NameTarget::Kind::kComponent:
      return HoverOfComponent(tree, target);
    case NameTarget::Kind::kLiteral:
      return Fenced(target.node->name + "." + std::string(target.name));
    case NameTarget::Kind::kAttribute:
      return Fenced(std::string(target.name)) + "\nan attribute of `" +
             target.node->name + "`\n";
    case NameTarget::Kind::kIterator:
      return Fenced("for " + std::string(target.name));
    case NameTarget::Kind::kNone:
      break;
  }
  return {};
}

}  // namespace

std::optional<Hover> HoverAt(Workspace& workspace,
                             const Document& document,
                             std::uint32_t offset) {
  const auto use = internal::NameAt(workspace, document, offset);
  if (!use || !use->target) {
    return std::nullopt;
  }
  std::string text = TextOf(workspace.TreeOf(document), use->target);
  if (text.empty()) {
    return std::nullopt;
  }
  return Hover{.markdown = std::move(text), .span = use->name.span};
}

std::optional<Signature> SignatureAt(Workspace& workspace,
                                     const Document& document,
                                     std::uint32_t offset) {
  const auto brackets = internal::OpenBracketsAt(document, offset);
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 has no reversed views.
  for (auto at = brackets.rbegin(); at != brackets.rend(); ++at) {
    if (at->name.empty()) {
      continue;
    }
    internal::NameResolver names(workspace.TreeOf(document));
    internal::ClassNode* const function = names.ClassOf(
        names.Find(internal::ScopeAt(workspace, document, offset), at->name));
    if (function == nullptr || !names.tree().Expand(function) ||
        (function->kind() != ast::ClassKind::kFunction &&
         function->kind() != ast::ClassKind::kRecord)) {
      return std::nullopt;
    }
    Signature result = {.label = std::string(at->name.back().text) + "(",
                        .description = internal::DescriptionOf(*function)};
    const bool is_record = function->kind() == ast::ClassKind::kRecord;
    for (Member& member : function->members) {
      const bool is_input = member.clause != nullptr && !member.is_protected &&
                            (is_record || member.clause->prefix.causality ==
                                              ast::Causality::kInput);
      if (!is_input) {
        continue;
      }
      const std::string value = internal::ValueTextOf(member);
      result.label +=
          (result.inputs.empty() ? "" : ", ") + std::string(member.name);
      result.inputs.push_back({.name = std::string(member.name),
                               .text = internal::TypeTextOf(member) + " " +
                                       std::string(member.name) +
                                       (value.empty() ? "" : " = " + value),
                               .description = internal::DescriptionOf(member)});
    }
    result.label += ")";
    result.active = at->commas;
    for (std::size_t i = 0; i < result.inputs.size(); ++i) {
      if (result.inputs[i].name == at->argument) {
        result.active = i;
      }
    }
    return result;
  }
  return std::nullopt;
}

std::vector<UnitHint> UnitHintsIn(Workspace& workspace,
                                  const Document& document,
                                  const ast::Span& range) {
  std::vector<UnitHint> hints;
  internal::ClassTree& tree = workspace.TreeOf(document);
  internal::WalkNames(
      workspace,
      document,
      document,
      {.wants =
           [&](const ast::Identifier& name) {
             return name.span.begin >= range.begin &&
                    name.span.end <= range.end;
           },
       .within = range},
      [&](const internal::NameUse& use) {
        const bool is_component =
            use.role == internal::NameRole::kDeclaration &&
            use.target.kind == NameTarget::Kind::kComponent &&
            use.target.member->declaration != nullptr &&
            use.target.declared.begin == use.name.span.begin;
        if (!is_component) {
          return;
        }
        Member& member = *use.target.member;
        const ast::Modification* const given = member.declaration->modification;
        const bool is_written =
            given != nullptr &&
            !internal::TextIn(given->arguments, "unit").empty();
        const std::string unit = internal::AttributeOf(tree, member, "unit");
        if (!is_written && !unit.empty() && unit != "1") {
          hints.push_back({.offset = use.name.span.end, .unit = unit});
        }
      });
  return hints;
}

}  // namespace orrery::modelica
