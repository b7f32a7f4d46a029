#include "orrery/symbolic/tape/tape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "orrery/base/text/number_text.h"
#include "orrery/symbolic/tape/tape_run.h"

namespace orrery {

namespace internal = symbolic::internal;

std::vector<double> Tape::NewMemory() const {
  std::vector<double> memory(memory_size_);
  std::ranges::copy(constants_,
                    memory.begin() + static_cast<std::ptrdiff_t>(num_slots_));
  return memory;
}

Tape::Outcome Tape::Run(std::size_t section, double* memory) const noexcept {
  if (stack_ != 0) {
    internal::SetIndex(memory[stack_], 0);
  }
  internal::NoWatch watch;
  return internal::TapeRunner<internal::NoWatch>(*this, memory, watch)
      .Run(CodeOf(section).data());
}

std::size_t Tape::AssignmentOf(std::size_t section,
                               std::size_t instruction) const noexcept {
  const std::vector<std::size_t>& begins = sections_[section].assignments;
  const auto next = std::ranges::upper_bound(begins, instruction);
  return static_cast<std::size_t>(next - begins.begin() - 1);
}

namespace {

// Stores the message that an opaque function throws.
struct CatchMessage : internal::NoWatch {
  std::string text;

  void Threw(const char* what) { text = what; }
};

std::string NumberText(double value) {
  // The sign of a NaN means nothing.
  return std::isnan(value) ? "NaN" : ShortestText(value);
}

std::string Parenthesized(double value) {
  return value < 0 ? "(" + NumberText(value) + ")" : NumberText(value);
}

// Returns the operation on its operands, as one would write it.
std::string Application(Op op, std::span<const double> operands) {
  const auto infix = [&](const char* sign) {
    return Parenthesized(operands[0]) + sign + Parenthesized(operands[1]);
  };
  switch (op) {
    case Op::kAdd:
      return infix(" + ");
    case Op::kSubtract:
      return infix(" - ");
    case Op::kMultiply:
      return infix("*");
    case Op::kDivide:
      return infix("/");
    case Op::kPower:
      return infix("^");
    case Op::kMultiplyAdd:
      return infix("*") + " + " + Parenthesized(operands[2]);
    case Op::kMultiplySubtract:
      return infix("*") + " - " + Parenthesized(operands[2]);
    case Op::kSubtractProduct:
      return Parenthesized(operands[2]) + " - " + infix("*");
    default:
      break;
  }
  std::string text(OpName(op));
  for (std::size_t i = 0; i < operands.size(); ++i) {
    text += (i == 0 ? "(" : ", ") + NumberText(operands[i]);
  }
  return text + ")";
}

std::string Describe(Op op, std::span<const double> operands, double result) {
  const std::string application = Application(op, operands);
  const bool divides = op == Op::kDivide || op == Op::kMod || op == Op::kRem ||
                       op == Op::kQuotient;
  if (divides && operands[1] == 0) {
    return "division by zero: " + application;
  }
  if (op == Op::kPower && operands[0] == 0) {
    return "division by zero: " + application;
  }
  if (std::isnan(result)) {
    return application + " is not a real number";
  }
  if (op == Op::kLog || op == Op::kLog10) {
    return application + " is -infinity";
  }
  return "the result overflows: " + application;
}

}  // namespace

// Tracks the origin of numbers that are not finite. Each address of memory has
// the number of the operation to blame if its value is not finite.
class Tape::Watcher {
 public:
  Watcher(const Tape& tape, std::size_t section)
      : tape_(tape),
        number_(section),
        section_(tape.sections_[section]),
        blame_(tape.memory_size()) {}

  void Elementwise(const Instruction& i, const double* memory, double result) {
    Note(i);
    if (std::isfinite(result)) {
      return;
    }
    const Op op = static_cast<Op>(i.op);
    if (op == Op::kSelect) {
      return Blame(i.target, blame_[memory[i.a] != 0 ? i.b : i.c]);
    }
    const std::array addresses = {i.a, i.b, i.c};
    const auto count = static_cast<std::size_t>(ElementwiseOperands(op));
    std::vector<double> operands;
    for (const std::uint32_t address : std::span(addresses).first(count)) {
      if (!std::isfinite(memory[address])) {
        return Blame(i.target, blame_[address]);
      }
      operands.push_back(memory[address]);
    }
    std::string message = Describe(op, operands, result);
    Blame(i.target, Add(i, std::move(operands), result, std::move(message)));
  }

  void Copied(const Instruction& i,
              std::size_t target,
              std::size_t source,
              double value) {
    Note(i);
    if (!std::isfinite(value)) {
      Blame(target, blame_[source]);
    }
  }

  void Counted(const Instruction& /*i*/) {}

  void Moved(std::size_t /*target*/,
             std::size_t /*source*/,
             std::size_t /*count*/) {}

