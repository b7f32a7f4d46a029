#include "orrery/modelica/equations/algorithms.h"

#include <algorithm>
#include <map>
#include <utility>

#include "orrery/modelica/equations/equations.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/statements/checks.h"
#include "orrery/modelica/statements/relation_extraction.h"
#include "orrery/modelica/statements/relations.h"
#include "orrery/modelica/statements/statements.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// The ids of all nodes in a function's formulas, ascending.
std::vector<std::uint32_t> Used(Function& function) {
  std::vector<Expr> formulas = FormulasOf(function.body);
  for (const auto* const variables : {&function.outputs, &function.locals}) {
    for (const Function::Variable& variable : *variables) {
      if (variable.initial) {
        formulas.push_back(variable.initial);
      }
    }
  }
  return Reachable(formulas);
}

/// Lowers an algorithm section to a function: from quantities read to
/// quantities assigned and findings, the results of conditions and checks.
class AlgorithmLowering : public AlgorithmEvents {
 public:
  AlgorithmLowering(Session& session,
                    const Context& context,
                    const ast::AlgorithmSection& section,
                    const ast::Span& span)
      : session_(session),
        graph_(session.graph),
        context_(context),
        section_(section),
        span_(span),
        clause_(session.events.NewClause()),
        statements_(
            session,
            context,
            [this](Component& component, const ast::Span& where) {
              return Assign(component, where);
            },
            this) {}

  void Run();

  void Enter(const ast::Span& span) override;

  void Leave(const Statements& out) override {
    is_in_when_ = false;
    whens_.push_back(out.size());
  }

  Expr Activation(const ast::Expression& condition,
                  std::size_t branch,
                  Statements& out) override;
  void Assert(Check check, const ast::Span& span, Statements& out) override;
  void Terminate(Check check, const ast::Span& span, Statements& out) override;

 private:
  // An output without a declared variable. The equation of `left` is added if
  // there is one.
  struct Finding {
    Expr symbol;
    Expr left;
    Expr initial;
    ast::Span span;
  };

  struct Report {
    std::size_t finding = 0;  ///< Is true if there is something to report.
    Message message;          ///< Its values are findings.
    std::vector<std::size_t> values;
    bool is_assertion = false;
    bool is_warning = false;
    ast::Span span;
  };

  Expr Assign(Component& component, const ast::Span& span);
  Expr ActivationOf(Expr condition,
                    const std::string& name,
                    const ast::Span& span,
                    Statements& out);
  Expr AddFinding(Finding finding);
  void AddReport(Check check, const ast::Span& span, Statements& out);
  Function::Variable VariableOf(Component& component, const Statements& body);
  std::vector<Function::Variable> Variables(const Statements& body);
  void FindUnused();
  void LiftProbes(const std::vector<Expr>& changing, Function& function);
  Expr CallOf(std::shared_ptr<Function> function,
              const std::vector<Expr>& changing);
  [[nodiscard]] bool IsHeldAtStart(const Component& component) const;
  void AddEquations(Expr call);
  void AddReports(Expr call);

  [[nodiscard]] SourceSpan Where(const ast::Span& span) const {
    return At(context_.scope, span);
  }

  Session& session_;
  ExprGraph& graph_;
  const Context& context_;
  const ast::AlgorithmSection& section_;
  ast::Span span_;
  std::size_t clause_;
  std::size_t num_assignments_ = 0;
  std::string when_;  // The path of the when-statement being lowered.
  bool is_in_when_ = false;
  std::vector<std::size_t> whens_;  // Positions of when-statements in the body.
  LocalReads locals_{graph_};
  std::vector<Component*> assigned_;
  std::vector<Component*> assigned_in_when_;
  std::vector<Component*> assigned_always_;  // Outside of when-statements.
  bool acts_at_start_ = false;  // A when-statement has initial() in it.
  std::vector<Finding> findings_;
  std::vector<Report> reports_;
  StatementLowering statements_;
};

