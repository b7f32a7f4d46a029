#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/modelica/workspace/class_index.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

/// One text that may be written at a place.
struct Completion {
  enum class Kind : std::uint8_t {
    kKeyword,
    kVariable,
    kParameter,
    kConstant,
    kPort,  ///< A component whose type is a connector.
    kComponent,
    kModifier,
    kInput,  ///< An input of a function.
    kLiteral,
    kPackage,
    kFunction,
    kType,
    kModel,
  };

  std::string label;
  Kind kind = Kind::kVariable;
  std::string detail;       ///< "SI.Voltage [V]", or the full name of a class.
  std::string description;  ///< In one line; may be empty.
  std::string text;         ///< Text to write; the label if empty.
  std::string class_name;   ///< The class itself, for its documentation.
};

struct Completions {
  ast::Span replaced;  ///< The whole word at the place; perhaps empty.
  std::vector<Completion> items;
  bool is_complete = true;  ///< False: more typing may give others.
};

/// Texts that may be written at `offset`: elements behind a dot, modifiers and
/// attributes in a declaration, inputs in a call, else all visible names,
/// keywords and, by a part of their names, classes of the libraries. Nothing in
/// comments and strings.
[[nodiscard]] Completions CompletionsAt(Workspace& workspace,
                                        const ClassIndex& index,
                                        const Document& document,
                                        std::uint32_t offset);

/// The documentation of a class by its full name, as Markdown; empty if there
/// is none.
[[nodiscard]] std::string DocumentationOfClass(Workspace& workspace,
                                               const Document& document,
                                               const std::string& name);

}  // namespace orrery::modelica
