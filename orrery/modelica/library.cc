#include "orrery/modelica/library.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/library_texts/standard_library.h"
#include "orrery/syntax/parser.h"
#include "orrery/syntax/unparse.h"

namespace orrery::modelica {
namespace {

using internal::BuiltIn;
using internal::ClassNode;
using internal::ClassTree;

bool IsBlock(const ast::ClassDefinition& definition) {
  const ast::ClassKind kind = definition.prefixes.kind;
  return !definition.prefixes.is_partial &&
         (kind == ast::ClassKind::kModel || kind == ast::ClassKind::kBlock);
}

void AddBlocks(const ast::ClassDefinition& definition,
               const std::string& name,
               std::vector<LibraryBlock>& blocks) {
  if (IsBlock(definition)) {
    blocks.push_back(
        {.name = name,
         .meaning = ast::ToString(definition.description.strings)});
    return;
  }
  const auto* const body = std::get_if<ast::LongClass>(&definition.node);
  if (body == nullptr || definition.name.text == "Internal") {
    return;
  }
  for (const ast::Element& element : body->elements) {
    if (const auto* nested =
            std::get_if<const ast::ClassDefinition*>(&element.node)) {
      AddBlocks(
          **nested, name + "." + std::string((*nested)->name.text), blocks);
    }
  }
}

// The argument that modifies `name`; null if there is none.
const ast::Argument* FindArgument(const ast::ClassModification* modification,
                                  std::string_view name) {
  if (modification == nullptr) {
    return nullptr;
  }
  for (const ast::Argument& argument : modification->arguments) {
    const auto* const element =
        std::get_if<ast::ElementModification>(&argument.node);
    if (element != nullptr && element->name.parts.size() == 1 &&
        element->name.parts.front().text == name) {
      return &argument;
    }
  }
  return nullptr;
}

// The modification in an argument; null if it is a redeclaration or there is no
// argument.
const ast::Modification* ModificationOf(const ast::Argument* argument) {
  if (argument == nullptr) {
    return nullptr;
  }
  return std::get<ast::ElementModification>(argument->node).modification;
}

std::string TextOf(const ast::Expression& expression) {
  const auto* const text = std::get_if<ast::StringLiteral>(&expression.node);
  return text != nullptr ? ast::Unescape(text->raw) : Unparse(expression);
}

std::string SizesOf(const ast::Expressions& first,
                    const ast::Expressions& second) {
  std::string text;
  for (const ast::Expressions* const sizes : {&first, &second}) {
    for (const ast::Expression* const size : *sizes) {
      text += (text.empty() ? "[" : ", ") + Unparse(*size);
    }
  }
  return text.empty() ? text : text + "]";
}

std::string ValueTypeOf(const ClassNode& type) {
  switch (type.built_in) {
    case BuiltIn::kReal:
      return "Real";
    case BuiltIn::kInteger:
      return "Integer";
    case BuiltIn::kBoolean:
      return "Boolean";
    case BuiltIn::kString:
      return "String";
    case BuiltIn::kEnumeration:
      return type.enumeration->name;
    default:
      return "";
  }
}

/// Reads the description of one class from its tree.
class Describing {
 public:
  Describing(ClassTree& tree, ClassNode& node) : tree_(tree), node_(node) {}

  LibraryDescription Run();

 private:
  void AddMember(internal::Member& member);
  void AddSection(const ast::Section& section);

  // All modifications of a member, the outermost first.
  struct Said {
    std::vector<const ast::Modification*> modifications;
    bool is_final = false;
  };

  [[nodiscard]] Said AllSaid(const internal::Member& member) const;
  [[nodiscard]] static std::string AttributeOf(const Said& said,
                                               std::string_view name);
  [[nodiscard]] LibraryField FieldOf(const internal::Member& member,
                                     const ClassNode& type,
                                     const Said& said) const;