Expr AlgorithmLowering::Assign(Component& component, const ast::Span& span) {
  // An initial section may also assign parameters.
  const Variability least =
      section_.is_initial ? Variability::kParameter : Variability::kDiscrete;
  if (component.variability < least) {
    session_.Fail(
        context_.scope,
        span,
        (component.variability == Variability::kConstant ? "constant '"
                                                         : "parameter '") +
            component.path() + "' cannot be assigned to");
  }
  if (!component.symbol) {
    throw Abandoned{};  // A String: its declaration was rejected.
  }
  if (std::ranges::find(assigned_, &component) == assigned_.end()) {
    assigned_.push_back(&component);
  }
  if (is_in_when_) {
    std::vector<std::int64_t> elements;
    for (std::int64_t i = 0; i < NumElements(component.shape); ++i) {
      elements.push_back(i);
    }
    // An algorithm may assign a variable several times: the last assignment
    // counts.
    session_.events.AddTarget({.component = &component,
                               .elements = elements,
                               .clause = clause_,
                               .branch = num_assignments_++,
                               .span = Where(span)});
    assigned_in_when_.push_back(&component);
  } else {
    session_.events.AddOther(component);
    assigned_always_.push_back(&component);
  }
  return locals_.Of(component.symbol);
}

// Events --------------------------------------------------------------------

void AlgorithmLowering::Enter(const ast::Span& span) {
  if (section_.is_initial) {
    session_.Fail(context_.scope,
                  span,
                  "a when-statement cannot stand in an initial algorithm",
                  "write 'when initial() then' in an algorithm");
  }
  is_in_when_ = true;
}

Expr AlgorithmLowering::Activation(const ast::Expression& condition,
                                   std::size_t branch,
                                   Statements& out) {
  if (branch == 0) {
    when_ = session_.events.NewWhen(*context_.instance);
  }
  const std::string name =
      when_ + ".condition" + (branch == 0 ? "" : std::to_string(branch + 1));
  const auto conditions = LowerConditions(statements_.lowering(), condition);
  Expr active = graph_.Boolean(false);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string numbered =
        conditions.size() == 1 ? name : name + "_" + std::to_string(i + 1);
    active = graph_.Binary(
        Op::kOr,
        active,
        ActivationOf(conditions[i].first, numbered, conditions[i].second, out));
  }
  return active;
}

Expr AlgorithmLowering::ActivationOf(Expr condition,
                                     const std::string& name,
                                     const ast::Span& span,
                                     Statements& out) {
  if (condition.is_constant()) {
    return graph_.Boolean(false);
  }
  const Expr initial = session_.flat.initial;
  const Expr outer = locals_.OuterOf(condition);
  if (outer && (outer == initial || outer.op() == Op::kSample)) {
    acts_at_start_ = acts_at_start_ || outer == initial;
    return condition;
  }
  const Expr hidden = session_.events.AddHidden(name, Where(span));
  const Expr own = AddFinding({.symbol = locals_.Of(hidden),
                               .left = hidden,
                               .initial = {},
                               .span = span});
  out.push_back({.step = Assignment{.target = own, .value = condition},
                 .span = Where(span)});
  const Expr before = locals_.Of(graph_.Pre(hidden));
  return graph_.Binary(
      Op::kAnd,
      graph_.Binary(Op::kAnd, own, graph_.Unary(Op::kNot, before)),
      graph_.Unary(Op::kNot, locals_.Of(initial)));
}

// Checks --------------------------------------------------------------------

Expr AlgorithmLowering::AddFinding(Finding finding) {
  findings_.push_back(std::move(finding));
  return findings_.back().symbol;
}

void AlgorithmLowering::Assert(Check check,
                               const ast::Span& span,
                               Statements& out) {
  Statements body;
  IfStatement statement;
  const Expr fails = graph_.Unary(Op::kNot, check.condition);
  AddReport(std::move(check), span, body);
  statement.branches.push_back({.condition = fails, .body = std::move(body)});
  out.push_back({.step = std::move(statement), .span = Where(span)});
}

void AlgorithmLowering::Terminate(Check check,
                                  const ast::Span& span,
                                  Statements& out) {
  AddReport(std::move(check), span, out);
}

