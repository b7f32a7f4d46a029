#include "orrery/symbolic/taylor/taylor_run.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "orrery/symbolic/taylor/taylor_plan.h"

namespace orrery {
namespace {

constexpr std::size_t kWidth = TaylorBatch::kWidth;

double Fused(double a, double b, double c) noexcept {
  return __builtin_fma(a, b, c);
}

// Becomes part of a function that is compiled for some processors only.
#define ORRERY_INLINE [[nodiscard, gnu::always_inline]] inline

// Computes a batch's coefficients of one order. Each lane is computed alone and
// summed in the same order everywhere, so that the bits are the same
// everywhere.
class TaylorOrder {
 public:
  TaylorOrder(const TaylorPlan& plan, int order, double* numbers) noexcept
      : addresses_(plan.addresses.data()),
        stride_(plan.row_size),
        order_(static_cast<std::size_t>(order)),
        k_(order),
        numbers_(numbers),
        row_(numbers + order_ * stride_) {}

  void Run(const TaylorBatch& batch) const noexcept {
    switch (batch.rule) {
      case TaylorRule::kSteady:
      case TaylorRule::kLinear:
      case TaylorRule::kLift:
      case TaylorRule::kCopy:
        RunRow(batch);
        return;
      default:
        batch.width == 1 ? Sum<1>(batch) : Sum<kWidth>(batch);
    }
  }

 private:
  // Returns the address of a lane's operand.
  [[nodiscard]] std::uint32_t At(const TaylorBatch& batch,
                                 std::size_t operand,
                                 std::size_t lane) const noexcept {
    return addresses_[batch.operands[operand] + lane];
  }

  void RunRow(const TaylorBatch& batch) const noexcept {
    const std::uint32_t steady = SteadyOperands(batch.rule, batch.op);
    const auto read = [&](std::size_t operand, std::size_t lane) {
      const double* const from =
          (steady >> operand & 1U) != 0 ? numbers_ : row_;
      return from[At(batch, operand, lane)];
    };
    double* const target = row_ + batch.target;
    const auto for_lanes = [&](const auto& value) {
      for (std::size_t lane = 0; lane < batch.lanes; ++lane) {
        target[lane] = value(lane);
      }
    };
    if (batch.rule == TaylorRule::kLift) {
      for_lanes([&](std::size_t l) { return k_ == 0 ? read(0, l) : 0; });
      return;
    }
    if (batch.rule == TaylorRule::kCopy) {
      for_lanes([&](std::size_t l) { return read(0, l); });
      return;
    }
    switch (batch.op) {
      case Op::kNegate:
        for_lanes([&](std::size_t l) { return -read(0, l); });
        return;
      case Op::kAdd:
        for_lanes([&](std::size_t l) { return read(0, l) + read(1, l); });
        return;
      case Op::kSubtract:
        for_lanes([&](std::size_t l) { return read(0, l) - read(1, l); });
        return;
      case Op::kMultiply:
        for_lanes([&](std::size_t l) { return read(0, l) * read(1, l); });
        return;
      default:
        RunOperation(batch, read, target);
    }
  }

  template <typename ReadT>
  static void RunOperation(const TaylorBatch& batch,
                           const ReadT& read,
                           double* target) noexcept {
    const int operands = ElementwiseOperands(batch.op);
    for (std::size_t lane = 0; lane < batch.lanes; ++lane) {
      target[lane] = EvaluateOp(batch.op,
                                read(0, lane),
                                operands > 1 ? read(1, lane) : 0,
                                operands > 2 ? read(2, lane) : 0);
    }
  }

  template <std::size_t kLanes>
  using Lanes = std::array<double, kLanes>;

  // Returns the coefficients of order j of the lanes from `first` on; `first`
  // points to those of order 0.
  [[nodiscard]] const double* Row(const double* first,
                                  std::size_t j) const noexcept {
    return first + j * stride_;
  }

  template <std::size_t kLanes, typename ValueT>
  ORRERY_INLINE static Lanes<kLanes> Each(const ValueT& value) noexcept {
    Lanes<kLanes> values;
    for (std::size_t l = 0; l < kLanes; ++l) {
      values[l] = value(l);
    }
    return values;
  }

  // Start value of a sum: -0, so that the first term stays as it is, even if
  // -0.
  template <std::size_t kLanes>
  ORRERY_INLINE static Lanes<kLanes> Nothing() noexcept {
    return Each<kLanes>([](std::size_t /*l*/) { return -0.0; });
  }

