#include "orrery/sim/crossings/direct_relations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "orrery/sim/types/polynomial_bounds.h"

namespace orrery::sim::internal {
namespace {

// More are needed only if operands are equal but for rounding.
constexpr int kMostJudgements = 4000;

// Numbers of scratch for each term of a polynomial.
constexpr std::size_t kScratch = 3;

}  // namespace

DirectOperands::DirectOperands(std::size_t memory_size,
                               std::span<const std::uint32_t> state_slots,
                               std::span<const std::uint32_t> moving_slots)
    : sources_(memory_size), states_(memory_size, DirectTerm::kStandsStill) {
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
      sources_[i.target] = AddFormula(i);
    } else if (i.op != TapeOp::kReturn) {
      return false;
    }
  }
  return true;
}

// @returns the formula's source.
std::uint32_t DirectOperands::AddFormula(const Tape::Instruction& i) {
  const auto op = static_cast<Op>(i.op);
  const std::uint32_t first = sources_[i.a];
  const std::uint32_t second = sources_[i.b];
  if ((op != Op::kAdd && op != Op::kSubtract) || first >= kFirstSum ||
      second >= kFirstSum) {
    return kFormula;
  }
  sums_.push_back({.first = TermAt(first),
                   .second = TermAt(second),
                   .kind = op == Op::kAdd ? DirectOperand::Kind::kSum
                                          : DirectOperand::Kind::kDifference});
  return kFirstSum + static_cast<std::uint32_t>(sums_.size() - 1);
}

DirectTerm DirectOperands::TermAt(std::uint32_t source) const {
  return {.slot = source, .state = states_[source]};
}

std::optional<DirectOperand> DirectOperands::At(std::uint32_t slot) const {
  const std::uint32_t source = sources_[slot];
  if (source == kFormula) {
    return std::nullopt;
  }
  return source < kFirstSum ? DirectOperand{.first = TermAt(source)}
                            : sums_[source - kFirstSum];
}

// Ranges of the states that are operands, for 0 <= theta <= end.
void DirectRelations::FindRanges(const DenseOutput& dense, double end) {
  const double* first = dense.coefficients().data() + first_state_;
  const int degree = dense.degree();
  const std::ptrdiff_t to_next = dense.dimension();
  for (Range& range : ranges_) {
    const double* c = first++;
    const double begin = *c;
    double way = 0;   // Sum of all terms...
    double both = 0;  // ...and of their magnitudes.
    double size = std::abs(begin);
    double power = 1;
    for (int k = 1; k <= degree; ++k) {
      c += to_next;
      power *= end;
      const double most = power * *c;
      way += most;
      both += std::abs(most);
      size += std::abs(*c);
    }
    range = {.lower = begin + (way - both) / 2,
             .upper = begin + (way + both) / 2,
             .size = size};
  }
}

// Relations between the same operands in one step. Their excess is negative
// while they are as they were.
// @tparam kTerms terms of polynomials: dynamic_extent, or a number for which it
//     pays to unroll all loops.
template <std::size_t kTerms>
class DirectRelations::Search {
 public:
  // @param relations all were true, or all false.
  // @param scratch `kScratch` numbers a term.
  Search(std::span<const DirectRelation> relations,
         bool was_true,
         const DenseOutput& dense,
         std::span<const double> memory,
         std::span<double> scratch)
      : relations_(relations),
        relation_(relations.front()),
        was_true_(was_true),
        dense_(dense),
        memory_(memory),
        distance_(scratch.first(scratch.size() / kScratch)),
        sizes_(scratch.subspan(distance_.size(), distance_.size())),
        bernstein_(scratch.last(distance_.size())) {}

  // The first change of one of them in `step`.
  // @param parts scratch.
  [[nodiscard]] double Find(StepPart step, std::vector<StepPart>& parts) {
    FindDistance();
    const double at_once = CrossedAtOnce(step);
    return at_once < kNever ? at_once : FindIn(step, parts);
  }

  // Likewise, after all have changed at its begin.
  [[nodiscard]] double FindNext(StepPart step, std::vector<StepPart>& parts) {
    was_true_ = !was_true_;
    return step.begin < step.end ? FindIn(step, parts) : kNever;
  }