  void Called(const Instruction& i, const double* memory) {
    Note(i);
    const OpaqueFunction& function = tape_.opaque(i.b);
    const std::span inputs(memory + i.a, function.num_inputs);
    const auto bad = std::ranges::find_if_not(
        inputs, [](double x) { return std::isfinite(x); });
    for (std::size_t k = 0; k < function.num_outputs; ++k) {
      const double result = memory[i.target + k];
      if (std::isfinite(result)) {
        continue;
      }
      const std::uint32_t blame =
          bad != inputs.end()
              ? blame_[i.a + static_cast<std::size_t>(bad - inputs.begin())]
              : Add(i,
                    {inputs.begin(), inputs.end()},
                    result,
                    function.name + " returned " + NumberText(result));
      Blame(i.target + k, blame);
    }
  }

  void Enter(const Instruction& i) {
    Note(i);
    functions_.push_back(i.a);
  }

  void Leave() { functions_.pop_back(); }

  void Threw(const char* what) { thrown_ = what; }

  // Ends the run at `i`. An earlier fault has precedence.
  void Ended(const Instruction& i, const double* memory) {
    if (verdict_) {
      return;
    }
    Note(i);
    std::vector<double> operands;
    std::string message;
    switch (i.op) {
      case TapeOp::kCopyInteger:
        if (blame_[i.a] != 0 && !std::isfinite(memory[i.a])) {
          return Decide(blame_[i.a]);
        }
        operands = {memory[i.a]};
        message = NumberText(memory[i.a]) +
                  " is beyond the Integers, which lie between -2^53 and 2^53; "
                  "make it Real, or smaller";
        break;
      case TapeOp::kToIndex:
        operands = {memory[i.a]};
        message = "subscript " + NumberText(memory[i.a]) +
                  " is out of bounds: the dimension has " +
                  std::to_string(i.c) + " elements";
        break;
      case TapeOp::kAssert:
        message = i.b == 0 ? tape_.messages_[i.c] : Written(i, memory);
        break;
      case TapeOp::kCountPass:
        message = "a while-loop did not end within " +
                  std::to_string(kMaxPasses) + " passes";
        break;
      case TapeOp::kPush:
        message = "calls of recursive functions are nested too deeply";
        break;
      default:
        message = tape_.opaque(i.b).name + " failed" +
                  (thrown_.empty() ? "" : ": " + thrown_);
        break;
    }
    Decide(Add(i, std::move(operands), 0, std::move(message)));
  }

  [[nodiscard]] const std::optional<Fault>& verdict() const noexcept {
    return verdict_;
  }

 private:
  // Returns the message of a kAssert that has code to write it; runs it on a
  // copy.
  [[nodiscard]] std::string Written(const Instruction& i,
                                    const double* memory) const {
    std::vector<double> copy(memory, memory + tape_.memory_size());
    CatchMessage watch;
    static_cast<void>(
        internal::TapeRunner<CatchMessage>(tape_, copy.data(), watch)
            .Run(&i + i.b));
    return watch.text;
  }

  void Note(const Instruction& i) {
    if (functions_.empty()) {
      position_ = PositionOf(i);
    }
  }

  std::uint32_t Add(const Instruction& i,
                    std::vector<double> operands,
                    double result,
                    std::string message) {
    Fault& fault = faults_.emplace_back();
    fault.node = tape_.nodes_[PositionOf(i)];
    if (!functions_.empty()) {
      fault.function = tape_.functions_[functions_.back()].name;
    }
    fault.operands = std::move(operands);
    fault.result = result;
    fault.message = std::move(message);
    return static_cast<std::uint32_t>(faults_.size());
  }

  // A variable that receives such a number decides the case.
  void Blame(std::size_t target, std::uint32_t fault) {
    blame_[target] = fault;
    if (target < tape_.num_slots() && fault != 0 && !verdict_) {
      Decide(fault);
    }
  }

  void Decide(std::uint32_t fault) {
    verdict_ = faults_[fault - 1];
    verdict_->assignment =
        tape_.AssignmentOf(number_, position_ - section_.begin);
  }

  [[nodiscard]] std::size_t PositionOf(const Instruction& i) const {
    return static_cast<std::size_t>(&i - tape_.code_.data());
  }

  const Tape& tape_;
  std::size_t number_;
  const Block& section_;
  std::vector<std::uint32_t> blame_;  // 0, or 1 + the number of a fault.
  std::vector<Fault> faults_;
  std::vector<std::size_t> functions_;  // The running functions.
  std::size_t position_ = 0;            // Position in the section's code.
  std::string thrown_;
  std::optional<Fault> verdict_;
};

std::optional<Tape::Fault> Tape::FindFault(
    std::size_t section, std::span<const double> memory) const {
  std::vector<double> copy(memory.begin(), memory.end());
  if (stack_ != 0) {
    internal::SetIndex(copy[stack_], 0);
  }
  Watcher watcher(*this, section);
  internal::TapeRunner<Watcher>(*this, copy.data(), watcher)
      .Run(CodeOf(section).data());
  return watcher.verdict();
}

}  // namespace orrery