// Adds statements that note the need for a report and the values in its
// message.
void AlgorithmLowering::AddReport(Check check,
                                  const ast::Span& span,
                                  Statements& out) {
  const auto note = [&](Expr value) {
    const Expr symbol =
        AddFinding({.symbol = graph_.Symbol(
                        {.name = "report", .type = value.type(), .shape = {}}),
                    .left = {},
                    .initial = graph_.Constant(0, value.type()),
                    .span = span});
    out.push_back({.step = Assignment{.target = symbol, .value = value},
                   .span = Where(span)});
    return findings_.size() - 1;
  };
  Report report{.is_assertion = static_cast<bool>(check.condition),
                .is_warning = check.is_warning,
                .span = span};
  report.finding = note(graph_.Boolean(true));
  for (const Message::Part& part : check.message.parts) {
    report.values.push_back(part.value ? note(part.value) : 0);
  }
  report.message = std::move(check.message);
  reports_.push_back(std::move(report));
}

// The function --------------------------------------------------------------

void AlgorithmLowering::Run() {
  auto function = std::make_shared<Function>();
  statements_.lowering().replace =
      ([this](Expr outer) { return locals_.Of(outer); });
  statements_.lowering().is_initial = section_.is_initial;
  statements_.Run(section_.statements, function->body);
  if (assigned_.empty() && findings_.empty()) {
    FindUnused();
  }
  if (assigned_.empty() && findings_.empty()) {
    return;
  }
  function->name = context_.instance->path.empty()
                       ? std::string("algorithm")
                       : context_.instance->path.str() + ".algorithm";
  std::vector<Expr> changing;
  for (const Component* const component : assigned_) {
    changing.push_back(component->symbol);
  }
  for (const Finding& finding : findings_) {
    if (finding.left) {
      changing.push_back(finding.left);
    }
  }
  if (!section_.is_initial) {
    LiftProbes(changing, *function);
    LiftRelations(locals_, changing, whens_, function->body);
  }
  function->outputs = Variables(function->body);
  function->locals = statements_.temporaries();
  const Expr call = CallOf(std::move(function), changing);
  AddEquations(call);
  AddReports(call);
}

// Turns variables that only make calls into outputs, so that the calls are
// made.
void AlgorithmLowering::FindUnused() {
  for (const auto& [unused, span] : statements_.unused()) {
    const Expr symbol = unused;
    std::erase_if(statements_.temporaries(),
                  [symbol](const Function::Variable& variable) {
                    return variable.symbol == symbol;
                  });
    AddFinding({.symbol = symbol,
                .left = section_.is_initial
                            ? Expr{}
                            : session_.events.AddUnused("result of a call",
                                                        Where(span)),
                .initial = graph_.Constant(0, symbol.type()),
                .span = span});
  }
}

void AlgorithmLowering::LiftProbes(const std::vector<Expr>& changing,
                                   Function& function) {
  RelationExtraction probes(locals_, changing);
  probes.Take(function.body, whens_);
  if (probes.outputs().empty()) {
    return;
  }
  auto finder = std::make_shared<Function>();
  finder->name = function.name;
  finder->body = std::move(probes.body());
  LiftRelations(locals_, changing, probes.whens(), finder->body);
  finder->outputs = probes.outputs();
  finder->locals = Variables(finder->body);
  finder->locals.insert(finder->locals.end(),
                        statements_.temporaries().begin(),
                        statements_.temporaries().end());
  probes.Bind(CallOf(std::move(finder), changing));
}

// A call with the function's inputs as arguments.
Expr AlgorithmLowering::CallOf(std::shared_ptr<Function> function,
                               const std::vector<Expr>& changing) {
  std::vector<Expr> arguments;
  const std::vector<std::uint32_t> used = Used(*function);
  for (const Expr outer : locals_.read()) {
    const Expr local = locals_.Of(outer);
    if (std::ranges::find(changing, outer) == changing.end() &&
        std::ranges::binary_search(used, local.id())) {
      function->inputs.push_back(local);
      arguments.push_back(outer);
    }
  }
  return graph_.Call(std::move(function), arguments);
}

