#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/operator_records.h"
#include "orrery/modelica/functions/functions.h"
#include "orrery/modelica/functions/inlining.h"
#include "orrery/symbolic/transform.h"

/// Calls of functions that are written in Modelica.
namespace orrery::modelica::internal {

void AddLeaves(Lowering& lowering, const Value& value, Leaves& leaves) {
  if (IsText(value)) {
    leaves.texts.push_back(value);
    return;
  }
  if (AreTexts(value)) {  // The shape is part of the key.
    leaves.texts.push_back(
        {.text = std::make_shared<const std::string>(Describe(value))});
    for (const Value& element : lowering.ElementsOf(value)) {
      AddLeaves(lowering, element, leaves);
    }
    return;
  }
  if (value.function != nullptr) {
    FunctionKey key{.node = value.function->node,
                    .around = value.function->around,
                    .given = {}};
    for (const auto& [name, given] : value.function->given) {
      key.given.push_back(name);
    }
    leaves.functions.push_back(std::move(key));
    for (const auto& [name, given] : value.function->given) {
      AddLeaves(lowering, given, leaves);
    }
    return;
  }
  if (value.record == nullptr) {
    leaves.numbers.push_back(value);
    return;
  }
  for (const Value& element : lowering.ElementsOf(value)) {
    for (const auto& [name, field] : element.record->fields) {
      AddLeaves(lowering, field, leaves);
    }
  }
}

std::vector<std::string> FormsOf(const std::vector<Value>& texts) {
  std::vector<std::string> forms;
  for (const Value& text : texts) {
    forms.push_back(text.text != nullptr ? "=" + *text.text
                                         : FormOf(*text.run_text));
  }
  return forms;
}

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

}  // namespace

struct Lowering::MadeCall {
  std::vector<Expr> outputs;     ///< Predefined types; at least one.
  Instance* instance = nullptr;  ///< The function's instance.
  std::shared_ptr<const Function> function;
  std::vector<Expr> arguments;
};

std::vector<Value> Lowering::CallFunction(Callee callee,
                                          const ast::Call& call,
                                          const ast::Span& span) {
  if (auto known = CallKnown(callee, call, span)) {
    return {*std::move(known)};
  }
  callee.node = WithInnerClasses(callee, span);
  CheckCallable(*callee.node, span);
  const Arguments arguments = LowerArguments(callee, call, span);
  if (arguments.vectorized.empty()) {
    return CallWith(callee, arguments.values, span);
  }
  return {CallEach(callee, arguments, span)};
}

Expr Lowering::CallForEffect(const ast::Call& call, const ast::Span& span) {
  if (const auto printed = LowerPrint(call, span)) {
    return *printed;
  }
  Callee callee = FindCallee(call.function);
  if (callee.node == nullptr) {
    static_cast<void>(LowerCall(call, span));  // Reports errors in the call.
  }
  if (callee.node == nullptr || !session_.tree.Expand(callee.node) ||
      callee.node->kind() != ast::ClassKind::kFunction) {
    Fail(span,
         "only a function can be called without use of what it gives: '" +
             ast::ToString(call.function) + "' is none");
  }
  callee.node = WithInnerClasses(callee, span);
  CheckCallable(*callee.node, span);
  Arguments arguments = LowerArguments(callee, call, span);
  if (!arguments.vectorized.empty()) {
    Fail(span,
         callee.node->name +
             " element by element without use of what it gives is not "
             "supported yet",
         "call it in a loop");
  }
  const std::vector<Expr> outputs =
      MakeCall(callee, std::move(arguments.values), span).outputs;
  const Expr output = *std::ranges::find_if(
      outputs, [](Expr one) { return NumElements(one.shape()) > 0; });
  ExprGraph& graph = session_.graph;
  const Expr first = orrery::Elements(graph).All(output).front();
  return first.type() == ValueType::kBoolean ? AsNumber(graph, first) : first;
}

// A function with outer classes is a different one for each set of inner
// classes.
ClassNode* Lowering::WithInnerClasses(const Callee& callee,
                                      const ast::Span& span) {
  ClassNode* function = callee.node;
  std::vector<Redeclaration> redeclarations;
  if (session_.tree.Expand(function)) {
    AddInnerClasses(
        session_,
        *function,
        callee.around != nullptr ? callee.around : context_.instance,
        At(context_.scope, span),
        "this call of " + function->name + ", which",
        redeclarations);
  }
  if (redeclarations.empty()) {
    return function;
  }
  function = session_.tree.Redeclared(function, std::move(redeclarations));
  if (!session_.tree.Expand(function)) {
    throw Abandoned{};
  }
  return function;
}

void Lowering::CheckCallable(const ClassNode& function, const ast::Span& span) {
  if (function.is_partial()) {
    Fail(span, "cannot call the partial function " + function.name);
  }
}

