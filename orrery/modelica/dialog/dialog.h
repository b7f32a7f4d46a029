#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/modelica/dialog/unit_menu.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

/// A parameter as its dialog shows it.
struct ParameterField {
  struct Choice {
    std::string text;
    std::string value;  ///< As written in a modifier.
  };

  std::string name;
  std::string of;    ///< The replaceable class whose parameter it is; or empty.
  std::string type;  ///< "Real", "Boolean", or the full name of a class.
  std::string description;
  std::string unit;
  std::string display_unit;
  std::vector<UnitChoice> units;
  std::optional<std::string> value;         ///< Set at the place described.
  std::optional<std::string> default_text;  ///< Value that holds without it.
  std::string from;  ///< The base class that declares it; empty: the class.
  std::string group;
  std::string tab;
  bool is_enabled = true;
  std::vector<Choice> choices;
  /// For a replaceable class the full name of what must be extended to stand
  /// for it, its kind being the type; else empty.
  std::string constraint;
};

struct Description {
  std::string name;  ///< The component's, else the full name of the class.
  std::string type;  ///< The full name of the class.
  std::string kind;  ///< "model", "connector", ...
  std::string description;
  SourceSpan declared;  ///< The name in its declaration; perhaps no file.
  std::vector<ParameterField> parameters;
  std::string documentation;  ///< HTML as the library has it.
  std::string condition;      ///< A component's, as written; empty: always.
  std::string stop_time;      ///< From the class's experiment; empty: none.
  std::string tolerance;
};

/// Describes a class that the document sees or, with a name, a component of it.
/// @throws Error kInvalidArgument if there is none.
[[nodiscard]] Description Describe(Workspace& workspace,
                                   const Document& document,
                                   const std::string& class_name,
                                   const std::string& component = {});

}  // namespace orrery::modelica
