#include "orrery/sdk/bench/ensemble_by_hand.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace orrery {
namespace {

constexpr double kSigma = 10;
constexpr double kBeta = 8.0 / 3;

// Lanes of a vector of this machine, one for each trajectory.
#ifdef __AVX512F__
constexpr std::size_t kWidth = 8;
#else
constexpr std::size_t kWidth = 4;
#endif
using Vec __attribute__((vector_size(kWidth * sizeof(double)))) = double;
using BitsOfVec __attribute__((vector_size(kWidth * sizeof(double)))) =
    std::int64_t;

Vec All(double value) {
  return value - Vec{};
}

Vec Min(Vec a, Vec b) {
  return a < b ? a : b;
}

Vec Max(Vec a, Vec b) {
  return a > b ? a : b;
}

Vec Abs(Vec a) {
  return std::bit_cast<Vec>(std::bit_cast<BitsOfVec>(a) &
                            std::numeric_limits<std::int64_t>::max());
}

// 2^52 times the logarithm to base 2, to 0.09 * 2^52: the bits, read as a
// number (Mitchell, Computer multiplication and division using binary
// logarithms, 1962). The choice of a step needs no more, since the error is
// divided by the order.
Vec RoughLog(Vec a) {
  return __builtin_convertvector(std::bit_cast<BitsOfVec>(a), Vec);
}

constexpr double RoughLog(double a) {
  return static_cast<double>(std::bit_cast<std::int64_t>(a));
}

Vec RoughExp(Vec log) {
  return std::bit_cast<Vec>(__builtin_convertvector(log, BitsOfVec));
}

struct Point {
  Vec x;
  Vec y;
  Vec z;
};

Point operator+(const Point& a, const Point& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <typename Factor>
Point operator*(Factor factor, const Point& a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}

Vec MaxNorm(const Point& a) {
  return Max(Max(Abs(a.x), Abs(a.y)), Abs(a.z));
}

Point Slope(const Point& at, Vec rho) {
  return {kSigma * (at.y - at.x),
          at.x * (rho - at.z) - at.y,
          at.x * at.y - kBeta * at.z};
}

// Trajectories in progress, one in each lane.
struct Lanes {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  Lanes() { trajectories.fill(kNone); }

  Point at{};
  Point slope{};
  Vec rho{};
  Vec left{};   // Time to the end; 0 at the end.
  Vec step{};   // The next one, unless the end clips it.
  Vec steps{};  // Number of accepted steps.
  std::array<std::size_t, kWidth> trajectories{};
};

// The trajectories that are still to be integrated, and the ends of the others.
class Ensemble {
 public:
  explicit Ensemble(std::span<const double> rho)
      : rho_(rho),
        ends_{.x = std::vector<double>(rho.size()),
              .y = std::vector<double>(rho.size()),
              .z = std::vector<double>(rho.size())} {}

  // Stores the ends that are reached, and starts the next trajectories in their
  // lanes. Returns false if none is in progress.
  bool Refill(std::span<Lanes> groups) {
    bool is_busy = false;
    for (Lanes& lanes : groups) {
      for (std::size_t lane = 0; lane < kWidth; ++lane) {
        if (lanes.left[lane] == 0) {
          Keep(lanes, lane);
          Begin(lanes, lane);
        }
        is_busy = is_busy || lanes.left[lane] > 0;
      }
    }
    return is_busy;
  }

  // Returns the ends of all, once none is in progress.
  LorenzEnds Finish(std::span<const Lanes> groups) {
    for (const Lanes& lanes : groups) {
      for (std::size_t lane = 0; lane < kWidth; ++lane) {
        ends_.steps += static_cast<std::int64_t>(lanes.steps[lane]);
      }
    }
    return std::move(ends_);
  }

 private:
  void Keep(const Lanes& lanes, std::size_t lane) {
    const std::size_t i = lanes.trajectories[lane];
    if (i != Lanes::kNone) {
      ends_.x[i] = lanes.at.x[lane];
      ends_.y[i] = lanes.at.y[lane];
      ends_.z[i] = lanes.at.z[lane];
    }
  }

  void Begin(Lanes& lanes, std::size_t lane) {
    lanes.trajectories[lane] = Lanes::kNone;
    if (next_ == rho_.size()) {
      return;
    }
    constexpr double kFirstStep = 1e-3;
    lanes.trajectories[lane] = next_;
    lanes.rho[lane] = rho_[next_];
    lanes.at.x[lane] = 1;
    lanes.at.y[lane] = 1;
    lanes.at.z[lane] = 1;
    lanes.slope = Slope(lanes.at, lanes.rho);
    lanes.left[lane] = kEnsembleStop;
    lanes.step[lane] = kFirstStep;
    ++next_;
  }

  std::span<const double> rho_;
  std::size_t next_ = 0;
  LorenzEnds ends_;
};

// Advances several groups in turn, since one group does not keep the units
// busy.
template <typename MethodT>
LorenzEnds Integrate(std::span<const double> rho) {
  Ensemble ensemble(rho);
  std::array<Lanes, MethodT::kGroups> groups;
  while (ensemble.Refill(groups)) {
    MethodT::Advance(groups);
  }
  return ensemble.Finish(groups);
}

struct RungeKutta4 {
  static constexpr std::size_t kGroups = 4;

  // Integrates to the end, with the states in registers.
  static void Advance(std::span<Lanes, kGroups> groups) {
    std::array<Point, kGroups> ends{};
    for (std::size_t i = 0; i < kGroups; ++i) {
      ends[i] = groups[i].at;
    }
    for (int step = 0; step < kEnsembleSteps; ++step) {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kGroups; ++i) {
        ends[i] = After(kEnsembleStop / kEnsembleSteps, ends[i], groups[i].rho);
      }
    }
    for (std::size_t i = 0; i < kGroups; ++i) {
      groups[i].at = ends[i];
      groups[i].steps += groups[i].left > 0 ? All(kEnsembleSteps) : All(0);
      groups[i].left = All(0);
    }
  }

 private:
  static Point After(double h, const Point& at, Vec rho) {
    const Point k1 = Slope(at, rho);
    const Point k2 = Slope(at + h / 2 * k1, rho);
    const Point k3 = Slope(at + h / 2 * k2, rho);
    const Point k4 = Slope(at + h * k3, rho);
    return at + h / 6 * k1 + h / 3 * k2 + h / 3 * k3 + h / 6 * k4;
  }
};

// Takes several steps of each group before the next check for ends.
template <typename MethodT>
void TakeSteps(int steps, std::span<Lanes> groups) {
  for (int i = 0; i < steps; ++i) {
    for (Lanes& lanes : groups) {
      MethodT::Step(lanes);
    }
  }
}

struct DormandPrince5 {
  static constexpr std::size_t kGroups = 4;

