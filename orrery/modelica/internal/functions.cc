#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/internal/assigned.h"
#include "orrery/modelica/internal/lowering.h"
#include "orrery/modelica/internal/statements.h"
#include "orrery/modelica/internal/table_file.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// table, tableOnFile, fileName, tableName -> table.
constexpr std::string_view kTableOf = "Modelica.Blocks.Tables.Internal.tableOf";

using Members = std::vector<Member*>;

Members MembersOf(ClassNode& function, ast::Causality causality) {
  Members members;
  for (Member& member : function.members) {
    if (member.clause != nullptr && !member.is_protected &&
        member.clause->prefix.causality == causality) {
      members.push_back(&member);
    }
  }
  return members;
}

// All predefined components of a component: itself, or a record's fields.
void AddLeaves(Session& session,
               Component& component,
               std::vector<Component*>& leaves) {
  if (!Elaborate(session, component)) {
    throw Abandoned{};
  }
  if (component.is_predefined()) {
    leaves.push_back(&component);
    return;
  }
  for (Instance* const element : component.elements) {
    for (Component& part : element->components) {
      if (part.member != nullptr) {
        AddLeaves(session, part, leaves);
      }
    }
  }
}

void AddLeaves(Lowering& lowering,
               const Value& value,
               std::vector<Value>& leaves) {
  if (value.record == nullptr) {
    leaves.push_back(value);
    return;
  }
  for (const Value& element : lowering.ElementsOf(value)) {
    for (const auto& [name, field] : element.record->fields) {
      AddLeaves(lowering, field, leaves);
    }
  }
}

// An input has the sizes of its argument, in the fields of a record as well:
// there they may depend on other fields.
void TakeShapes(Session& session,
                Lowering& lowering,
                Component& input,
                const Value& argument) {
  input.shape = argument.shape();
  if (argument.record == nullptr) {
    return;
  }
  if (!Elaborate(session, input)) {
    throw Abandoned{};
  }
  const std::vector<Value> elements = lowering.ElementsOf(argument);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (Component& field : input.elements[i]->components) {
      const Value* const given =
          field.member == nullptr
              ? nullptr
              : elements[i].record->Find(field.member->name);
      if (given != nullptr) {
        TakeShapes(session, lowering, field, *given);
      }
    }
  }
}

std::size_t DeclaredRank(const Member& member, const ClassNode& type) {
  std::size_t rank =
      member.declaration->subscripts.size() + member.clause->subscripts.size();
  for (const WrittenSizes& sizes : type.sizes) {
    rank += sizes.subscripts->size();
  }
  return rank;
}

// An argument does not have a size that the function declares.
struct WrongSize {
  std::string input;
  std::size_t dimension = 0;
  std::int64_t wanted = 0;
  std::int64_t found = 0;
};

/// Makes a Function of a Modelica function for arguments of known shapes.
class FunctionLowering {
 public:
  FunctionLowering(Session& session,
                   ClassNode* node,
                   const std::vector<Value>& arguments)
      : session_(session), node_(node), arguments_(arguments) {}

  /// @param known values of leaf inputs, by number, that sizes depend on.
  /// @param varying those that have none, if they are asked for.
  Session::Lowered Run(const std::vector<std::pair<std::size_t, double>>& known,
                       const std::vector<std::size_t>& varying);

  [[nodiscard]] const std::vector<Expr>& inputs() const noexcept {
    return function_->inputs;
  }

 private:
  void DeclareInputs(const std::vector<std::pair<std::size_t, double>>& known);
  void CheckSizes(const Component& input);
  void DeclareOthers();
  void DeclareLeaf(Component& leaf, bool is_output);
  void LowerBody();
  void CheckValues();
  void Report(const Gap& gap, const Component& variable);

  [[noreturn]] void Fail(const ast::Span& span, std::string message) {
    session_.Fail(node_->scope, span, std::move(message));
  }

  Session& session_;
  ClassNode* node_;
  const std::vector<Value>& arguments_;
  Instance* instance_ = nullptr;
  std::shared_ptr<Function> function_ = std::make_shared<Function>();
  std::vector<Component*> inputs_;
};

