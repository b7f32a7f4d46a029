#include "orrery/modelica/functions/functions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/expressions/component_values.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/external/foreign_function.h"
#include "orrery/modelica/functions/assigned_sizes.h"
#include "orrery/modelica/functions/built_in_functions.h"
#include "orrery/modelica/functions/external_calls.h"
#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/statements/start_order.h"
#include "orrery/modelica/statements/statements.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// The declared component that a variable is, or is a field of.
const Component& DeclaredAround(const Component& variable) {
  const Component* declared = &variable;
  while (declared->owner->component != nullptr) {
    declared = declared->owner->component;
  }
  return *declared;
}

}  // namespace

Session::Lowered FunctionLowering::Run(
    const std::vector<KnownArgument>& known,
    const std::vector<std::size_t>& varying) {
  function_->name = node_->name;
  instance_ = NewInstance(session_, node_, nullptr, "", nullptr);
  instance_->is_function = true;
  const bool was_declaring = std::exchange(session_.declares_function, true);
  try {
    DeclareInputs(known, varying);
    DeclareOthers();
    PutStartsInOrder();
    session_.declares_function = false;
    AddDone();
    itself_ = {.function = function_, .instance = instance_, .is_open = true};
    LowerBody();
  } catch (const SelectsOfNothing& fault) {
    session_.declares_function = was_declaring;
    session_.Fail(fault.span, fault.message);
  } catch (...) {
    session_.declares_function = was_declaring;
    throw;
  }
  session_.declares_function = was_declaring;
  return {.function = function_, .instance = instance_};
}

void FunctionLowering::DeclareInputs(const std::vector<KnownArgument>& known,
                                     const std::vector<std::size_t>& varying) {
  const std::vector<Member*> members =
      MembersOf(*node_, ast::Causality::kInput);
  for (std::size_t i = 0; i < members.size(); ++i) {
    DeclareInput(*instance_->Find(members[i]->name), arguments_[i]);
  }
  GiveTexts();
  GiveFunctions();
  for (const auto& [number, value] : known) {
    inputs_[number]->value = value;
    inputs_[number]->value_state = Component::State::kDone;
  }
  for (const std::size_t number : varying) {
    inputs_[number]->is_of_run = true;
  }
  for (const Component* const input : inputs_) {
    function_->inputs.push_back(input->symbol);
  }
  function_->inputs.insert(
      function_->inputs.end(), text_inputs_.begin(), text_inputs_.end());
  for (const Member* const member : members) {
    CheckSizes(*instance_->Find(member->name));
  }
}

// Declares an input. A function as argument brings further inputs.
void FunctionLowering::DeclareInput(Component& input, const Value& argument) {
  if (argument.function == nullptr) {
    LoweringContext lowering(session_, {instance_, node_->scope});
    TakeShapes(session_, lowering, input, argument);
    AddFlatArguments(session_, input, inputs_);
    return;
  }
  const FunctionValue& function = *argument.function;
  Instance* const own =
      NewInstance(session_, function.node, nullptr, input.path(), nullptr);
  own->is_function = true;
  functions_.push_back({.input = &input, .argument = &function, .own = own});
  for (const auto& [name, value] : function.given) {
    DeclareInput(*own->Find(name), value);
  }
}

// Gives inputs their functions, with the inputs that these bring.
void FunctionLowering::GiveFunctions() {
  for (std::size_t i = functions_.size(); i-- > 0;) {
    const FunctionInput& at = functions_[i];
    auto value = std::make_shared<FunctionValue>();
    value->node = at.argument->node;
    value->around = at.argument->around;
    LoweringContext lowering(session_, {at.own, at.own->type->scope});
    for (const auto& [name, given] : at.argument->given) {
      value->given.emplace_back(
          name,
          ReadInput(
              lowering, *at.own->Find(name), node_->definition->name.span));
    }
    at.input->binding = {.function = std::move(value)};
    at.input->binding_state = Component::State::kDone;
  }
}

