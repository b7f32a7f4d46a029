#include "orrery/modelica/statements/relations.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <unordered_set>
#include <utility>

#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// The conditions under which a formula is computed.
enum class Place : std::uint8_t {
  kOpen,    // It is always computed.
  kInside,  // Within a condition or a loop.
  kAtEvent  // Within a when-statement.
};

using FormulaVisitor = std::function<void(Expr& formula, Place place)>;

void VisitFormulas(std::span<Statement> body,
                   Place place,
                   const FormulaVisitor& visit);

void VisitStatement(Statement& statement,
                    Place place,
                    const FormulaVisitor& visit) {
  const Place inside = place == Place::kOpen ? Place::kInside : place;
  auto& step = statement.step;
  if (auto* const assignment = std::get_if<Assignment>(&step)) {
    for (Expr& subscript : assignment->subscripts) {
      visit(subscript, place);
    }
    visit(assignment->value, place);
  } else if (auto* const choice = std::get_if<IfStatement>(&step)) {
    for (std::size_t i = 0; i < choice->branches.size(); ++i) {
      visit(choice->branches[i].condition, i > 0 ? inside : place);
      VisitFormulas(choice->branches[i].body, inside, visit);
    }
  } else if (auto* const loop = std::get_if<ForStatement>(&step)) {
    VisitFormulas(loop->body, inside, visit);
  } else if (auto* const repeat = std::get_if<WhileStatement>(&step)) {
    visit(repeat->condition, inside);
    VisitFormulas(repeat->body, inside, visit);
  }
}

void VisitFormulas(std::span<Statement> body,
                   Place place,
                   const FormulaVisitor& visit) {
  for (Statement& statement : body) {
    VisitStatement(statement, place, visit);
  }
}

bool Returns(const Statements& body) {
  return std::ranges::any_of(body, [](const Statement& statement) {
    if (const auto* choice = std::get_if<IfStatement>(&statement.step)) {
      return std::ranges::any_of(choice->branches, [](const auto& branch) {
        return Returns(branch.body);
      });
    }
    if (const auto* loop = std::get_if<ForStatement>(&statement.step)) {
      return Returns(loop->body);
    }
    if (const auto* repeat = std::get_if<WhileStatement>(&statement.step)) {
      return Returns(repeat->body);
    }
    return std::holds_alternative<ReturnStatement>(statement.step);
  });
}

/// Finds the formulas that can be computed before the algorithm begins.
class RelationLifter {
 public:
  RelationLifter(LocalReads& locals, std::span<const Expr> changing)
      : locals_(locals) {
    for (const Expr symbol : changing) {
      changing_.insert(symbol.id());
    }
  }

  void Find(Expr formula, Place place);
  void Apply(Statements& body);

  // Returns the formula with the model's quantities; empty if it reads others.
  Expr OuterOf(Expr formula);

 private:
  struct KnownTruths {
    bool is_read = false;   // Reads only what the algorithm keeps.
    bool is_total = false;  // Has a value under all conditions.
  };

  KnownTruths FactsOf(Expr expr);

  LocalReads& locals_;
  std::unordered_set<std::uint32_t> changing_;
  std::unordered_map<std::uint32_t, KnownTruths> facts_;
  std::set<std::uint32_t> no_events_;  // Inner ones first.
  std::set<std::uint32_t> lifted_;     // In the order of creation.
  Replacements outer_;
};

RelationLifter::KnownTruths RelationLifter::FactsOf(Expr expr) {
  const std::array roots = {expr};
  for (const std::uint32_t id : Reachable(roots)) {
    const auto [found, is_new] = facts_.try_emplace(id);
    if (!is_new) {
      continue;
    }
    const Expr node = expr.graph().At(id);
    KnownTruths facts{.is_read = node.op() != Op::kIterator,
                      .is_total = IsTotal(node.op())};
    if (node.op() == Op::kSymbol) {
      const Expr outer = locals_.OuterOf(node);
      facts.is_read = outer && !changing_.contains(outer.id());
      if (facts.is_read) {
        outer_.emplace(id, outer);
      }
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      const KnownTruths& operand = facts_.at(node.operand(i).id());
      facts.is_read = facts.is_read && operand.is_read;
      facts.is_total = facts.is_total && operand.is_total;
    }
    facts_[id] = facts;
  }
  return facts_.at(expr.id());
}

