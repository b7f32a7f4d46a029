#include "orrery/symbolic/transform.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/symbolic/rebuild.h"

namespace orrery {

namespace internal = symbolic::internal;

using internal::Broadcast;
using internal::EmptyReduction;
using internal::Rebuild;
using internal::ReductionStep;

namespace {

// A set of node ids, by words of 64 that are found by their numbers. A set of
// most of a graph takes two bits for each node.
class NodeSet {
 public:
  // @returns true if `id` was not there before.
  bool Insert(std::uint32_t id) {
    if (words_.empty() || words_[latest_].number != id / 64) {
      Find(id / 64);
    }
    Word& word = words_[latest_];
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    const bool is_new = (word.bits & bit) == 0;
    word.bits |= bit;
    return is_new;
  }

  // Returns all ids, ascending, `count` of them; the set is of no use
  // afterwards.
  [[nodiscard]] std::vector<std::uint32_t> Take(std::size_t count) && {
    std::ranges::sort(words_, {}, &Word::number);
    std::vector<std::uint32_t> ids;
    ids.reserve(count);
    for (const Word& word : words_) {
      for (std::uint64_t rest = word.bits; rest != 0; rest &= rest - 1) {
        ids.push_back(64 * word.number +
                      static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
    return ids;
  }

 private:
  struct Word {
    std::uint32_t number = 0;
    std::uint64_t bits = 0;
  };

  // Makes the word of that number the latest.
  void Find(std::uint32_t number) {
    latest_ = place_.Find(number);
    if (latest_ == NodeIndex::kNone) {
      latest_ = static_cast<std::uint32_t>(words_.size());
      place_.Insert(number, latest_);
      words_.push_back({.number = number});
    }
  }

  NodeIndex place_;  // By number: the place of the word in words_.
  std::vector<Word> words_;
  std::uint32_t latest_ = 0;  // Last used: near ids come together.
};

}  // namespace

std::vector<std::uint32_t> Reachable(std::span<const Expr> exprs) {
  std::vector<std::uint32_t> reached;
  NodeSet seen;
  ExprGraph* graph = nullptr;
  for (const Expr& expr : exprs) {
    if (expr && seen.Insert(expr.id())) {
      graph = &expr.graph();
      reached.push_back(expr.id());
    }
  }
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const Expr node = graph->At(reached[next]);
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      const std::uint32_t operand = node.operand(i).id();
      if (seen.Insert(operand)) {
        reached.push_back(operand);
      }
    }
  }
  return std::move(seen).Take(reached.size());
}

// Substitution --------------------------------------------------------------

Substitution::Substitution(ExprGraph& graph, const Replacements& replacements)
    : graph_(graph) {
  for (const auto& [id, replacement] : replacements) {
    Add(graph.At(id), replacement);
  }
}

void Substitution::Add(Expr from, Expr to) {
  done_.Set(from.id(), to.id());
  replaces_iterators_only_ =
      replaces_iterators_only_ && from.op() == Op::kIterator;
}

// True if the node is known to stay without a look at its operands.
bool Substitution::Stays(Expr node) const noexcept {
  return node.num_operands() == 0 ||
         (replaces_iterators_only_ && !node.Contains(Trait::kIterator));
}

Expr Substitution::Apply(Expr expr) {
  stack_.assign(1, expr);
  while (!stack_.empty()) {
    if (done_.Find(stack_.back().id()) != NodeIndex::kNone) {
      stack_.pop_back();
    } else {
      Visit();
    }
  }
  return graph_.At(done_.Find(expr.id()));
}

// Finishes the node on top of the stack, or pushes the nodes that it needs.
void Substitution::Visit() {
  const Expr node = stack_.back();
  if (node.op() == Op::kSelect && VisitSelect(node)) {
    return;
  }
  operands_.clear();
  bool is_changed = false;
  for (std::size_t i = 0; i < node.num_operands(); ++i) {
    const Expr operand = node.operand(i);
    const std::uint32_t known = done_.Find(operand.id());
    if (known != NodeIndex::kNone) {
      is_changed = is_changed || known != operand.id();
      operands_.push_back(graph_.At(known));
    } else if (Stays(operand)) {
      operands_.push_back(operand);
    } else {
      stack_.push_back(operand);
    }
  }
  if (operands_.size() == node.num_operands()) {
    const Expr result = is_changed ? Rebuild(graph_, node, operands_) : node;
    done_.Insert(node.id(), result.id());
  }
}

// Lets a condition that has become constant decide which branch is visited.
// @returns true if that was all there is to do for now.
bool Substitution::VisitSelect(Expr node) {
  const std::uint32_t condition = done_.Find(node.operand(0).id());
  if (condition == NodeIndex::kNone) {
    stack_.push_back(node.operand(0));
    return true;
  }
  if (!graph_.At(condition).is_constant()) {
    return false;
  }
  const Expr taken = node.operand(graph_.At(condition).value() != 0 ? 1 : 2);
  const std::uint32_t known = done_.Find(taken.id());
  if (known == NodeIndex::kNone) {
    stack_.push_back(taken);
    return true;
  }
  const Expr value = graph_.At(known);
  const Expr result =
      value.is_scalar() ? Broadcast(value, node.shape()) : value;
  done_.Insert(node.id(), result.id());
  return true;
}

// Elements ------------------------------------------------------------------

namespace {

// True for a scalar in which nothing is left to expand.
bool IsResolved(Expr expr) {
  if (!expr.is_scalar()) {
    return false;
  }
  if (expr.op() != Op::kIndex) {
    return !expr.Contains(Trait::kComposite);
  }
  bool is_element = expr.operand(0).op() == Op::kSymbol;
  for (std::size_t k = 1; is_element && k < expr.num_operands(); ++k) {
    is_element = expr.operand(k).is_constant();
  }
  return is_element;
}

}  // namespace

std::vector<Expr> MakeIterators(ExprGraph& graph, const Shape& shape) {
  std::vector<Expr> iterators;
  for (const std::int64_t extent : shape) {
    iterators.push_back(
        graph.Iterator("i" + std::to_string(iterators.size() + 1),
                       {.start = 1, .step = 1, .count = extent}));
  }
  return iterators;
}

Expr AtIterators(Expr array, std::span<const Expr> iterators) {
  return iterators.empty() ? array : array.graph().Index(array, iterators);
}

std::optional<std::size_t> ElementNumber(Expr element) {
  const Shape& shape = element.operand(0).shape();
  if (element.num_operands() != shape.size() + 1) {
    return std::nullopt;
  }
  std::int64_t number = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const Expr subscript = element.operand(k + 1);
    if (!subscript.is_constant()) {
      return std::nullopt;
    }
    number =
        number * shape[k] + static_cast<std::int64_t>(subscript.value()) - 1;
  }
  return static_cast<std::size_t>(number);
}

Expr Elements::At(Expr expr, std::span<const std::int64_t> subscripts) {
  const Shape& shape = expr.shape();
  ORRERY_CHECK(subscripts.size() == shape.size());
  std::int64_t flat = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    ORRERY_CHECK(subscripts[k] >= 1 && subscripts[k] <= shape[k]);
    flat = flat * shape[k] + subscripts[k] - 1;
  }
  return Resolve({expr, flat});
}

