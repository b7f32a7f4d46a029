#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

/// A C or Fortran function, as an external function of Modelica calls it
/// (specification 3.6, section 12.9.1).
struct ForeignFunction {
  /// double; int, also for Booleans and enumerations; size_t; char*; void* for
  /// an external object, which models know by a number.
  enum class Type : std::uint8_t { kReal, kInteger, kSize, kText, kObject };

  struct Argument {
    Type type = Type::kReal;
    bool is_address = false;  ///< An array, or changed by the function.
    std::size_t count = 1;    ///< The number of elements.
    bool is_given = true;     ///< They are inputs; else 0, or `text`.
    bool is_result = false;   ///< They are outputs, after the call.
    std::string text;
    std::vector<std::string> texts;  ///< Elements of an array of Strings.
  };

  /// A text that the function gives comes as this many outputs; see TextIn.
  static constexpr std::size_t kTextOutputs = 513;

  std::string name;
  void* code = nullptr;  ///< Null: a call fails.
  std::vector<Argument> arguments;
  std::optional<Type> result;  ///< The type of the return value.
  bool is_apart = false;       ///< User code: see CarryOutApart.
};

/// The text in the outputs of a function.
[[nodiscard]] std::string TextIn(std::span<const double> outputs);

/// Wraps a call of the function. Inputs are the elements of the given
/// arguments. Outputs are those of the result arguments and the return value,
/// or 1 if there is none. One thread of a process calls at a time, since C code
/// may not be thread-safe.
///
/// The wrapper throws std::runtime_error if the function calls ModelicaError or
/// an input for an int is not a whole number; in a process apart, also if the
/// function ends its process.
[[nodiscard]] std::shared_ptr<const OpaqueFunction> ToOpaque(
    ForeignFunction function);

}  // namespace orrery::modelica::internal
