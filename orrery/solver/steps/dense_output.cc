#include "orrery/solver/steps/dense_output.h"

#include "orrery/base/error.h"

namespace orrery {

void DenseOutput::Transfer(StateStream& stream, int dimension) {
  constexpr int kMostDegree = 1000;
  stream.Number(t_begin_);
  stream.Number(h_);
  stream.Number(degree_);
  stream.Number(dimension_);
  stream.Expect(
      dimension_ == dimension && degree_ >= 0 && degree_ <= kMostDegree,
      "polynomials of other states");
  stream.Numbers(coefficients_);
  stream.Expect(
      coefficients_.size() >= static_cast<std::size_t>(dimension_) *
                                  static_cast<std::size_t>(degree_ + 1),
      "polynomials without terms");
}

void DenseOutput::Reset(int dimension, int degree, double t_begin, double h) {
  ORRERY_CHECK(dimension >= 1 && degree >= 1);
  dimension_ = dimension;
  degree_ = degree;
  t_begin_ = t_begin;
  h_ = h;
  coefficients_.resize(static_cast<std::size_t>(dimension) *
                       static_cast<std::size_t>(degree + 1));
}

void DenseOutput::Evaluate(double t, std::span<double> x) const noexcept {
  constexpr int kFew = 4;  // Too few to fill vectors.
  if (dimension_ <= kFew) {
    for (int i = 0; i < dimension_; ++i) {
      x[static_cast<std::size_t>(i)] = Evaluate(i, t);
    }
    return;
  }
  const double theta = (t - t_begin_) / h_;
  const auto n = static_cast<std::size_t>(dimension_);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = coefficients_[coefficients_.size() - n + i];
  }
  for (std::size_t row = static_cast<std::size_t>(degree_); row-- > 0;) {
    const double* c = coefficients_.data() + row * n;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = x[i] * theta + c[i];
    }
  }
}

void SetHermite(const StepEnds& ends, DenseOutput& dense) noexcept {
  const double h = dense.h();
  const std::span<double> c0 = dense.coefficients(0);
  const std::span<double> c1 = dense.coefficients(1);
  const std::span<double> c2 = dense.coefficients(2);
  const std::span<double> c3 = dense.coefficients(3);
  for (std::size_t i = 0; i < c0.size(); ++i) {
    const double rise = ends.x_end[i] - ends.x_begin[i];
    const double begin = h * ends.slope_begin[i];
    const double end = h * ends.slope_end[i];
    c0[i] = ends.x_begin[i];
    c1[i] = begin;
    c2[i] = 3 * rise - 2 * begin - end;
    c3[i] = begin + end - 2 * rise;
  }
}

}  // namespace orrery
