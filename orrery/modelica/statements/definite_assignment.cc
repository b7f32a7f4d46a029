#include "orrery/modelica/statements/definite_assignment.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

using SymbolIds = std::set<std::uint32_t>;

/// The variables assigned so far on the paths to a place.
struct Paths {
  SymbolIds on_all_paths;
  SymbolIds on_some_path;
  bool is_dead = false;  ///< No path reaches the place.
};

// Merges the facts of two paths that meet.
void Join(Paths& paths, const Paths& other) {
  if (other.is_dead) {
    return;
  }
  if (paths.is_dead) {
    paths = other;
    return;
  }
  std::erase_if(paths.on_all_paths, [&](std::uint32_t id) {
    return !other.on_all_paths.contains(id);
  });
  paths.on_some_path.insert(other.on_some_path.begin(),
                            other.on_some_path.end());
}

void AddAssigned(const Statements& body, SymbolIds& ids) {
  for (const Statement& statement : body) {
    const auto& step = statement.step;
    if (const auto* assignment = std::get_if<Assignment>(&step)) {
      ids.insert(assignment->target.id());
    } else if (const auto* choice = std::get_if<IfStatement>(&step)) {
      for (const IfStatement::Branch& branch : choice->branches) {
        AddAssigned(branch.body, ids);
      }
    } else if (const auto* loop = std::get_if<ForStatement>(&step)) {
      AddAssigned(loop->body, ids);
    } else if (const auto* repeat = std::get_if<WhileStatement>(&step)) {
      AddAssigned(repeat->body, ids);
    }
  }
}

// True if a node computes nothing: an array without elements, or a loop without
// passes.
bool IsOfNothing(Expr node) {
  const bool is_loop = node.op() >= Op::kBuild && node.op() <= Op::kMaximum;
  return std::ranges::count(node.shape(), 0) > 0 ||
         (is_loop && node.graph().IteratorRange(node.operand(0)).count == 0);
}

enum class Reads : std::uint8_t {
  kPossible,
  kSure,   // Whatever conditions say. A call may read no element of an array.
  kDirect  // Not as an argument of a call, which need not read it.
};

// True if a call with this argument need not read it.
bool IsLeftOut(Expr argument, Reads reads) {
  return argument.op() == Op::kSymbol &&
         (reads == Reads::kDirect ||
          (reads == Reads::kSure && !argument.is_scalar()));
}

// The nodes of a formula that are computed.
SymbolIds Computed(Expr formula, Reads reads) {
  SymbolIds seen;
  std::vector<Expr> stack = {formula};
  while (!stack.empty()) {
    const Expr top = stack.back();
    stack.pop_back();
    if (IsOfNothing(top) || !seen.insert(top.id()).second) {
      continue;
    }
    const bool guards =
        top.op() == Op::kSelect || top.op() == Op::kAnd || top.op() == Op::kOr;
    const std::size_t count =
        reads == Reads::kSure && guards ? 1 : top.num_operands();
    for (std::size_t i = 0; i < count; ++i) {
      const Expr operand = top.operand(i);
      if (top.op() != Op::kCall || !IsLeftOut(operand, reads)) {
        stack.push_back(operand);
      }
    }
  }
  return seen;
}

class DefiniteAssignment {
 public:
  explicit DefiniteAssignment(const Function& function);

  std::vector<Gap> Run();

 private:
  void Visit(const Statements& body, Paths& paths);
  void Visit(const Statement& statement, Paths& paths);
  void VisitIf(const IfStatement& choice, const SourceSpan& span, Paths& paths);
  void VisitFor(const ForStatement& loop, Paths& paths);
  void VisitWhile(const WhileStatement& loop, Paths& paths);
  void VisitLoop(const Statements& body, bool is_endless, Paths& paths);
  [[nodiscard]] Expr InFirstPasses(Expr formula);
  void Read(Expr formula, const SourceSpan& span, const Paths& paths);
  void Add(const Gap& gap);

