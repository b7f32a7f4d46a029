#include "orrery/process/cells/polynomial_dynamics.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "orrery/base/error.h"
#include "orrery/process/cells/finite.h"

namespace orrery::process {
namespace {

template <std::size_t kSize>
std::array<double, kSize> CheckedCoefficients(std::string_view what,
                                              const Polynomial& curve) {
  if (curve.degree() >= kSize) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(what) + ' ' + ToText(curve) +
                    ": it is of degree " + std::to_string(curve.degree()) +
                    ", the cell of " + std::to_string(kSize - 1) +
                    " at most; use PolynomialDynamics<" +
                    std::to_string(curve.degree()) + ">");
  }
  std::array<double, kSize> coefficients{};
  std::ranges::copy(curve.coefficients(), coefficients.begin());
  for (const double coefficient : coefficients) {
    internal::Finite(std::string(what) + " a curve with the coefficient",
                     coefficient);
  }
  return coefficients;
}

template <std::size_t kSize>
std::array<ExactSum, kSize> ToSums(const std::array<double, kSize>& numbers) {
  std::array<ExactSum, kSize> sums;
  for (std::size_t i = 0; i < kSize; ++i) {
    sums[i] = ExactSum(numbers[i]);
  }
  return sums;
}

template <std::size_t kSize>
Polynomial ToPolynomial(const std::array<ExactSum, kSize>& sums) {
  std::array<double, kSize> numbers{};
  for (std::size_t i = 0; i < kSize; ++i) {
    numbers[i] = sums[i].Value();
  }
  return Polynomial{std::span<const double>(numbers)};
}

}  // namespace

template <std::size_t kDegree>
void PolynomialDynamics<kDegree>::Effect::Describe(Record& record) const {
  if (curve.set.value) {
    record.Add("set",
               ToText(Polynomial{std::span<const double>(*curve.set.value)}));
  }
  const Polynomial sum = ToPolynomial(curve.add);
  if (sum != Polynomial() || (acts && curve.set.empty())) {
    record.Add("add", ToText(sum));
  }
  if (curve.set.conflict) {
    record.Add("conflict", true);
  }
}

template <std::size_t kDegree>
PolynomialDynamics<kDegree>::PolynomialDynamics(const Polynomial& curve)
    : sums_(ToSums(CheckedCoefficients<kDegree + 1>("start at", curve))) {}

template <std::size_t kDegree>
typename PolynomialDynamics<kDegree>::Effect
PolynomialDynamics<kDegree>::Setting(const Polynomial& curve) {
  Effect effect;
  effect.curve.set.value = CheckedCoefficients<kDegree + 1>("set", curve);
  effect.acts = true;
  return effect;
}

template <std::size_t kDegree>
typename PolynomialDynamics<kDegree>::Effect
PolynomialDynamics<kDegree>::Adding(const Polynomial& curve) {
  Effect effect;
  effect.curve.add = ToSums(CheckedCoefficients<kDegree + 1>("add", curve));
  effect.acts = true;
  return effect;
}

template <std::size_t kDegree>
void PolynomialDynamics<kDegree>::Apply(const Effect& effect) {
  if (!effect.acts) {
    return;
  }
  if (elapsed_ != Duration::zero()) {
    const Polynomial now = Dynamics();
    std::array<double, kDegree + 1> coefficients{};
    std::ranges::copy(now.coefficients(), coefficients.begin());
    sums_ = ToSums(coefficients);
    elapsed_ = Duration::zero();
  }
  effect.curve.ApplyTo(sums_, conflict_);
}

template <std::size_t kDegree>
double PolynomialDynamics<kDegree>::Value() const {
  return ToPolynomial(sums_).At(elapsed_);
}

template <std::size_t kDegree>
Polynomial PolynomialDynamics<kDegree>::Dynamics() const {
  return ToPolynomial(sums_).Shifted(elapsed_);
}

template class PolynomialDynamics<1>;
template class PolynomialDynamics<2>;
template class PolynomialDynamics<3>;
template class PolynomialDynamics<4>;
template class PolynomialDynamics<5>;
template class PolynomialDynamics<6>;
template class PolynomialDynamics<7>;

}  // namespace orrery::process
