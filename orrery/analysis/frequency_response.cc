#include "orrery/analysis/frequency_response.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

#include <Eigen/Core>
#include <fmt/format.h>

#include "orrery/analysis/dense_algebra.h"
#include "orrery/analysis/eigen_matrix.h"
#include "orrery/base/error.h"

namespace orrery {

namespace internal = analysis::internal;

namespace {

using Complex = std::complex<double>;
using Eigen::Index;

constexpr double kPointsPerDecade = 50;
constexpr double kDegrees = 180 / std::numbers::pi;

// G(jw) of one channel and its derivative by w.
class Transfer {
 public:
  Transfer(const LinearSystem& system, Channel channel)
      : feedthrough_(system.d(channel.output, channel.input)) {
    const Eigen::MatrixXd b = internal::ToEigen(system.b);
    const Eigen::MatrixXd c = internal::ToEigen(system.c);
    const auto input = static_cast<Index>(channel.input);
    const auto output = static_cast<Index>(channel.output);
    if (system.a.rows() == 0) {
      return;
    }
    const auto [q, h] = internal::HessenbergOf(internal::ToEigen(system.a));
    hessenberg_ = h;
    input_ = internal::Product(q.transpose(), b.col(input));
    output_ = internal::Product(c.row(output), q);
  }

  [[nodiscard]] Complex At(double w) {
    Solve(w, input_.cast<Complex>());
    return feedthrough_ + Output();
  }

  // True if the last value may be rounding of its terms.
  [[nodiscard]] bool IsRounding(Complex value) const {
    const double terms =
        std::abs(feedthrough_) + output_.norm() * solution_.norm();
    return std::abs(value) <= 1e-14 * terms;
  }

  // d/dw |G|^2 / 2 = Re(conj(G) dG/dw), where dG/dw = -j C (jw I - A)^-2 B.
  [[nodiscard]] double GrowthAt(double w) {
    const Complex value = At(w);
    Eigen::VectorXcd first = solution_;
    Solve(w, std::move(first));
    return (std::conj(value) * Complex(0, -1) * Output()).real();
  }

 private:
  [[nodiscard]] Complex Output() const {
    return (output_.cast<Complex>() * solution_).value();
  }

  // Solves (jw I - H) x = right, with pivoting between neighbours.
  void Solve(double w, Eigen::VectorXcd right) {
    const Index n = hessenberg_.rows();
    matrix_ = -hessenberg_.cast<Complex>();
    matrix_.diagonal().array() += Complex(0, w);
    for (Index k = 0; k + 1 < n; ++k) {
      if (std::abs(matrix_(k + 1, k)) > std::abs(matrix_(k, k))) {
        matrix_.row(k).tail(n - k).swap(matrix_.row(k + 1).tail(n - k));
        std::swap(right[k], right[k + 1]);
      }
      if (matrix_(k + 1, k) != Complex(0)) {
        const Complex factor = matrix_(k + 1, k) / matrix_(k, k);
        matrix_.row(k + 1).tail(n - k) -= factor * matrix_.row(k).tail(n - k);
        right[k + 1] -= factor * right[k];
      }
    }
    solution_ = std::move(right);
    matrix_.triangularView<Eigen::Upper>().solveInPlace(solution_);
  }