Session::Lowered FunctionLowering::Run(
    const std::vector<std::pair<std::size_t, double>>& known,
    const std::vector<std::size_t>& varying) {
  function_->name = node_->name;
  instance_ = NewInstance(session_, node_, nullptr, "", nullptr);
  instance_->is_function = true;
  const bool was_declaring = std::exchange(session_.declares_function, true);
  try {
    DeclareInputs(known);
    for (const std::size_t number : varying) {
      inputs_[number]->is_of_run = true;
    }
    DeclareOthers();
  } catch (...) {
    session_.declares_function = was_declaring;
    throw;
  }
  session_.declares_function = false;
  try {
    LowerBody();
  } catch (...) {
    session_.declares_function = was_declaring;
    throw;
  }
  session_.declares_function = was_declaring;
  return {.function = function_, .instance = instance_};
}

void FunctionLowering::DeclareInputs(
    const std::vector<std::pair<std::size_t, double>>& known) {
  const Members members = MembersOf(*node_, ast::Causality::kInput);
  Lowering lowering(session_, {instance_, node_->scope});
  for (std::size_t i = 0; i < members.size(); ++i) {
    Component& input = *instance_->Find(members[i]->name);
    TakeShapes(session_, lowering, input, arguments_[i]);
    AddLeaves(session_, input, inputs_);
  }
  for (const auto& [number, value] : known) {
    inputs_[number]->value = {value};
    inputs_[number]->value_state = Component::State::kDone;
  }
  for (const Component* const input : inputs_) {
    if (input->type->built_in == BuiltIn::kString) {
      Fail(input->member->span, "String arguments are not supported yet");
    }
    function_->inputs.push_back(input->symbol);
  }
  for (const Member* const member : members) {
    CheckSizes(*instance_->Find(member->name));
  }
}

// Sizes that are written as numbers must be those of the argument.
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
    Lowering lowering(session_, {instance_, scope});
    const std::int64_t wanted =
        lowering.ConstantInteger(*size, "the size of an argument");
    if (wanted != input.shape[i]) {
      throw WrongSize{.input = std::string(member.name),
                      .dimension = i + 1,
                      .wanted = wanted,
                      .found = input.shape[i]};
    }
  }
}

void FunctionLowering::DeclareOthers() {
  for (Component& component : instance_->components) {
    if (component.member == nullptr ||
        std::ranges::find(inputs_, &component) != inputs_.end() ||
        component.member->clause->prefix.causality == ast::Causality::kInput) {
      continue;
    }
    std::vector<Component*> leaves;
    AddLeaves(session_, component, leaves);
    const bool is_output =
        component.member->clause->prefix.causality == ast::Causality::kOutput;
    for (Component* const leaf : leaves) {
      DeclareLeaf(*leaf, is_output);
    }
  }
}

void FunctionLowering::DeclareLeaf(Component& leaf, bool is_output) {
  const Value& binding = BindingOf(session_, leaf);
  if (leaf.type->built_in == BuiltIn::kString) {
    if (is_output || binding.text == nullptr) {
      Fail(leaf.member->span,
           "String variables in functions are not supported yet");
    }
    return;
  }
  auto& variables = is_output ? function_->outputs : function_->locals;
  variables.push_back({.symbol = leaf.symbol, .initial = binding.expr});
}

void FunctionLowering::LowerBody() {
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
    statements.Run(algorithm->statements, function_->body);
    for (Function::Variable& made_up : statements.temporaries()) {
      function_->locals.push_back(std::move(made_up));
    }
  }
  if (node_->sections.empty() && function_->outputs.empty()) {
    Fail(node_->definition->name.span,
         "function " + node_->name + " has no output and no algorithm");
  }
  if (function_->outputs.empty()) {
    ExprGraph& graph = session_.graph;
    function_->outputs.push_back(
        {.symbol = graph.Symbol(
             {.name = "done", .type = ValueType::kBoolean, .shape = {}}),
         .initial = graph.Boolean(true)});
  }
  CheckValues();
}

// What has no value where it is needed is an error if that is certain
// (specification 3.6, sections 12.2, 12.4.4).
void FunctionLowering::CheckValues() {
  bool is_refused = false;
  for (const Gap& gap : FindGaps(*function_)) {
    const auto known = session_.component_of.find(gap.variable.id());
    if (known != session_.component_of.end()) {
      Report(gap, *known->second);
      is_refused = is_refused || gap.is_certain;
    }
  }
  if (is_refused) {
    throw Abandoned{};
  }
}

