#include "orrery/syntax/class_kind.h"

#include <array>
#include <cstddef>

namespace orrery::modelica {

std::string_view KindName(ast::ClassKind kind) noexcept {
  // In the order of the enumerators.
  static constexpr std::array<std::string_view, 9> kNames = {"a class",
                                                             "a model",
                                                             "a record",
                                                             "a block",
                                                             "a connector",
                                                             "a type",
                                                             "a package",
                                                             "a function",
                                                             "an operator"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view Keyword(ast::ClassKind kind) noexcept {
  const std::string_view name = KindName(kind);
  return name.substr(name.find(' ') + 1);
}

}  // namespace orrery::modelica
