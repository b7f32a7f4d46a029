#include "orrery/modelica/statements/relation_extraction.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "orrery/modelica/session/formulas.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// With more passes, relations in loops make no events: each relation runs the
// whole algorithm to be evaluated, so the work grows as the square.
constexpr std::int64_t kMostPasses = 100;

bool IsLoop(Op op) {
  return op >= Op::kBuild && op <= Op::kMaximum;
}

// The iterators in a formula that are bound by loops outside of it.
std::vector<Expr> FreeIterators(Expr formula) {
  const std::array roots = {formula};
  std::vector<Expr> iterators;
  std::vector<Expr> bound;
  for (const std::uint32_t id : Reachable(roots)) {
    const Expr node = formula.graph().At(id);
    if (node.op() == Op::kIterator) {
      iterators.push_back(node);
    } else if (IsLoop(node.op())) {
      bound.push_back(node.operand(0));
    }
  }
  std::erase_if(iterators, [&](Expr iterator) {
    return std::ranges::find(bound, iterator) != bound.end();
  });
  return iterators;
}

bool Includes(std::span<const Expr> all, Expr one) {
  return std::ranges::find(all, one) != all.end();
}

// The number of the current pass, from 1.
Expr PassOf(Expr iterator) {
  ExprGraph& graph = iterator.graph();
  const Range& range = graph.IteratorRange(iterator);
  const Expr from_start = iterator - IntegerOf(graph, range.start - range.step);
  return range.step == 1
             ? from_start
             : graph.Binary(
                   Op::kQuotient, from_start, IntegerOf(graph, range.step));
}

std::vector<Expr> PassesOf(std::span<const Expr> iterators) {
  std::vector<Expr> passes;
  for (const Expr iterator : iterators) {
    passes.push_back(PassOf(iterator));
  }
  return passes;
}

// The number of passes of each loop.
Shape CountsOf(std::span<const Expr> loops) {
  Shape counts;
  for (const Expr iterator : loops) {
    counts.push_back(iterator.graph().IteratorRange(iterator).count);
  }
  return counts;
}

std::vector<Expr> Joined(std::vector<Expr> a, std::span<const Expr> b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

bool IsFewPasses(const Shape& passes) {
  const std::int64_t count = NumElements(passes);
  return count > 0 && count <= kMostPasses;
}

}  // namespace

void RelationExtraction::Take(Statements& body,
                              std::span<const std::size_t> whens) {
  std::size_t end = 0;  // End of the statements that compute operands.
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (std::ranges::find(whens, i) != whens.end()) {
      whens_.push_back(body_.size());
      body_.push_back(body[i]);
      continue;
    }
    const std::size_t before = outputs_.size();
    WalkStatement(body[i], body_);
    end = outputs_.size() == before ? end : body_.size();
  }
  body_.resize(end);
  std::erase_if(whens_, [end](std::size_t when) { return when >= end; });
}

void RelationExtraction::Walk(Statements& body, Statements& out) {
  ++depth_;
  for (Statement& statement : body) {
    WalkStatement(statement, out);
  }
  --depth_;
}

// Adds the unchanged statement to `out`, after the statements that compute
// operands in it.
void RelationExtraction::WalkStatement(Statement& statement, Statements& out) {
  span_ = statement.span;
  Statement same = statement;
  if (auto* const assignment = std::get_if<Assignment>(&statement.step)) {
    for (Expr& subscript : assignment->subscripts) {
      subscript = Probe(subscript, false, out);
    }
    assignment->value = Probe(assignment->value, false, out);
  } else if (auto* const choice = std::get_if<IfStatement>(&statement.step)) {
    auto& branches = std::get<IfStatement>(same.step).branches;
    for (std::size_t i = 0; i < branches.size(); ++i) {
      Expr& condition = choice->branches[i].condition;
      condition = Probe(condition, i > 0, out);
    }
    for (std::size_t i = 0; i < branches.size(); ++i) {
      branches[i].body.clear();
      Walk(choice->branches[i].body, branches[i].body);
    }
  } else if (auto* const loop = std::get_if<ForStatement>(&statement.step)) {
    loops_.push_back(loop->iterator);
    if (IsFewPasses(CountsOf(loops_))) {
      auto& passes = std::get<ForStatement>(same.step).body;
      passes.clear();
      Walk(loop->body, passes);
    }
    loops_.pop_back();
  }
  out.push_back(std::move(same));
}

Expr RelationExtraction::Probe(Expr formula, bool is_guarded, Statements& out) {
  if (!formula.Contains(Trait::kBreak)) {
    return formula;
  }
  Substitution substitution(graph_);
  bool finds = false;
  std::unordered_set<std::uint32_t> seen;
  std::vector<Site> stack = {{.node = formula, .is_guarded = is_guarded}};
  while (!stack.empty()) {
    const Site site = std::move(stack.back());
    stack.pop_back();
    if (!site.node.Contains(Trait::kBreak) ||
        !seen.insert(site.node.id()).second) {
      continue;
    }
    if (site.node.op() == Op::kNoEvent) {
      substitution.Add(site.node, site.node);
    } else if (IsBreak(site.node.op()) && IsToTake(site)) {
      substitution.Add(site.node, TakeOut(site, out));
      finds = true;
    } else {
      AddOperands(site, stack);
    }
  }
  return finds ? substitution.Apply(formula) : formula;
}

