#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

/// A function of C or Fortran as an external function of Modelica calls it.
/// Specification 3.6, section 12.9.1.
struct ForeignFunction {
  /// double; int, as Booleans and enumerations are; size_t; char*; void*, of
  /// an external object, which models know by a number.
  enum class Type : std::uint8_t { kReal, kInteger, kSize, kText, kObject };

  struct Argument {
    Type type = Type::kReal;
    bool is_address = false;  ///< An array, or what the function may write to.
    std::size_t count = 1;    ///< Of its elements.
    bool is_given = true;     ///< They are inputs; else 0, or `text`.
    bool is_result = false;   ///< They are outputs, after the call.
    std::string text;
  };

  std::string name;
  void* code = nullptr;  ///< Null: a call fails.
  std::vector<Argument> arguments;
  std::optional<Type> result;  ///< What it returns.
  bool is_apart = false;       ///< It is of others: see CarryOutApart.
};

/// Calls it. Inputs are the elements of the arguments that are given, outputs
/// those of results and what it returns, or 1 if there is none. It runs in one
/// thread of a process at a time, as nobody knows of C code whether it bears
/// more.
///
/// What it gives throws std::runtime_error where the function calls
/// ModelicaError, or an input that is to be an int is none; apart, also where
/// the function ends its process.
[[nodiscard]] std::shared_ptr<const OpaqueFunction> ToOpaque(
    ForeignFunction function);

}  // namespace orrery::modelica::internal
