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

// Coefficient k of the operand's polynomial over the step.
double TermOf(const DirectOperand& operand,
              const DenseOutput& dense,
              std::span<const double> memory,
              std::size_t k) noexcept {
  if (operand.state != DirectOperand::kStandsStill) {
    return dense.coefficients(
        static_cast<int>(k))[static_cast<std::size_t>(operand.state)];
  }
  return k == 0 ? memory[operand.slot] : 0;
}

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
  /// @param size how large the terms of the operands are.
  Search(const Relation& relation,
         bool was_true,
         double size,
         const DenseOutput& dense,
         std::span<const double> memory,
         std::vector<double>& polynomial)
      : relation_(relation),
        was_true_(was_true),
        rounding_(kRounding * size),
        dense_(dense),
        memory_(memory),
        polynomial_(polynomial) {}

  [[nodiscard]] Verdict Judge(StepPart part) {
    ++judgements_;
    FillPolynomial();
    const double middle =
        (part.begin - dense_.t_begin() + (part.end - part.begin) / 2) /
        dense_.h();
    const double radius = (part.end - part.begin) / 2 / dense_.h();
    const Bounds excess = BoundPolynomial(polynomial_, middle, radius);
    if (!HasCrossed(excess.value.upper + rounding_) || excess.slope.upper < 0) {
      return Verdict::kNone;
    }
    if (HasCrossed(excess.value.lower - rounding_)) {
      return Verdict::kCrossed;
    }
    const bool is_rounding =
        std::max(-excess.value.lower, excess.value.upper) <= rounding_;
    if (excess.slope.lower <= 0 && !is_rounding) {
      return Verdict::kUndecided;
    }
    return HasCrossedAt(part.end) ? Verdict::kCrossed : Verdict::kNone;
  }

  [[nodiscard]] bool HasCrossedAt(double t) const {
    return HasCrossed(ExcessAt(t));
  }

  [[nodiscard]] double LocateIn(StepPart part) const {
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
  void FillPolynomial() {
    for (std::size_t k = 0; k < polynomial_.size(); ++k) {
      const double distance = TermOf(relation_.right, dense_, memory_, k) -
                              TermOf(relation_.left, dense_, memory_, k);
      polynomial_[k] = was_true_ ? -distance : distance;
    }
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
  double rounding_;
  const DenseOutput& dense_;
  std::span<const double> memory_;
  std::vector<double>& polynomial_;  // Of the excess over the step; scratch.
  int judgements_ = 0;
};

void DirectRelations::Clear() noexcept {
  relations_.clear();
  moving_.clear();
}

void DirectRelations::Add(std::size_t number,
                          DirectOperand left,
                          DirectOperand right,
                          bool is_strict) {
  const auto add_moving = [this](const DirectOperand& operand, double sign) {
    if (operand.state != DirectOperand::kStandsStill) {
      moving_.push_back({.relation = relations_.size(),
                         .state = operand.state,
                         .sign = sign});
    }
  };
  add_moving(left, -1);
  add_moving(right, 1);
  relations_.push_back(
      {.number = number, .left = left, .right = right, .is_strict = is_strict});
  sign_.resize(relations_.size());
  most_.resize(relations_.size());
  size_.resize(relations_.size());
}

// What the excess of each relation is at most up to `end`, by the least that
// tells: the sum of the terms that make it grow. Term by term, so that the sums
// do not wait for each other.
void DirectRelations::FindMost(const DenseOutput& dense,
                               double end,
                               std::span<const std::uint8_t> truths,
                               std::span<const double> memory) {
  for (std::size_t i = 0; i < relations_.size(); ++i) {
    const Relation& relation = relations_[i];
    const double left = TermOf(relation.left, dense, memory, 0);
    const double right = TermOf(relation.right, dense, memory, 0);
    sign_[i] = truths[relation.number] != 0 ? -1 : 1;
    most_[i] = sign_[i] * (right - left);
    size_[i] = std::abs(left) + std::abs(right);
  }
  const double theta = (end - dense.t_begin()) / dense.h();
  double power = 1;
  for (int k = 1; k <= dense.degree(); ++k) {
    power *= theta;
    const double* const row = dense.coefficients(k).data();
    for (const MovingOperand& operand : moving_) {
      const double c = row[operand.state];
      most_[operand.relation] +=
          std::max(operand.sign * sign_[operand.relation] * c * power, 0.0);
      size_[operand.relation] += std::abs(c);
    }
  }
}

std::optional<double> DirectRelations::First(
    const DenseOutput& dense,
    StepPart step,
    std::span<const std::uint8_t> truths,
    std::span<const std::uint8_t> is_ignored,
    std::span<const double> memory) {
  polynomial_.resize(static_cast<std::size_t>(dense.degree()) + 1);
  FindMost(dense, step.end, truths, memory);
  std::optional<double> first;
  for (std::size_t i = 0; i < relations_.size(); ++i) {
    const Relation& relation = relations_[i];
    if (most_[i] + kRounding * size_[i] < 0 ||
        is_ignored[relation.number] != 0) {
      continue;
    }
    Search search(relation,
                  truths[relation.number] != 0,
                  size_[i],
                  dense,
                  memory,
                  polynomial_);
    std::optional<StepPart> given_up;
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