  // Returns sum_(0 < j < k) weight(j) u_j v_(k-j), from the middle outwards, so
  // that the latest coefficients are needed last. Each side has its own sum, so
  // that neither waits for the other.
  template <std::size_t kLanes, typename WeightT>
  ORRERY_INLINE Lanes<kLanes> Inner(const double* u,
                                    const double* v,
                                    const WeightT& weight) const noexcept {
    const std::size_t k = order_;
    Lanes<kLanes> below = Nothing<kLanes>();
    Lanes<kLanes> above = below;
    const auto add = [&](std::size_t j, Lanes<kLanes> & sums)
        __attribute__((always_inline)) {
      for (std::size_t l = 0; l < kLanes; ++l) {
        sums[l] = Fused(weight(j, l) * Row(u, j)[l], Row(v, k - j)[l], sums[l]);
      }
    };
    if (k % 2 == 0) {
      add(k / 2, below);
    }
    for (std::size_t j = (k - 1) / 2; j > 0; --j) {
      add(j, below);
      add(k - j, above);
    }
    return Each<kLanes>([&](std::size_t l) { return below[l] + above[l]; });
  }

  // Likewise for u_j u_(k-j).
  template <std::size_t kLanes>
  ORRERY_INLINE Lanes<kLanes> InnerSquare(const double* u) const noexcept {
    const std::size_t k = order_;
    Lanes<kLanes> sums = Nothing<kLanes>();
    for (std::size_t j = (k - 1) / 2; j > 0; --j) {
      for (std::size_t l = 0; l < kLanes; ++l) {
        sums[l] = Fused(Row(u, j)[l], Row(u, k - j)[l], sums[l]);
      }
    }
    for (std::size_t l = 0; l < kLanes; ++l) {
      sums[l] += sums[l];
    }
    if (k % 2 == 0) {
      for (std::size_t l = 0; l < kLanes; ++l) {
        sums[l] = Fused(Row(u, k / 2)[l], Row(u, k / 2)[l], sums[l]);
      }
    }
    return sums;
  }

  template <std::size_t kLanes>
  void Sum(const TaylorBatch& batch) const noexcept {
    for (std::size_t lane = 0; lane < batch.lanes; lane += kLanes) {
      double* const w = numbers_ + batch.target + lane;
      const Lanes<kLanes> result = order_ == 0
                                       ? FirstOrder<kLanes>(batch, lane)
                                       : Coefficients<kLanes>(batch, lane, w);
      std::copy(result.begin(), result.end(), w + order_ * stride_);
    }
  }

  template <std::size_t kLanes>
  ORRERY_INLINE Lanes<kLanes> FirstOrder(const TaylorBatch& batch,
                                         std::size_t lane) const noexcept {
    const double* const u = numbers_ + At(batch, 0, lane);
    switch (batch.rule) {
      case TaylorRule::kProduct: {
        const double* const v = numbers_ + At(batch, 1, lane);
        return Each<kLanes>([=](std::size_t l) { return u[l] * v[l]; });
      }
      case TaylorRule::kSquare:
        return Each<kLanes>([=](std::size_t l) { return u[l] * u[l]; });
      case TaylorRule::kQuotient: {
        const double* const v = numbers_ + At(batch, 1, lane);
        return Each<kLanes>([=](std::size_t l) { return u[l] / v[l]; });
      }
      default: {
        const std::size_t z = batch.rule == TaylorRule::kRoot ? 1 : 2;
        return Each<kLanes>(
            [&](std::size_t l) { return numbers_[At(batch, z, lane + l)]; });
      }
    }
  }

  // Returns the coefficients of order k > 0.
  template <std::size_t kLanes>
  ORRERY_INLINE Lanes<kLanes> Coefficients(const TaylorBatch& batch,
                                           std::size_t lane,
                                           const double* w) const noexcept {
    const double* const u = numbers_ + At(batch, 0, lane);
    const double* const v =
        batch.rule == TaylorRule::kSquare ? u : numbers_ + At(batch, 1, lane);
    const double* const u_k = Row(u, order_);
    const double* const v_k = Row(v, order_);
    const double per_k = 1 / k_;
    Lanes<kLanes> sums{};
    switch (batch.rule) {
      case TaylorRule::kProduct:
        sums = Inner<kLanes>(u, v, kOne);
        return Each<kLanes>([&](std::size_t l) {
          return Fused(u[l], v_k[l], Fused(u_k[l], v[l], sums[l]));
        });
      case TaylorRule::kSquare:
        sums = InnerSquare<kLanes>(u);
        return Each<kLanes>(
            [&](std::size_t l) { return Fused(u[l] + u[l], u_k[l], sums[l]); });
      case TaylorRule::kQuotient:  // v w = u
        sums = Inner<kLanes>(w, v, kOne);
        return Each<kLanes>([&](std::size_t l) {
          return (u_k[l] - Fused(w[l], v_k[l], sums[l])) * (1 / v[l]);
        });
      case TaylorRule::kRoot:  // w w = u
        sums = InnerSquare<kLanes>(w);
        return Each<kLanes>(
            [&](std::size_t l) { return Part(u_k[l] - sums[l], w[l] + w[l]); });
      case TaylorRule::kPower:
        return Power<kLanes>(batch, lane, w);
      case TaylorRule::kIntegral:  // k w_k = sum_(0 < j <= k) j u_j s_(k-j)
        sums = Inner<kLanes>(u, v, kOrder);
        return Each<kLanes>([&](std::size_t l) {
          return Fused(u_k[l], v[l], sums[l] * per_k);
        });
      default:  // s w' = u'
        sums = Inner<kLanes>(w, v, kOrder);
        return Each<kLanes>([&](std::size_t l) {
          return Part(Fused(-sums[l], per_k, u_k[l]), v[l]);
        });
    }
  }