  ClassTree& tree_;
  ClassNode& node_;
  LibraryDescription result_;
};

Describing::Said Describing::AllSaid(const internal::Member& member) const {
  Said said;
  if (member.declaration->modification != nullptr) {
    said.modifications.push_back(member.declaration->modification);
  }
  for (std::uint32_t at = member.inherited_part; at != 0;
       at = node_.parts[at].derived) {
    const std::vector<internal::WrittenModification>& there =
        node_.parts[at].modifications;
    for (std::size_t k = there.size(); k > 0; --k) {
      const ast::Argument* const argument =
          FindArgument(there[k - 1].modification, member.name);
      if (const ast::Modification* const its = ModificationOf(argument)) {
        said.modifications.insert(said.modifications.begin(), its);
        said.is_final = said.is_final || argument->is_final;
      }
    }
  }
  return said;
}

std::string Describing::AttributeOf(const Said& said, std::string_view name) {
  for (const ast::Modification* const modification : said.modifications) {
    const ast::Modification* const attribute =
        ModificationOf(FindArgument(modification->arguments, name));
    if (attribute != nullptr && attribute->value != nullptr) {
      return TextOf(*attribute->value);
    }
  }
  return {};
}

LibraryField Describing::FieldOf(const internal::Member& member,
                                 const ClassNode& type,
                                 const Said& said) const {
  LibraryField field;
  field.name =
      std::string(member.name) +
      SizesOf(member.declaration->subscripts, member.clause->subscripts);
  if (type.built_in != BuiltIn::kReal) {
    field.type = ast::ToString(member.clause->type);
  }
  field.unit = AttributeOf(said, "unit");
  for (const internal::WrittenModification& written : type.modifications) {
    const ast::Modification* const unit =
        ModificationOf(FindArgument(written.modification, "unit"));
    if (field.unit.empty() && unit != nullptr && unit->value != nullptr) {
      field.unit = TextOf(*unit->value);
    }
  }
  for (const ast::Modification* const modification : said.modifications) {
    if (field.value.empty() && modification->value != nullptr) {
      field.value = Unparse(*modification->value);
    }
  }
  if (field.value.empty() &&
      member.clause->prefix.variability == ast::Variability::kParameter) {
    field.guess = AttributeOf(said, "start");
  }
  if (member.declaration->condition != nullptr) {
    field.condition = Unparse(*member.declaration->condition);
  }
  field.meaning = ast::ToString(member.declaration->description.strings);
  field.value_type = ValueTypeOf(type);
  field.num_dimensions =
      member.declaration->subscripts.size() + member.clause->subscripts.size();
  for (const internal::WrittenSizes& sizes : type.sizes) {
    field.num_dimensions += sizes.subscripts->size();
  }
  return field;
}

void Describing::AddMember(internal::Member& member) {
  ClassNode* const type = tree_.TypeOf(member);
  if (type == nullptr || !tree_.Expand(type)) {
    return;
  }
  const Said said = AllSaid(member);
  LibraryField field = FieldOf(member, *type, said);
  const ast::TypePrefix& prefix = member.clause->prefix;
  if (prefix.variability == ast::Variability::kParameter) {
    if (!member.is_protected && !member.element->is_final && !said.is_final) {
      result_.parameters.push_back(std::move(field));
    }
    return;
  }
  if (prefix.variability == ast::Variability::kConstant) {
    return;
  }
  if (type->built_in == BuiltIn::kNone &&
      type->kind() != ast::ClassKind::kConnector) {
    result_.parts.push_back(std::move(field));
    return;
  }
  if (!field.value.empty()) {
    result_.equations.push_back(std::string(member.name) + " = " + field.value);
  }
  const ast::Causality causality = prefix.causality != ast::Causality::kNone
                                       ? prefix.causality
                                       : type->causality;
  if (member.is_protected || causality == ast::Causality::kNone) {
    return;
  }
  (causality == ast::Causality::kInput ? result_.inputs : result_.outputs)
      .push_back(std::move(field));
}

void Describing::AddSection(const ast::Section& section) {
  if (const auto* equations =
          std::get_if<ast::EquationSection>(&section.node)) {
    for (const ast::Equation& equation : equations->equations) {
      result_.equations.push_back((equations->is_initial ? "initially: " : "") +
                                  Unparse(equation));
    }
  } else if (const auto* algorithm =
                 std::get_if<ast::AlgorithmSection>(&section.node)) {
    for (const ast::Statement& statement : algorithm->statements) {
      result_.equations.push_back((algorithm->is_initial ? "initially: " : "") +
                                  Unparse(statement));
    }
  }
}

LibraryDescription Describing::Run() {
  result_.name = node_.name;
  result_.meaning = ast::ToString(node_.definition->description.strings);
  for (internal::Member& member : node_.members) {
    if (member.clause != nullptr) {
      AddMember(member);
    }
  }
  for (const internal::WrittenSection& written : node_.sections) {
    AddSection(*written.section);
  }
  return std::move(result_);
}

}  // namespace

std::vector<LibraryBlock> ListLibrary() {
  std::vector<LibraryBlock> blocks;
  for (const internal::LibraryText& text : internal::StandardLibrary()) {
    Diagnostics diagnostics;
    const auto tree = Parse(std::make_shared<SourceFile>(
                                std::string(text.file), std::string(text.text)),
                            diagnostics);
    ORRERY_CHECK(!diagnostics.has_errors());
    AddBlocks(
        *tree->classes.front().definition, std::string(text.name), blocks);
  }
  return blocks;
}

std::string CppPackageOf(const std::string& block) {
  const std::string around = block.substr(0, block.rfind('.'));
  std::string package = block.starts_with("Orrery.Blocks.") ? "more" : "";
  for (const char c : around.substr(around.rfind('.') + 1)) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    package += is_upper && !package.empty() ? "_" : "";
    package += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return package;
}

std::optional<LibraryEnumeration> DescribeLibraryEnumeration(
    const std::string& name) {
  Diagnostics diagnostics;
  ClassTree tree({}, {}, diagnostics);
  ClassNode* const node = tree.FindGlobal(name);
  const auto* const type =
      node == nullptr || node->definition == nullptr
          ? nullptr
          : std::get_if<ast::Enumeration>(&node->definition->node);
  if (type == nullptr) {
    return std::nullopt;
  }
  LibraryEnumeration result{
      .name = node->name,
      .meaning = ast::ToString(node->definition->description.strings),
      .literals = {}};
  for (const ast::EnumerationLiteral& literal : type->literals) {
    result.literals.push_back(
        {.name = std::string(literal.name.text),
         .meaning = ast::ToString(literal.description.strings)});
  }
  return result;
}

std::optional<LibraryDescription> DescribeLibraryBlock(
    const std::string& name) {
  Diagnostics diagnostics;
  ClassTree tree({}, {}, diagnostics);
  ClassNode* const node = tree.FindGlobal(name);
  if (node == nullptr || node->definition == nullptr ||
      !IsBlock(*node->definition) || !tree.Expand(node)) {
    return std::nullopt;
  }
  return Describing(tree, *node).Run();
}

}  // namespace orrery::modelica
