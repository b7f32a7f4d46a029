#include "orrery/modelica/equations/algorithms.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/modelica/equations/algorithm_lowering.h"
#include "orrery/modelica/equations/equations.h"
#include "orrery/modelica/statements/relation_extraction.h"
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

}  // namespace

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
  if (!assigned_in_when_.contains(&component) &&
      !assigned_always_.contains(&component)) {
    assigned_.push_back(&component);
  }
  if (!is_in_when_) {
    session_.events.AddOther(component);
    assigned_always_.insert(&component);
  } else if (assigned_in_when_.insert(&component).second) {
    // An algorithm may assign a variable several times: the last assignment
    // counts.
    std::vector<std::int64_t> elements;
    for (std::int64_t i = 0; i < NumElements(component.shape); ++i) {
      elements.push_back(i);
    }
    session_.events.AddTarget({.component = &component,
                               .elements = elements,
                               .clause = clause_,
                               .branch = num_assignments_++,
                               .span = Where(span)});
  }
  return locals_.Of(component.symbol);
}

// The function --------------------------------------------------------------

void AlgorithmLowering::Run() {
  Statements body;
  // Sizes may depend on parameters: what is read for one is the parameter.
  statements_.lowering().replace = [this](Expr outer) {
    const Expr local = locals_.Of(outer);
    const auto found = session_.component_of.find(outer.id());
    if (found != session_.component_of.end() &&
        found->second->variability <= Variability::kParameter) {
      session_.component_of.try_emplace(local.id(), found->second);
    }
    return local;
  };
  statements_.lowering().is_initial = section_.is_initial;
  statements_.Run(section_.statements, body);
  if (assigned_.empty() && findings_.empty()) {
    FindUnused();
  }
  if (assigned_.empty() && findings_.empty()) {
    return;
  }
  temporaries_ = statements_.temporaries();
  if (whens_.size() > 1) {
    RunGroups(std::move(body));
  } else {
    RunFunction(std::move(body));
  }
}

// The variables that the statements assign.
AssignedSymbols AlgorithmLowering::Symbols() {
  AssignedSymbols symbols;
  for (const Component* const component : assigned_) {
    symbols.all.insert(locals_.Of(component->symbol).id());
  }
  for (const Finding& finding : findings_) {
    symbols.all.insert(finding.symbol.id());
    (finding.left ? symbols.conditions : symbols.reports)
        .insert(finding.symbol.id());
  }
  for (const Function::Variable& variable : temporaries_) {
    symbols.all.insert(variable.symbol.id());
  }
  return symbols;
}

// Makes a function of each group of statements that have nothing in common.
void AlgorithmLowering::RunGroups(Statements body) {
  auto groups = GroupWhens(std::move(body), whens_, Symbols());
  const auto assigned = std::exchange(assigned_, {});
  const auto findings = std::exchange(findings_, {});
  const auto reports = std::exchange(reports_, {});
  const auto temporaries = std::exchange(temporaries_, {});
  std::unordered_map<std::uint32_t, std::size_t> group_of;  // By symbol.
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const std::uint32_t symbol : groups[i].variables) {
      group_of.emplace(symbol, i);
    }
  }

  struct Content {
    std::vector<Component*> assigned;
    std::vector<Finding> findings;
    std::vector<Report> reports;
    std::vector<Function::Variable> temporaries;
  };

  std::vector<Content> contents(groups.size());
  const auto content_of = [&](Expr symbol) -> Content& {
    const auto found = group_of.find(symbol.id());
    return contents[found == group_of.end() ? 0 : found->second];
  };
  for (Component* const component : assigned) {
    content_of(locals_.Of(component->symbol)).assigned.push_back(component);
  }
  std::vector<std::size_t> places;  // By finding, in its group.
  for (const Finding& finding : findings) {
    auto& its = content_of(finding.symbol).findings;
    places.push_back(its.size());
    its.push_back(finding);
  }
  for (const Report& report : reports) {
    auto& its = content_of(findings[report.finding].symbol).reports;
    its.push_back(report);
    its.back().Renumber(places);
  }
  for (const Function::Variable& variable : temporaries) {
    content_of(variable.symbol).temporaries.push_back(variable);
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    assigned_ = std::move(contents[i].assigned);
    findings_ = std::move(contents[i].findings);
    reports_ = std::move(contents[i].reports);
    temporaries_ = std::move(contents[i].temporaries);
    whens_ = std::move(groups[i].whens);
    RunFunction(std::move(groups[i].body));
  }
}

// The model's variables that the statements assign.
std::vector<Expr> AlgorithmLowering::Changing() const {
  std::vector<Expr> changing;
  for (const Component* const component : assigned_) {
    changing.push_back(component->symbol);
  }
  for (const Finding& finding : findings_) {
    if (finding.left) {
      changing.push_back(finding.left);
    }
  }
  return changing;
}