void FunctionLowering::Report(const Gap& gap, const Component& variable) {
  const Component* declared = &variable;
  while (declared->owner->component != nullptr) {
    declared = declared->owner->component;
  }
  const SourceSpan declaration =
      At(declared->member->scope, declared->member->span);
  const std::string name = "'" + variable.path() + "'";
  std::string what;
  std::string hint;
  if (gap.is_output) {
    what = "output " + name + " of function " + node_->name +
           (gap.is_certain ? " gets no value"
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
  if (gap.is_certain) {
    session_.diagnostics.Error(span, std::move(what), std::move(hint));
  } else {
    session_.diagnostics.Warning(span, std::move(what), std::move(hint));
  }
}

// Defaults are formulas over the function's inputs: here, over the arguments.
Value AtArguments(ExprGraph& graph,
                  const Value& value,
                  const Replacements& arguments) {
  if (!value.is_number()) {
    return value;
  }
  return NumberValue(Substitution(graph, arguments).Apply(value.expr),
                     value.enumeration);
}

// Gives inputs without an argument their defaults.
void AddDefaults(Session& session,
                 ClassNode& node,
                 std::vector<Value>& arguments) {
  const auto is_missing = [](const Value& value) {
    return !value.is_number() && value.record == nullptr &&
           value.text == nullptr;
  };
  if (std::ranges::none_of(arguments, is_missing)) {
    return;
  }
  const Members inputs = MembersOf(node, ast::Causality::kInput);
  Instance* const instance = NewInstance(session, &node, nullptr, "", nullptr);
  instance->is_function = true;
  Replacements replacements;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Component& input = *instance->Find(inputs[i]->name);
    if (is_missing(arguments[i])) {
      if (!Elaborate(session, input)) {
        throw Abandoned{};
      }
      arguments[i] =
          AtArguments(session.graph, BindingOf(session, input), replacements);
    } else if (arguments[i].is_number()) {
      input.shape = arguments[i].shape();
      if (!Elaborate(session, input)) {
        throw Abandoned{};
      }
    }
    if (input.symbol && arguments[i].is_number()) {
      replacements.emplace(input.symbol.id(), arguments[i].expr);
    }
  }
}

}  // namespace

// The one external function: what is on file is read when a model is flattened,
// since the size of the table shapes the model.
Value Lowering::TableOf(const std::vector<Value>& arguments,
                        const ast::Span& span) {
  const Value& table = arguments[0];
  const bool is_on_file =
      Evaluate(session_,
               arguments[1].expr,
               context_,
               span,
               "whether a table is on file must be known now")[0] != 0;
  if (!is_on_file) {
    return table;
  }
  if (arguments[2].text == nullptr || arguments[3].text == nullptr) {
    Fail(span, "the names of a file and of a table in it must be known now");
  }
  try {
    const TableText read =
        ReadTable(*FindFile(*arguments[2].text), *arguments[3].text);
    return NumberValue(
        session_.graph.ArrayConstant(read.values, {read.rows, read.columns}));
  } catch (const Error& error) {
    Fail(span, error.what());
  }
}

// Names are relative to the folder of the model's text, else to the current
// one.
std::shared_ptr<const SourceFile> Lowering::FindFile(
    const std::string& name) const {
  const Instance* top = context_.instance;
  while (top != nullptr && top->parent != nullptr) {
    top = top->parent;
  }
  const std::filesystem::path path(name);
  if (path.is_relative() && top != nullptr && top->type->scope != nullptr &&
      top->type->scope->file != nullptr) {
    const std::filesystem::path text(top->type->scope->file->name());
    const std::string beside = (text.parent_path() / path).string();
    if (session_.files.Contains(beside)) {
      return session_.files.Read(beside);
    }
  }
  return session_.files.Read(name);
}