  [[nodiscard]] Verdict Judge(StepPart part) {
    ++judgements_;
    const double begin = ThetaAt(part.begin);
    const double end = ThetaAt(part.end);
    for (std::size_t k = 0; k < distance_.size(); ++k) {
      bernstein_[k] = ExcessOf(distance_[k]);
    }
    ToBernstein(bernstein_, begin, end);
    rounding_ = RoundingUpTo(end);
    if (AreBelow(bernstein_) || Fall()) {
      return Verdict::kNone;
    }
    const std::size_t first_above = FirstAbove();
    if (std::ranges::any_of(bernstein_.first(first_above),
                            [this](double c) { return c > rounding_; })) {
      return Verdict::kUndecided;
    }
    if (first_above < bernstein_.size()) {
      const double zero = ZeroOfParabola();
      guess_ = zero >= begin && zero <= end
                   ? zero
                   : begin + (end - begin) * ZeroOfPolygon(first_above);
      return Verdict::kCrossed;
    }
    guess_ = end;
    if (MayTouchWithin()) {
      return Verdict::kUndecided;
    }
    return HasCrossedAt(part.end) ? Verdict::kCrossed : Verdict::kNone;
  }

  [[nodiscard]] bool HasCrossedAt(double t) { return HasCrossed(ExcessAt(t)); }

  // At equal operands some have changed and some not.
  [[nodiscard]] bool HaveAllCrossedAt(double t) { return ExcessAt(t) > 0; }

