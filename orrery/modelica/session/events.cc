#include "orrery/modelica/session/events.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "orrery/modelica/session/session.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

std::string NameOf(const Component& component, std::int64_t element) {
  return component.shape.empty()
             ? component.path()
             : ElementName(component.path(),
                           SubscriptsOf(component.shape, element));
}

// Collects the variables in a reference. Returns false for another formula.
bool CollectSymbols(Expr expr, std::vector<Expr>& symbols) {
  switch (expr.op()) {
    case Op::kSymbol:
      symbols.push_back(expr);
      return true;
    case Op::kIndex:
      return CollectSymbols(expr.operand(0), symbols);
    case Op::kBuild:
      return CollectSymbols(expr.operand(1), symbols);
    case Op::kMakeArray:
      for (std::size_t i = 0; i < expr.num_operands(); ++i) {
        if (!CollectSymbols(expr.operand(i), symbols)) {
          return false;
        }
      }
      return true;
    default:
      return false;
  }
}

// The variables on a side of an equation, if the side may be an alias.
std::vector<Expr> NamesOn(Expr side) {
  return SymbolsOf(side.op() == Op::kNegate ? side.operand(0) : side);
}

// The variables on both sides of equations like x = y, x = -y and x + y = 0,
// and of connections.
std::vector<std::pair<std::vector<Expr>, std::vector<Expr>>> PairsOfNames(
    const FlatModel& model) {
  std::vector<std::pair<std::vector<Expr>, std::vector<Expr>>> pairs;
  for (const Equation& equation : model.equations) {
    Expr left = equation.left;
    Expr right = equation.right;
    if (left.is_constant(0)) {
      std::swap(left, right);
    }
    if (right.is_constant(0) &&
        (left.op() == Op::kAdd || left.op() == Op::kSubtract)) {
      right = left.operand(1);
      left = left.operand(0);
    }
    pairs.emplace_back(NamesOn(left), NamesOn(right));
  }
  for (const Connection& connection : model.connections) {
    pairs.emplace_back(NamesOn(connection.a.variable),
                       NamesOn(connection.b.variable));
  }
  return pairs;
}

// Adds the symbols of variables that may be aliases of the given ones.
void AddOtherNames(const FlatModel& model,
                   std::unordered_set<std::uint32_t>& symbols) {
  const auto pairs = PairsOfNames(model);
  const auto is_in = [&](Expr symbol) {
    return symbols.contains(symbol.id());
  };
  for (std::size_t before = 0; before != symbols.size();) {
    before = symbols.size();
    for (const auto& [left, right] : pairs) {
      const bool is_linked = !left.empty() && !right.empty() &&
                             (std::ranges::any_of(left, is_in) ||
                              std::ranges::any_of(right, is_in));
      for (std::size_t i = 0; is_linked && i < left.size(); ++i) {
        symbols.insert(left[i].id());
      }
      for (std::size_t i = 0; is_linked && i < right.size(); ++i) {
        symbols.insert(right[i].id());
      }
    }
  }
}

}  // namespace

std::string PlaceOf(const SourceSpan& span) {
  return span.file->name() + ":" +
         std::to_string(span.file->PositionOf(span.begin).line);
}

Variable& AddMadeUp(FlatModel& flat, Expr symbol, const SourceSpan& span) {
  Variable& variable = flat.variables.emplace_back();
  variable.symbol = symbol;
  variable.variability = symbol.type() == ValueType::kReal
                             ? Variability::kContinuous
                             : Variability::kDiscrete;
  variable.is_protected = true;
  variable.is_made_up = true;
  variable.notes.Edit().span = span;
  return variable;
}

std::vector<Expr> SymbolsOf(Expr reference) {
  std::vector<Expr> symbols;
  if (!CollectSymbols(reference, symbols)) {
    symbols.clear();
  }
  return symbols;
}

std::string VaryingIn(const Session& session, Expr expr) {
  const std::array roots = {expr};
  for (const std::uint32_t id : Reachable(roots)) {
    const Expr node = session.graph.At(id);
    if (node.op() != Op::kSymbol) {
      continue;
    }
    const auto found = session.component_of.find(id);
    if (found == session.component_of.end() ||
        found->second->variability > Variability::kParameter) {
      return session.graph.NameOf(node);
    }
  }
  return {};
}