std::vector<Value> Lowering::CallFunction(ClassNode* function,
                                          const ast::Call& call,
                                          const ast::Span& span) {
  if (function->external != nullptr && function->name == kTableOf) {
    return {TableOf(LowerArguments(function, call, span).values, span)};
  }
  function = WithInnerClasses(function, span);
  CheckCallable(*function, span);
  const Arguments arguments = LowerArguments(function, call, span);
  if (arguments.vectorized.empty()) {
    return CallWith(function, arguments.values, span);
  }
  return {CallEach(function, arguments, span)};
}

Expr Lowering::CallForEffect(const ast::Call& call, const ast::Span& span) {
  ClassNode* function = FindType(call.function);
  if (function == nullptr || function->kind() != ast::ClassKind::kFunction) {
    Fail(span,
         "only a function can be called without use of what it gives: '" +
             ast::ToString(call.function) + "' is none");
  }
  function = WithInnerClasses(function, span);
  CheckCallable(*function, span);
  Arguments arguments = LowerArguments(function, call, span);
  if (!arguments.vectorized.empty()) {
    Fail(span,
         function->name +
             " element by element without use of what it gives is not "
             "supported yet",
         "call it in a loop");
  }
  return session_.graph.Output(
      MakeCall(function, std::move(arguments.values), span).call, 0);
}