Lowering::Arguments Lowering::LowerArguments(const Callee& callee,
                                             const ast::Call& call,
                                             const ast::Span& span) {
  ClassNode* const function = callee.node;
  const auto inputs = MembersOf(*function, ast::Causality::kInput);
  const auto own = [&](const internal::Member* input) {
    return callee.argument == nullptr ? nullptr
                                      : callee.argument->Find(input->name);
  };
  std::vector<internal::Member*> open;
  std::ranges::copy_if(
      inputs, std::back_inserter(open), [&](const auto* input) {
        return own(input) == nullptr;
      });
  const auto matched = MatchArguments(function, open, call, span);
  auto next = matched.begin();
  Arguments arguments{.values = std::vector<Value>(inputs.size()),
                      .is_vectorized = std::vector<bool>(inputs.size(), false),
                      .vectorized = {}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (const Value* const brought = own(inputs[i])) {
      arguments.values[i] = *brought;
      continue;
    }
    const ast::Expression* const written = *next++;
    Shape extra;
    arguments.values[i] = LowerArgument(*function, *inputs[i], written, extra);
    if (extra.empty()) {
      continue;
    }
    if (!arguments.vectorized.empty() && extra != arguments.vectorized) {
      Fail(written->span,
           "the arrays given to " + function->name +
               " element by element have different sizes");
    }
    arguments.is_vectorized[i] = true;
    arguments.vectorized = std::move(extra);
  }
  return arguments;
}

Value Lowering::LowerArgument(const ClassNode& function,
                              internal::Member& input,
                              const ast::Expression* written,
                              Shape& extra) {
  ClassNode* const type = session_.tree.TypeOf(input);
  if (type == nullptr || !session_.tree.Expand(type)) {
    throw Abandoned{};
  }
  if (written == nullptr) {
    return {};
  }
  const std::string what =
      "input '" + std::string(input.name) + "' of " + function.name;
  if (type->kind() == ast::ClassKind::kFunction) {
    return FunctionArgument(*written, what);
  }
  Value argument = Fit(Lower(*written), type, nullptr, written->span, what);
  const std::size_t rank = DeclaredRank(input, *type);
  const Shape& shape = argument.shape();
  if (shape.size() < rank) {
    Fail(written->span,
         what + " has " + std::to_string(rank) +
             (rank == 1 ? " dimension" : " dimensions") + ", not " +
             std::to_string(shape.size()));
  }
  extra.assign(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(rank));
  return argument;
}

Lowering::MadeCall Lowering::MakeCall(const Callee& callee,
                                      std::vector<Value> arguments,
                                      const ast::Span& span) {
  AddDefaults(session_, callee, arguments);
  Leaves leaves;
  for (const Value& argument : arguments) {
    AddLeaves(*this, argument, leaves);
  }
  std::vector<double> shapes;
  for (const Value& leaf : leaves.numbers) {
    shapes.push_back(static_cast<double>(leaf.shape().size()));
    shapes.insert(shapes.end(), leaf.shape().begin(), leaf.shape().end());
  }
  const Session::Lowered lowered =
      Specialize(callee.node, arguments, leaves, shapes, span);
  std::vector<Expr> exprs;
  exprs.reserve(leaves.numbers.size());
  for (const Value& leaf : leaves.numbers) {
    if (!leaf.is_number()) {
      Fail(span,
           "arguments that are " + Describe(leaf) + " are not supported yet");
    }
    exprs.push_back(leaf.expr);
  }
  for (const Value& text : leaves.texts) {
    if (text.run_text != nullptr) {
      std::ranges::copy(FormulasIn(*text.run_text), std::back_inserter(exprs));
    }
  }
  ExprGraph& graph = session_.graph;
  MadeCall made{.outputs = {},
                .instance = lowered.instance,
                .function = lowered.function,
                .arguments = {}};
  const Function& function = *lowered.function;
  std::optional<std::vector<Expr>> formulas;
  if (IsToBeInlined(*callee.node)) {
    formulas = Inline(graph, function, exprs);
  }
  if (formulas) {
    made.outputs = *std::move(formulas);
  } else {
    const Expr call = graph.Call(lowered.function, exprs);
    for (std::size_t i = 0; i < function.outputs.size(); ++i) {
      made.outputs.push_back(graph.Output(call, i));
    }
  }
  made.arguments = std::move(exprs);
  return made;
}

// A text of a function, its formulas replaced by arguments and outputs of the
// call.
Value Lowering::OutputText(const Value& text, const MadeCall& made) {
  if (text.run_text == nullptr) {
    return text;
  }
  Replacements values;
  for (std::size_t i = 0; i < made.arguments.size(); ++i) {
    values.emplace(made.function->inputs[i].id(), made.arguments[i]);
  }
  for (std::size_t i = 0; i < made.outputs.size(); ++i) {
    values.emplace(made.function->outputs[i].symbol.id(), made.outputs[i]);
  }
  Substitution substitution(session_.graph, values);
  std::vector<Expr> formulas = FormulasIn(*text.run_text);
  for (Expr& formula : formulas) {
    formula = substitution.Apply(formula);
  }
  return TextOf(WithFormulas(*text.run_text, formulas));
}