void AlgorithmLowering::RunFunction(Statements body) {
  auto function = std::make_shared<Function>();
  function->body = std::move(body);
  function->name = context_.instance->path.empty()
                       ? std::string("algorithm")
                       : context_.instance->path.str() + ".algorithm";
  if (!section_.is_initial) {
    TakeConditions(Changing(), function->body);
    const std::vector<Expr> changing = Changing();
    LiftProbes(changing, *function);
    LiftRelations(locals_, changing, whens_, function->body);
  }
  function->outputs = Variables(function->body);
  function->locals = temporaries_;
  const Expr call = CallOf(std::move(function), Changing());
  AddEquations(call);
  AddReports(call);
}

// Gives conditions that the statements do not change equations of their own.
void AlgorithmLowering::TakeConditions(const std::vector<Expr>& changing,
                                       Statements& body) {
  const auto conditions = Symbols().conditions;
  if (assigned_.empty() && conditions.size() == findings_.size()) {
    return;  // They are all that makes a run carry out the statements.
  }
  const auto lifted =
      LiftConditions(locals_, changing, conditions, whens_, body);
  if (lifted.empty()) {
    return;
  }
  std::unordered_map<std::uint32_t, Expr> value_of;  // By symbol.
  for (const auto& [symbol, value] : lifted) {
    value_of.emplace(symbol.id(), value);
  }
  std::vector<std::size_t> places;  // Places of the others, by finding.
  std::vector<Finding> others;
  for (Finding& finding : findings_) {
    places.push_back(others.size());
    const auto found = value_of.find(finding.symbol.id());
    if (found == value_of.end()) {
      others.push_back(std::move(finding));
      continue;
    }
    session_.flat.equations.push_back({.left = finding.left,
                                       .right = found->second,
                                       .span = Where(finding.span),
                                       .path = context_.instance->path});
  }
  findings_ = std::move(others);
  for (Report& report : reports_) {
    report.Renumber(places);
  }
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
  finder->locals.insert(
      finder->locals.end(), temporaries_.begin(), temporaries_.end());
  probes.Bind(CallOf(std::move(finder), changing));
}

// A call with the function's inputs as arguments.
Expr AlgorithmLowering::CallOf(std::shared_ptr<Function> function,
                               const std::vector<Expr>& changing) {
  std::unordered_set<std::uint32_t> changed;
  for (const Expr symbol : changing) {
    changed.insert(symbol.id());
  }
  std::vector<Expr> arguments;
  for (const std::uint32_t id : Used(*function)) {
    const Expr local = graph_.At(id);
    const Expr outer = locals_.OuterOf(local);
    if (outer && !changed.contains(outer.id())) {
      function->inputs.push_back(local);
      arguments.push_back(outer);
    }
  }
  return graph_.Call(std::move(function), arguments);
}

// The initial value in the algorithm: for a discrete variable its value before
// the event, for others the start value (specification, section 11.1.2).
Function::Variable AlgorithmLowering::VariableOf(Component& component,
                                                 const FirstUses& uses) {
  const auto& variables = session_.flat.variables;
  const Expr symbol = locals_.Of(component.symbol);
  const bool is_discrete = component.variability == Variability::kDiscrete ||
                           assigned_in_when_.contains(&component);
  Expr initial;
  if (is_discrete && !section_.is_initial) {
    if (!uses.IsAssignedFirst(symbol)) {
      initial = locals_.Of(graph_.Pre(component.symbol));
    }
  } else if (component.variable < variables.size() &&
             variables[component.variable].start) {
    initial = locals_.Of(variables[component.variable].start);
  }
  return {.symbol = symbol, .initial = initial};
}

// The variables that the statements assign.
std::vector<Function::Variable> AlgorithmLowering::Variables(Statements& body) {
  const FirstUses uses(body);
  std::vector<Function::Variable> variables;
  for (Component* const component : assigned_) {
    variables.push_back(VariableOf(*component, uses));
  }
  for (const Finding& finding : findings_) {
    variables.push_back({.symbol = finding.symbol, .initial = finding.initial});
  }
  return variables;
}

// True if only inactive when-statements assign the variable at the start.
bool AlgorithmLowering::IsHeldAtStart(const Component& component) const {
  return !acts_at_start_ && assigned_in_when_.contains(&component) &&
         !assigned_always_.contains(&component);
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

void LowerAlgorithm(Session& session,
                    const Context& context,
                    const ast::AlgorithmSection& section,
                    const ast::Span& span) {
  AlgorithmLowering(session, context, section, span).Run();
}

}  // namespace orrery::modelica::internal