// Makes inputs for the formulas in a text of the run.
Value FunctionLowering::TextOfInput(const Value& argument) {
  if (argument.run_text == nullptr) {
    return argument;
  }
  std::vector<Expr> symbols;
  for (const Expr formula : FormulasIn(*argument.run_text)) {
    symbols.push_back(session_.graph.Symbol(
        {.name = "text", .type = formula.type(), .shape = {}}));
  }
  text_inputs_.insert(text_inputs_.end(), symbols.begin(), symbols.end());
  return TextOf(WithFormulas(*argument.run_text, symbols));
}

// Gives inputs that are Strings their values.
void FunctionLowering::GiveTexts() {
  std::vector<Component*> numbers;
  auto text = texts_.begin();
  for (Component* const input : inputs_) {
    if (input->type->built_in != BuiltIn::kString) {
      numbers.push_back(input);
      continue;
    }
    input->binding_state = Component::State::kDone;
    if (input->shape.empty() && text != texts_.end()) {
      input->binding = TextOfInput(*text++);
      continue;
    }
    std::vector<double> elements;
    ++text;  // This text describes the array.
    for (std::int64_t i = 0; i < NumElements(input->shape); ++i) {
      if (text == texts_.end() || text->text == nullptr) {
        Fail(input->member->span,
             "the text of input '" + input->path() + "' must be known");
      }
      elements.push_back(
          static_cast<double>(session_.text_numbers.NumberOf(*text++->text)));
    }
    input->binding = NumberValue(
        ConstantOf(session_.graph, elements, input->shape, ValueType::kInteger),
        input->type);
  }
  inputs_ = std::move(numbers);
}

// Checks sizes declared as numbers against those of the argument.
void FunctionLowering::CheckSizes(const Component& input) {
  std::vector<std::pair<const ast::Expression*, Scope*>> written;
  const Member& member = *input.member;
  for (const auto* const sizes :
       {&member.declaration->subscripts, &member.clause->subscripts}) {
    for (const ast::Expression* const size : *sizes) {
      written.emplace_back(size, member.scope);
    }
  }
  for (std::size_t i = 0; i < std::min(written.size(), input.shape.size());
       ++i) {
    const auto& [size, scope] = written[i];
    if (std::holds_alternative<ast::Colon>(size->node)) {
      continue;
    }
    LoweringContext lowering(session_, {instance_, scope});
    const std::int64_t wanted =
        LowerConstantInteger(lowering, *size, "the size of an argument");
    if (wanted != input.shape[i]) {
      throw WrongSize{.input = std::string(member.name),
                      .dimension = i + 1,
                      .wanted = wanted,
                      .found = input.shape[i]};
    }
  }
}

void FunctionLowering::DeclareOthers() {
  std::set<std::string_view> assigned;
  for (const WrittenSection& written : node_->sections) {
    const auto* const algorithm =
        std::get_if<ast::AlgorithmSection>(&written.section->node);
    if (algorithm != nullptr) {
      AddAssigned(algorithm->statements, assigned);
    }
  }
  for (Component& component : instance_->components) {
    if (component.member == nullptr ||
        component.member->clause->prefix.causality == ast::Causality::kInput) {
      continue;
    }
    std::vector<Component*> leaves;
    TakeAssignedSizes(session_, component);
    AddFlatArguments(session_, component, leaves);
    const bool is_output =
        component.member->clause->prefix.causality == ast::Causality::kOutput;
    for (Component* const leaf : leaves) {
      if (leaf->type->built_in == BuiltIn::kString && leaf->shape.empty()) {
        texts_of_body_.push_back(leaf);
      }
      leaf->keeps_value = !assigned.contains(component.member->name);
      DeclareLeaf(*leaf, is_output);
    }
  }
}

void FunctionLowering::PutStartsInOrder() {
  if (const auto cyclic = OrderStarts(*function_)) {
    const Component& variable = *session_.component_of.at(cyclic->id());
    Fail(DeclaredAround(variable).member->span,
         "the value of '" + variable.path() + "' depends on itself");
  }
}