  double feedthrough_;
  Eigen::MatrixXd hessenberg_;
  Eigen::VectorXd input_;
  Eigen::RowVectorXd output_;
  Eigen::MatrixXcd matrix_;
  Eigen::VectorXcd solution_;
};

// The system of one input and one output.
LinearSystem SystemOf(const LinearSystem& system, Channel channel) {
  ORRERY_CHECK(channel.input < system.inputs.size() &&
               channel.output < system.outputs.size());
  const std::size_t n = system.states.size();
  LinearSystem single{.states = system.states,
                      .inputs = {system.inputs[channel.input]},
                      .outputs = {system.outputs[channel.output]},
                      .a = system.a,
                      .b = Matrix(n, 1),
                      .c = Matrix(1, n),
                      .d = Matrix(1, 1)};
  for (std::size_t i = 0; i < n; ++i) {
    single.b(i, 0) = system.b(i, channel.input);
    single.c(0, i) = system.c(channel.output, i);
  }
  single.d(0, 0) = system.d(channel.output, channel.input);
  return single;
}

// Poles and zeros, without those at the origin.
std::vector<Complex> Landmarks(const LinearSystem& single) {
  std::vector<Complex> marks = ZerosOf(single);
  for (const Mode& mode : ModesOf(single)) {
    marks.push_back(mode.eigenvalue);
  }
  double largest = 0;
  for (const Complex& mark : marks) {
    largest = std::max(largest, std::abs(mark));
  }
  std::erase_if(marks, [largest](const Complex& mark) {
    return std::abs(mark) <= 1e-10 * largest;
  });
  return marks;
}

void CheckFrequencies(std::span<const double> frequencies) {
  double before = 0;
  for (const double w : frequencies) {
    if (!(w > before && std::isfinite(w))) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot compute a frequency response at {} "
                              "rad/s: frequencies must be positive, finite "
                              "and ascending",
                              w));
    }
    before = w;
  }
}

// The zero of f in [low, high], at a change of sign, by bisection to the last
// bit: robust if f has poles, and cheap enough.
template <typename Function>
double Bisect(Function f, double low, double high) {
  const bool is_negative = f(low) < 0;
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) {
      break;
    }
    ((f(middle) < 0) == is_negative ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

double FirstPhase(std::span<const Complex> values,
                  std::span<const double> frequencies) {
  if (values.empty()) {
    return 0;
  }
  const double phase = std::arg(values.front()) * kDegrees;
  const bool is_negative = std::abs(phase) > 180 - 1e-6;
  if (!is_negative) {
    return phase;
  }
  const bool falls =
      values.size() > 1 && std::abs(values[1]) * frequencies[1] <
                               std::abs(values[0]) * frequencies[0];
  return falls ? -std::abs(phase) : std::abs(phase);
}

}  // namespace

std::vector<double> DefaultFrequencies(const LinearSystem& system,
                                       Channel channel) {
  const std::vector<Complex> marks = Landmarks(SystemOf(system, channel));
  double slowest = marks.empty() ? 0.1 : std::numeric_limits<double>::max();
  double fastest = marks.empty() ? 10 : 0;
  std::vector<double> frequencies;
  for (const Complex& mark : marks) {
    const double size = std::abs(mark);
    slowest = std::min(slowest, size);
    fastest = std::max(fastest, size);
    const double width = std::abs(mark.real());
    if (width > 0 && width < 0.3 * size) {
      for (int k = -8; k <= 8; ++k) {
        frequencies.push_back(std::abs(mark.imag()) + 0.5 * k * width);
      }
    }
  }
  const double low = std::floor(std::log10(slowest)) - 1;
  const double high = std::ceil(std::log10(fastest)) + 1;
  const auto count = static_cast<int>((high - low) * kPointsPerDecade);
  for (int i = 0; i <= count; ++i) {
    frequencies.push_back(std::pow(10, low + i / kPointsPerDecade));
  }
  std::ranges::sort(frequencies);
  frequencies.erase(std::unique(frequencies.begin(), frequencies.end()),
                    frequencies.end());
  std::erase_if(frequencies, [](double w) { return !(w > 0); });
  return frequencies;
}