std::vector<Expr> Elements::All(Expr expr) {
  const std::int64_t count = NumElements(expr.shape());
  std::vector<Expr> elements;
  elements.reserve(static_cast<std::size_t>(count));
  for (std::int64_t flat = 0; flat < count; ++flat) {
    elements.push_back(Resolve({expr, flat}));
  }
  return elements;
}

std::uint64_t Elements::KeyOf(const Element& element) noexcept {
  // Keys of scalars lie close to each other, and so do those of an array's
  // elements.
  const std::uint64_t id = element.expr.id();
  return element.expr.is_scalar()
             ? id
             : ((id + 1) << 32U) | static_cast<std::uint64_t>(element.flat);
}

Expr Elements::Resolve(const Element& wanted) {
  stack_.assign(1, wanted);
  while (!stack_.empty()) {
    const Element element = stack_.back();
    if (Known(element)) {
      stack_.pop_back();
      continue;
    }
    is_missing_ = false;
    const Expr result = Try(element);
    if (!is_missing_) {
      known_.Insert(KeyOf(element), result.id());
    }
  }
  return Known(wanted);
}

Expr Elements::Known(const Element& element) const {
  if (IsResolved(element.expr)) {
    return element.expr;
  }
  const std::uint32_t known = known_.Find(KeyOf(element));
  return known == NodeIndex::kNone ? Expr{} : graph_.At(known);
}

// Returns the resolved element, or empty after pushing it on the stack.
Expr Elements::Need(const Element& element) {
  const Expr known = Known(element);
  if (!known) {
    stack_.push_back(element);
    is_missing_ = true;
  }
  return known;
}

