#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace orrery {

// The hand-written systems of the benchmark: derivatives and, for stiff
// systems, the elements of the Jacobian that are not 0, by at(row, column,
// value).

struct Oscillator {
  using State = std::array<double, 2>;

  [[nodiscard]] static State Start() { return {1, 0}; }

  static void Slopes(const double* x, double* dx) {
    dx[0] = x[1];
    dx[1] = -x[0];
  }
};

struct Lorenz {
  using State = std::array<double, 3>;

  [[nodiscard]] static State Start() { return {1, 1, 1}; }

  static void Slopes(const double* x, double* dx) {
    dx[0] = 10 * (x[1] - x[0]);
    dx[1] = x[0] * (28 - x[2]) - x[1];
    dx[2] = x[0] * x[1] - 8.0 / 3.0 * x[2];
  }
};

struct Pleiades {
  static constexpr std::size_t kStars = 7;
  using State = std::array<double, 4 * kStars>;

  [[nodiscard]] static State Start() {
    return {3, 3, -1, -3, 2, -2,   2,    3, -3, 2, 0,     0, -4, 4,
            0, 0, 0,  0,  0, 1.75, -1.5, 0, 0,  0, -1.25, 1, 0,  0};
  }

  static void Slopes(const double* x, double* dx) {
    constexpr std::size_t kHalf = 2 * kStars;
    const double* y = x + kStars;
    double* const ax = dx + kHalf;
    double* const ay = ax + kStars;
    for (std::size_t i = 0; i < kHalf; ++i) {
      dx[i] = x[kHalf + i];
      ax[i] = 0;
    }
    for (std::size_t i = 0; i < kStars; ++i) {
      for (std::size_t j = i + 1; j < kStars; ++j) {
        const double across = x[j] - x[i];
        const double up = y[j] - y[i];
        const double square = across * across + up * up;
        const double pull = 1 / (square * std::sqrt(square));
        const auto mass_i = static_cast<double>(i + 1);
        const auto mass_j = static_cast<double>(j + 1);
        ax[i] += mass_j * pull * across;
        ay[i] += mass_j * pull * up;
        ax[j] -= mass_i * pull * across;
        ay[j] -= mass_i * pull * up;
      }
    }
  }
};

struct VanDerPol {
  static constexpr double kMu = 1000;
  using State = std::array<double, 2>;

  [[nodiscard]] static State Start() { return {2, 0}; }

  static void Slopes(const double* x, double* dx) {
    dx[0] = x[1];
    dx[1] = kMu * (1 - x[0] * x[0]) * x[1] - x[0];
  }

  template <typename Put>
  static void Jacobian(const double* x, Put at) {
    at(0, 1, 1);
    at(1, 0, -2 * kMu * x[0] * x[1] - 1);
    at(1, 1, kMu * (1 - x[0] * x[0]));
  }
};

struct Robertson {
  using State = std::array<double, 3>;

  [[nodiscard]] static State Start() { return {1, 0, 0}; }

  static void Slopes(const double* x, double* dx) {
    const double forth = 0.04 * x[0];
    const double back = 1e4 * x[1] * x[2];
    const double on = 3e7 * x[1] * x[1];
    dx[0] = back - forth;
    dx[1] = forth - back - on;
    dx[2] = on;
  }

  template <typename Put>
  static void Jacobian(const double* x, Put at) {
    at(0, 0, -0.04);
    at(0, 1, 1e4 * x[2]);
    at(0, 2, 1e4 * x[1]);
    at(1, 0, 0.04);
    at(1, 1, -1e4 * x[2] - 6e7 * x[1]);
    at(1, 2, -1e4 * x[1]);
    at(2, 1, 6e7 * x[1]);
  }
};

struct Hires {
  using State = std::array<double, 8>;

  [[nodiscard]] static State Start() { return {1, 0, 0, 0, 0, 0, 0, 0.0057}; }

