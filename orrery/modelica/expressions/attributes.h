#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// An attribute of a component, as `unit = "m"`.
struct Attribute {
  std::string_view name;
  const ast::Expression* value = nullptr;
  Context context;                     ///< The value's.
  const Modifier* modifier = nullptr;  ///< Null if the type gives it.
};

/// The attributes from a component's modifier and, for the rest, from its type.
[[nodiscard]] std::vector<Attribute> AttributesOf(Session& session,
                                                  const Component& component);

/// The text of a String attribute. Those of an array's elements are joined as
/// JoinUnits() does. Throws Abandoned.
/// @param what for messages: "'unit' of 'x'".
[[nodiscard]] std::string TextOf(Session& session,
                                 const Component& component,
                                 const Attribute& attribute,
                                 const std::string& what);

}  // namespace orrery::modelica::internal