  // Locates the change in the part that was judged last.
  [[nodiscard]] double LocateIn(StepPart part) {
    if (HasCrossedAt(part.begin)) {  // By rounding only.
      return std::min(part.begin + Spacing(part.begin), part.end);
    }
    if (const double near = FirstCrossedNear(Root(), part); near < kNever) {
      return near;
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
  [[nodiscard]] double ExcessOf(double distance) const noexcept {
    return was_true_ ? -distance : distance;
  }

  void FindDistance() {
    std::ranges::fill(distance_, 0.0);
    std::ranges::fill(sizes_, 0.0);
    AddOperand(relation_.right, 1);
    AddOperand(relation_.left, -1);
  }

  void AddOperand(const DirectOperand& operand, double sign) {
    AddTerm(operand.first, sign);
    if (operand.kind != DirectOperand::Kind::kFirst) {
      const bool is_sum = operand.kind == DirectOperand::Kind::kSum;
      AddTerm(operand.second, is_sum ? sign : -sign);
    }
  }

  void AddTerm(const DirectTerm& term, double sign) {
    if (term.state == DirectTerm::kStandsStill) {
      distance_[0] += sign * memory_[term.slot];
      sizes_[0] += std::abs(memory_[term.slot]);
      return;
    }
    const std::ptrdiff_t to_next = dense_.dimension();
    const double* c = dense_.coefficients().data() + term.state;
    for (std::size_t k = 0; k < distance_.size(); ++k) {
      distance_[k] += sign * *c;
      sizes_[k] += std::abs(*c);
      c += to_next;
    }
  }

  // Distances below it are rounding, up to theta.
  [[nodiscard]] double RoundingUpTo(double theta) const {
    double size = 0;
    for (std::size_t k = sizes_.size(); k-- > 0;) {
      size = size * theta + sizes_[k];
    }
    return kRoundingOfOperands * size;
  }

  // The double after the step's begin, if it has crossed there: an event may
  // leave operands equal that then move apart. Near t = 0 doubles lie closer
  // than any motion can tell apart.
  [[nodiscard]] double CrossedAtOnce(StepPart step) {
    const double value = ExcessOf(distance_[0]);
    const double slope = ExcessOf(distance_[1]);
    const double rise = slope * (Spacing(step.begin) / dense_.h());
    if (step.begin != dense_.t_begin() || slope <= 0 ||
        value + rise < -RoundingUpTo(0)) {
      return kNever;
    }
    const double next = std::min(std::max(NextDouble(step.begin, step.end),
                                          step.begin + Spacing(dense_.h())),
                                 step.end);
    return HasCrossedAt(next) ? next : kNever;
  }

  [[nodiscard]] double FindIn(StepPart part, std::vector<StepPart>& parts) {
    std::optional<StepPart> given_up;
    double found = SearchParts(part, kMostJudgements, *this, parts, given_up);
    if (given_up && HasCrossedAt(given_up->end)) {
      found = LocateIn(*given_up);
    }
    return found;
  }

  [[nodiscard]] double ThetaAt(double t) const {
    return (t - dense_.t_begin()) / dense_.h();
  }

  [[nodiscard]] double TimeAt(double theta) const {
    return dense_.t_begin() + theta * dense_.h();
  }

  // True if all coefficients are surely below zero.
  [[nodiscard]] bool AreBelow(std::span<const double> coefficients) const {
    return std::ranges::all_of(coefficients,
                               [this](double c) { return c < -rounding_; });
  }

  // True if each coefficient is less than the one before.
  [[nodiscard]] bool Fall() const {
    return std::ranges::adjacent_find(bernstein_, [](double before, double c) {
             return !(c < before);
           }) == bernstein_.end();
  }

  // Index of the first of the last coefficients that are surely above zero;
  // their number if there is none.
  [[nodiscard]] std::size_t FirstAbove() const {
    std::size_t first = bernstein_.size();
    while (first > 0 && bernstein_[first - 1] > rounding_) {
      --first;
    }
    return first;
  }

  // If no coefficient is surely above zero: true if more than rounding may
  // raise the polynomial there before the end.
  [[nodiscard]] bool MayTouchWithin() const {
    const bool are_zero = std::ranges::none_of(
        bernstein_, [this](double c) { return c < -rounding_; });
    return !are_zero &&
           !AreBelow(bernstein_.subspan(1, bernstein_.size() - 2)) &&
           !std::ranges::is_sorted(bernstein_);
  }

  // The zero at which the excess rises; a NaN if it is no parabola or has no
  // such zero.
  [[nodiscard]] double ZeroOfParabola() const {
    if (distance_.size() != 3) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    const double c = ExcessOf(distance_[0]);
    const double b = ExcessOf(distance_[1]);
    const double a = ExcessOf(distance_[2]);
    const double slope = std::sqrt(b * b - 4 * a * c);  // There.
    return b > 0 ? -2 * c / (b + slope) : (slope - b) / (2 * a);
  }

  // The zero, between 0 and 1, of the polygon of the coefficients before its
  // positive ones: it is close to that of the polynomial. Source: Morken and
  // Reimers, Math. Comp. 76 (2007) 845-865.
  [[nodiscard]] double ZeroOfPolygon(std::size_t first_positive) const {
    if (first_positive == 0) {
      return 0;
    }
    const double after = bernstein_[first_positive];
    const double before = bernstein_[first_positive - 1];
    return (static_cast<double>(first_positive) - after / (after - before)) /
           static_cast<double>(bernstein_.size() - 1);
  }

  // The time of the zero by Newton's method.
  [[nodiscard]] double Root() const {
    constexpr int kIterations = 16;
    double theta = guess_;
    double change_before = 0;
    for (int i = 0; i < kIterations; ++i) {
      double value = distance_.back();
      double slope = 0;
      for (std::size_t k = distance_.size() - 1; k-- > 0;) {
        slope = slope * theta + value;
        value = value * theta + distance_[k];
      }
      const double change = value / slope;
      theta -= change;
      const double ratio = std::min(std::abs(change / change_before), 1.0);
      const double next = std::abs(change) * ratio * ratio;  // An estimate.
      if (!(next * dense_.h() > Spacing(TimeAt(theta)))) {
        break;
      }
      change_before = change;
    }
    return TimeAt(theta);
  }

  // The first of the doubles near `t`, in the part, at which it has crossed.
  [[nodiscard]] double FirstCrossedNear(double t, StepPart part) {
    constexpr int kReach = 8;
    t = std::clamp(t, part.begin, part.end);
    const bool has_crossed = HasCrossedAt(t);
    for (int i = 0; i < kReach; ++i) {
      const double next = NextDouble(t, has_crossed ? part.begin : part.end);
      if (HasCrossedAt(next) != has_crossed) {
        return has_crossed ? t : next;
      }
      t = next;
    }
    return kNever;
  }

  // As its formula computes it.
  [[nodiscard]] double ValueAt(const DirectOperand& operand, double t) const {
    return operand.Combine([&](const DirectTerm& term) {
      return term.state == DirectTerm::kStandsStill
                 ? memory_[term.slot]
                 : dense_.Evaluate(term.state, t);
    });
  }

  // Keeps the result of the last time.
  [[nodiscard]] double ExcessAt(double t) {
    if (t != last_t_) {
      last_t_ = t;
      last_distance_ = ValueAt(relation_.right, t) - ValueAt(relation_.left, t);
    }
    return ExcessOf(last_distance_);
  }

  [[nodiscard]] bool HasCrossed(double excess) const noexcept {
    return excess > 0 || (excess == 0 && ChangeOnTouch());
  }

  // True if a relation changes at equal operands.
  [[nodiscard]] bool ChangeOnTouch() const noexcept {
    return std::ranges::any_of(relations_,
                               [this](const DirectRelation& relation) {
                                 return was_true_ == relation.is_strict;
                               });
  }

  std::span<const DirectRelation> relations_;
  const DirectRelation& relation_;  // One of them.
  bool was_true_;
  const DenseOutput& dense_;
  std::span<const double> memory_;
  // Polynomials in theta: the distance of the operands, the sizes of the terms
  // of its coefficients, and the excess over the part judged last.
  std::span<double, kTerms> distance_;
  std::span<double, kTerms> sizes_;
  std::span<double, kTerms> bernstein_;
  double rounding_ = 0;  // Smaller distances are rounding.
  double guess_ = 0;     // Estimate of theta at the crossing.
  double last_t_ = std::numeric_limits<double>::quiet_NaN();
  double last_distance_ = 0;  // At that time.
  int judgements_ = 0;
};

DirectRelations::DirectRelations(std::vector<DirectRelation> relations)
    : relations_(std::move(relations)) {
  std::ranges::stable_sort(relations_, {}, [](const DirectRelation& relation) {
    const DirectOperand& left = relation.left;
    const DirectOperand& right = relation.right;
    return std::tuple(left.first.slot,
                      right.first.slot,
                      left.second.slot,
                      right.second.slot,
                      left.kind,
                      right.kind);
  });
  for (std::size_t i = 0; i < relations_.size(); ++i) {
    repeats_.push_back(i > 0 && relations_[i].left == relations_[i - 1].left &&
                       relations_[i].right == relations_[i - 1].right);
  }
  FindStates();
}

void DirectRelations::FindStates() {
  std::vector<int> states;
  const auto add = [&](const DirectOperand& operand) {
    for (const int state : {operand.first.state, operand.second.state}) {
      if (state != DirectTerm::kStandsStill) {
        states.push_back(state);
      }
    }
  };
  for (const DirectRelation& relation : relations_) {
    add(relation.left);
    add(relation.right);
  }
  if (!states.empty()) {
    const auto [first, last] = std::ranges::minmax(states);
    first_state_ = first;
    ranges_.resize(static_cast<std::size_t>(last - first) + 1);
  }
}

DirectRelations::Range DirectRelations::RangeOf(
    const DirectOperand& operand, std::span<const double> memory) const {
  return operand.Combine([&](const DirectTerm& term) -> Range {
    if (term.state == DirectTerm::kStandsStill) {
      const double value = memory[term.slot];
      return {.lower = value, .upper = value, .size = std::abs(value)};
    }
    return ranges_[static_cast<std::size_t>(term.state - first_state_)];
  });
}

// The first change of relations with the same operands.
// @param rearmed null: they do not re-arm by it.
template <std::size_t kTerms>
double DirectRelations::FindChange(Search<kTerms> search,
                                   std::span<const DirectRelation> alike,
                                   StepPart step,
                                   std::vector<Rearmed>* rearmed) {
  double found = search.Find(step, parts_);
  if (found < kNever && rearmed != nullptr && search.HaveAllCrossedAt(found)) {
    for (const DirectRelation& each : alike) {
      rearmed->push_back({.relation = each.number, .t = found});
    }
    found = search.FindNext({found, step.end}, parts_);
  }
  evaluations_ += search.judgements();
  return found;
}

double DirectRelations::First(const DenseOutput& dense,
                              StepPart step,
                              std::span<const std::uint8_t> truths,
                              std::span<const std::uint8_t> is_ignored,
                              std::span<const double> memory,
                              std::vector<Rearmed>* rearmed) {
  if (relations_.empty()) {
    return kNever;
  }
  constexpr std::size_t kOfParabola = 3;
  const std::size_t terms = static_cast<std::size_t>(dense.degree()) + 1;
  scratch_.resize(kScratch * terms);
  FindRanges(dense, (step.end - dense.t_begin()) / dense.h());
  const auto is_as = [&](const DirectRelation& a, const DirectRelation& b) {
    return truths[a.number] == truths[b.number] &&
           is_ignored[a.number] == is_ignored[b.number] &&
           a.rearms_to == b.rearms_to;
  };
  double first = kNever;
  const std::span<const DirectRelation> all(relations_);
  Range distance;
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size() && step.begin < step.end; i = next) {
    const DirectRelation& one = all[i];
    if (repeats_[i] == 0) {
      distance = RangeOf(one.right, memory) - RangeOf(one.left, memory);
    }
    const bool was_true = truths[one.number] != 0;
    const double most = was_true ? -distance.lower : distance.upper;
    const double rounding = kRoundingOfOperands * distance.size;
    next = i + 1;
    if (most < -rounding || is_ignored[one.number] != 0) {
      continue;
    }
    while (next < all.size() && repeats_[next] != 0 && is_as(one, all[next])) {
      ++next;
    }
    const auto alike = all.subspan(i, next - i);
    std::vector<Rearmed>* const to_rearm =
        one.rearms_to == !was_true ? rearmed : nullptr;
    const double found =
        terms == kOfParabola
            ? FindChange(
                  Search<kOfParabola>(alike, was_true, dense, memory, scratch_),
                  alike,
                  step,
                  to_rearm)
            : FindChange(Search<std::dynamic_extent>(
                             alike, was_true, dense, memory, scratch_),
                         alike,
                         step,
                         to_rearm);
    if (found < kNever) {
      first = found;
      step.end = NextDouble(found, step.begin);
    }
  }
  return first;
}

}  // namespace orrery::sim::internal
