#pragma once

#include <array>
#include <cstddef>

#include "orrery/base/numbers/exact_sum.h"
#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/cells/set_then_add.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

/// A cell type: a number that goes on as a polynomial of the time since the
/// last effect.
///
/// The curve is set and added to as a whole. In sequence the order counts.
/// Concurrent additions sum up; concurrent sets agree or conflict as those of a
/// Register, and what is added concurrently is added to what is set. The sums
/// within an instant are exact, each coefficient rounded once to be read.
/// @tparam kDegree the highest degree, 1 to 7.
template <std::size_t kDegree = 3>
class PolynomialDynamics {
  static_assert(kDegree >= 1 && kDegree <= Polynomial::kMaxDegree);

  using Part = internal::SetThenAdd<kDegree + 1>;

 public:
  struct Effect {
    Part curve;
    bool acts = false;  ///< Also to add 0 is an effect, none is not.

    friend bool operator==(const Effect&, const Effect&) = default;

    /// {set: "1 + 2 s", add: "3 s"}: those that there are.
    void Describe(Record& record) const;
  };

  /// @throws Error kInvalidArgument, as all that follow, for a degree above
  ///     kDegree and for coefficients that are not finite.
  explicit PolynomialDynamics(const Polynomial& curve = {});

  /// @param curve of the seconds from the effect on.
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

/// A number that goes on along a line.
using LinearDynamics = PolynomialDynamics<1>;

extern template class PolynomialDynamics<1>;
extern template class PolynomialDynamics<2>;
extern template class PolynomialDynamics<3>;
extern template class PolynomialDynamics<4>;
extern template class PolynomialDynamics<5>;
extern template class PolynomialDynamics<6>;
extern template class PolynomialDynamics<7>;

}  // namespace orrery::process
