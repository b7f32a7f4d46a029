#include "orrery/symbolic/emit/formula_info.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "orrery/symbolic/transform.h"

namespace orrery::symbolic::internal {
namespace {

constexpr std::uint32_t kUnused = 0xffffffff;
constexpr std::int64_t kMaxCoefficient = std::int64_t{1} << 31U;

// True for arrays that are computed element by element.
bool IsComputed(Expr node) noexcept {
  return ElementwiseOperands(node.op()) > 0 || node.op() == Op::kBuild ||
         (node.op() >= Op::kSum && node.op() <= Op::kMaximum);
}

// True for arrays whose elements are in memory already.
bool IsView(Expr node) noexcept {
  return FormulaInfo::IsPlace(node) || node.op() == Op::kIndex;
}

bool IsLoop(Op op) noexcept {
  return op >= Op::kBuild && op <= Op::kMaximum;
}

}  // namespace

FormulaInfo::FormulaInfo(std::span<const Expr> roots,
                         const OuterIterators& outer)
    : ids_(Reachable(roots)),
      graph_(ids_.empty() ? nullptr : &roots.front().graph()),
      iterator_sets_(1) {
  set_numbers_.emplace(iterator_sets_.front(), 0);
  for (std::uint32_t number = 0; number < size(); ++number) {
    index_.Insert(ids_[number], number);
  }
  free_.resize(size());
  affine_number_.assign(size(), kNoAffine);
  guarded_.resize(size());
  first_operand_.reserve(size());
  for (std::uint32_t number = 0; number < size(); ++number) {
    first_operand_.push_back(static_cast<std::uint32_t>(operands_.size()));
    const Expr node = this->node(number);
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      operands_.push_back(NumberOf(node.operand(i)));
    }
    FindFreeIterators(number, outer);
    FindAffineForm(number, outer);
    if (node.op() == Op::kCall || node.op() == Op::kOpaque) {
      call_number_.Insert(number, static_cast<std::uint32_t>(outputs_.size()));
      outputs_.emplace_back();
    } else if (node.op() == Op::kOutput) {
      outputs_[call_number_.Find(operand(number, 0))].push_back(number);
    }
  }
  FindStored(roots);
  integers_.Find(*this, roots);
  for (std::uint32_t number = 0; number < size(); ++number) {
    FindGuard(number);
  }
  FindBranches(roots);
}

// Iterators -----------------------------------------------------------------

void FormulaInfo::FindFreeIterators(std::uint32_t number,
                                    const OuterIterators& outer) {
  const Expr node = this->node(number);
  if (!node.Contains(Trait::kIterator)) {
    return;
  }
  if (node.op() == Op::kIterator) {
    if (!outer.contains(node.id())) {
      const auto [found, is_new] = set_numbers_.try_emplace(
          {node.id()}, static_cast<std::uint32_t>(iterator_sets_.size()));
      if (is_new) {
        iterator_sets_.push_back({node.id()});
      }
      free_[number] = found->second;
    }
    return;
  }
  if (IsLoop(node.op())) {
    free_[number] = Without(free_[operand(number, 1)], node.operand(0).id());
    return;
  }
  std::uint32_t set = 0;
  for (std::size_t i = 0; i < node.num_operands(); ++i) {
    set = Union(set, free_[operand(number, i)]);
  }
  free_[number] = set;
}

std::uint32_t FormulaInfo::Union(std::uint32_t a, std::uint32_t b) {
  if (a == b || b == 0) {
    return a;
  }
  if (a == 0) {
    return b;
  }
  const auto [known, is_unknown] = unions_.try_emplace(std::minmax(a, b), 0);
  if (is_unknown) {
    std::vector<std::uint32_t> both;
    std::ranges::set_union(
        iterator_sets_[a], iterator_sets_[b], std::back_inserter(both));
    const auto [found, is_new] = set_numbers_.try_emplace(
        both, static_cast<std::uint32_t>(iterator_sets_.size()));
    if (is_new) {
      iterator_sets_.push_back(std::move(both));
    }
    known->second = found->second;
  }
  return known->second;
}

std::uint32_t FormulaInfo::Without(std::uint32_t set, std::uint32_t iterator) {
  std::vector<std::uint32_t> rest = iterator_sets_[set];
  std::erase(rest, iterator);
  const auto [found, is_new] = set_numbers_.try_emplace(
      rest, static_cast<std::uint32_t>(iterator_sets_.size()));
  if (is_new) {
    iterator_sets_.push_back(std::move(rest));
  }
  return found->second;
}

// Subscripts ----------------------------------------------------------------