// The value of an output, made from the call's outputs from `number` on: one of
// them, a record or an array.
Value Lowering::OutputValue(const Component& component,
                            const MadeCall& made,
                            std::size_t& number,
                            const ast::Span& span) {
  if (component.is_predefined() &&
      component.type->built_in == BuiltIn::kString) {
    return OutputText(component.binding, made);
  }
  if (component.is_predefined()) {
    return NumberValue(made.outputs[number++], component.type->enumeration);
  }
  std::vector<Value> elements;
  for (const Instance* const element : component.elements) {
    auto record = std::make_shared<RecordValue>();
    record->type = component.type;
    for (const Component& part : element->components) {
      if (part.member != nullptr) {
        record->fields.emplace_back(part.member->name,
                                    OutputValue(part, made, number, span));
      }
    }
    elements.push_back({.record = record});
  }
  return Arrange(std::move(elements), component.shape, span);
}

std::vector<Value> Lowering::CallWith(const Callee& callee,
                                      std::vector<Value> arguments,
                                      const ast::Span& span) {
  const MadeCall made = MakeCall(callee, std::move(arguments), span);
  std::vector<Value> values;
  std::size_t number = 0;
  for (const internal::Member* const output :
       MembersOf(*callee.node, ast::Causality::kOutput)) {
    const Component& component = *made.instance->Find(output->name);
    values.push_back(OutputValue(component, made, number, span));
  }
  if (values.empty()) {
    Fail(span, callee.node->name + " has no output: it is not a value");
  }
  return values;
}

// The function lowered earlier for such arguments; null if there is none.
const Session::Lowered* Lowering::FindLowered(
    ClassNode* function,
    const Leaves& leaves,
    const std::vector<double>& shapes) {
  const std::vector<Session::Lowered>& all = session_.functions[function];
  const std::vector<std::string> forms = FormsOf(leaves.texts);
  const auto found = std::ranges::find_if(all, [&](const auto& known) {
    return known.key == shapes && known.texts == forms &&
           known.functions == leaves.functions &&
           std::ranges::all_of(known.needed, [&](const auto& needed) {
             const auto value =
                 TryEvaluate(session_, leaves.numbers[needed.first].expr);
             return value && *value == needed.second;
           });
  });
  return found == all.end() ? nullptr : &*found;
}

// Learns the value of an argument that a body needs or, if the body can do
// without, that it varies.
void Lowering::Learn(const NeedsArgument& argument,
                     std::size_t number,
                     const Value& leaf,
                     const ClassNode& function,
                     const ast::Span& span,
                     KnownArguments& known) {
  if (!argument.may_vary || !Varies(leaf.expr)) {
    const std::string name = session_.graph.NameOf(argument.symbol);
    known.needed.emplace_back(
        number,
        Constant(leaf.expr,
                 span,
                 "argument '" + name + "' of " + function.name +
                     ", on which sizes depend,"));
    return;
  }
  if (argument.ends_recursion && !iterators_.empty() &&
      leaf.expr.Contains(Trait::kIterator)) {
    throw NeedsUnrolling{};
  }
  known.varying.push_back(number);
}

Session::Lowered Lowering::Specialize(ClassNode* function,
                                      const std::vector<Value>& arguments,
                                      const Leaves& leaves,
                                      const std::vector<double>& shapes,
                                      const ast::Span& span) {
  if (const Session::Lowered* const made =
          FindLowered(function, leaves, shapes)) {
    return *made;
  }
  KnownArguments known = KnownInRecursion(function, leaves, shapes, span);
  while (true) {
    FunctionLowering lowering(session_, function, arguments, leaves.texts);
    try {
      const Opened opened(session_,
                          {.node = function,
                           .shapes = &shapes,
                           .functions = &leaves.functions,
                           .inputs = &lowering.leaves()});
      Session::Lowered lowered = lowering.Run(known.needed, known.varying);
      lowered.key = shapes;
      lowered.texts = FormsOf(leaves.texts);
      lowered.functions = leaves.functions;
      lowered.needed = known.needed;
      session_.functions[function].push_back(lowered);
      return lowered;
    } catch (const NeedsArgument& argument) {
      const auto found = std::ranges::find(lowering.inputs(), argument.symbol);
      if (found == lowering.inputs().end()) {
        throw;
      }
      const auto number =
          static_cast<std::size_t>(found - lowering.inputs().begin());
      Learn(argument, number, leaves.numbers[number], *function, span, known);
    } catch (const WrongSize& wrong) {
      Fail(span,
           "dimension " + std::to_string(wrong.dimension) + " of input '" +
               wrong.input + "' of " + function->name + " has " +
               std::to_string(wrong.wanted) + " elements, the argument " +
               std::to_string(wrong.found));
    }
  }
}

}  // namespace orrery::modelica::internal