  const Function& function_;
  SymbolIds watched_;
  Paths at_break_;
  Paths at_return_{.is_dead = true};
  Replacements first_;          // Iterators in their first pass.
  bool is_later_pass_ = false;  // Later pass of a loop.
  SymbolIds in_passes_;         // Assigned anywhere in the enclosing loops.
  SymbolIds in_own_passes_;     // In a while-loop, while its condition is read.
  SymbolIds by_outer_pass_;     // Those of loops around a while.
  bool is_in_branch_ = false;   // In an if-statement there.
  std::vector<Gap> gaps_;
};

DefiniteAssignment::DefiniteAssignment(const Function& function)
    : function_(function) {
  for (const auto* const variables : {&function.outputs, &function.locals}) {
    for (const Function::Variable& variable : *variables) {
      const Shape& shape = variable.symbol.shape();
      if (!variable.initial && std::ranges::count(shape, 0) == 0) {
        watched_.insert(variable.symbol.id());
      }
    }
  }
}

std::vector<Gap> DefiniteAssignment::Run() {
  Paths paths;
  for (const auto* const variables : {&function_.outputs, &function_.locals}) {
    for (const Function::Variable& variable : *variables) {
      if (variable.initial) {
        Read(variable.initial, {}, paths);
      }
    }
  }
  Visit(function_.body, paths);
  Join(paths, at_return_);
  for (const Function::Variable& output : function_.outputs) {
    const std::uint32_t id = output.symbol.id();
    if (!paths.is_dead && watched_.contains(id) &&
        !paths.on_all_paths.contains(id)) {
      Add({.variable = output.symbol,
           .is_output = true,
           .is_certain = !paths.on_some_path.contains(id)});
    }
  }
  return std::move(gaps_);
}

void DefiniteAssignment::Visit(const Statements& body, Paths& paths) {
  for (const Statement& statement : body) {
    if (paths.is_dead) {
      return;
    }
    Visit(statement, paths);
  }
}

void DefiniteAssignment::Visit(const Statement& statement, Paths& paths) {
  const auto& step = statement.step;
  const SourceSpan& span = statement.span;
  if (const auto* assignment = std::get_if<Assignment>(&step)) {
    for (const Expr subscript : assignment->subscripts) {
      Read(subscript, span, paths);
    }
    Read(assignment->value, span, paths);
    paths.on_all_paths.insert(assignment->target.id());
    paths.on_some_path.insert(assignment->target.id());
  } else if (const auto* choice = std::get_if<IfStatement>(&step)) {
    VisitIf(*choice, span, paths);
  } else if (const auto* loop = std::get_if<ForStatement>(&step)) {
    VisitFor(*loop, paths);
  } else if (const auto* repeat = std::get_if<WhileStatement>(&step)) {
    // It is read again after each pass.
    AddAssigned(repeat->body, in_own_passes_);
    Read(repeat->condition, span, paths);
    in_own_passes_.clear();
    if (!repeat->condition.is_constant(0)) {
      VisitWhile(*repeat, paths);
    }
  } else if (const auto* check = std::get_if<AssertStatement>(&step)) {
    Read(check->condition, span, paths);
    if (check->writer) {
      Read(check->writer, span, paths);
    }
    paths.is_dead = check->condition.is_constant(0);
  } else {
    const bool is_break = std::holds_alternative<BreakStatement>(step);
    Join(is_break ? at_break_ : at_return_, paths);
    paths.is_dead = true;
  }
}

void DefiniteAssignment::VisitIf(const IfStatement& choice,
                                 const SourceSpan& span,
                                 Paths& paths) {
  Paths after{.is_dead = true};
  const bool was_in_branch = std::exchange(is_in_branch_, true);
  bool is_decided = false;
  for (const IfStatement::Branch& branch : choice.branches) {
    is_in_branch_ = was_in_branch || &branch != &choice.branches.front();
    Read(branch.condition, span, paths);
    is_in_branch_ = true;
    const Expr condition = InFirstPasses(branch.condition);
    if (condition.is_constant(0)) {
      continue;
    }
    Paths inside = paths;
    Visit(branch.body, inside);
    Join(after, inside);
    is_decided = condition.is_constant();
    if (is_decided) {
      break;
    }
  }
  is_in_branch_ = was_in_branch;
  if (!is_decided) {
    Join(after, paths);
  }
  paths = std::move(after);
}

