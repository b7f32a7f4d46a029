#include "orrery/modelica/functions/specializations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/component_values.h"
#include "orrery/modelica/functions/callees.h"
#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/functions/functions.h"
#include "orrery/modelica/functions/recursion.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/symbolic/derivatives/zero_search.h"
#include "orrery/symbolic/statement.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

/// Marks a function as being lowered during its lifetime.
class Opened {
 public:
  Opened(Session& session, const Session::OpenFunction& function)
      : session_(session) {
    session_.open_functions.push_back(function);
  }

  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  ~Opened() { session_.open_functions.pop_back(); }

 private:
  Session& session_;
};

// The function lowered earlier for such arguments; null if there is none.
const Session::Lowered* FindLowered(LoweringContext& context,
                                    ClassNode* function,
                                    const FlatArguments& leaves,
                                    const std::vector<double>& shapes) {
  const std::vector<Session::Lowered>& all =
      context.session.functions[function];
  const std::vector<std::string> forms = FormsOf(leaves.texts);
  const auto found = std::ranges::find_if(all, [&](const auto& known) {
    return known.key == shapes && known.texts == forms &&
           known.functions == leaves.functions &&
           std::ranges::all_of(known.needed, [&](const auto& needed) {
             const auto value = TryEvaluate(context.session,
                                            leaves.numbers[needed.first].expr);
             return value && *value == needed.second;
           });
  });
  return found == all.end() ? nullptr : &*found;
}

// Drops what was lowered from number `begin` on: it may call a function that is
// lowered anew.
void Forget(Session& session, std::size_t begin) {
  for (auto& [function, all] : session.functions) {
    std::erase_if(
        all, [begin](const auto& lowered) { return lowered.order >= begin; });
  }
}

// A call, for messages.
struct CallPlace {
  const ClassNode& function;
  const ast::Span& span;
};

// Learns the value of an argument that a body needs or, if the body can do
// without, that it varies.
void RecordNeededArgument(LoweringContext& context,
                          const NeedsArgument& argument,
                          std::size_t number,
                          const Value& leaf,
                          const CallPlace& place,
                          CompileTimeArguments& known) {
  if (!argument.may_vary || !Varies(context, leaf.expr)) {
    const std::string name = context.session.graph.NameOf(argument.symbol);
    known.needed.emplace_back(
        number,
        EvaluateOrUnroll(context,
                         leaf.expr,
                         place.span,
                         "argument '" + name + "' of " + place.function.name +
                             ", on which sizes depend,"));
    return;
  }
  if (argument.ends_recursion && !context.iterators.empty() &&
      leaf.expr.Contains(Trait::kIterator)) {
    throw NeedsUnrolling{};
  }
  known.varying.push_back(number);
}

// The arguments of the derivative, and which inputs give tangents.
struct DerivativeArguments {
  std::vector<Value> values;
  std::vector<std::uint8_t> takes;  // By leaf of the function.
};

std::optional<DerivativeArguments> ArgumentsOfDerivative(
    LoweringContext& context,
    ClassNode& node,
    const Session::Lowered& lowered,
    const DerivativeAnnotation& said) {
  DerivativeArguments arguments;
  std::vector<Value> tangents;
  for (const Member* const member : MembersOf(node, ast::Causality::kInput)) {
    Component& input = *lowered.instance->Find(member->name);
    Value value = ReadInput(context, input, member->span);
    FlatArguments leaves;
    AddFlatArguments(context, value, leaves);
    const bool is_without =
        std::ranges::find(said.without, member->name) != said.without.end();
    const bool is_real =
        input.is_predefined() && input.type->built_in == BuiltIn::kReal;
    if (!leaves.texts.empty() || !leaves.functions.empty() ||
        (!input.is_predefined() && !is_without)) {
      return std::nullopt;
    }
    arguments.takes.insert(arguments.takes.end(),
                           leaves.numbers.size(),
                           is_real && !is_without ? 1 : 0);
    if (is_real && !is_without) {
      tangents.push_back(value);
    }
    arguments.values.push_back(std::move(value));
  }
  std::ranges::move(tangents, std::back_inserter(arguments.values));
  return arguments;
}

// True if the derivative has the inputs and outputs that it must have, and
// needs no other known values than the function.
bool IsDerivative(const Session::Lowered& derivative,
                  const Session::Lowered& of,
                  std::span<const std::uint8_t> takes) {
  std::vector<Shape> inputs;
  std::vector<Shape> outputs;
  for (const Expr& input : of.function->inputs) {
    inputs.push_back(input.shape());
  }
  for (std::size_t i = 0; i < takes.size(); ++i) {
    if (takes[i] != 0) {
      inputs.push_back(of.function->inputs[i].shape());
    }
  }
  for (const Function::Variable& output : of.function->outputs) {
    if (output.symbol.type() == ValueType::kReal) {
      outputs.push_back(output.symbol.shape());
    }
  }
  const Function& made = *derivative.function;
  return !derivative.is_open && of.function->inputs.size() == takes.size() &&
         std::ranges::equal(made.inputs,
                            inputs,
                            {},
                            [](Expr input) { return input.shape(); }) &&
         std::ranges::equal(
             made.outputs,
             outputs,
             [](const Function::Variable& output, const Shape& shape) {
               return output.symbol.shape() == shape &&
                      output.symbol.type() == ValueType::kReal;
             }) &&
         std::ranges::all_of(derivative.needed, [&](const auto& needed) {
           return std::ranges::find(of.needed, needed) != of.needed.end();
         });
}

