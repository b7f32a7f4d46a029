#include "orrery/symbolic/derivatives/derivative.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/symbolic/derivatives/call_rules.h"
#include "orrery/symbolic/derivatives/derivative_rules.h"
#include "orrery/symbolic/derivatives/tangent_function.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/rebuild.h"
#include "orrery/symbolic/transform.h"

namespace orrery {

namespace internal = symbolic::internal;

using internal::CallRule;
using internal::DifferentiateOp;
using internal::DifferentiateOutput;
using internal::NeedsTangent;
using internal::PartialOfOutput;
using internal::WithShapeOf;

Tangent::Tangent(ExprGraph& graph)
    : graph_(graph), rules_(std::make_shared<internal::CallRules>(nullptr)) {}

Tangent::Tangent(ExprGraph& graph,
                 const std::unordered_map<std::uint32_t, Expr>& seeds)
    : Tangent(graph) {
  for (const auto& [id, tangent] : seeds) {
    Seed(graph.At(id), tangent);
  }
}

void Tangent::Seed(Expr of, Expr tangent) {
  known_.Set(of.id(), tangent.id());
  if (of.op() == Op::kIndex) {
    element_seeds_[of.operand(0).id()].emplace_back(of, tangent);
  }
}

void Tangent::ReadIn(const Function& function) {
  rules_ = std::make_shared<internal::CallRules>(&function);
}

Expr Tangent::Of(Expr expr) {
  const auto is_known = [this](Expr node) {
    return known_.Find(node.id()) != NodeIndex::kNone;
  };
  stack_.assign(1, expr);
  while (!stack_.empty()) {
    const Expr node = stack_.back();
    if (is_known(node)) {
      stack_.pop_back();
      continue;
    }
    const std::size_t before = stack_.size();
    // The differential of an output needs those of the call's arguments; the
    // call itself has none.
    const bool is_output = node.op() == Op::kOutput;
    const Expr source = is_output ? node.operand(0) : node;
    const CallRule rule =
        is_output ? rules_->Of(source) : CallRule::kStatements;
    for (std::size_t i = 0; i < source.num_operands(); ++i) {
      if (!is_known(source.operand(i)) &&
          (!is_output || NeedsTangent(source, i, rule))) {
        stack_.push_back(source.operand(i));
      }
    }
    if (stack_.size() == before) {
      known_.Insert(node.id(), WithShapeOf(node, Differentiate(node)).id());
    }
  }
  return Known(expr);
}

// All operands have been differentiated.
Expr Tangent::Differentiate(Expr node) {
  const auto count = static_cast<std::size_t>(ElementwiseOperands(node.op()));
  if (count > 0) {
    std::array<Expr, 3> tangents;
    for (std::size_t i = 0; i < count; ++i) {
      tangents[i] = Known(node.operand(i));
    }
    return DifferentiateOp(node, std::span(tangents).first(count));
  }
  switch (node.op()) {
    case Op::kSymbol:
      return OfSymbol(node);
    case Op::kMakeArray:
    case Op::kIndex:
    case Op::kBuild:
    case Op::kSum:
      return OfParts(node);
    case Op::kProduct:
    case Op::kMinimum:
    case Op::kMaximum:
      return OfReduction(node);
    case Op::kOutput:
      return OfOutput(node);
    default:
      return graph_.Constant(0);
  }
}

// Returns the array of the seeds of an array's elements.
Expr Tangent::OfSymbol(Expr symbol) {
  const auto seeds = element_seeds_.find(symbol.id());
  if (seeds == element_seeds_.end()) {
    return graph_.Constant(0);
  }
  const Shape& shape = symbol.shape();
  std::vector<Expr> parts(static_cast<std::size_t>(NumElements(shape)),
                          graph_.Constant(0));
  for (const auto& [element, tangent] : seeds->second) {
    parts[*ElementNumber(element)] = tangent;
  }
  if (std::ranges::all_of(parts,
                          [](Expr part) { return part.is_constant(); })) {
    std::vector<double> values;
    values.reserve(parts.size());
    for (const Expr& part : parts) {
      values.push_back(part.value());
    }
    return graph_.ArrayConstant(values, shape);
  }
  return StackElements(graph_, std::move(parts), shape);
}

// Applies the same operation to the differentials of all operands but
// subscripts.
Expr Tangent::OfParts(Expr node) {
  const bool is_loop = node.op() == Op::kBuild || node.op() == Op::kSum;
  const auto is_part = [&](std::size_t i) {
    return is_loop ? i == 1 : i == 0 || node.op() != Op::kIndex;
  };
  bool is_constant = true;
  for (std::size_t i = 0; is_constant && i < node.num_operands(); ++i) {
    is_constant = !is_part(i) || Known(node.operand(i)).is_constant(0);
  }
  if (is_constant) {
    return graph_.Constant(0);
  }
  std::vector<Expr> operands;
  for (std::size_t i = 0; i < node.num_operands(); ++i) {
    const Expr operand = node.operand(i);
    const Expr part = is_part(i) ? Known(operand) : operand;
    operands.push_back(is_part(i) && part.is_constant(0)
                           ? internal::Broadcast(part, operand.shape())
                           : part);
  }
  return internal::Rebuild(graph_, node, operands);
}

namespace {

// Returns a loop's body with an iterator of its own.
std::pair<Expr, Expr> WithFreshIterator(ExprGraph& graph,
                                        Expr iterator,
                                        Expr body) {
  const std::string name = graph.IteratorName(iterator);
  const Expr fresh = graph.Iterator(name, graph.IteratorRange(iterator));
  Substitution substitution(graph);
  substitution.Add(iterator, fresh);
  return {fresh, substitution.Apply(body)};
}

}  // namespace

Expr Tangent::OfReduction(Expr node) {
  const Expr iterator = node.operand(0);
  const Expr body = node.operand(1);
  const Expr tangent = Known(body);
  if (tangent.is_constant(0)) {
    return tangent;
  }
  if (node.op() == Op::kProduct) {
    // The sum over i of db_i times the product of the b_j with j != i: no
    // division by a b_i, which may be 0.
    const auto [j, factor] = WithFreshIterator(graph_, iterator, body);
    const Expr others =
        graph_.Loop(Op::kProduct, j, select(Equal(j, iterator), 1.0, factor));
    return graph_.Loop(Op::kSum, iterator, tangent * others);
  }
  // db_i for the first i that attains the extremum.
  const auto [j, candidate] = WithFreshIterator(graph_, iterator, body);
  const Expr attained = graph_.Loop(
      Op::kMinimum,
      j,
      select(Equal(candidate, node), j, std::numeric_limits<double>::max()));
  const auto [i, own] = WithFreshIterator(graph_, iterator, tangent);
  return graph_.Loop(Op::kSum, i, select(Equal(i, attained), own, 0.0));
}

Expr Tangent::OfOutput(Expr node) {
  std::vector<Expr> tangents;
  const Expr call = node.operand(0);
  const CallRule rule = rules_->Of(call);
  for (std::size_t i = 0; i < call.num_operands(); ++i) {
    tangents.push_back(NeedsTangent(call, i, rule) ? Known(call.operand(i))
                                                   : graph_.Constant(0));
  }
  if (!HasPartials(node, tangents)) {
    return DifferentiateOutput(node, tangents, rule);
  }
  Expr sum = graph_.Constant(0);
  for (std::size_t i = 0; i < tangents.size(); ++i) {
    if (!tangents[i].is_constant(0)) {
      sum = sum + tangents[i] * PartialOfOutput(node, i, rule);
    }
  }
  return sum;
}

bool Tangent::HasPartials(Expr node, std::span<const Expr> tangents) const {
  std::size_t count = 0;
  for (const Expr& tangent : tangents) {
    if (!tangent.is_constant(0)) {
      ++count;
      if (!tangent.is_scalar()) {
        return false;
      }
    }
  }
  return node.is_scalar() && count <= most_partials_;
}

// Gradient ------------------------------------------------------------------

namespace {

// The reverse sweep: adjoints, by node.
class ReverseSweep {
 public:
  explicit ReverseSweep(Expr of)
      : graph_(of.graph()), zero_(graph_.Constant(0)) {
    adjoints_.Set(of.id(), graph_.Constant(1).id());
    const std::vector<std::uint32_t> nodes = Reachable(std::array{of});
    for (std::size_t i = nodes.size(); i-- > 0;) {
      const std::uint32_t adjoint = adjoints_.Find(nodes[i]);
      if (adjoint != NodeIndex::kNone && !graph_.At(adjoint).is_constant(0)) {
        Propagate(graph_.At(nodes[i]), graph_.At(adjoint));
      }
    }
  }

