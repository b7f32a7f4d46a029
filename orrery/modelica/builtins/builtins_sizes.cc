#include "orrery/modelica/builtins/builtins_sizes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "orrery/modelica/builtins/built_in_call.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/values/names.h"

namespace orrery::modelica::internal {
namespace {

// A declaration may need its own first sizes, as in `Real A[:, size(A, 1)]`.
Shape DeclaredShape(const BuiltInCall& call,
                    const ast::ComponentReference& reference,
                    bool is_whole) {
  std::size_t used = 0;
  Component& component = *FindComponent(call.context, reference, used);
  const bool is_open = component.state == Component::State::kBusy && !is_whole;
  if (!is_open || component.shape.empty()) {
    return FindPlace(call.context, reference).component->shape;
  }
  Shape shape = component.shape;
  if (std::ranges::find(shape, -1) != shape.end()) {
    const Shape given = BindingOf(call.context.session, component).shape();
    component.binding_state = Component::State::kNew;  // To be checked again.
    for (std::size_t i = 0; i < std::min(shape.size(), given.size()); ++i) {
      shape[i] = shape[i] < 0 ? given[i] : shape[i];
    }
  }
  return shape;
}

Value LowerSize(const BuiltInCall& call, const BuiltInArguments& arguments) {
  Shape shape;
  const auto* const reference =
      std::get_if<ast::ComponentReference>(&arguments[0]->node);
  const ClassNode* type = nullptr;
  if (reference != nullptr) {
    type = FindType(call.context, *reference);
  }
  if (type != nullptr && type->built_in == BuiltIn::kEnumeration) {
    shape = {static_cast<std::int64_t>(type->literals.size())};
  } else if (reference != nullptr &&
             call.context.FindLocal(reference->parts.front().name.text) ==
                 nullptr &&
             reference->parts.back().subscripts.empty() &&
             reference->parts.size() == 1) {
    shape = DeclaredShape(call, *reference, arguments.size() == 1);
  } else {
    shape = ArgumentValue(call, arguments, 0).shape();
  }
  if (arguments.size() == 1) {
    std::vector<double> sizes(shape.begin(), shape.end());
    return NumberValue(call.graph.ArrayConstant(
        sizes, {static_cast<std::int64_t>(sizes.size())}, ValueType::kInteger));
  }
  const std::int64_t dimension = LowerConstantInteger(
      call.context, *arguments[1], "the dimension in 'size'");
  if (dimension < 1 || dimension > static_cast<std::int64_t>(shape.size()) ||
      shape[static_cast<std::size_t>(dimension) - 1] < 0) {
    call.Fail("no dimension " + std::to_string(dimension) +
              ": the argument has " + std::to_string(shape.size()));
  }
  return NumberValue(call.Number(
      static_cast<double>(shape[static_cast<std::size_t>(dimension) - 1])));
}

Value LowerNumDimensions(const BuiltInCall& call,
                         const BuiltInArguments& arguments) {
  return NumberValue(call.Number(
      static_cast<double>(ArgumentValue(call, arguments, 0).shape().size())));
}

}  // namespace

std::span<const BuiltInEntry> SizeBuiltIns() {
  static const std::vector<BuiltInEntry> entries = {
      {"size", LowerSize, 1, 2, {}},
      {"ndims", LowerNumDimensions, 1, 1, {}},
  };
  return entries;
}

}  // namespace orrery::modelica::internal