Expr AndThen(Expr a, Expr b) {
  if (!a || !b) {
    return a ? a : b;
  }
  return a.graph().Binary(Op::kAnd, a, b);
}

std::string EventTable::NewWhen(Instance& instance) {
  std::size_t& count = whens_[&instance];
  std::string name;
  do {
    name = "when" + std::to_string(++count);
  } while (instance.Find(name) != nullptr);
  return instance.path.empty() ? name : instance.path.str() + "." + name;
}

Expr EventTable::AddHidden(std::string name, const SourceSpan& span) {
  return AddMadeUp(std::move(name), ValueType::kBoolean, span);
}

Expr EventTable::AddUnused(std::string name, const SourceSpan& span) {
  return AddMadeUp(std::move(name), ValueType::kReal, span);
}

Expr EventTable::AddMadeUp(std::string name,
                           ValueType type,
                           const SourceSpan& span) {
  const Expr symbol =
      session_.graph.Symbol({.name = std::move(name), .type = type});
  internal::AddMadeUp(session_.flat, symbol, span);
  return symbol;
}

void EventTable::AddTarget(const Target& target) {
  Component& component = *target.component;
  auto [found, is_new] = assigned_.try_emplace(&component);
  if (is_new) {
    targets_.push_back(&component);
  }
  for (const std::int64_t element : target.elements) {
    const auto [known, is_first] =
        found->second.try_emplace(element,
                                  Assigned{.clause = target.clause,
                                           .branch = target.branch,
                                           .span = target.span});
    if (is_first) {
      continue;
    }
    Assigned& before = known->second;
    const std::string name = NameOf(component, element);
    if (before.clause != target.clause) {
      session_.diagnostics.Error(
          target.span,
          "'" + name + "' is assigned in two when-clauses: in this one and " +
              "in the one at " + PlaceOf(before.span),
          "join them to 'when ... elsewhen ...': one clause has to say which "
          "assignment wins");
      throw Abandoned{};
    }
    if (before.branch == target.branch) {
      session_.diagnostics.Error(
          target.span,
          "'" + name + "' is assigned twice in one branch, here and at " +
              PlaceOf(before.span));
      throw Abandoned{};
    }
    before.branch = target.branch;
  }
}

void EventTable::AddPre(Component& component, const SourceSpan& span) {
  pres_.push_back({.component = &component, .span = span});
}

void EventTable::AddReinit(Component& component, const SourceSpan& span) {
  reinits_.push_back({.component = &component, .span = span});
}

void EventTable::AddDer(Component& component,
                        const SourceSpan& span,
                        bool is_variable) {
  ders_.push_back(
      {.component = &component, .span = span, .is_variable = is_variable});
}

void EventTable::TakeClocked(const Component& component) {
  clocked_.insert(&component);
  std::erase_if(ders_, [&component](const Use& use) {
    return use.component == &component;
  });
}

void EventTable::Finish() {
  CheckDiscrete();
  MakeDiscrete();
  CheckPre();
  CheckDers();
  CheckReinits();
}

void EventTable::MakeDiscrete() {
  for (Component* const component : targets_) {
    if (component->variability != Variability::kContinuous) {
      continue;
    }
    const auto& elements = assigned_[component];
    const std::int64_t count = NumElements(component->shape);
    if (static_cast<std::int64_t>(elements.size()) != count) {
      std::int64_t missing = 0;
      while (elements.contains(missing)) {
        ++missing;
      }
      session_.diagnostics.Error(
          elements.begin()->second.span,
          "when-clauses assign some elements of '" + component->path() +
              "', but not '" + NameOf(*component, missing) +
              "': the elements of an array are discrete or continuous together",
          "declare it by itself");
      continue;
    }
    component->variability = Variability::kDiscrete;
    if (component->variable < session_.flat.variables.size()) {
      session_.flat.variables[component->variable].variability =
          Variability::kDiscrete;
    }
  }
}