// Makes the element from others. Requests all of them if one is missing.
Expr Elements::Try(const Element& element) {
  const Expr expr = element.expr;
  if (expr.op() == Op::kSelect) {
    return TrySelect(element);
  }
  if (ElementwiseOperands(expr.op()) > 0 || expr.op() >= Op::kDer) {
    return TryElementwise(element);
  }
  switch (expr.op()) {
    case Op::kSymbol:
    case Op::kArrayConstant:
      return IndexByConstants(expr, element.flat);
    case Op::kMakeArray: {
      const std::int64_t inner = NumElements(expr.operand(0).shape());
      return Need({expr.operand(static_cast<std::size_t>(element.flat / inner)),
                   element.flat % inner});
    }
    case Op::kIndex:
      return TryIndex(element);
    case Op::kBuild: {
      const std::int64_t inner = NumElements(expr.operand(1).shape());
      const Range& range = graph_.IteratorRange(expr.operand(0));
      const std::int64_t value =
          range.start + element.flat / inner * range.step;
      return Need({Instance(expr, value), element.flat % inner});
    }
    case Op::kSum:
    case Op::kProduct:
    case Op::kMinimum:
    case Op::kMaximum:
      return TryReduction(element);
    case Op::kCall:
    case Op::kOpaque:
      return TryCall(element);
    case Op::kOutput: {
      const Expr call = Need({expr.operand(0), 0});
      return call ? IndexByConstants(
                        graph_.Output(call, graph_.OutputIndex(expr)),
                        element.flat)
                  : Expr{};
    }
    default:
      return expr;
  }
}

Expr Elements::IndexByConstants(Expr array, std::int64_t flat) {
  subscripts_.clear();
  AddSubscripts(array.shape(), flat, subscripts_);
  return graph_.Index(array, subscripts_);
}

// Adds the subscripts, from 1, of element `flat` of an array of `shape`.
void Elements::AddSubscripts(const Shape& shape,
                             std::int64_t flat,
                             std::vector<Expr>& subscripts) {
  const std::size_t before = subscripts.size();
  subscripts.resize(before + shape.size());
  for (std::size_t k = shape.size(); k-- > 0;) {
    subscripts[before + k] = Number(flat % shape[k] + 1);
    flat /= shape[k];
  }
}

Expr Elements::Number(std::int64_t number) {
  const auto key = static_cast<NodeIndex::Key>(number);
  if (const std::uint32_t known = numbers_.Find(key);
      known != NodeIndex::kNone) {
    return graph_.At(known);
  }
  const Expr result =
      graph_.Constant(static_cast<double>(number), ValueType::kInteger);
  numbers_.Insert(key, result.id());
  return result;
}

Expr Elements::TryElementwise(const Element& element) {
  operands_.clear();
  bool is_changed = !element.expr.is_scalar();
  for (std::size_t i = 0; i < element.expr.num_operands(); ++i) {
    const Expr operand = element.expr.operand(i);
    operands_.push_back(
        Need({operand, operand.is_scalar() ? 0 : element.flat}));
    is_changed = is_changed || operands_.back() != operand;
  }
  if (is_missing_) {
    return {};
  }
  return is_changed ? Rebuild(graph_, element.expr, operands_) : element.expr;
}

Expr Elements::TrySelect(const Element& element) {
  const auto part = [&](std::size_t i) {
    const Expr operand = element.expr.operand(i);
    return Need({operand, operand.is_scalar() ? 0 : element.flat});
  };
  const Expr condition = part(0);
  if (!condition) {
    return {};
  }
  if (condition.is_constant()) {
    return part(condition.value() != 0 ? 1 : 2);
  }
  const Expr if_true = part(1);
  const Expr if_false = part(2);
  return is_missing_ ? Expr{} : graph_.Select(condition, if_true, if_false);
}

Expr Elements::TryIndex(const Element& element) {
  const Expr array = element.expr.operand(0);
  const Shape& shape = array.shape();
  std::vector<Expr> subscripts;
  for (std::size_t k = 1; k < element.expr.num_operands(); ++k) {
    subscripts.push_back(Need({element.expr.operand(k), 0}));
  }
  if (is_missing_) {
    return {};
  }
  const bool is_constant = std::ranges::all_of(
      subscripts, [](Expr subscript) { return subscript.is_constant(); });
  AddSubscripts(element.expr.shape(), element.flat, subscripts);
  if (!is_constant) {
    const bool is_place =
        array.op() == Op::kSymbol || array.op() == Op::kArrayConstant;
    const Expr base = is_place ? array : TryArray(array);
    return is_missing_ ? Expr{} : graph_.Index(base, subscripts);
  }
  std::int64_t flat = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const double subscript = subscripts[k].value();
    if (!(subscript >= 1 && subscript <= static_cast<double>(shape[k]))) {
      return graph_.Index(array, subscripts);  // It reports the error.
    }
    flat = flat * shape[k] + static_cast<std::int64_t>(subscript) - 1;
  }
  return Need({array, flat});
}

