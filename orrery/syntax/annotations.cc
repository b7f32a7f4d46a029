#include "orrery/syntax/annotations.h"

#include <variant>

namespace orrery::modelica::internal {
namespace {

const ast::ComponentReference* AsReference(const ast::Expression* expression) {
  return expression == nullptr
             ? nullptr
             : std::get_if<ast::ComponentReference>(&expression->node);
}

std::optional<DerivativeAnnotation> AsDerivative(
    const ast::Argument& argument) {
  const ast::ElementModification* const said = AsNamedValue(argument);
  if (said == nullptr || said->name.parts.size() != 1 ||
      said->name.parts.front().text != "derivative" ||
      said->modification->arguments == nullptr) {
    return std::nullopt;
  }
  DerivativeAnnotation derivative{
      .function = AsReference(said->modification->value), .without = {}};
  for (const ast::Argument& part : said->modification->arguments->arguments) {
    const ast::ElementModification* const condition = AsNamedValue(part);
    const ast::ComponentReference* const input =
        condition == nullptr ? nullptr
                             : AsReference(condition->modification->value);
    if (input == nullptr || input->parts.size() != 1 ||
        condition->name.parts.front().text != "noDerivative") {
      return std::nullopt;
    }
    derivative.without.push_back(input->parts.front().name.text);
  }
  return derivative.function == nullptr ? std::nullopt
                                        : std::optional(derivative);
}

}  // namespace

const ast::ElementModification* AsNamedValue(const ast::Argument& argument) {
  const auto* const element =
      std::get_if<ast::ElementModification>(&argument.node);
  const bool has_value = element != nullptr &&
                         element->modification != nullptr &&
                         element->modification->value != nullptr;
  return has_value ? element : nullptr;
}

const ast::Modification* ArgumentIn(const ast::ClassModification* modification,
                                    std::string_view name) {
  if (modification == nullptr) {
    return nullptr;
  }
  for (const ast::Argument& argument : modification->arguments) {
    const auto* const said =
        std::get_if<ast::ElementModification>(&argument.node);
    if (said != nullptr && said->name.parts.size() == 1 &&
        said->name.parts.front().text == name) {
      return said->modification;
    }
  }
  return nullptr;
}

const ast::ClassDefinition* RedeclaredIn(
    const ast::ClassModification* modification, std::string_view name) {
  if (modification == nullptr) {
    return nullptr;
  }
  for (const ast::Argument& argument : modification->arguments) {
    const auto* const definition =
        std::get_if<const ast::ClassDefinition*>(&argument.node);
    if (definition != nullptr && (*definition)->name.text == name) {
      return *definition;
    }
  }
  return nullptr;
}

const ast::Expression* ValueIn(const ast::ClassModification* annotation,
                               std::string_view name) {
  if (annotation == nullptr) {
    return nullptr;
  }
  for (const ast::Argument& argument : annotation->arguments) {
    const ast::ElementModification* const named = AsNamedValue(argument);
    if (named != nullptr && named->name.parts.size() == 1 &&
        named->name.parts.front().text == name) {
      return named->modification->value;
    }
  }
  return nullptr;
}

std::optional<DerivativeAnnotation> DerivativeIn(
    const ast::ClassModification* annotation) {
  if (annotation == nullptr) {
    return std::nullopt;
  }
  for (const ast::Argument& argument : annotation->arguments) {
    if (auto derivative = AsDerivative(argument)) {
      return derivative;
    }
  }
  return std::nullopt;
}

std::string TextIn(const ast::ClassModification* annotation,
                   std::string_view name) {
  const ast::Expression* const value = ValueIn(annotation, name);
  const auto* const literal =
      value == nullptr ? nullptr
                       : std::get_if<ast::StringLiteral>(&value->node);
  return literal == nullptr ? std::string() : ast::Unescape(literal->raw);
}

bool SaysTrue(const ast::ClassModification* annotation, std::string_view name) {
  const ast::Expression* const value = ValueIn(annotation, name);
  const auto* const literal =
      value == nullptr ? nullptr
                       : std::get_if<ast::BooleanLiteral>(&value->node);
  return literal != nullptr && literal->value;
}

}  // namespace orrery::modelica::internal
