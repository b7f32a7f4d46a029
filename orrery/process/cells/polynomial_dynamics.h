#pragma once

#include <array>
#include <cstddef>

#include "orrery/base/numbers/exact_sum.h"
#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/cells/set_then_add.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

/// A cell type: a number that is a polynomial of the time since the last
/// effect.
///
/// Effects set and add to the curve as a whole. In sequence the order counts.
/// Concurrent additions sum up; concurrent sets agree or conflict as those of a
/// Register, and concurrent additions are added to the curve that is set. The
/// sums within an instant are exact, each coefficient rounded once to be read.
/// @tparam kDegree the highest degree, 1 to 7.
template <std::size_t kDegree = 3>
class PolynomialDynamics {
  static_assert(kDegree >= 1 && kDegree <= Polynomial::kMaxDegree);

  using Part = internal::SetThenAdd<kDegree + 1>;

 public:
  struct Effect {
    Part curve;
    bool acts = false;  ///< False for no effect; to add 0 is one.

    friend bool operator==(const Effect&, const Effect&) = default;

    /// {set: "1 + 2 s", add: "3 s"}, as far as present.
    void Describe(Record& record) const;
  };

  /// @throws Error kInvalidArgument, as do the functions below, for a degree
  ///     above kDegree and for coefficients that are not finite.
  explicit PolynomialDynamics(const Polynomial& curve = {});

  /// @param curve of the seconds since the effect.
  static Effect Setting(const Polynomial& curve);
  static Effect Adding(const Polynomial& curve);

  static Effect Empty() { return {}; }

  static Effect Sequentially(const Effect& first, const Effect& second) {
    return {.curve = Part::Sequentially(first.curve, second.curve),
            .acts = first.acts || second.acts};
  }

  static Effect Concurrently(const Effect& a, const Effect& b) {
    return {.curve = Part::Concurrently(a.curve, b.curve),
            .acts = a.acts || b.acts};
  }

  void Apply(const Effect& effect);

  void Step(Duration dt) { elapsed_ += dt; }

  [[nodiscard]] double Value() const;
  [[nodiscard]] Polynomial Dynamics() const;

  [[nodiscard]] bool HasConflict() const { return conflict_; }

  friend bool operator==(const PolynomialDynamics&,
                         const PolynomialDynamics&) = default;

 private:
  typename Part::Sums sums_{};  // The coefficients at the last effect.
  Duration elapsed_{0};         // Since the last effect.
  bool conflict_ = false;
};

/// A number that is a line over time.
using LinearDynamics = PolynomialDynamics<1>;

extern template class PolynomialDynamics<1>;
extern template class PolynomialDynamics<2>;
extern template class PolynomialDynamics<3>;
extern template class PolynomialDynamics<4>;
extern template class PolynomialDynamics<5>;
extern template class PolynomialDynamics<6>;
extern template class PolynomialDynamics<7>;

}  // namespace orrery::process
