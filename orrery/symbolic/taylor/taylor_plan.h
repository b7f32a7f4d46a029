#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/symbolic/op.h"
#include "orrery/symbolic/tape/tape.h"
#include "orrery/symbolic/taylor/taylor_run.h"  // IWYU pragma: export

namespace orrery {

/// The rule by which the Taylor coefficients of a quantity follow from those of
/// others: w_k from u_0 ... u_k, v_0 ... v_k and w_0 ... w_(k-1). A steady
/// quantity is one number for the whole series; z is w_0 then.
///
/// Sources: Griewank and Walther, Evaluating Derivatives, 2nd ed., section
/// 13.2; Jorba and Zou, Experimental Mathematics 14 (2005) 99-117, section 2.
enum class TaylorRule : std::uint8_t {
  kSteady,    ///< w = op(a, b, c) at order 0, steady itself.
  kLinear,    ///< w_k = op(u_k, v_k, ...); a factor, divisor or condition is
              ///< steady.
  kLift,      ///< w_0 = a, steady; w_k = 0.
  kCopy,      ///< w_k = u_k
  kProduct,   ///< w = u v
  kSquare,    ///< w = u^2
  kQuotient,  ///< w = u / v
  kRoot,      ///< w^2 = u; operands u, z.
  kPower,     ///< u w' = p u' w; operands u, p (steady), z.
  kIntegral,  ///< w' = s u'; operands u, s, z. s_k may depend on w_k.
  kQuotientIntegral,  ///< s w' = u'; operands u, s, z.
};

/// Returns the steady operands of a rule: bit i for operand i.
[[nodiscard]] constexpr std::uint32_t SteadyOperands(TaylorRule rule,
                                                     Op op) noexcept {
  switch (rule) {
    case TaylorRule::kLift:
      return 1;
    case TaylorRule::kLinear:
      return op == Op::kSelect                          ? 1U
             : op == Op::kMultiply || op == Op::kDivide ? 2U
                                                        : 0U;
    case TaylorRule::kRoot:
      return 2;
    case TaylorRule::kPower:
      return 6;
    case TaylorRule::kIntegral:
    case TaylorRule::kQuotientIntegral:
      return 4;
    default:
      return 0;
  }
}

/// Returns the number of operands of the rule.
[[nodiscard]] constexpr int TaylorOperands(TaylorRule rule, Op op) noexcept {
  switch (rule) {
    case TaylorRule::kSteady:
    case TaylorRule::kLinear:
      return ElementwiseOperands(op);
    case TaylorRule::kLift:
    case TaylorRule::kCopy:
    case TaylorRule::kSquare:
      return 1;
    case TaylorRule::kProduct:
    case TaylorRule::kQuotient:
    case TaylorRule::kRoot:
      return 2;
    default:
      return 3;
  }
}

/// True if the rule sums products of coefficients. Its operands that are not
/// steady are at consecutive addresses.
[[nodiscard]] constexpr bool IsConvolution(TaylorRule rule) noexcept {
  return rule >= TaylorRule::kProduct;
}

/// Quantities that follow by the same rule from others; none depends on
/// another.
struct TaylorBatch {
  static constexpr std::uint32_t kWidth = 8;

  TaylorRule rule = TaylorRule::kSteady;
  Op op = Op::kNegate;       ///< For kSteady and kLinear.
  std::uint32_t count = 0;   ///< Quantities.
  std::uint32_t lanes = 0;   ///< `count`, rounded up to a multiple of `width`.
  std::uint32_t width = 1;   ///< 1 or kWidth: the number computed at once.
  std::uint32_t target = 0;  ///< Address of the first; the others follow it.
  /// For each operand, the position of its first address in
  /// `TaylorPlan::addresses`, one for each lane. Addresses of unused lanes do
  /// not matter.
  std::array<std::uint32_t, 3> operands{};
};

/// True if addresses, one for each lane, are consecutive within each vector of
/// `width` lanes.
[[nodiscard]] inline bool AreSideBySide(
    std::span<const std::uint32_t> addresses, std::uint32_t width) noexcept {
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    const std::size_t within = lane % width;
    if (addresses[lane] != addresses[lane - within] + within) {
      return false;
    }
  }
  return true;
}