std::optional<Function::Derivative> FindDerivative(
    Session& session,
    ClassNode& node,
    const Session::Lowered& lowered,
    Scope* scope,
    const DerivativeAnnotation& said) {
  LoweringContext place(session, {lowered.instance, scope});
  auto arguments = ArgumentsOfDerivative(place, node, lowered, said);
  const Callee callee = FindCallee(place, *said.function);
  if (!arguments || callee.node == nullptr ||
      !session.tree.Expand(callee.node) ||
      callee.node->kind() != ast::ClassKind::kFunction ||
      callee.node->external != nullptr ||
      MembersOf(*callee.node, ast::Causality::kInput).size() !=
          arguments->values.size()) {
    return std::nullopt;
  }
  FlatArguments leaves;
  std::vector<double> shapes;
  for (const Value& value : arguments->values) {
    AddFlatArguments(place, value, leaves);
  }
  for (const Value& leaf : leaves.numbers) {
    shapes.push_back(static_cast<double>(leaf.shape().size()));
    shapes.insert(shapes.end(), leaf.shape().begin(), leaf.shape().end());
  }
  const Session::Lowered made = Specialize(place,
                                           callee.node,
                                           arguments->values,
                                           leaves,
                                           shapes,
                                           said.function->span);
  if (!IsDerivative(made, lowered, arguments->takes)) {
    return std::nullopt;
  }
  const std::span tangents =
      std::span(made.function->inputs).subspan(arguments->takes.size());
  if (!VanishesWith(*made.function, tangents)) {
    return std::nullopt;
  }
  return Function::Derivative{.function = made.function,
                              .takes = std::move(arguments->takes)};
}

// The derivative that an annotation of `node` names and that spares the
// differentiation of inputs. None if there is no such annotation, or if the
// derivative is not 0 where all tangents are 0: then it holds along the course
// of time only, as it gets rates with an input without a derivative.
// @param lowered `node` for arguments of some kind.
std::optional<Function::Derivative> DerivativeByAnnotation(
    Session& session, ClassNode& node, const Session::Lowered& lowered) {
  // What is wrong with the derivative is no error of who calls the function.
  const Diagnostics before = session.diagnostics;
  for (const Part& part : node.parts) {
    const auto said =
        part.scope->text == nullptr
            ? std::nullopt
            : DerivativeIn(part.scope->text->description.annotation);
    if (!said) {
      continue;
    }
    try {
      return FindDerivative(session, node, lowered, part.scope, *said);
    } catch (const Abandoned&) {
      session.diagnostics = before;
    } catch (const NeedsArgument&) {
      session.diagnostics = before;
    }
  }
  return std::nullopt;
}

}  // namespace

Session::Lowered Specialize(LoweringContext& context,
                            ClassNode* function,
                            const std::vector<Value>& arguments,
                            const FlatArguments& leaves,
                            const std::vector<double>& shapes,
                            const ast::Span& span) {
  if (const Session::Lowered* const made =
          FindLowered(context, function, leaves, shapes)) {
    return *made;
  }
  if (const Session::Lowered* const open =
          FindOpen(context, function, leaves, shapes, span)) {
    return *open;
  }
  const std::vector<std::string> texts = FormsOf(leaves.texts);
  CompileTimeArguments known =
      KnownInRecursion(context, function, leaves, shapes);
  const std::size_t begin = context.session.num_lowered;
  while (true) {
    if (context.session.recursive_in_run.contains(function)) {
      Forget(context.session, begin);
    }
    FunctionLowering lowering(
        context.session, function, arguments, leaves.texts);
    try {
      std::optional<Opened> opened(
          std::in_place,
          context.session,
          Session::OpenFunction{.node = function,
                                .shapes = &shapes,
                                .functions = &leaves.functions,
                                .texts = &texts,
                                .inputs = &lowering.leaves(),
                                .itself = &lowering.itself()});
      Session::Lowered lowered = lowering.Run(known.needed, known.varying);
      opened.reset();
      lowered.key = shapes;
      lowered.texts = texts;
      lowered.functions = leaves.functions;
      lowered.needed = known.needed;
      lowered.order = context.session.num_lowered++;
      context.session.functions[function].push_back(lowered);
      lowering.Give(
          DerivativeByAnnotation(context.session, *function, lowered));
      return lowered;
    } catch (const NeedsArgument& argument) {
      const auto found = std::ranges::find(lowering.inputs(), argument.symbol);
      if (found == lowering.inputs().end()) {
        throw;
      }
      const auto number =
          static_cast<std::size_t>(found - lowering.inputs().begin());
      RecordNeededArgument(context,
                           argument,
                           number,
                           leaves.numbers[number],
                           {.function = *function, .span = span},
                           known);
    } catch (const NeedsRecursionInRun& needed) {
      if (needed.outermost != context.session.open_functions.size()) {
        throw;
      }
      known = {};
    } catch (const WrongSize& wrong) {
      context.Fail(span,
                   "dimension " + std::to_string(wrong.dimension) +
                       " of input '" + wrong.input + "' of " + function->name +
                       " has " + std::to_string(wrong.wanted) +
                       " elements, the argument " +
                       std::to_string(wrong.found));
    }
  }
}

}  // namespace orrery::modelica::internal
