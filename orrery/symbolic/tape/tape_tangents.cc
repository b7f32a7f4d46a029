#include "orrery/symbolic/tape/tape_tangents.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "orrery/symbolic/derivatives/tangent_function.h"
#include "orrery/symbolic/tape/tape_run.h"

namespace orrery {

namespace internal = symbolic::internal;

namespace {

double Value(Op op, double a, double b = 0) noexcept {
  return EvaluateOp(op, a, b, 0);
}

double Times(double factor, double tangent) noexcept {
  return tangent == 0 ? 0 : factor * tangent;
}

// Returns d result / d a of an operation on one operand.
double Slope(Op op, double a, double result) noexcept {
  switch (op) {
    case Op::kNegate:
      return -1;
    case Op::kAbs:
      return Value(Op::kSign, a);
    case Op::kSqrt:
      return 0.5 / result;
    case Op::kExp:
      return result;
    case Op::kLog:
      return 1 / a;
    case Op::kLog10:
      return 1 / (std::numbers::ln10 * a);
    case Op::kSin:
      return Value(Op::kCos, a);
    case Op::kCos:
      return -Value(Op::kSin, a);
    case Op::kTan:
      return 1 + result * result;
    case Op::kAsin:
      return 1 / std::sqrt(1 - a * a);
    case Op::kAcos:
      return -1 / std::sqrt(1 - a * a);
    case Op::kAtan:
      return 1 / (1 + a * a);
    case Op::kSinh:
      return Value(Op::kCosh, a);
    case Op::kCosh:
      return Value(Op::kSinh, a);
    case Op::kTanh:
      return 1 - result * result;
    default:  // Not, sign, floor, ceil.
      return 0;
  }
}

// A number and its tangent.
struct Dual {
  double value = 0;
  double tangent = 0;
};

double PowerTangent(const Dual& a, const Dual& b, double result) noexcept {
  const double by_base =
      Times(b.value * Value(Op::kPower, a.value, b.value - 1), a.tangent);
  // a^b is 0 at a = 0 for all b > 0.
  const double slope = a.value == 0 ? 0 : result * Value(Op::kLog, a.value);
  return by_base + (b.tangent == 0 ? 0 : slope * b.tangent);
}

double BinaryTangent(Op op,
                     const Dual& a,
                     const Dual& b,
                     double result) noexcept {
  switch (op) {
    case Op::kAdd:
      return a.tangent + b.tangent;
    case Op::kSubtract:
      return a.tangent - b.tangent;
    case Op::kMultiply:
      return Times(b.value, a.tangent) + Times(a.value, b.tangent);
    case Op::kDivide:
      return (a.tangent - Times(result, b.tangent)) / b.value;
    case Op::kPower:
      return PowerTangent(a, b, result);
    case Op::kAtan2:
      return (Times(b.value, a.tangent) - Times(a.value, b.tangent)) /
             (a.value * a.value + b.value * b.value);
    case Op::kMin:
      return a.value < b.value ? a.tangent : b.tangent;
    case Op::kMax:
      return b.value < a.value ? a.tangent : b.tangent;
    case Op::kMod:
      return a.tangent - Times(std::floor(a.value / b.value), b.tangent);
    case Op::kRem:
      return a.tangent -
             Times(Value(Op::kQuotient, a.value, b.value), b.tangent);
    default:  // Comparisons, logic, div.
      return 0;
  }
}

double FusedTangent(Op op,
                    const Dual& a,
                    const Dual& b,
                    double c_tangent) noexcept {
  const double product = Times(b.value, a.tangent) + Times(a.value, b.tangent);
  switch (op) {
    case Op::kMultiplyAdd:
      return product + c_tangent;
    case Op::kMultiplySubtract:
      return product - c_tangent;
    default:
      return c_tangent - product;
  }
}

}  // namespace

// Follows the interpreter. It is called before a result is written.
class TapeTangents::Watch {
 public:
  Watch(const Tape& tape, std::vector<double>& tangents) noexcept
      : tape_(tape), tangents_(tangents) {}

  void Elementwise(const Tape::Instruction& i,
                   const double* memory,
                   double result) noexcept {
    const Op op = static_cast<Op>(i.op);
    tangents_[i.target] = TangentOf(op, i, memory, result);
  }

  void Copied(const Tape::Instruction& /*instruction*/,
              std::size_t target,
              std::size_t source,
              double /*value*/) noexcept {
    tangents_[target] = tangents_[source];
  }

  void Counted(const Tape::Instruction& i) noexcept { tangents_[i.target] = 0; }

  void Moved(std::size_t target,
             std::size_t source,
             std::size_t count) noexcept {
    for (std::size_t k = 0; k < count; ++k) {
      tangents_[target + k] = tangents_[source + k];
    }
  }

  void Called(const Tape::Instruction& i, const double* memory) noexcept {
    const OpaqueFunction& function = tape_.opaque(i.b);
    const std::span<double> results =
        std::span(tangents_).subspan(i.target, function.num_outputs);
    try {
      std::vector<double> inputs(memory + i.a,
                                 memory + i.a + function.num_inputs);
      const auto direction =
          std::span<const double>(tangents_).subspan(i.a, function.num_inputs);
      inputs.insert(inputs.end(), direction.begin(), direction.end());
      internal::Differentiate(function, inputs, results);
    } catch (const std::exception&) {
      std::ranges::fill(results, std::numeric_limits<double>::quiet_NaN());
    }
  }

  void Enter(const Tape::Instruction& /*instruction*/) const noexcept {}

  void Leave() const noexcept {}

  void Ended(const Tape::Instruction& /*instruction*/,
             const double* /*memory*/) const noexcept {}

  void Threw(const char* /*what*/) const noexcept {}

 private:
  [[nodiscard]] double TangentOf(Op op,
                                 const Tape::Instruction& i,
                                 const double* memory,
                                 double result) const noexcept {
    if (op == Op::kSelect) {
      return tangents_[memory[i.a] != 0 ? i.b : i.c];
    }
    const Dual a{.value = memory[i.a], .tangent = tangents_[i.a]};
    if (ElementwiseOperands(op) == 1) {
      return a.tangent == 0 ? 0 : Slope(op, a.value, result) * a.tangent;
    }
    const Dual b{.value = memory[i.b], .tangent = tangents_[i.b]};
    if (IsFused(op)) {
      return FusedTangent(op, a, b, tangents_[i.c]);
    }
    return a.tangent == 0 && b.tangent == 0 ? 0
                                            : BinaryTangent(op, a, b, result);
  }

  const Tape& tape_;
  std::vector<double>& tangents_;
};

TapeTangents::TapeTangents(const Tape& tape)
    : tape_(tape), tangents_(tape.memory_size()) {}

void TapeTangents::Clear() noexcept {
  std::ranges::fill(tangents_, 0.0);
}

Tape::Outcome TapeTangents::Run(std::size_t section, double* memory) noexcept {
  if (tape_.stack() != 0) {
    internal::SetIndex(memory[tape_.stack()], 0);
  }
  Watch watch(tape_, tangents_);
  return internal::TapeRunner<Watch>(tape_, memory, watch)
      .Run(tape_.CodeOf(section).data());
}

}  // namespace orrery