// Checks that a when-clause assigns each Real declared discrete (specification
// 3.6, section 4.4.4), unless a clock or a connection gives its value. After an
// error the when-clause may be missing because of it.
void EventTable::CheckDiscrete() {
  if (!session_.flat.clocks.empty() || session_.diagnostics.has_errors()) {
    return;
  }
  for (const Variable& variable : session_.flat.variables) {
    const auto found = session_.component_of.find(variable.symbol.id());
    if (found == session_.component_of.end() ||
        variable.variability != Variability::kDiscrete ||
        variable.symbol.type() != ValueType::kReal || variable.is_input ||
        NumElements(variable.symbol.shape()) == 0) {
      continue;
    }
    const Component& component = *found->second;
    const bool is_of_connector =
        component.owner->type->kind() == ast::ClassKind::kConnector ||
        component.type->kind() == ast::ClassKind::kConnector;
    const auto is_of_it = [&component](const Use& use) {
      return use.component == &component;
    };
    const bool is_reported = std::ranges::any_of(ders_, is_of_it);
    if (!is_of_connector && !is_reported && !assigned_.contains(&component) &&
        !clocked_.contains(&component)) {
      session_.diagnostics.Error(
          variable.notes->span,
          "'" + component.path() +
              "' is declared discrete, but no when-clause assigns it "
              "(specification 3.6, section 4.4.4)",
          "assign it in a when-clause, or leave 'discrete' out");
    }
  }
}

void EventTable::CheckPre() {
  std::unordered_set<const Component*> reported;
  for (const Use& use : pres_) {
    if (use.component->variability == Variability::kContinuous &&
        reported.insert(use.component).second) {
      session_.diagnostics.Error(
          use.span,
          "'" + use.component->path() +
              "' has no value before an event here: it is continuous, and "
              "'pre', 'edge' and 'change' take discrete variables outside of "
              "when-clauses",
          "assign it in a when-clause, or use this in one");
    }
  }
}

void EventTable::CheckDers() {
  std::unordered_set<const Component*> reported;
  for (const Use& use : ders_) {
    const Component& component = *use.component;
    if (use.is_variable && component.variability == Variability::kDiscrete &&
        reported.insert(&component).second) {
      const auto assigned = assigned_.find(&component);
      session_.diagnostics.Error(
          use.span,
          "'" + component.path() + "' has no derivative: it is discrete, " +
              (assigned == assigned_.end()
                   ? "as its declaration says"
                   : "a when-clause assigns it at " +
                         PlaceOf(assigned->second.begin()->second.span)),
          "'reinit' changes a state at an event");
    }
  }
}

// Makes a variable a state, with or without der(), if its stateSelect demands
// it (specification 3.6, section 4.9.7.1): equates its derivative with a
// made-up variable.
bool EventTable::MakeState(const Component& component, const SourceSpan& span) {
  const Variable& variable = session_.flat.variables[component.variable];
  if (variable.state_select <= StateSelect::kDefault) {
    return false;
  }
  const Expr rate = session_.graph.Der(component.symbol);
  for (const Expr element : orrery::Elements(session_.graph).All(rate)) {
    session_.flat.equations.push_back({.left = AddUnused("rate", span),
                                       .right = element,
                                       .span = span,
                                       .path = component.owner->path});
  }
  return true;
}

// Checks that each reinit() variable is a state, or may be an alias of one. The
// compiler checks the elements.
void EventTable::CheckReinits() {
  std::unordered_set<std::uint32_t> states;
  for (const Use& use : ders_) {
    states.insert(use.component->symbol.id());
  }
  const auto is_state = [&](const Use& use) {
    return states.contains(use.component->symbol.id());
  };
  if (!std::ranges::all_of(reinits_, is_state)) {
    AddOtherNames(session_.flat, states);
  }
  for (const Use& use : reinits_) {
    if (!is_state(use) && !MakeState(*use.component, use.span)) {
      session_.diagnostics.Error(
          use.span,
          "cannot reinit '" + use.component->path() +
              "': it is no state, der() is nowhere applied to it",
          "assign it in the when-clause instead, or reinit the state it "
          "depends on");
    }
  }
}

}  // namespace orrery::modelica::internal
