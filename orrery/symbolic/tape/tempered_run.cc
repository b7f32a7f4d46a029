#include "orrery/symbolic/tape/tempered_run.h"

#include <algorithm>

#include "orrery/symbolic/tape/tape_run.h"

namespace orrery {

namespace internal = symbolic::internal;

namespace {

using Instruction = Tape::Instruction;

// Replaces exponentials by tempered ones, or by their slopes.
class Temper : public internal::NoWatch {
 public:
  Temper(double bound, bool wants_slopes) noexcept
      : bound_(bound),
        at_bound_(EvaluateOp(Op::kExp, bound, 0, 0)),
        wants_slopes_(wants_slopes) {}

  [[nodiscard]] double Replace(const Instruction& i,
                               const double* memory,
                               double result) const noexcept {
    if (i.op != TapeOp::kExp || !(memory[i.a] > bound_)) {
      return result;
    }
    return wants_slopes_ ? at_bound_ : at_bound_ * (1 + (memory[i.a] - bound_));
  }

 private:
  double bound_;
  double at_bound_;
  bool wants_slopes_;
};

Tape::Outcome RunWith(const Tape& tape,
                      std::size_t section,
                      double* memory,
                      Temper temper) noexcept {
  if (tape.stack() != 0) {
    internal::SetIndex(memory[tape.stack()], 0);
  }
  return internal::TapeRunner<Temper>(tape, memory, temper)
      .Run(tape.CodeOf(section).data());
}

}  // namespace

bool HasExponentials(const Tape& tape, std::size_t section) {
  return std::ranges::any_of(tape.CodeOf(section), [](const Instruction& i) {
    return i.op == TapeOp::kExp || i.op == TapeOp::kCall;
  });
}

Tape::Outcome RunTempered(const Tape& tape,
                          std::size_t section,
                          double* memory,
                          double bound) noexcept {
  return RunWith(tape, section, memory, Temper(bound, false));
}

Tape::Outcome RunTemperedSlopes(const Tape& tape,
                                std::size_t section,
                                double* memory,
                                double bound) noexcept {
  return RunWith(tape, section, memory, Temper(bound, true));
}

}  // namespace orrery