FrequencyResponse FrequencyResponseOf(const LinearSystem& system,
                                      Channel channel,
                                      std::span<const double> frequencies) {
  CheckFrequencies(frequencies);
  // The phase is followed over more frequencies than are wanted.
  const std::vector<double> own = DefaultFrequencies(system, channel);
  std::vector<double> all;
  std::ranges::set_union(own, frequencies, std::back_inserter(all));
  Transfer transfer(system, channel);
  std::vector<Complex> values;
  std::vector<bool> has_phase;
  values.reserve(all.size());
  for (const double w : all) {
    const Complex value = transfer.At(w);
    values.push_back(value);
    // There is none on an undamped pole or within rounding.
    has_phase.push_back(std::isfinite(std::abs(value)) &&
                        !transfer.IsRounding(value));
  }
  FrequencyResponse result{.input = system.inputs[channel.input].name,
                           .output = system.outputs[channel.output].name};
  const std::span<const double> wanted =
      frequencies.empty() ? std::span(own) : frequencies;
  auto next = wanted.begin();
  const auto first = static_cast<std::size_t>(
      std::ranges::find(has_phase, true) - has_phase.begin());
  double phase = FirstPhase(std::span(values).subspan(first),
                            std::span(all).subspan(first));
  for (std::size_t i = 0; i < all.size() && next != wanted.end(); ++i) {
    const double principal = std::arg(values[i]) * kDegrees;
    const double nearest =
        principal + 360 * std::round((phase - principal) / 360);
    if (has_phase[i]) {
      phase = nearest;
    }
    if (all[i] == *next) {
      ++next;
      result.frequencies.push_back(all[i]);
      result.values.push_back(values[i]);
      result.magnitudes_db.push_back(20 * std::log10(std::abs(values[i])));
      result.phases_deg.push_back(std::isfinite(nearest) ? nearest : phase);
    }
  }
  return result;
}

std::optional<ResonancePeak> ResonanceOf(const LinearSystem& system,
                                         Channel channel) {
  const std::vector<double> grid = DefaultFrequencies(system, channel);
  Transfer transfer(system, channel);
  std::optional<ResonancePeak> best;
  double before = transfer.GrowthAt(grid.front());
  // Growth that is rounding alone is none.
  double flat = 1e-12 * std::norm(transfer.At(grid.front())) / grid.front();
  for (std::size_t i = 1; i < grid.size(); ++i) {
    const double growth = transfer.GrowthAt(grid[i]);
    if (std::exchange(before, growth) > flat && growth < 0) {
      const double w = Bisect([&](double at) { return transfer.GrowthAt(at); },
                              grid[i - 1],
                              grid[i]);
      const double magnitude = std::abs(transfer.At(w));
      if (!best || magnitude > best->magnitude) {
        best = ResonancePeak{.frequency = w, .magnitude = magnitude};
      }
    }
    flat = 1e-12 * std::norm(transfer.At(grid[i])) / grid[i];
  }
  return best;
}

StabilityMargins MarginsOf(const LinearSystem& system, Channel channel) {
  const std::vector<double> grid = DefaultFrequencies(system, channel);
  Transfer transfer(system, channel);
  const auto imaginary = [&](double w) {
    return transfer.At(w).imag();
  };
  const auto excess = [&](double w) {
    return std::abs(transfer.At(w)) - 1;
  };
  StabilityMargins margins;
  const auto take_gain = [&](double w) {
    const double factor = 1 / std::abs(transfer.At(w));
    if (!margins.gain ||
        std::abs(std::log(factor)) < std::abs(std::log(*margins.gain))) {
      margins.gain = factor;
      margins.gain_frequency = w;
    }
  };
  const auto take_phase = [&](double w) {
    const double phase = std::arg(-transfer.At(w)) * kDegrees;
    if (!margins.phase_deg || std::abs(phase) < std::abs(*margins.phase_deg)) {
      margins.phase_deg = phase;
      margins.phase_frequency = w;
    }
  };
  Complex before = transfer.At(grid.front());
  for (std::size_t i = 1; i < grid.size(); ++i) {
    const Complex value = transfer.At(grid[i]);
    const bool is_negative = before.real() < 0 && value.real() < 0;
    if (is_negative && (before.imag() < 0) != (value.imag() < 0)) {
      take_gain(Bisect(imaginary, grid[i - 1], grid[i]));
    }
    if ((std::abs(before) < 1) != (std::abs(value) < 1)) {
      take_phase(Bisect(excess, grid[i - 1], grid[i]));
    }
    before = value;
  }
  return margins;
}

}  // namespace orrery
