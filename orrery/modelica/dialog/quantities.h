#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

/// Role of a quantity for who carries out runs.
enum class QuantityKind : std::uint8_t {
  kParameter,
  kInput,  ///< An input of the model itself: those of components are connected.
  kOutput,
  kVariable,
};

[[nodiscard]] std::string_view Describe(QuantityKind kind) noexcept;

/// A number of a model that a run has, takes or varies.
struct Quantity {
  std::string name;  ///< `motor.R.i`
  std::string unit;
  std::string description;
  QuantityKind kind = QuantityKind::kVariable;
};

/// The quantities of a class that the document sees and of its components, in
/// the order of their declarations, `most` at most. Nothing is flattened: of
/// arrays, and of components that other classes replace, nothing is told.
/// @throws Error kInvalidArgument if there is no such class.
[[nodiscard]] std::vector<Quantity> ListQuantities(
    Workspace& workspace,
    const Document& document,
    const std::string& class_name,
    std::size_t most);

}  // namespace orrery::modelica