namespace {

// Returns a + factor * b, unless a number becomes too large.
std::optional<AffineForm> Combine(const AffineForm& a,
                                  const AffineForm& b,
                                  std::int64_t factor) {
  if (std::abs(factor) >= kMaxCoefficient) {
    return std::nullopt;
  }
  AffineForm sum{.constant = a.constant + factor * b.constant, .terms = {}};
  auto i = a.terms.begin();
  auto j = b.terms.begin();
  while (i != a.terms.end() || j != b.terms.end()) {
    const bool has_a =
        i != a.terms.end() && (j == b.terms.end() || i->first <= j->first);
    const bool has_b =
        j != b.terms.end() && (i == a.terms.end() || j->first <= i->first);
    const std::uint32_t iterator = has_a ? i->first : j->first;
    const std::int64_t coefficient =
        (has_a ? (i++)->second : 0) + (has_b ? factor * (j++)->second : 0);
    if (std::abs(coefficient) >= kMaxCoefficient) {
      return std::nullopt;
    }
    if (coefficient != 0) {
      sum.terms.emplace_back(iterator, coefficient);
    }
  }
  if (std::abs(sum.constant) >= kMaxCoefficient) {
    return std::nullopt;
  }
  return sum;
}

}  // namespace

void FormulaInfo::FindAffineForm(std::uint32_t number,
                                 const OuterIterators& outer) {
  const Expr node = this->node(number);
  if (node.type() != ValueType::kInteger || !node.is_scalar() ||
      (node.op() == Op::kIterator && outer.contains(node.id()))) {
    return;
  }
  if (std::optional<AffineForm> form = MakeAffine(number)) {
    affine_number_[number] = static_cast<std::uint32_t>(affine_.size());
    affine_.push_back(std::move(*form));
  }
}

