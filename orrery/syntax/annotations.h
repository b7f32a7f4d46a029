#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// The argument `name = value`; null if it is another kind of argument.
[[nodiscard]] const ast::ElementModification* AsNamedValue(
    const ast::Argument& argument);

/// Finds what the argument `name` of a modification says; null if there is no
/// such argument.
/// @param modification may be null.
[[nodiscard]] const ast::Modification* ArgumentIn(
    const ast::ClassModification* modification, std::string_view name);

/// The class that a modification redeclares `name` as; null if it does not.
/// @param modification may be null.
[[nodiscard]] const ast::ClassDefinition* RedeclaredIn(
    const ast::ClassModification* modification, std::string_view name);

/// The value that an annotation gives `name`; null if it gives none.
/// @param annotation may be null.
[[nodiscard]] const ast::Expression* ValueIn(
    const ast::ClassModification* annotation, std::string_view name);

/// What `derivative(noDerivative=a, noDerivative=b) = f` in the annotation of a
/// function says (specification 3.6, section 12.7.1).
struct DerivativeAnnotation {
  const ast::ComponentReference* function = nullptr;
  std::vector<std::string_view> without;  ///< a, b.
};

/// The first such argument with inputs without a derivative and no other
/// conditions; empty if there is none.
/// @param annotation may be null.
[[nodiscard]] std::optional<DerivativeAnnotation> DerivativeIn(
    const ast::ClassModification* annotation);

/// The text that an annotation, which may be null, gives `name` as a literal;
/// empty if it gives none.
[[nodiscard]] std::string TextIn(const ast::ClassModification* annotation,
                                 std::string_view name);

/// True if an annotation, which may be null, contains `name = true`.
[[nodiscard]] bool SaysTrue(const ast::ClassModification* annotation,
                            std::string_view name);

}  // namespace orrery::modelica::internal