void FunctionLowering::DeclareLeaf(Component& leaf, bool is_output) {
  const Value& binding = BindingOf(session_, leaf);
  if (leaf.type->built_in == BuiltIn::kString && is_output &&
      node_->external != nullptr && leaf.shape.empty()) {
    leaf.symbol = session_.graph.Symbol(
        {.name = std::string(leaf.member->name),
         .type = ValueType::kReal,
         .shape = {static_cast<std::int64_t>(ForeignFunction::kTextOutputs)}});
    function_->outputs.push_back({.symbol = leaf.symbol, .initial = {}});
    return;
  }
  if (leaf.type->built_in == BuiltIn::kString) {
    CheckText(leaf, is_output);
    return;
  }
  auto& variables = is_output ? function_->outputs : function_->locals;
  variables.push_back({.symbol = leaf.symbol, .initial = binding.expr});
}

// StatementLowering tracks the values of Strings.
void FunctionLowering::CheckText(const Component& leaf, bool is_output) {
  if (is_output && node_->external != nullptr) {
    Fail(leaf.member->span,
         "arrays of Strings that external functions give are not supported "
         "yet: '" +
             leaf.path() + "' of " + node_->name);
  }
  if (!leaf.shape.empty() && !AreTexts(leaf.binding)) {
    Fail(leaf.member->span,
         "arrays of Strings that a function assigns are not supported yet: '" +
             leaf.path() + "' of " + node_->name);
  }
}

// A function that gives nothing gets an output, for calls that are carried out
// for their effect.
void FunctionLowering::AddDone() {
  if (node_->external != nullptr) {
    return;
  }
  if (node_->sections.empty() && function_->outputs.empty()) {
    Fail(node_->definition->name.span,
         "function " + node_->name + " has no output and no algorithm");
  }
  const auto is_empty = [](const Function::Variable& output) {
    return NumElements(output.symbol.shape()) == 0;
  };
  if (std::ranges::all_of(function_->outputs, is_empty)) {
    ExprGraph& graph = session_.graph;
    function_->outputs.push_back(
        {.symbol = graph.Symbol(
             {.name = "done", .type = ValueType::kBoolean, .shape = {}}),
         .initial = graph.Boolean(true)});
  }
}

void FunctionLowering::LowerBody() {
  if (node_->external != nullptr) {
    const auto lower =
        IsBuiltIn(*node_->external) ? LowerBuiltIn : LowerExternal;
    lower(session_, *node_, *instance_, *function_);
    CheckValues();
    return;
  }
  const auto assign = [this](Component& component, const ast::Span& span) {
    if (component.owner->is_function &&
        component.causality == ast::Causality::kInput) {
      Fail(span,
           "input '" + component.path() +
               "' of a function cannot be assigned to");
    }
    if (component.variability == Variability::kConstant) {
      Fail(span, "constant '" + component.path() + "' cannot be assigned to");
    }
    if (!component.owner->is_function) {
      Fail(span, "'" + component.path() + "' is no variable of this function");
    }
    return component.symbol;
  };
  for (const WrittenSection& written : node_->sections) {
    const auto* const algorithm =
        std::get_if<ast::AlgorithmSection>(&written.section->node);
    if (algorithm == nullptr) {
      Fail(written.section->span, "a function cannot have equations");
    }
    StatementLowering statements(session_, {instance_, written.scope}, assign);
    statements.KeepTexts(texts_of_body_, function_->body);
    statements.Run(algorithm->statements, function_->body);
    statements.EndTexts();
    for (Function::Variable& made_up : statements.temporaries()) {
      function_->locals.push_back(std::move(made_up));
    }
    GiveStarts(statements.picked());
  }
  AddTextOutputs();
  CheckValues();
}

