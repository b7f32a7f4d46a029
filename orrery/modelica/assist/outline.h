#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

/// A class or a component and what is declared in it.
struct Symbol {
  enum class Kind : std::uint8_t {
    kPackage,
    kClass,
    kFunction,
    kType,
    kConnector,
    kEnumeration,
    kLiteral,
    kComponent,
    kParameter,
    kConstant,
  };

  std::string name;
  Kind kind = Kind::kClass;
  std::string detail;  ///< The type of a component; the kind of a class.
  ast::Span span;
  ast::Span name_span;
  std::vector<Symbol> children;
};

/// The classes and components of a text, in its order.
[[nodiscard]] std::vector<Symbol> SymbolsOf(const Document& document);

/// A part of a text that can be folded away.
struct Fold {
  enum class Kind : std::uint8_t { kRegion, kComment, kAnnotation };

  ast::Span span;
  Kind kind = Kind::kRegion;
};

/// Classes, annotations and comments of several lines.
[[nodiscard]] std::vector<Fold> FoldsOf(const Document& document);

/// The spans around `offset` that belong together, the innermost first: word,
/// brackets, item, classes, text.
[[nodiscard]] std::vector<ast::Span> SelectionsAt(const Document& document,
                                                  std::uint32_t offset);

/// A name with its colour.
struct ColouredName {
  enum class Kind : std::uint8_t {
    kNamespace,
    kClass,
    kType,
    kFunction,
    kVariable,
    kParameter,
    kConstant,
    kProperty,
    kLiteral,
  };

  ast::Span span;
  Kind kind = Kind::kVariable;
  bool is_declaration = false;
  bool is_built_in = false;
};

/// All names that stand for something, in the order of the text.
[[nodiscard]] std::vector<ColouredName> ColoursOf(Workspace& workspace,
                                                  const Document& document);

}  // namespace orrery::modelica