Expr StackElements(ExprGraph& graph,
                   std::vector<Expr> elements,
                   const Shape& shape) {
  return StackElements(
      std::move(elements), shape, [&](std::span<const Expr> row) {
        return graph.MakeArray(row);
      });
}

namespace {

// Bounds the memory for one sum or array that is written out. The graph bounds
// the memory for all of them together.
void CheckTerms(std::int64_t count) {
  constexpr std::int64_t kMostTerms = 4'000'000;
  if (count > kMostTerms) {
    throw Error(ErrorCode::kInvalidModel,
                "a sum, product or array in it would be written out to " +
                    std::to_string(count) + " terms, of at most " +
                    std::to_string(kMostTerms) +
                    "; compute it in a function, or take fewer");
  }
}

}  // namespace

// Returns the array of all elements of `array`, each resolved.
Expr Elements::TryArray(Expr array) {
  const Shape& shape = array.shape();
  const std::int64_t count = NumElements(shape);
  if (count == 0) {
    return array;
  }
  CheckTerms(count);
  std::vector<Expr> parts;
  for (std::int64_t flat = 0; flat < count; ++flat) {
    parts.push_back(Need({array, flat}));
  }
  if (is_missing_) {
    return {};
  }
  return StackElements(graph_, std::move(parts), shape);
}

Expr Elements::TryReduction(const Element& element) {
  const Op op = element.expr.op();
  const Range range = graph_.IteratorRange(element.expr.operand(0));
  if (range.count <= 0) {
    return graph_.Constant(EmptyReduction(op), element.expr.type());
  }
  CheckTerms(range.count);
  std::vector<Expr> parts;
  for (std::int64_t i = 0; i < range.count; ++i) {
    const Expr body = Instance(element.expr, range.start + i * range.step);
    parts.push_back(Need({body, element.flat}));
  }
  if (is_missing_) {
    return {};
  }
  Expr result = parts.front();
  for (const Expr& part : std::span(parts).subspan(1)) {
    result = graph_.Binary(ReductionStep(op), result, part);
  }
  return result;
}

Expr Elements::TryCall(const Element& element) {
  std::vector<Expr> arguments;
  for (std::size_t i = 0; i < element.expr.num_operands(); ++i) {
    const Expr operand = element.expr.operand(i);
    arguments.push_back(operand.is_scalar() ? Need({operand, 0})
                        : IsKept(operand)   ? operand
                                            : TryArray(operand));
  }
  return is_missing_ ? Expr{} : Rebuild(graph_, element.expr, arguments);
}

bool Elements::IsKept(Expr array) {
  constexpr std::int64_t kFew = 16;  // Fewer are as soon copied singly.
  if (NumElements(array.shape()) < kFew) {
    return false;
  }
  if (const std::uint32_t known = kept_.Find(array.id());
      known != NodeIndex::kNone) {
    return known != 0;
  }
  const bool is_kept = std::ranges::all_of(
      Reachable(std::array{array}), [this](std::uint32_t id) {
        return graph_.At(id).op() != Op::kSymbol ||
               kept_.Find(id) != NodeIndex::kNone;
      });
  kept_.Insert(array.id(), is_kept ? 1 : 0);
  return is_kept;
}

// Returns the body of `loop` with `value` for its iterator.
Expr Elements::Instance(Expr loop, std::int64_t value) {
  const std::uint64_t key =
      (std::uint64_t{loop.id()} << 32U) | static_cast<std::uint32_t>(value);
  const std::uint32_t known = instances_.Find(key);
  if (known != NodeIndex::kNone) {
    return graph_.At(known);
  }
  const Expr number =
      graph_.Constant(static_cast<double>(value), ValueType::kInteger);
  Substitution substitution(graph_);
  substitution.Add(loop.operand(0), number);
  const Expr body = substitution.Apply(loop.operand(1));
  instances_.Insert(key, body.id());
  return body;
}

}  // namespace orrery