  // True if the sweep has met neither an array nor a loop.
  [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }

  [[nodiscard]] Expr Of(Expr variable) const {
    const std::uint32_t found = adjoints_.Find(variable.id());
    Expr sum = found == NodeIndex::kNone ? zero_ : graph_.At(found);
    if (variable.op() != Op::kIndex) {
      return sum;
    }
    // A computed subscript may name this element.
    for (const auto& [element, adjoint] : computed_) {
      if (element.operand(0) != variable.operand(0)) {
        continue;
      }
      Expr is_this = graph_.Boolean(true);
      for (std::size_t k = 1; k < element.num_operands(); ++k) {
        is_this = And(is_this, Equal(element.operand(k), variable.operand(k)));
      }
      sum = sum + select(is_this, adjoint, 0.0);
    }
    return sum;
  }

 private:
  void Propagate(Expr node, Expr adjoint) {
    const auto count = static_cast<std::size_t>(ElementwiseOperands(node.op()));
    const bool is_of_array =
        node.op() == Op::kIndex && node.operand(0).op() != Op::kSymbol;
    if (!node.is_scalar() || is_of_array ||
        (node.op() >= Op::kBuild && node.op() <= Op::kMaximum)) {
      is_complete_ = false;
      return;
    }
    const bool is_output = node.op() == Op::kOutput;
    const Expr source = is_output ? node.operand(0) : node;
    if (count == 0 && source == node) {
      const bool is_computed =
          node.op() == Op::kIndex &&
          std::ranges::any_of(Subscripts(node),
                              [](Expr k) { return !k.is_constant(); });
      if (is_computed) {
        computed_.emplace_back(node, adjoint);
      }
      return;
    }
    const CallRule rule = is_output ? rules_.Of(source) : CallRule::kStatements;
    for (std::size_t i = 0; i < source.num_operands(); ++i) {
      if (!source.operand(i).is_constant() &&
          (!is_output || NeedsTangent(source, i, rule))) {
        Receive(source.operand(i), Share(node, i, adjoint));
      }
    }
  }