// Assignments that the first pass makes for certain count for later passes and
// after the loop, as with `if i == 1 or v[i] > best`.
void DefiniteAssignment::VisitFor(const ForStatement& loop, Paths& paths) {
  ExprGraph& graph = loop.iterator.graph();
  const Range range = graph.IteratorRange(loop.iterator);
  if (range.count == 0) {
    return;
  }
  if (!is_later_pass_) {
    first_.emplace(
        loop.iterator.id(),
        graph.Constant(static_cast<double>(range.start), loop.iterator.type()));
    VisitLoop(loop.body, false, paths);
    first_.erase(loop.iterator.id());
  }
  if (range.count > 1 || is_later_pass_) {
    const bool was_later_pass = std::exchange(is_later_pass_, true);
    VisitLoop(loop.body, false, paths);
    is_later_pass_ = was_later_pass;
  }
}

// In the first pass of a loop around it, a while-statement may have no pass, as
// `for j in i + 1:n` has none if i = n. So it may read what earlier passes of
// that loop assigned.
void DefiniteAssignment::VisitWhile(const WhileStatement& loop, Paths& paths) {
  SymbolIds own;
  AddAssigned(loop.body, own);
  const SymbolIds outer_passes = by_outer_pass_;
  std::ranges::set_difference(
      in_passes_, own, std::inserter(by_outer_pass_, by_outer_pass_.end()));
  VisitLoop(loop.body, loop.condition.is_constant(), paths);
  by_outer_pass_ = outer_passes;
}

Expr DefiniteAssignment::InFirstPasses(Expr formula) {
  return first_.empty() ? formula
                        : Substitution(formula.graph(), first_).Apply(formula);
}

void DefiniteAssignment::VisitLoop(const Statements& body,
                                   bool is_endless,
                                   Paths& paths) {
  const Paths outer_break = std::exchange(at_break_, Paths{.is_dead = true});
  const SymbolIds outer_passes = in_passes_;
  AddAssigned(body, in_passes_);
  const bool was_in_branch =
      std::exchange(is_in_branch_, is_in_branch_ && !outer_passes.empty());
  Visit(body, paths);
  is_in_branch_ = was_in_branch;
  paths.is_dead = paths.is_dead || is_endless;
  Join(paths, at_break_);
  in_passes_ = outer_passes;
  at_break_ = outer_break;
}

void DefiniteAssignment::Read(Expr formula,
                              const SourceSpan& span,
                              const Paths& paths) {
  SymbolIds unguarded;
  for (const std::uint32_t id : Computed(formula, Reads::kPossible)) {
    if (!watched_.contains(id) || paths.on_all_paths.contains(id)) {
      continue;
    }
    if (unguarded.empty()) {
      unguarded = Computed(formula, Reads::kSure);
    }
    const bool is_guarded = !unguarded.contains(id);
    const bool by_a_path = paths.on_some_path.contains(id);
    const bool by_a_pass = in_passes_.contains(id);
    const bool by_own_pass = in_own_passes_.contains(id);
    if ((is_guarded && (by_a_path || by_a_pass || by_own_pass)) ||
        (is_in_branch_ && by_a_pass && !by_a_path) ||
        by_outer_pass_.contains(id)) {
      continue;
    }
    Add({.variable = formula.graph().At(id),
         .span = span,
         .is_certain = !by_a_path,
         .is_given = !Computed(formula, Reads::kDirect).contains(id)});
  }
}

void DefiniteAssignment::Add(const Gap& gap) {
  const auto known = std::ranges::find(gaps_, gap.variable, &Gap::variable);
  if (known == gaps_.end()) {
    gaps_.push_back(gap);
  } else if (gap.is_certain == known->is_certain
                 ? known->is_given && !gap.is_given
                 : gap.is_certain) {
    *known = gap;
  }
}

}  // namespace

std::vector<Gap> FindGaps(const Function& function) {
  return DefiniteAssignment(function).Run();
}

}  // namespace orrery::modelica::internal
