#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// The variables of a function that is carried out. They have their present
/// values as those of parameters: numbers in `Component::value`, texts in
/// `Component::binding`.
class KnownVariables {
 public:
  KnownVariables(LoweringContext& context,
                 ClassNode& function,
                 const ast::Span& span);

  [[nodiscard]] Instance& instance() noexcept { return *instance_; }

  /// Returns false if one is not known.
  bool TakeArguments(const std::vector<Value>& arguments);

  /// Gives a local variable or an output its first value.
  void Declare(Component& component);

  void Assign(LoweringContext& lowering,
              const ast::ComponentReference& target,
              const Value& value,
              const ast::Span& span);

  /// The numbers of a formula; fails if they are not known.
  std::vector<double> Numbers(LoweringContext& lowering,
                              Expr expr,
                              const ast::Span& span);

  [[nodiscard]] Value OutputValue(std::string_view name);

  [[noreturn]] void Fail(const ast::Span& span, const std::string& why);

 private:
  bool TakeArgument(Component& input, const Value& argument);
  void SetNumbers(Component& component, std::vector<double> numbers);
  void AssignElement(LoweringContext& lowering,
                     Component& component,
                     const ast::Expressions& subscripts,
                     const Value& value,
                     const ast::Span& span);
  void AssignWhole(LoweringContext& lowering,
                   Component& component,
                   const Value& value,
                   const ast::Span& span);
  [[nodiscard]] bool IsOwn(const Component& component) const;
  Value OutputValue(Component& component);

  LoweringContext& context_;
  Session& session_;
  ClassNode& function_;
  const ast::Span& span_;
  Instance* instance_;
};

}  // namespace orrery::modelica::internal