  static void Advance(std::span<Lanes> groups) {
    TakeSteps<DormandPrince5>(8, groups);
  }

  static void Step(Lanes& lanes) {
    const Point at = lanes.at;
    const Vec rho = lanes.rho;
    const Vec h = Min(lanes.step, lanes.left);
    const Point k1 = lanes.slope;
    const Point k2 = Slope(at + h * (1.0 / 5 * k1), rho);
    const Point k3 = Slope(at + h * (3.0 / 40 * k1 + 9.0 / 40 * k2), rho);
    const Point k4 =
        Slope(at + h * (44.0 / 45 * k1 + -56.0 / 15 * k2 + 32.0 / 9 * k3), rho);
    const Point k5 =
        Slope(at + h * (19372.0 / 6561 * k1 + -25360.0 / 2187 * k2 +
                        64448.0 / 6561 * k3 + -212.0 / 729 * k4),
              rho);
    const Point k6 = Slope(
        at + h * (9017.0 / 3168 * k1 + -355.0 / 33 * k2 + 46732.0 / 5247 * k3 +
                  49.0 / 176 * k4 + -5103.0 / 18656 * k5),
        rho);
    const Point end =
        at + h * (35.0 / 384 * k1 + 500.0 / 1113 * k3 + 125.0 / 192 * k4 +
                  -2187.0 / 6784 * k5 + 11.0 / 84 * k6);
    const Point k7 = Slope(end, rho);
    const Point error = 71.0 / 57600 * k1 + -71.0 / 16695 * k3 +
                        71.0 / 1920 * k4 + -17253.0 / 339200 * k5 +
                        22.0 / 525 * k6 + -1.0 / 40 * k7;
    Finish(h, error, end, k7, lanes);
  }

