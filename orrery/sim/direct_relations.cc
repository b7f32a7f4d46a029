#include "orrery/sim/internal/direct_relations.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orrery/sim/internal/polynomial_bounds.h"

namespace orrery::internal {
namespace {

// More are needed only where operands are equal but for rounding.
constexpr int kMostJudgements = 4000;

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

  // Whether there may be a change up to `end`, by the least that tells: the sum
  // of the terms that make the excess grow.
  bool MayCrossUntil(double end) {
    const double theta = (end - dense_.t_begin()) / dense_.h();
    const Terms left = TermsOf(relation_.left);
    const Terms right = TermsOf(relation_.right);
    const double sign = was_true_ ? -1 : 1;
    polynomial_[0] = sign * (*right.first - *left.first);
    double most = polynomial_[0];
    double size = std::abs(*right.first) + std::abs(*left.first);
    double power = 1;
    for (std::size_t k = 1; k < polynomial_.size(); ++k) {
      const double of_left = left.first[k * left.stride] * left.factor;
      const double of_right = right.first[k * right.stride] * right.factor;
      const double c = sign * (of_right - of_left);
      polynomial_[k] = c;
      power *= theta;
      most += power * (c + std::abs(c)) / 2;
      size += std::abs(of_left) + std::abs(of_right);
    }
    rounding_ = kRoundingOfOperands * size;
    return HasCrossed(most + rounding_);
  }

  [[nodiscard]] Verdict Judge(StepPart part) {
    ++judgements_;
    scratch_ = polynomial_;
    const double middle =
        (part.begin - dense_.t_begin() + (part.end - part.begin) / 2) /
        dense_.h();
    const double radius = (part.end - part.begin) / 2 / dense_.h();
    const Bounds excess = BoundPolynomial(scratch_, middle, radius);
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

  [[nodiscard]] double LocateIn(StepPart part) {
    if (HasCrossedAt(part.begin)) {  // By rounding only.
      return std::min(part.begin + Spacing(part.begin), part.end);
    }
    const StepPart close = CloseToRoot(part);
    return LocateCrossing(
               close.begin,
               close.end,
               [this](double t) { return ExcessAt(t); },
               [this](double excess) { return HasCrossed(excess); })
        .after;
  }

  [[nodiscard]] static bool GivesUp() noexcept { return false; }

  [[nodiscard]] int judgements() const noexcept { return judgements_; }

 private:
  // The polynomial of an operand; of one that stands still, the number that is
  // there, times 0 but for the first.
  struct Terms {
    const double* first = nullptr;
    std::size_t stride = 0;
    double factor = 0;
  };

  [[nodiscard]] Terms TermsOf(const DirectOperand& operand) const {
    if (operand.state == DirectOperand::kStandsStill) {
      return {.first = &memory_[operand.slot]};
    }
    const double* const coefficients = dense_.coefficients().data();
    return {.first = coefficients + operand.state,
            .stride = static_cast<std::size_t>(dense_.dimension()),
            .factor = 1};
  }

  // A short part around the root that Newton's method finds, if the change is
  // in there; else the part itself.
  [[nodiscard]] StepPart CloseToRoot(StepPart part) {
    constexpr int kIterations = 8;
    double theta = (part.end - dense_.t_begin()) / dense_.h();
    for (int i = 0; i < kIterations; ++i) {
      double value = 0;
      double slope = 0;
      for (std::size_t k = polynomial_.size(); k-- > 0;) {
        slope = slope * theta + value;
        value = value * theta + polynomial_[k];
      }
      const double change = value / slope;
      theta -= change;
      if (!(std::abs(change) > 1e-9 * std::abs(theta))) {
        break;  // The next change would be its square.
      }
    }
    const double t = dense_.t_begin() + theta * dense_.h();
    const double reach = 8 * Spacing(part.end);
    const StepPart close = {std::max(t - reach, part.begin),
                            std::min(t + reach, part.end)};
    const bool is_around = close.begin < close.end &&
                           !HasCrossedAt(close.begin) &&
                           HasCrossedAt(close.end);
    return is_around ? close : part;
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
    return HasChanged(excess, was_true_, relation_.is_strict);
  }

  const Relation& relation_;
  bool was_true_;
  const DenseOutput& dense_;
  std::span<const double> memory_;
  std::vector<double>& polynomial_;  // The excess over the step.
  std::vector<double>& scratch_;
  double rounding_ = 0;
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
    StepPart step,
    std::span<const std::uint8_t> truths,
    std::span<const std::uint8_t> is_ignored,
    std::span<const double> memory) {
  polynomial_.resize(static_cast<std::size_t>(dense.degree()) + 1);
  std::optional<double> first;
  for (const Relation& relation : relations_) {
    Search search(relation,
                  truths[relation.number] != 0,
                  dense,
                  memory,
                  polynomial_,
                  scratch_);
    if (is_ignored[relation.number] != 0 || !search.MayCrossUntil(step.end)) {
      continue;
    }
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