void RelationExtraction::AddOperands(const Site& site,
                                     std::vector<Site>& stack) const {
  for (std::size_t i = 0; i < site.node.num_operands(); ++i) {
    Site operand = site;
    operand.node = site.node.operand(i);
    if (IsLoop(site.node.op())) {
      operand.bound.push_back(site.node.operand(0));
    }
    operand.is_guarded |= site.node.op() == Op::kSelect && i > 0;
    stack.push_back(std::move(operand));
  }
}

bool RelationExtraction::IsToTake(const Site& site) const {
  const std::vector<Expr> loops = Joined(loops_, site.bound);
  const std::vector<Expr> iterators = FreeIterators(site.node);
  const auto is_of_loop = [&](Expr iterator) {
    return Includes(loops, iterator);
  };
  bool is_of_reals = false;
  for (std::size_t i = 0; i < site.node.num_operands(); ++i) {
    const Expr operand = site.node.operand(i);
    is_of_reals |= operand.type() == ValueType::kReal && !operand.is_constant();
  }
  if (!is_of_reals || !std::ranges::all_of(iterators, is_of_loop) ||
      !IsFewPasses(CountsOf(loops))) {
    return false;
  }
  const std::array roots = {site.node};
  const std::vector<std::uint32_t> ids = Reachable(roots);
  const bool is_total = std::ranges::all_of(
      ids, [&](std::uint32_t id) { return IsTotal(graph_.At(id).op()); });
  const bool is_read =
      iterators.empty() && std::ranges::all_of(ids, [&](std::uint32_t id) {
        const Expr outer = locals_.OuterOf(graph_.At(id));
        return graph_.At(id).op() != Op::kSymbol ||
               (outer && !Includes(changing_, outer));
      });
  return is_read ? !is_total && depth_ > 0 && !site.is_guarded
                 : is_total || !site.is_guarded;
}

Expr RelationExtraction::TakeOut(const Site& site, Statements& out) {
  const std::vector<Expr> loops = Joined(loops_, site.bound);
  Taken taken{.node = site.node, .passes = CountsOf(loops)};
  for (std::size_t i = 0; i < site.node.num_operands(); ++i) {
    const Expr operand = site.node.operand(i);
    if (!operand.is_constant()) {
      taken.operands.emplace_back(operand, AddOutput(operand, site.bound, out));
    }
  }
  constexpr std::size_t kLongestName = 80;
  Shape shape = taken.passes;
  shape.insert(shape.end(), site.node.shape().begin(), site.node.shape().end());
  taken.symbol = graph_.Symbol({.name = ToText(site.node, kLongestName),
                                .type = site.node.type(),
                                .shape = shape});
  taken_.push_back(taken);
  return graph_.Index(taken.symbol, PassesOf(loops));
}

// Adds statements that store the operand. If none of them runs, it is 1, which
// every function accepts.
std::size_t RelationExtraction::AddOutput(Expr operand,
                                          std::span<const Expr> bound,
                                          Statements& out) {
  Substitution substitution(graph_);
  std::vector<Expr> own;
  for (const Expr iterator : bound) {
    own.push_back(graph_.Iterator(graph_.IteratorName(iterator),
                                  graph_.IteratorRange(iterator)));
    substitution.Add(iterator, own.back());
  }
  const std::vector<Expr> loops = Joined(loops_, own);
  Shape shape = CountsOf(loops);
  shape.insert(shape.end(), operand.shape().begin(), operand.shape().end());
  const Expr symbol = graph_.Symbol(
      {.name = operand.op() == Op::kSymbol ? graph_.NameOf(operand) : "operand",
       .type = operand.type(),
       .shape = shape});
  const std::vector<double> ones(static_cast<std::size_t>(NumElements(shape)),
                                 1.0);
  outputs_.push_back(
      {.symbol = symbol,
       .initial = ConstantOf(graph_, ones, shape, operand.type())});
  out.push_back(
      InLoops({.step = Assignment{.target = symbol,
                                  .subscripts = PassesOf(loops),
                                  .value = substitution.Apply(operand)},
               .span = span_},
              own));
  return outputs_.size() - 1;
}

void RelationExtraction::Bind(Expr call) {
  for (const Taken& taken : taken_) {
    const auto at_pass = [&](std::span<const Expr> pass) {
      Substitution substitution(graph_);
      for (const auto& [operand, output] : taken.operands) {
        substitution.Add(operand,
                         graph_.Index(graph_.Output(call, output), pass));
      }
      return substitution.Apply(taken.node);
    };
    locals_.Add(taken.symbol, BuildArray(graph_, taken.passes, at_pass));
  }
}

}  // namespace orrery::modelica::internal