// A function with outer classes is another one for each set of inner ones.
ClassNode* Lowering::WithInnerClasses(ClassNode* function,
                                      const ast::Span& span) {
  std::vector<Redeclaration> redeclarations;
  if (session_.tree.Expand(function)) {
    AddInnerClasses(session_,
                    *function,
                    context_.instance,
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
  if (function.external != nullptr) {
    Fail(span,
         "external functions are not supported yet: " + function.name +
             " is one");
  }
  if (function.is_partial()) {
    Fail(span, "cannot call the partial function " + function.name);
  }
  const auto& open = session_.open_functions;
  if (std::ranges::find(open, &function) != open.end()) {
    Fail(span,
         "recursive functions are not supported yet: " + function.name +
             " calls itself");
  }
}

Lowering::Arguments Lowering::LowerArguments(ClassNode* function,
                                             const ast::Call& call,
                                             const ast::Span& span) {
  const Members inputs = MembersOf(*function, ast::Causality::kInput);
  const auto written = MatchArguments(function, inputs, call, span);
  Arguments arguments{.values = std::vector<Value>(inputs.size()),
                      .is_vectorized = std::vector<bool>(inputs.size(), false),
                      .vectorized = {}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Shape extra;
    arguments.values[i] =
        LowerArgument(*function, *inputs[i], written[i], extra);
    if (extra.empty()) {
      continue;
    }
    if (!arguments.vectorized.empty() && extra != arguments.vectorized) {
      Fail(written[i]->span,
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

Value Lowering::CallEach(ClassNode* function,
                         const Arguments& arguments,
                         const ast::Span& span) {
  ExprGraph& graph = session_.graph;
  const ClassNode* enumeration = nullptr;
  const auto call = [&](std::span<const Expr> at) {
    std::vector<Subscript> subscripts;
    for (const Expr scalar : at) {
      subscripts.push_back({.scalar = scalar});
    }
    std::vector<Value> elements = arguments.values;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (arguments.is_vectorized[i]) {
        elements[i] = Select(elements[i], subscripts);
      }
    }
    const Value result = CallWith(function, std::move(elements), span).front();
    if (!result.is_number()) {
      Fail(span,
           function->name +
               " element by element is not supported yet: it gives " +
               Describe(result));
    }
    enumeration = result.enumeration;
    return result.expr;
  };
  const Expr results = BuildArray(graph, arguments.vectorized, call);
  return NumberValue(results, enumeration);
}

Lowering::MadeCall Lowering::MakeCall(ClassNode* function,
                                      std::vector<Value> arguments,
                                      const ast::Span& span) {
  AddDefaults(session_, *function, arguments);
  std::vector<Value> leaves;
  for (const Value& argument : arguments) {
    AddLeaves(*this, argument, leaves);
  }
  std::vector<double> shapes;
  for (const Value& leaf : leaves) {
    shapes.push_back(static_cast<double>(leaf.shape().size()));
    shapes.insert(shapes.end(), leaf.shape().begin(), leaf.shape().end());
  }
  const Session::Lowered lowered =
      Specialize(function, arguments, leaves, shapes, span);
  std::vector<Expr> exprs;
  exprs.reserve(leaves.size());
  for (const Value& leaf : leaves) {
    if (!leaf.is_number()) {
      Fail(span,
           "arguments that are " + Describe(leaf) + " are not supported yet");
    }
    exprs.push_back(leaf.expr);
  }
  return {.call = session_.graph.Call(lowered.function, exprs),
          .instance = lowered.instance};
}

// A record of a call's outputs from `number` on, an array of them, or one
// output.
Value Lowering::OutputValue(const Component& component,
                            Expr call,
                            std::size_t& number,
                            const ast::Span& span) {
  if (component.is_predefined()) {
    return NumberValue(session_.graph.Output(call, number++),
                       component.type->enumeration);
  }
  std::vector<Value> elements;
  for (const Instance* const element : component.elements) {
    auto record = std::make_shared<RecordValue>();
    record->type = component.type;
    for (const Component& part : element->components) {
      if (part.member != nullptr) {
        record->fields.emplace_back(part.member->name,
                                    OutputValue(part, call, number, span));
      }
    }
    elements.push_back({.record = record});
  }
  return Arrange(std::move(elements), component.shape, span);
}

std::vector<Value> Lowering::CallWith(ClassNode* function,
                                      std::vector<Value> arguments,
                                      const ast::Span& span) {
  const MadeCall made = MakeCall(function, std::move(arguments), span);
  std::vector<Value> values;
  std::size_t number = 0;
  for (const internal::Member* const output :
       MembersOf(*function, ast::Causality::kOutput)) {
    const Component& component = *made.instance->Find(output->name);
    values.push_back(OutputValue(component, made.call, number, span));
  }
  if (values.empty()) {
    Fail(span, function->name + " has no output: it is not a value");
  }
  return values;
}

Session::Lowered Lowering::Specialize(ClassNode* function,
                                      const std::vector<Value>& arguments,
                                      const std::vector<Value>& leaves,
                                      const std::vector<double>& shapes,
                                      const ast::Span& span) {
  for (const Session::Lowered& known : session_.functions[function]) {
    const bool fits =
        known.key == shapes &&
        std::ranges::all_of(known.needed, [&](const auto& needed) {
          const auto value = TryEvaluate(session_, leaves[needed.first].expr);
          return value && (*value)[0] == needed.second;
        });
    if (fits) {
      return known;
    }
  }
  std::vector<std::pair<std::size_t, double>> needed;
  std::vector<std::size_t> varying;
  session_.open_functions.push_back(function);
  const std::size_t depth = session_.open_functions.size();
  while (true) {
    FunctionLowering lowering(session_, function, arguments);
    try {
      Session::Lowered lowered = lowering.Run(needed, varying);
      session_.open_functions.pop_back();
      lowered.key = shapes;
      lowered.needed = needed;
      session_.functions[function].push_back(lowered);
      return lowered;
    } catch (const NeedsArgument& argument) {
      session_.open_functions.resize(depth);
      const auto found = std::ranges::find(lowering.inputs(), argument.symbol);
      if (found == lowering.inputs().end()) {
        session_.open_functions.resize(depth - 1);
        throw;
      }
      const auto at =
          static_cast<std::size_t>(found - lowering.inputs().begin());
      const std::string name = session_.graph.NameOf(argument.symbol);
      session_.open_functions.pop_back();
      if (argument.may_vary && Varies(leaves[at].expr)) {
        session_.open_functions.push_back(function);
        varying.push_back(at);
        continue;
      }
      const double value =
          Constant(leaves[at].expr,
                   span,
                   "argument '" + name + "' of " + function->name +
                       ", on which sizes depend,")[0];
      session_.open_functions.push_back(function);
      needed.emplace_back(at, value);
    } catch (const WrongSize& wrong) {
      session_.open_functions.resize(depth - 1);
      Fail(span,
           "dimension " + std::to_string(wrong.dimension) + " of input '" +
               wrong.input + "' of " + function->name + " has " +
               std::to_string(wrong.wanted) + " elements, the argument " +
               std::to_string(wrong.found));
    } catch (...) {
      session_.open_functions.resize(depth - 1);
      throw;
    }
  }
}

}  // namespace orrery::modelica::internal
