#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::modelica {

/// A block of the standard library in one line.
struct LibraryBlock {
  std::string name;  ///< "Modelica.Blocks.Math.Gain".
  std::string meaning;
};

/// All usable blocks and models of the standard library, in source order.
[[nodiscard]] std::vector<LibraryBlock> ListLibrary();

/// A parameter, a signal or a part of a block.
struct LibraryField {
  std::string name;  ///< With its sizes: "u[nin]".
  std::string type;  ///< As written; empty for a plain Real.
  std::string unit;
  std::string value;      ///< The default, as written; empty if there is none.
  std::string guess;      ///< A parameter's start value, if it has no default.
  std::string condition;  ///< Condition of its existence; empty: always.
  std::string meaning;
  /// The type of its values: "Real", "Integer", "Boolean", "String" or the full
  /// name of an enumeration; empty for anything else.
  std::string value_type;
  std::size_t num_dimensions = 0;
};

/// The description of a block for its users. Inherited elements come first.
struct LibraryDescription {
  std::string name;
  std::string meaning;
  std::vector<LibraryField> parameters;
  std::vector<LibraryField> inputs;
  std::vector<LibraryField> outputs;
  std::vector<LibraryField> parts;     ///< Components of other blocks.
  std::vector<std::string> equations;  ///< One Modelica text each.
};

/// The C++ package of a block's class. Its header is
/// orrery/sdk/blocks/PACKAGE.h, its namespace orrery::blocks::PACKAGE:
/// "Modelica.Blocks.MathBoolean.And" gives math_boolean,
/// "Orrery.Blocks.Math.Power" gives more_math.
[[nodiscard]] std::string CppPackageOf(const std::string& block);

/// A type whose values have names.
struct LibraryEnumeration {
  std::string name;  ///< "Modelica.Blocks.Types.Init".
  std::string meaning;
  std::vector<LibraryBlock> literals;  ///< "NoInit" and its meaning.
};

/// Describes the enumeration with that full name; empty if there is none.
[[nodiscard]] std::optional<LibraryEnumeration> DescribeLibraryEnumeration(
    const std::string& name);

/// Describes the class of the standard library with that full name; empty if
/// there is no such block or model.
[[nodiscard]] std::optional<LibraryDescription> DescribeLibraryBlock(
    const std::string& name);

}  // namespace orrery::modelica