// Makes the formulas in returned texts further outputs.
void FunctionLowering::AddTextOutputs() {
  for (const Component* const text : texts_of_body_) {
    if (text->causality != ast::Causality::kOutput) {
      continue;
    }
    if (!IsText(text->binding)) {
      Fail(text->member->span,
           "output '" + text->path() + "' of function " + node_->name +
               " gets no value");
    }
    if (text->binding.run_text == nullptr) {
      continue;
    }
    auto& locals = function_->locals;
    for (const std::uint32_t id :
         Reachable(FormulasIn(*text->binding.run_text))) {
      const auto found = std::ranges::find_if(
          locals, [id](const Function::Variable& variable) {
            return variable.symbol.id() == id;
          });
      if (found != locals.end()) {
        function_->outputs.push_back(std::move(*found));
        locals.erase(found);
      }
    }
  }
}

// A partly assigned array counts as assigned. So its elements get start values
// where they are variables of their own.
void FunctionLowering::GiveStarts(std::span<const Expr> elements) {
  ExprGraph& graph = session_.graph;
  const auto zeros_like = [&graph](Expr symbol) {
    const Expr zero = graph.Constant(0, symbol.type());
    return BuildArray(graph, symbol.shape(), [zero](auto) { return zero; });
  };
  for (auto* const variables : {&function_->outputs, &function_->locals}) {
    for (Function::Variable& variable : *variables) {
      if (!variable.initial &&
          std::ranges::find(elements, variable.symbol) != elements.end()) {
        variable.initial = zeros_like(variable.symbol);
      }
    }
  }
}

// Reports variables that are read without a value; it is an error if that is
// certain (specification 3.6, sections 12.2, 12.4.4). But a function need not
// give values to all fields of a record: who gets it may use the others only.
void FunctionLowering::CheckValues() {
  const std::vector<Gap> gaps = FindGaps(*function_);
  std::set<const Component*> begun;  // Some of each has a value.
  for (const auto* const variables :
       {&function_->outputs, &function_->locals}) {
    for (const Function::Variable& variable : *variables) {
      const auto known = session_.component_of.find(variable.symbol.id());
      const bool lacks = std::ranges::any_of(gaps, [&](const Gap& gap) {
        return gap.is_certain && gap.variable.id() == variable.symbol.id();
      });
      if (!lacks && known != session_.component_of.end()) {
        begun.insert(&DeclaredAround(*known->second));
      }
    }
  }
  bool is_refused = false;
  for (const Gap& gap : gaps) {
    const auto known = session_.component_of.find(gap.variable.id());
    if (known == session_.component_of.end()) {
      continue;
    }
    const bool is_of_begun = begun.contains(&DeclaredAround(*known->second));
    if (gap.is_given && is_of_begun) {
      continue;
    }
    const bool is_error = gap.is_certain && !(gap.is_output && is_of_begun);
    Report(gap, *known->second, is_error);
    is_refused = is_refused || is_error;
  }
  if (is_refused) {
    throw Abandoned{};
  }
}

void FunctionLowering::Report(const Gap& gap,
                              const Component& variable,
                              bool is_error) {
  const Member& declared = *DeclaredAround(variable).member;
  const SourceSpan declaration = At(declared.scope, declared.span);
  const std::string name = "'" + variable.path() + "'";
  std::string what;
  std::string hint;
  if (gap.is_output) {
    what =
        "output " + name + " of function " + node_->name +
        (is_error         ? " gets no value"
         : gap.is_certain ? " gets no value: it is undefined"
                          : " gets a value on some paths through it only: on "
                            "the others it is undefined");
    hint = gap.is_certain ? "assign it in an algorithm section of the function"
                          : "assign it in every branch, or give it a default "
                            "where it is declared";
  } else {
    what = name + " is read in function " + node_->name +
           (gap.is_certain ? " before it gets a value"
                           : " where only some paths have given it a value: on "
                             "the others it is undefined");
    hint = "assign it before, or give it a value where it is declared";
  }
  const SourceSpan& span = gap.span.file != nullptr ? gap.span : declaration;
  if (!session_.reported.emplace(span.file.get(), span.begin, what).second) {
    return;
  }
  if (is_error) {
    session_.diagnostics.Error(span, std::move(what), std::move(hint));
  } else {
    session_.diagnostics.Warning(span, std::move(what), std::move(hint));
  }
}

}  // namespace orrery::modelica::internal