void RelationLifter::Find(Expr formula, Place place) {
  if (!formula.Contains(Trait::kBreak)) {
    return;
  }
  FactsOf(formula);
  std::vector<Expr> stack = {formula};
  std::unordered_set<std::uint32_t> seen;
  while (!stack.empty()) {
    const Expr top = stack.back();
    stack.pop_back();
    if (!top.Contains(Trait::kBreak) || !seen.insert(top.id()).second) {
      continue;
    }
    if (top.op() == Op::kNoEvent) {
      no_events_.insert(top.id());
      continue;
    }
    const KnownTruths facts = facts_.at(top.id());
    const bool can_lift = place == Place::kOpen || facts.is_total;
    if (IsBreak(top.op()) && facts.is_read && can_lift &&
        place != Place::kAtEvent) {
      lifted_.insert(top.id());
      continue;
    }
    for (std::size_t i = 0; i < top.num_operands(); ++i) {
      // A condition guards the operands that only a branch computes.
      const Expr operand = top.operand(i);
      if (top.op() != Op::kSelect || i == 0 || place != Place::kOpen ||
          facts_.at(operand.id()).is_total) {
        stack.push_back(operand);
      }
    }
  }
}

Expr RelationLifter::OuterOf(Expr formula) {
  if (!FactsOf(formula).is_read) {
    return {};
  }
  const std::array roots = {formula};
  Replacements outer;
  for (const std::uint32_t id : Reachable(roots)) {
    if (const auto found = outer_.find(id); found != outer_.end()) {
      outer.insert(*found);
    }
  }
  return Substitution(locals_.graph(), outer).Apply(formula);
}

void RelationLifter::Apply(Statements& body) {
  ExprGraph& graph = locals_.graph();
  Substitution to_outer(graph, outer_);
  Replacements arguments;
  for (const std::uint32_t id : lifted_) {
    arguments.emplace(id, locals_.Of(to_outer.Apply(graph.At(id))));
  }
  Substitution substitution(graph, arguments);
  for (const std::uint32_t id : no_events_) {
    substitution.Add(graph.At(id), substitution.Apply(graph.At(id).operand(0)));
  }
  VisitFormulas(body, Place::kOpen, [&](Expr& formula, Place) {
    formula = substitution.Apply(formula);
  });
}

bool Mentions(Expr formula, Expr symbol) {
  const std::array roots = {formula};
  const std::vector<std::uint32_t> ids = Reachable(roots);
  return std::ranges::binary_search(ids, symbol.id());
}

// The first use of a variable in statements.
enum class Use : std::uint8_t {
  kNone,
  kAssigned,  // As a whole, on every path.
  kOther
};

Use FirstUse(std::span<const Statement> body, Expr symbol);

Use FirstUse(const Assignment& assignment, Expr symbol) {
  const bool is_read =
      Mentions(assignment.value, symbol) ||
      std::ranges::any_of(assignment.subscripts, [&](Expr subscript) {
        return Mentions(subscript, symbol);
      });
  if (is_read) {
    return Use::kOther;
  }
  if (assignment.target != symbol) {
    return Use::kNone;
  }
  return assignment.subscripts.empty() ? Use::kAssigned : Use::kOther;
}

Use FirstUse(const IfStatement& choice, Expr symbol) {
  bool is_complete = choice.branches.back().condition.is_constant();
  bool is_untouched = true;
  for (const IfStatement::Branch& branch : choice.branches) {
    if (Mentions(branch.condition, symbol)) {
      return Use::kOther;
    }
    const Use use = FirstUse(branch.body, symbol);
    is_untouched = is_untouched && use == Use::kNone;
    is_complete = is_complete && use == Use::kAssigned;
  }
  return is_untouched ? Use::kNone : is_complete ? Use::kAssigned : Use::kOther;
}

// Loops may run no pass, or be left early.
Use FirstUse(std::span<const Statement> body, Expr symbol) {
  for (const Statement& statement : body) {
    Use use = Use::kOther;
    if (const auto* assignment = std::get_if<Assignment>(&statement.step)) {
      use = FirstUse(*assignment, symbol);
    } else if (const auto* choice = std::get_if<IfStatement>(&statement.step)) {
      use = FirstUse(*choice, symbol);
    }
    if (use != Use::kNone) {
      return use;
    }
  }
  return Use::kNone;
}

}  // namespace

bool IsTotal(Op op) {
  switch (op) {
    case Op::kConstant:
    case Op::kArrayConstant:
    case Op::kSymbol:
    case Op::kNegate:
    case Op::kNot:
    case Op::kAbs:
    case Op::kSign:
    case Op::kSin:
    case Op::kCos:
    case Op::kAtan:
    case Op::kTanh:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kMin:
    case Op::kMax:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr:
    case Op::kSelect:
    case Op::kMakeArray:
      return true;
    default:
      return false;
  }
}

