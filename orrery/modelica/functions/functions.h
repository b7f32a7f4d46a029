#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/functions/function_defaults.h"
#include "orrery/modelica/functions/recursion.h"
#include "orrery/modelica/session/session.h"
#include "orrery/modelica/statements/definite_assignment.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// Thrown if the size of an argument differs from the declared one.
struct WrongSize {
  std::string input;
  std::size_t dimension = 0;
  std::int64_t wanted = 0;
  std::int64_t found = 0;
};

/// Makes a Function of a Modelica function for arguments of known shapes. A
/// record counts as its fields, in order: the leaves. Strings are known and no
/// inputs of the Function.
class FunctionLowering {
 public:
  FunctionLowering(Session& session,
                   ClassNode* node,
                   const std::vector<Value>& arguments,
                   const std::vector<Value>& texts)
      : session_(session), node_(node), arguments_(arguments), texts_(texts) {}

  /// Called once. Throws Abandoned, NeedsArgument for one of inputs(),
  /// WrongSize.
  /// @param known values of leaves of inputs, by number, that sizes depend on.
  /// @param varying numbers of leaves without a value, if one is needed.
  Session::Lowered Run(const std::vector<KnownArgument>& known,
                       const std::vector<std::size_t>& varying);

  /// Adds a derivative to the function, after Run().
  void Give(std::optional<Function::Derivative> derivative) {
    function_->derivative = std::move(derivative);
  }

  /// The symbols of the leaves of inputs, once Run() has declared them.
  [[nodiscard]] const std::vector<Expr>& inputs() const noexcept {
    return function_->inputs;
  }

  /// The components of the leaves declared so far.
  [[nodiscard]] const std::vector<Component*>& leaves() const noexcept {
    return inputs_;
  }

  /// The function that is called by its own statements.
  [[nodiscard]] const Session::Lowered& itself() const noexcept {
    return itself_;
  }

 private:
  void DeclareInputs(const std::vector<KnownArgument>& known,
                     const std::vector<std::size_t>& varying);
  void DeclareInput(Component& input, const Value& argument);
  void GiveTexts();
  Value TextOfInput(const Value& argument);
  void GiveFunctions();
  void CheckSizes(const Component& input);
  void DeclareOthers();
  void PutStartsInOrder();
  void DeclareLeaf(Component& leaf, bool is_output);
  void AddDone();
  void LowerBody();
  void CheckText(const Component& leaf, bool is_output);
  void AddTextOutputs();
  void GiveStarts(std::span<const Expr> elements);
  void CheckValues();
  void Report(const Gap& gap, const Component& variable, bool is_error);

  [[noreturn]] void Fail(const ast::Span& span, std::string message) {
    session_.Fail(node_->scope, span, std::move(message));
  }

  Session& session_;
  ClassNode* node_;
  const std::vector<Value>& arguments_;
  const std::vector<Value>& texts_;
  Instance* instance_ = nullptr;
  std::shared_ptr<Function> function_ = std::make_shared<Function>();
  Session::Lowered itself_;
  std::vector<Component*> inputs_;
  std::vector<Expr> text_inputs_;  ///< The formulas in texts of the run.
  std::vector<Component*> texts_of_body_;  ///< Strings that are not inputs.

  /// An input that is a function, and the instance of the inputs that it
  /// brings.
  struct FunctionInput {
    Component* input = nullptr;
    const FunctionValue* argument = nullptr;
    Instance* own = nullptr;
  };

  std::vector<FunctionInput> functions_;  ///< Containing functions first.
};

}  // namespace orrery::modelica::internal
