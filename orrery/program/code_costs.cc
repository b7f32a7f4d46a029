#include "orrery/program/code_costs.h"

#include <cstdint>

namespace orrery::program::internal {
namespace {

constexpr double kPassesOfWhile = 4;

// True for a jump to the begin of a while-loop; other jumps leave branches.
bool GoesBack(const Tape::Instruction& jump) {
  return jump.op == TapeOp::kJump && static_cast<std::int32_t>(jump.a) < 0;
}

}  // namespace

CodeCosts::CodeCosts(const Tape& tape)
    : tape_(tape), of_calls_(tape.num_functions(), kUnknown) {}

double CodeCosts::OfRun(std::size_t section) {
  return OfRun(tape_.CodeOf(section));
}

double CodeCosts::OfRun(std::span<const Tape::Instruction> code) {
  double cost = 0;
  double passes = 1;
  std::vector<double> outer;
  const auto enter = [&](double more) {
    outer.push_back(passes);
    passes *= more;
  };
  for (const Tape::Instruction& i : code) {
    cost += passes;
    if (i.op == TapeOp::kLoop) {
      enter(i.a);
    } else if (i.op == TapeOp::kCountPass) {
      enter(kPassesOfWhile);
    } else if (i.op == TapeOp::kNext || GoesBack(i)) {
      passes = outer.back();
      outer.pop_back();
    } else if (i.op == TapeOp::kCopyArray || i.op == TapeOp::kFillArray) {
      cost += passes * i.c;
    } else if (i.op == TapeOp::kCall) {
      cost += passes * OfCall(i.a);
    }
  }
  return cost;
}

double CodeCosts::OfCall(std::size_t function) {
  if (of_calls_[function] == kUnknown) {
    of_calls_[function] = 0;  // For recursive calls.
    of_calls_[function] = OfRun(tape_.FunctionCode(function));
  }
  return of_calls_[function];
}

std::vector<std::uint32_t> CodeCosts::FunctionsOf(std::size_t section) const {
  std::vector<std::uint32_t> functions;
  if (tape_.num_functions() == 0) {
    return functions;
  }
  std::vector<bool> is_known(tape_.num_functions());
  const auto add_calls = [&](std::span<const Tape::Instruction> code) {
    for (const Tape::Instruction& i : code) {
      if (i.op == TapeOp::kCall && !is_known[i.a]) {
        is_known[i.a] = true;
        functions.push_back(i.a);
      }
    }
  };
  add_calls(tape_.CodeOf(section));
  std::size_t next = 0;
  while (next < functions.size()) {
    add_calls(tape_.FunctionCode(functions[next++]));
  }
  return functions;
}

}  // namespace orrery::program::internal
