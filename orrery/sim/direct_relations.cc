#include "orrery/sim/internal/direct_relations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "orrery/sim/internal/polynomial_bounds.h"

namespace orrery::internal {
namespace {

// More are needed only where operands are equal but for rounding.
constexpr int kMostJudgements = 4000;

constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();

}  // namespace

DirectOperands::DirectOperands(std::size_t memory_size,
                               std::span<const std::uint32_t> state_slots,
                               std::span<const std::uint32_t> moving_slots)
    : sources_(memory_size), states_(memory_size, DirectOperand::kStandsStill) {
  std::iota(sources_.begin(), sources_.end(), 0U);
  for (const std::uint32_t slot : moving_slots) {
    sources_[slot] = kFormula;
  }
  for (std::size_t i = 0; i < state_slots.size(); ++i) {
    states_[state_slots[i]] = static_cast<int>(i);
  }
}

bool DirectOperands::Follow(std::span<const Tape::Instruction> code) {
  for (const Tape::Instruction& i : code) {
    if (i.op == TapeOp::kCopy) {
      sources_[i.target] = sources_[i.a];
    } else if (IsElementwise(i.op)) {
      sources_[i.target] = kFormula;
    } else if (i.op != TapeOp::kReturn) {
      return false;
    }
  }
  return true;
}

std::optional<DirectOperand> DirectOperands::At(std::uint32_t slot) const {
  const std::uint32_t source = sources_[slot];
  if (source == kFormula) {
    return std::nullopt;
  }
  return DirectOperand{.slot = source, .state = states_[source]};
}

// One relation in one step.
class DirectRelations::Search {
 public:
  Search(const Relation& relation,
         bool was_true,
         const DenseOutput& dense,
         std::span<const double> memory,
         std::vector<double>& polynomial,
         std::vector<double>& scratch)
      : relation_(relation),
        was_true_(was_true),
        dense_(dense),
        memory_(memory),
        polynomial_(polynomial),
        scratch_(scratch) {}

  // Whether there may be a change anywhere in the step, by the least that
  // tells.
  bool MayCross() {
    const auto terms = static_cast<std::size_t>(dense_.degree()) + 1;
    polynomial_.assign(terms, 0.0);
    size_ = std::max(Add(relation_.right, was_true_ ? -1 : 1),
                     Add(relation_.left, was_true_ ? 1 : -1));
    double most = polynomial_[0] + kRounding * size_;
    for (std::size_t k = 1; k < terms; ++k) {
      most += std::max(polynomial_[k], 0.0);
    }
    return HasCrossed(most);
  }

  [[nodiscard]] Verdict Judge(Part part) {
    ++judgements_;
    const double middle =
        (part.begin - dense_.t_begin() + (part.end - part.begin) / 2) /
        dense_.h();
    const double radius = (part.end - part.begin) / 2 / dense_.h();
    scratch_ = polynomial_;
    const Bounds excess = BoundPolynomial(scratch_, middle, radius);
    const double rounding = kRounding * size_;
    if (!HasCrossed(excess.value.upper + rounding) || excess.slope.upper < 0) {
      return Verdict::kNone;
    }
    if (HasCrossed(excess.value.lower - rounding)) {
      return Verdict::kCrossed;
    }
    const bool is_rounding =
        std::max(-excess.value.lower, excess.value.upper) <= rounding;
    if (excess.slope.lower <= 0 && !is_rounding) {
      return Verdict::kUndecided;
    }
    return HasCrossedAt(part.end) ? Verdict::kCrossed : Verdict::kNone;
  }

  [[nodiscard]] bool HasCrossedAt(double t) const {
    return HasCrossed(ExcessAt(t));
  }

  [[nodiscard]] double LocateIn(Part part) const {
    if (HasCrossedAt(part.begin)) {  // By rounding only.
      return std::min(part.begin + Spacing(part.begin), part.end);
    }
    return LocateCrossing(
               part.begin,
               part.end,
               [this](double t) { return ExcessAt(t); },
               [this](double excess) { return HasCrossed(excess); })
        .after;
  }

  [[nodiscard]] static bool GivesUp() noexcept { return false; }

  [[nodiscard]] int judgements() const noexcept { return judgements_; }

 private:
  // @returns how large its terms are.
  double Add(const DirectOperand& operand, double factor) {
    if (operand.state == DirectOperand::kStandsStill) {
      polynomial_[0] += factor * memory_[operand.slot];
      return std::abs(memory_[operand.slot]);
    }
    const auto n = static_cast<std::size_t>(dense_.dimension());
    const double* c =
        dense_.coefficients().data() + static_cast<std::size_t>(operand.state);
    double size = 0;
    for (std::size_t k = 0; k < polynomial_.size(); ++k) {
      polynomial_[k] += factor * c[k * n];
      size += std::abs(c[k * n]);
    }
    return size;
  }

  [[nodiscard]] double ValueAt(const DirectOperand& operand, double t) const {
    return operand.state == DirectOperand::kStandsStill
               ? memory_[operand.slot]
               : dense_.Evaluate(operand.state, t);
  }

  // Negative while the relation is as it was.
  [[nodiscard]] double ExcessAt(double t) const {
    const double distance =
        ValueAt(relation_.right, t) - ValueAt(relation_.left, t);
    return was_true_ ? -distance : distance;
  }

  [[nodiscard]] bool HasCrossed(double excess) const noexcept {
    return excess > 0 || (excess == 0 && was_true_ == relation_.is_strict);
  }

  const Relation& relation_;
  bool was_true_;
  const DenseOutput& dense_;
  std::span<const double> memory_;
  std::vector<double>& polynomial_;  // The excess, over the step.
  std::vector<double>& scratch_;
  double size_ = 0;
  int judgements_ = 0;
};

void DirectRelations::Add(std::size_t number,
                          DirectOperand left,
                          DirectOperand right,
                          bool is_strict) {
  relations_.push_back(
      {.number = number, .left = left, .right = right, .is_strict = is_strict});
}

std::optional<double> DirectRelations::First(
    const DenseOutput& dense,
    Part step,
    std::span<const std::uint8_t> truths,
    std::span<const std::uint8_t> is_ignored,
    std::span<const double> memory) {
  std::optional<double> first;
  for (const Relation& relation : relations_) {
    if (is_ignored[relation.number] != 0) {
      continue;
    }
    Search search(relation,
                  truths[relation.number] != 0,
                  dense,
                  memory,
                  polynomial_,
                  scratch_);
    if (!search.MayCross()) {
      continue;
    }
    std::optional<Part> given_up;
    auto found = SearchParts(step, kMostJudgements, search, parts_, given_up);
    if (given_up && search.HasCrossedAt(given_up->end)) {
      found = search.LocateIn(*given_up);
    }
    if (found) {
      first = found;
      step.end = *found;
    }
    evaluations_ += search.judgements();
  }
  return first;
}

}  // namespace orrery::internal