// The initial value in the algorithm: for a discrete variable its value before
// the event, for others the start value (specification, section 11.1.2).
Function::Variable AlgorithmLowering::VariableOf(Component& component,
                                                 const Statements& body) {
  const auto& variables = session_.flat.variables;
  const Expr symbol = locals_.Of(component.symbol);
  const bool is_discrete = component.variability == Variability::kDiscrete ||
                           std::ranges::find(assigned_in_when_, &component) !=
                               assigned_in_when_.end();
  Expr initial;
  if (is_discrete && !section_.is_initial) {
    if (!IsAssignedFirst(body, symbol)) {
      initial = locals_.Of(graph_.Pre(component.symbol));
    }
  } else if (component.variable < variables.size() &&
             variables[component.variable].start) {
    initial = locals_.Of(variables[component.variable].start);
  }
  return {.symbol = symbol, .initial = initial};
}

// The variables that the statements assign.
std::vector<Function::Variable> AlgorithmLowering::Variables(
    const Statements& body) {
  std::vector<Function::Variable> variables;
  for (Component* const component : assigned_) {
    variables.push_back(VariableOf(*component, body));
  }
  for (const Finding& finding : findings_) {
    variables.push_back({.symbol = finding.symbol, .initial = finding.initial});
  }
  return variables;
}

// True if only inactive when-statements assign the variable at the start.
bool AlgorithmLowering::IsHeldAtStart(const Component& component) const {
  const auto has = [&](const std::vector<Component*>& components) {
    return std::ranges::find(components, &component) != components.end();
  };
  return !acts_at_start_ && has(assigned_in_when_) && !has(assigned_always_);
}

void AlgorithmLowering::AddEquations(Expr call) {
  auto& out = section_.is_initial ? session_.flat.initial_equations
                                  : session_.flat.equations;
  const auto add = [&](Expr left, Expr right, const ast::Span& span) {
    out.push_back({.left = left,
                   .right = right,
                   .span = Where(span),
                   .path = context_.instance->path});
  };
  for (std::size_t i = 0; i < assigned_.size(); ++i) {
    const Expr symbol = assigned_[i]->symbol;
    const Expr result = graph_.Output(call, i);
    add(symbol,
        IsHeldAtStart(*assigned_[i])
            ? graph_.Select(session_.flat.initial, graph_.Pre(symbol), result)
            : result,
        span_);
  }
  for (std::size_t i = 0; i < findings_.size(); ++i) {
    if (findings_[i].left) {
      add(findings_[i].left,
          graph_.Output(call, assigned_.size() + i),
          findings_[i].span);
    }
  }
}

void AlgorithmLowering::AddReports(Expr call) {
  const auto output = [&](std::size_t finding) {
    return graph_.Output(call, assigned_.size() + finding);
  };
  if (section_.is_initial && assigned_.empty() && reports_.empty()) {
    session_.flat.assertions.push_back(
        MadeAtStart(session_, session_.flat.initial, output(0), Where(span_)));
    session_.flat.assertions.back().path = context_.instance->path;
  }
  for (Report& report : reports_) {
    for (std::size_t i = 0; i < report.message.parts.size(); ++i) {
      Expr& value = report.message.parts[i].value;
      value = value ? output(report.values[i]) : Expr{};
    }
    const Expr condition =
        AndThen(section_.is_initial ? session_.flat.initial : Expr{},
                output(report.finding));
    if (report.is_assertion) {
      session_.flat.assertions.push_back(
          {.condition = graph_.Unary(Op::kNot, condition),
           .message = std::move(report.message),
           .is_warning = report.is_warning,
           .span = Where(report.span),
           .path = context_.instance->path});
    } else {
      session_.flat.terminations.push_back(
          {.condition = condition,
           .message = std::move(report.message),
           .span = Where(report.span),
           .path = context_.instance->path});
    }
  }
}

}  // namespace

void LowerAlgorithm(Session& session,
                    const Context& context,
                    const ast::AlgorithmSection& section,
                    const ast::Span& span) {
  AlgorithmLowering(session, context, section, span).Run();
}

}  // namespace orrery::modelica::internal