std::optional<AffineForm> FormulaInfo::MakeAffine(std::uint32_t number) const {
  const Expr node = this->node(number);
  const auto form = [&](std::size_t i) {
    return AffineOf(operand(number, i));
  };
  switch (node.op()) {
    case Op::kConstant: {
      const double value = node.value();
      if (value != std::trunc(value) ||
          std::abs(value) >= static_cast<double>(kMaxCoefficient)) {
        return std::nullopt;
      }
      return AffineForm{.constant = static_cast<std::int64_t>(value),
                        .terms = {}};
    }
    case Op::kIterator:
      return AffineForm{.constant = 0, .terms = {{node.id(), 1}}};
    case Op::kNegate:
      return form(0) == nullptr ? std::nullopt
                                : Combine(AffineForm{}, *form(0), -1);
    case Op::kAdd:
    case Op::kSubtract:
      if (form(0) == nullptr || form(1) == nullptr) {
        return std::nullopt;
      }
      return Combine(*form(0), *form(1), node.op() == Op::kAdd ? 1 : -1);
    case Op::kMultiply:
      if (form(0) == nullptr || form(1) == nullptr) {
        return std::nullopt;
      }
      if (form(0)->terms.empty()) {
        return Combine(AffineForm{}, *form(1), form(0)->constant);
      }
      if (form(1)->terms.empty()) {
        return Combine(AffineForm{}, *form(0), form(1)->constant);
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

bool FormulaInfo::IsInBounds(std::uint32_t subscript,
                             std::int64_t extent) const {
  const AffineForm* const form = AffineOf(subscript);
  if (form == nullptr) {
    return false;
  }
  ExprGraph& graph = node(subscript).graph();
  std::int64_t least = form->constant;
  std::int64_t greatest = form->constant;
  for (const auto& [id, coefficient] : form->terms) {
    const Range& range = graph.IteratorRange(Expr(&graph, id));
    if (range.count <= 0) {
      return true;  // Never evaluated.
    }
    const auto [low, high] = std::minmax<std::int64_t>(
        {coefficient * range.start, coefficient * range.last()});
    least += low;
    greatest += high;
  }
  return least >= 1 && greatest <= extent;
}

// Operations ----------------------------------------------------------------

// True for a product that a sum may take in. A stored array of products has
// more users: computing its elements for each anew might take exponential time.
bool FormulaInfo::IsFusible(std::uint32_t number) const {
  return node(number).op() == Op::kMultiply && !IsStored(number);
}

FormulaInfo::Operation FormulaInfo::OperationOf(std::uint32_t number) const {
  const Expr node = this->node(number);
  Operation result{.op = node.op(), .num_operands = node.num_operands()};
  for (std::size_t i = 0; i < result.num_operands; ++i) {
    result.operands[i] = operand(number, i);
  }
  if (node.op() != Op::kAdd && node.op() != Op::kSubtract) {
    return result;
  }
  const auto [first, second, unused] = result.operands;
  if (IsFusible(first) == IsFusible(second)) {
    return result;
  }
  const bool is_first = IsFusible(first);
  const std::uint32_t product = is_first ? first : second;
  const Op difference = is_first ? Op::kMultiplySubtract : Op::kSubtractProduct;
  return {
      .op = node.op() == Op::kAdd ? Op::kMultiplyAdd : difference,
      .num_operands = 3,
      .operands = {
          operand(product, 0), operand(product, 1), is_first ? second : first}};
}

void FormulaInfo::FindGuard(std::uint32_t number) {
  const Expr node = this->node(number);
  bool may_end_run =
      node.op() == Op::kCall || node.op() == Op::kOpaque || IsChecked(number);
  if (node.op() == Op::kIndex) {
    for (std::size_t k = 1; k < node.num_operands(); ++k) {
      may_end_run = may_end_run || !IsInBounds(operand(number, k),
                                               node.operand(0).shape()[k - 1]);
    }
  }
  std::uint32_t cost = 0;
  for (std::size_t i = 0; i < node.num_operands(); ++i) {
    cost = std::min(cost + guarded_[operand(number, i)], kMaxRepeated + 1);
  }
  guarded_[number] =
      cost > 0 || may_end_run ? std::min(cost + 1, kMaxRepeated + 1) : 0;
}

// Arrays --------------------------------------------------------------------

// A computed array belongs to the loop nest of its user if it has only one.
// Users come after the nodes that they use.
void FormulaInfo::FindStored(std::span<const Expr> roots) {
  nest_.assign(size(), kUnused);
  stored_.assign(size(), 0);
  for (const Expr& root : roots) {
    if (!root.is_scalar() && !IsView(root)) {
      Use(NumberOf(root), ++num_nests_);
    }
  }
  for (std::uint32_t number = size(); number-- > 0;) {
    const Expr node = this->node(number);
    if (stored_[number] != 0) {
      nest_[number] = ++num_nests_;
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      const std::uint32_t used = operand(number, i);
      if (this->node(used).is_scalar() || IsView(this->node(used))) {
        continue;
      }
      if (!node.is_scalar() && IsComputed(node) &&
          this->node(used).op() != Op::kMakeArray) {
        Use(used, nest_[number]);
      } else if (node.op() == Op::kMakeArray) {
        Use(used, ++num_nests_);
      } else {
        stored_[used] = 1;
      }
    }
  }
}

void FormulaInfo::Use(std::uint32_t number, std::uint32_t nest) {
  const bool is_array_of_parts = node(number).op() == Op::kMakeArray;
  if (nest_[number] == kUnused) {
    nest_[number] = nest;
  } else if (nest_[number] != nest || is_array_of_parts) {
    stored_[number] = 1;
  }
}

// Branches ------------------------------------------------------------------

void FormulaInfo::FindBranches(std::span<const Expr> roots) {
  branches_.assign(1, {});
  branch_.assign(size(), kUnused);
  for (const Expr& root : roots) {
    UseInBranch(NumberOf(root), kNoBranch);
  }
  for (std::uint32_t number = size(); number-- > 0;) {
    if (guarded_[number] == 0) {
      continue;
    }
    const Expr node = this->node(number);
    const bool is_select =
        node.op() == Op::kSelect && (guarded_[operand(number, 1)] != 0 ||
                                     guarded_[operand(number, 2)] != 0);
    if (is_select) {
      branch_numbers_.Insert(number, AddBranch(branch_[number]));
      AddBranch(branch_[number]);
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      const bool is_branch = is_select && i > 0;
      UseInBranch(operand(number, i),
                  is_branch
                      ? BranchNumber(number, static_cast<std::uint32_t>(i - 1))
                      : branch_[number]);
    }
  }
}

void FormulaInfo::UseInBranch(std::uint32_t number, std::uint32_t branch) {
  branch_[number] = branch_[number] == kUnused
                        ? branch
                        : CommonBranch(branch_[number], branch);
}

// Ancestors are found in logarithmic time by jumps: Myers, "An applicative
// random-access stack", Information Processing Letters 17 (1983), 241-248.
std::uint32_t FormulaInfo::AddBranch(std::uint32_t parent) {
  const Branch& above = branches_[parent];
  const Branch& far = branches_[above.jump];
  const bool doubles =
      above.depth - far.depth == far.depth - branches_[far.jump].depth;
  branches_.push_back({.parent = parent,
                       .depth = above.depth + 1,
                       .jump = doubles ? far.jump : parent});
  return static_cast<std::uint32_t>(branches_.size() - 1);
}

std::uint32_t FormulaInfo::AtDepth(std::uint32_t branch,
                                   std::uint32_t depth) const {
  while (branches_[branch].depth > depth) {
    const std::uint32_t jump = branches_[branch].jump;
    branch = branches_[jump].depth >= depth ? jump : branches_[branch].parent;
  }
  return branch;
}

std::uint32_t FormulaInfo::CommonBranch(std::uint32_t a,
                                        std::uint32_t b) const {
  const std::uint32_t depth = std::min(branches_[a].depth, branches_[b].depth);
  a = AtDepth(a, depth);
  b = AtDepth(b, depth);
  while (a != b) {
    const bool jumps = branches_[a].jump != branches_[b].jump;
    a = jumps ? branches_[a].jump : branches_[a].parent;
    b = jumps ? branches_[b].jump : branches_[b].parent;
  }
  return a;
}

}  // namespace orrery::symbolic::internal