  // u w' = p u' w: k u_0 w_k = sum_(j < k) (p (k - j) - j) w_j u_(k-j). If the
  // base is and stays 0, so does w.
  template <std::size_t kLanes>
  ORRERY_INLINE Lanes<kLanes> Power(const TaylorBatch& batch,
                                    std::size_t lane,
                                    const double* w) const noexcept {
    const double* const u = numbers_ + At(batch, 0, lane);
    const double* const u_k = Row(u, order_);
    const Lanes<kLanes> p = Each<kLanes>(
        [&](std::size_t l) { return numbers_[At(batch, 1, lane + l)]; });
    const Lanes<kLanes> sums =
        Inner<kLanes>(w, u, [&](std::size_t j, std::size_t l) {
          const auto order = static_cast<double>(j);
          return p[l] * (k_ - order) - order;
        });
    const double per_k = 1 / k_;
    return Each<kLanes>([&](std::size_t l) {
      const bool stays_zero = u[l] == 0 && u_k[l] == 0;
      const double sum = Fused(sums[l], per_k, p[l] * w[l] * u_k[l]);
      return stays_zero ? 0 : sum * (1 / u[l]);
    });
  }

  // Returns a / b, but 0 if a is 0: the root of a constant 0 has a series.
  [[nodiscard]] static double Part(double a, double b) noexcept {
    return a == 0 ? 0 : a * (1 / b);
  }

  static constexpr auto kOne = [](std::size_t /*j*/, std::size_t /*l*/) {
    return 1.0;
  };
  static constexpr auto kOrder = [](std::size_t j, std::size_t /*l*/) {
    return static_cast<double>(j);
  };

  const std::uint32_t* addresses_;
  std::size_t stride_;
  std::size_t order_;
  double k_;
  double* numbers_;
  double* row_;  // row_[address] is of this order.
};

// Compiled twice: for processors with fused multiply-add, and for those where
// it is a call.
[[gnu::always_inline]] inline void RunOrders(const TaylorPlan& plan,
                                             double h,
                                             int order,
                                             double* numbers) noexcept {
  for (int k = 0; k < order; ++k) {
    const TaylorOrder at(plan, k, numbers);
    for (const TaylorBatch& batch : plan.batches) {
      if (k == 0 || batch.rule != TaylorRule::kSteady) {
        at.Run(batch);
      }
    }
    const double* const row = numbers + plan.Row(k) - plan.num_steady;
    double* const next = numbers + plan.Row(k + 1);
    const double factor = h * (1.0 / (k + 1));
    for (std::size_t i = 0; i < plan.num_states; ++i) {
      next[i] = row[plan.derivatives[i]] * factor;
    }
  }
}

[[gnu::flatten, gnu::target("avx2,fma")]] void RunFused(
    const TaylorPlan& plan, double h, int order, double* numbers) noexcept {
  RunOrders(plan, h, order, numbers);
}

void RunByCalls(const TaylorPlan& plan,
                double h,
                int order,
                double* numbers) noexcept {
  RunOrders(plan, h, order, numbers);
}

#undef ORRERY_INLINE

}  // namespace

void HoldTaylor(const TaylorPlan& plan,
                std::span<const double> memory,
                double* numbers) noexcept {
  std::copy(plan.constants.begin(), plan.constants.end(), numbers);
  for (const TaylorPlan::HeldSlot& held : plan.held_slots) {
    numbers[held.address] = memory[held.slot];
  }
  const TaylorOrder first(plan, 0, numbers);
  for (const TaylorBatch& batch : plan.held) {
    first.Run(batch);
  }
}

void RunTaylor(const TaylorPlan& plan,
               double h,
               int order,
               double* numbers) noexcept {
  static const auto run =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
          ? RunFused
          : RunByCalls;
  run(plan, h, order, numbers);
}

}  // namespace orrery