  // Returns the adjoint share of operand `i` of the node, or of its call. If a
  // choice makes the adjoint zero, slopes do not matter there: they may be
  // infinite.
  Expr Share(Expr node, std::size_t i, Expr adjoint) {
    if (adjoint.is_constant(0)) {
      return adjoint;
    }
    if (const std::vector<Expr> choices = ChoicesIn(adjoint);
        !choices.empty()) {
      Expr sum = zero_;
      for (const Expr choice : choices) {
        sum = sum + select(choice.operand(0),
                           Share(node, i, choice.operand(1)),
                           Share(node, i, choice.operand(2)));
      }
      return sum;
    }
    // The rules are linear in the operands' differentials: with the adjoint in
    // place of one differential they give the share of that operand.
    const bool is_call = node.op() == Op::kOutput;
    const Expr source = is_call ? node.operand(0) : node;
    const CallRule rule = is_call ? rules_.Of(source) : CallRule::kStatements;
    if (is_call && source.operand(i).is_scalar()) {
      return adjoint * PartialOfOutput(node, i, rule);
    }
    std::vector<Expr> tangents(source.num_operands(), zero_);
    tangents[i] = adjoint;
    return is_call ? DifferentiateOutput(node, tangents, rule)
                   : DifferentiateOp(node, tangents);
  }

  // Returns the choices that make up an adjoint, if choices can make it zero;
  // else empty.
  static std::vector<Expr> ChoicesIn(Expr adjoint) {
    constexpr std::size_t kMost = 100;
    std::vector<Expr> choices;
    std::vector<Expr> terms = {adjoint};
    while (!terms.empty()) {
      const Expr term = terms.back();
      terms.pop_back();
      const bool is_choice =
          term.op() == Op::kSelect &&
          (term.operand(1).is_constant(0) || term.operand(2).is_constant(0));
      if (is_choice && choices.size() < kMost) {
        choices.push_back(term);
      } else if (term.op() == Op::kAdd) {
        terms.push_back(term.operand(1));
        terms.push_back(term.operand(0));
      } else {
        return {};
      }
    }
    return choices;
  }

  static std::vector<Expr> Subscripts(Expr index) {
    std::vector<Expr> subscripts;
    for (std::size_t k = 1; k < index.num_operands(); ++k) {
      subscripts.push_back(index.operand(k));
    }
    return subscripts;
  }

  void Receive(Expr node, Expr share) {
    const std::uint32_t known = adjoints_.Find(node.id());
    const Expr sum =
        known == NodeIndex::kNone ? share : Added(graph_.At(known), share);
    adjoints_.Set(node.id(), sum.id());
  }

  // Adds two terms; branches of the same choice stay one choice.
  static Expr Added(Expr a, Expr b) {
    const bool are_of_one_choice = a.op() == Op::kSelect &&
                                   b.op() == Op::kSelect &&
                                   a.operand(0) == b.operand(0);
    return are_of_one_choice ? select(a.operand(0),
                                      Added(a.operand(1), b.operand(1)),
                                      Added(a.operand(2), b.operand(2)))
                             : a + b;
  }

  ExprGraph& graph_;
  Expr zero_;
  internal::CallRules rules_{nullptr};
  NodeIndex adjoints_;
  std::vector<std::pair<Expr, Expr>> computed_;
  bool is_complete_ = true;
};

Expr Partial(Expr of, Expr variable, std::size_t most_partials) {
  ExprGraph& graph = of.graph();
  Tangent tangent(graph, {{variable.id(), graph.Constant(1)}});
  tangent.TakePartials(most_partials);
  return tangent.Of(of);
}

}  // namespace

std::vector<Expr> Gradient(Expr of, std::span<const Expr> with_respect_to) {
  if (!of.is_scalar()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take the gradient of an array; take its elements "
                "first");
  }
  const ReverseSweep sweep(of);
  std::vector<Expr> gradient;
  gradient.reserve(with_respect_to.size());
  for (const Expr& variable : with_respect_to) {
    gradient.push_back(sweep.is_complete()
                           ? sweep.Of(variable)
                           : Partial(of, variable, with_respect_to.size()));
  }
  return gradient;
}

}  // namespace orrery
