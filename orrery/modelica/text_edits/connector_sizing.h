#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

/// Knows which parameters count the connections of a component, those with the
/// annotation `Dialog(connectorSizing=true)`: `nu` of a sum with the inputs
/// `u[nu]` (specification 3.6, section 18.7). It sees classes as they are
/// before the edits. The workspace must outlive it.
class ConnectorSizing {
 public:
  /// @param class_name the class that is edited, whose names are looked up.
  ConnectorSizing(Workspace& workspace,
                  const Document& document,
                  const std::string& class_name);

  struct Parameter {
    std::string name;
    std::int64_t value = 0;  ///< Where a component does not set it.
  };

  /// The parameter that counts the connections to `connector` of a component of
  /// that type; none if nothing does.
  [[nodiscard]] std::optional<Parameter> ParameterOf(
      const ast::Name& type, std::string_view connector) const;

  /// True if `element` of that type, or of the class for a null type, is an
  /// array.
  [[nodiscard]] bool IsArray(const ast::Name* type,
                             std::string_view element) const;

 private:
  [[nodiscard]] internal::ClassNode* ClassOf(const ast::Name& type) const;

  internal::ClassTree& tree_;
  internal::ClassNode* node_ = nullptr;  // The edited class; perhaps null.
};

}  // namespace orrery::modelica
