#pragma once

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/expressions/attributes.h"
#include "orrery/modelica/session/session.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// Formulas of a variable with the units of constants, see
/// FlatModel::AsWritten.
using AsWrittenFormulas = std::vector<std::pair<Expr Variable::*, Expr>>;

/// Gives the variables of one model their attributes: start, fixed, unit and
/// the like.
class VariableAttributes {
 public:
  explicit VariableAttributes(Session& session) : session_(session) {}

  /// @param as_written gets the formulas that have lost units.
  void Add(Component& component,
           Variable& variable,
           AsWrittenFormulas& as_written);

 private:
  void AddAttribute(Component& component,
                    Variable& variable,
                    const Attribute& attribute,
                    AsWrittenFormulas& as_written);
  void WarnOfEach(const Attribute& attribute, std::string what);
  void CheckUnit(const std::string& text, const SourceSpan& span);
  void CheckBounds(const Component& component, const Variable& variable);
  void AddStateSelect(Variable& variable,
                      const Value& value,
                      const Context& context,
                      const ast::Span& span,
                      const std::string& what);
  void AddFixed(Component& component, Variable& variable, Expr value);
  void AddStarts(const Component& component, const Variable& variable);

  Session& session_;
  std::unordered_set<std::string> units_;  // The checked ones.
  std::unordered_set<const ast::Expression*> without_each_;  // Told of.
  std::vector<double> are_fixed_;  // By element, if they differ.
};

}  // namespace orrery::modelica::internal