/// The reason why there are no recurrences.
struct TaylorLack {
  std::size_t section = 0;
  std::size_t assignment = 0;  ///< Position in the section.
  std::string reason;          ///< "an external function is called", ...
};

/// The recurrences for the Taylor coefficients of the solution of an initial
/// value problem x' = f(t, x), made from the code that computes f. Immutable;
/// shared by threads.
///
/// They work on an array of numbers: `num_steady` steady ones, then `row_size`
/// for each order. A row begins with the states, t and the inputs. An address
/// is an index into the first row, or less for steady numbers. The coefficients
/// are those of powers of theta, t = t_0 + theta h.
struct TaylorPlan {
  std::uint32_t num_states = 0;
  std::uint32_t num_inputs = 0;
  std::uint32_t num_steady = 0;  ///< A multiple of TaylorBatch::kWidth.
  std::uint32_t row_size = 0;    ///< Likewise.

  std::vector<double> constants;  ///< The first steady numbers.

  struct HeldSlot {
    std::uint32_t slot = 0;  ///< Slot in the tape's memory.
    std::uint32_t address = 0;
  };

  /// Quantities that change at events only.
  std::vector<HeldSlot> held_slots;
  std::vector<TaylorBatch> held;     ///< All kSteady; depend on these alone.
  std::vector<TaylorBatch> batches;  ///< Each after those it depends on.
  std::vector<std::uint32_t> addresses;
  std::vector<std::uint32_t> derivatives;  ///< Addresses of x', by state.

  /// True if the solution may have kinks or jumps that are no events: beyond
  /// one, the series is that of another function.
  bool has_breaks = false;

  /// Set if there are no recurrences; all else is empty then.
  std::optional<TaylorLack> lack;

  [[nodiscard]] std::size_t Size(int order) const noexcept {
    return num_steady + static_cast<std::size_t>(row_size) *
                            (static_cast<std::size_t>(order) + 1);
  }

  /// Index of row `k`: the coefficients of theta^k.
  [[nodiscard]] std::size_t Row(int k) const noexcept {
    return num_steady +
           static_cast<std::size_t>(row_size) * static_cast<std::size_t>(k);
  }

  /// Returns the number of multiplications of the recurrences; those of a
  /// vector count as one.
  /// @param in_lanes vectors combine several plans side by side, so that
  ///     batches are no vectors.
  [[nodiscard]] double NumProducts(int order, bool in_lanes) const noexcept {
    double products = 0;
    for (const TaylorBatch& batch : batches) {
      const std::uint32_t vectors =
          in_lanes ? batch.lanes : batch.lanes / batch.width;
      products += vectors * (IsConvolution(batch.rule) ? 0.5 * order : 1.0);
    }
    return products * order;
  }

  /// Estimated time of native code for x', and for a series, in ns.
  [[nodiscard]] double CostOfDerivatives() const noexcept;
  [[nodiscard]] double CostOfSeries(int order) const noexcept;

  /// Index of t in a row; the inputs follow.
  [[nodiscard]] std::size_t time() const noexcept { return num_states; }
};

/// The parts of a tape that compute x'. Plain data.
struct TaylorTask {
  struct Derivative {
    std::uint32_t slot = 0;
    bool is_negated = false;
  };

  const Tape* tape = nullptr;
  std::vector<std::size_t> sections;    ///< Compute x', in this order.
  std::vector<std::uint32_t> states;    ///< Slots of x.
  std::vector<Derivative> derivatives;  ///< One for each state.
  std::uint32_t time = 0;               ///< Slot of t.
  std::vector<std::uint32_t> inputs;    ///< Slots of the inputs, which are
                                        ///< given over time.
};

[[nodiscard]] TaylorPlan MakeTaylorPlan(const TaylorTask& task);

}  // namespace orrery