Expr LocalReads::Of(Expr outer) {
  const auto [found, is_new] = local_of_.try_emplace(outer.id());
  if (is_new) {
    constexpr std::size_t kLongestName = 80;
    const std::string name = outer.op() == Op::kSymbol
                                 ? graph_.NameOf(outer)
                                 : ToText(outer, kLongestName);
    found->second = graph_.Symbol(
        {.name = name, .type = outer.type(), .shape = outer.shape()});
    Add(found->second, outer);
  }
  return found->second;
}

void LocalReads::Add(Expr local, Expr outer) {
  local_of_.insert_or_assign(outer.id(), local);
  outer_of_.emplace(local.id(), outer);
  read_.push_back(outer);
}

Expr LocalReads::OuterOf(Expr local) const {
  const auto found = outer_of_.find(local.id());
  return found == outer_of_.end() ? Expr{} : found->second;
}

void LiftRelations(LocalReads& locals,
                   std::span<const Expr> changing,
                   std::span<const std::size_t> whens,
                   Statements& body) {
  RelationLifter lifting(locals, changing);
  const Place first = Returns(body) ? Place::kInside : Place::kOpen;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const bool is_when = std::ranges::binary_search(whens, i);
    VisitStatement(
        body[i],
        is_when ? Place::kAtEvent : first,
        [&](Expr& formula, Place place) { lifting.Find(formula, place); });
  }
  lifting.Apply(body);
}

std::vector<std::pair<Expr, Expr>> LiftConditions(
    LocalReads& locals,
    std::span<const Expr> changing,
    const std::unordered_set<std::uint32_t>& conditions,
    std::vector<std::size_t>& whens,
    Statements& body) {
  std::vector<std::pair<Expr, Expr>> lifted;
  RelationLifter lifting(locals, changing);
  Statements rest;
  std::vector<std::size_t> new_whens;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const auto* const assignment = std::get_if<Assignment>(&body[i].step);
    const bool is_condition =
        assignment != nullptr && conditions.contains(assignment->target.id());
    const Expr outer =
        is_condition ? lifting.OuterOf(assignment->value) : Expr{};
    if (outer) {
      lifted.emplace_back(assignment->target, outer);
      continue;
    }
    if (std::ranges::binary_search(whens, i)) {
      new_whens.push_back(rest.size());
    }
    rest.push_back(std::move(body[i]));
  }
  body = std::move(rest);
  whens = std::move(new_whens);
  return lifted;
}

Statement InLoops(Statement statement, std::span<const Expr> iterators) {
  const SourceSpan span = statement.span;
  for (std::size_t i = iterators.size(); i-- > 0;) {
    ForStatement loop{.iterator = iterators[i]};
    loop.body.push_back(std::move(statement));
    statement = {.step = std::move(loop), .span = span};
  }
  return statement;
}

std::vector<Expr> FormulasOf(std::span<Statement> body) {
  std::vector<Expr> formulas;
  VisitFormulas(body, Place::kOpen, [&](const Expr& formula, Place) {
    formulas.push_back(formula);
  });
  return formulas;
}

namespace {

using Bodies = std::vector<std::span<const Statement>>;

void AddBodiesOf(const Statement& statement, Bodies& open) {
  if (const auto* choice = std::get_if<IfStatement>(&statement.step)) {
    for (const IfStatement::Branch& branch : choice->branches) {
      open.emplace_back(branch.body);
    }
  } else if (const auto* loop = std::get_if<ForStatement>(&statement.step)) {
    open.emplace_back(loop->body);
  } else if (const auto* repeat =
                 std::get_if<WhileStatement>(&statement.step)) {
    open.emplace_back(repeat->body);
  }
}

}  // namespace

std::vector<Expr> TargetsOf(std::span<const Statement> body) {
  std::vector<Expr> targets;
  Bodies open = {body};
  while (!open.empty()) {
    const std::span<const Statement> statements = open.back();
    open.pop_back();
    for (const Statement& statement : statements) {
      if (const auto* one = std::get_if<Assignment>(&statement.step)) {
        targets.push_back(one->target);
      }
      AddBodiesOf(statement, open);
    }
  }
  return targets;
}

FirstUses::FirstUses(Statements& body) : body_(body) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    const std::span one(&body[i], 1);
    for (const std::uint32_t id : Reachable(FormulasOf(one))) {
      first_.try_emplace(id, i);
    }
    for (const Expr target : TargetsOf(one)) {
      first_.try_emplace(target.id(), i);
    }
  }
}

bool FirstUses::IsAssignedFirst(Expr symbol) const {
  const auto first = first_.find(symbol.id());
  return first != first_.end() &&
         FirstUse(body_.subspan(first->second), symbol) == Use::kAssigned;
}

}  // namespace orrery::modelica::internal