 private:
  // `error` is to be multiplied by h. The norm is used as a squared fraction,
  // to avoid the division.
  static void Finish(Vec h,
                     const Point& error,
                     const Point& end,
                     const Point& slope,
                     Lanes& lanes) {
    constexpr double kSafety = 0.94;  // Gives the fewest attempts.
    // Matches the errors of our run, which steps more carefully: at the same
    // tolerance these would be 1.5 times as large.
    constexpr double kTolerance = kEnsembleTolerance / 1.5;
    constexpr double kLeastFactor = 0.2;
    constexpr double kMostFactor = 10;
    constexpr double kStates = 3;
    const Vec x = 1 + Max(Abs(lanes.at.x), Abs(end.x));
    const Vec y = 1 + Max(Abs(lanes.at.y), Abs(end.y));
    const Vec z = 1 + Max(Abs(lanes.at.z), Abs(end.z));
    const Vec of_x = error.x * (y * z);
    const Vec of_y = error.y * (x * z);
    const Vec of_z = error.z * (x * y);
    const Vec size = x * y * z;
    const Vec above = h * h * (of_x * of_x + of_y * of_y + of_z * of_z);
    const Vec below = kStates * kTolerance * kTolerance * (size * size);
    const Vec log_factor =
        RoughLog(kSafety) - 0.1 * (RoughLog(above) - RoughLog(below));
    lanes.step = h * RoughExp(Min(Max(log_factor, All(RoughLog(kLeastFactor))),
                                  All(RoughLog(kMostFactor))));
    const Vec passed = above <= below ? h : All(0);
    lanes.left -= passed;
    lanes.steps += passed > 0 ? All(1) : All(0);
    lanes.at = {above <= below ? end.x : lanes.at.x,
                above <= below ? end.y : lanes.at.y,
                above <= below ? end.z : lanes.at.z};
    lanes.slope = {above <= below ? slope.x : lanes.slope.x,
                   above <= below ? slope.y : lanes.slope.y,
                   above <= below ? slope.z : lanes.slope.z};
  }
};

// The Taylor coefficients of the states; w = rho - z.
class LorenzSeries {
 public:
  static constexpr int kOrder = 22;  // The fastest from 18 to 28.

  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): all are computed.
  LorenzSeries(const Point& at, Vec rho) {
    x_[0] = at.x;
    y_[0] = at.y;
    w_[0] = rho - at.z;
    // Two orders at a time, since they have factors in common. The newest
    // factors come last, to hide their latency.
#pragma GCC unroll 64
    for (int k = 0; k < kOrder; k += 2) {
      Vec xw{};
      Vec xy{};
      Vec next_xw{};
      Vec next_xy{};
      const auto add = [&](int i) {
        xw += x_[i] * w_[k - i];
        xy += x_[i] * y_[k - i];
        if (i > 0) {
          next_xw += x_[i] * w_[k + 1 - i];
          next_xy += x_[i] * y_[k + 1 - i];
        }
      };
      const int middle = k / 2;
      add(middle);
#pragma GCC unroll 64
      for (int away = 1; away <= middle; ++away) {
        add(middle + away);
        add(middle - away);
      }
      Extend(k, xw, k == 0 ? xy - kBeta * rho : xy);
      for (const int i : {k + 1, 0}) {
        next_xw += x_[i] * w_[k + 1 - i];
        next_xy += x_[i] * y_[k + 1 - i];
      }
      Extend(k + 1, next_xw, next_xy);
    }
  }

  // Returns the step at whose end the last two terms are a small fraction of
  // `size`.
  [[nodiscard]] Vec StepFor(Vec size) const {
    const Vec least = RoughLog(kEnsembleLastTerm * size);
    const Vec reach =
        Min(1.0 / kOrder * (least - RoughLog(Size(kOrder))),
            1.0 / (kOrder - 1) * (least - RoughLog(Size(kOrder - 1))));
    return RoughExp(RoughLog(1) + reach);
  }

  // Returns the point after h, from `at`, the point of the series.
  [[nodiscard]] Point After(Vec h, const Point& at) const {
    Vec x = x_[kOrder];
    Vec y = y_[kOrder];
    Vec w = w_[kOrder];
#pragma GCC unroll 64
    for (int k = kOrder - 1; k > 0; --k) {
      x = x_[k] + h * x;
      y = y_[k] + h * y;
      w = w_[k] + h * w;
    }
    return {at.x + h * x, at.y + h * y, at.z - h * w};
  }

 private:
  // Computes the coefficients k + 1 from sums of products.
  void Extend(int k, Vec xw, Vec xy) {
    const double part = 1.0 / (k + 1);
    x_[k + 1] = kSigma * part * (y_[k] - x_[k]);
    y_[k + 1] = part * (xw - y_[k]);
    w_[k + 1] = part * (-kBeta * w_[k] - xy);
  }

  [[nodiscard]] Vec Size(int k) const {
    return MaxNorm({x_[k], y_[k], w_[k]});
  }

  Vec x_[kOrder + 1];
  Vec y_[kOrder + 1];
  Vec w_[kOrder + 1];
};

struct Taylor {
  static constexpr std::size_t kGroups = 2;

  static void Advance(std::span<Lanes> groups) { TakeSteps<Taylor>(2, groups); }

  static void Step(Lanes& lanes) {
    const LorenzSeries series(lanes.at, lanes.rho);
    const Vec h = Min(series.StepFor(MaxNorm(lanes.at)), lanes.left);
    lanes.at = series.After(h, lanes.at);
    lanes.left -= h;
    lanes.steps += h > 0 ? All(1) : All(0);
  }
};

}  // namespace

LorenzEnds LorenzByRungeKutta4(std::span<const double> rho) {
  return Integrate<RungeKutta4>(rho);
}

LorenzEnds LorenzByDormandPrince5(std::span<const double> rho) {
  return Integrate<DormandPrince5>(rho);
}

LorenzEnds LorenzByTaylor(std::span<const double> rho) {
  return Integrate<Taylor>(rho);
}

}  // namespace orrery