  static void Slopes(const double* x, double* dx) {
    const double bind = 280 * x[5] * x[7];
    dx[0] = -1.71 * x[0] + 0.43 * x[1] + 8.32 * x[2] + 0.0007;
    dx[1] = 1.71 * x[0] - 8.75 * x[1];
    dx[2] = -10.03 * x[2] + 0.43 * x[3] + 0.035 * x[4];
    dx[3] = 8.32 * x[1] + 1.71 * x[2] - 1.12 * x[3];
    dx[4] = -1.745 * x[4] + 0.43 * x[5] + 0.43 * x[6];
    dx[5] = -bind + 0.69 * x[3] + 1.71 * x[4] - 0.43 * x[5] + 0.69 * x[6];
    dx[6] = bind - 1.81 * x[6];
    dx[7] = -bind + 1.81 * x[6];
  }

  template <typename Put>
  static void Jacobian(const double* x, Put at) {
    at(0, 0, -1.71);
    at(0, 1, 0.43);
    at(0, 2, 8.32);
    at(1, 0, 1.71);
    at(1, 1, -8.75);
    at(2, 2, -10.03);
    at(2, 3, 0.43);
    at(2, 4, 0.035);
    at(3, 1, 8.32);
    at(3, 2, 1.71);
    at(3, 3, -1.12);
    at(4, 4, -1.745);
    at(4, 5, 0.43);
    at(4, 6, 0.43);
    at(5, 3, 0.69);
    at(5, 4, 1.71);
    at(5, 5, -280 * x[7] - 0.43);
    at(5, 6, 0.69);
    at(5, 7, -280 * x[5]);
    at(6, 5, 280 * x[7]);
    at(6, 6, -1.81);
    at(6, 7, 280 * x[5]);
    at(7, 5, -280 * x[7]);
    at(7, 6, 1.81);
    at(7, 7, -280 * x[5]);
  }
};

/// u_1, v_1, u_2, v_2, ...: a band of two elements on both sides.
class Brusselator {
 public:
  using State = std::vector<double>;

  static constexpr double kPi = 3.141592653589793;

  explicit Brusselator(int points)
      : n_(static_cast<std::size_t>(points)),
        diffusion_(0.02 * (points + 1.0) * (points + 1.0)) {}

  [[nodiscard]] State Start() const {
    State x(2 * n_, 3);
    for (std::size_t i = 0; i < n_; ++i) {
      x[2 * i] = 1 + std::sin(2 * kPi * static_cast<double>(i + 1) /
                              static_cast<double>(n_ + 1));
    }
    return x;
  }

  void Slopes(const double* x, double* dx) const {
    const std::size_t last = n_ - 1;
    Point(1, 3, x, x[2], x[3], dx);
    for (std::size_t i = 1; i < last; ++i) {
      const double* const at = x + 2 * i;
      Point(at[-2], at[-1], at, at[2], at[3], dx + 2 * i);
    }
    const double* const at = x + 2 * last;
    Point(at[-2], at[-1], at, 1, 3, dx + 2 * last);
  }

  template <typename Put>
  void Jacobian(const double* x, Put at) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const std::size_t u = 2 * i;
      const std::size_t v = u + 1;
      at(u, u, 2 * x[u] * x[v] - 4 - 2 * diffusion_);
      at(u, v, x[u] * x[u]);
      at(v, u, 3 - 2 * x[u] * x[v]);
      at(v, v, -x[u] * x[u] - 2 * diffusion_);
      for (const std::size_t k : {u, v}) {
        if (i > 0) {
          at(k, k - 2, diffusion_);
        }
        if (i + 1 < n_) {
          at(k, k + 2, diffusion_);
        }
      }
    }
  }

 private:
  // NOLINTNEXTLINE(readability-function-size): a stencil of two quantities.
  void Point(double u_before,
             double v_before,
             const double* x,
             double u_after,
             double v_after,
             double* dx) const {
    const double square = x[0] * x[0] * x[1];
    dx[0] =
        1 + square - 4 * x[0] + diffusion_ * (u_before - 2 * x[0] + u_after);
    dx[1] = 3 * x[0] - square + diffusion_ * (v_before - 2 * x[1] + v_after);
  }

  std::size_t n_;
  double diffusion_;
};

}  // namespace orrery
