#include "orrery/symbolic/taylor/taylor_trace.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/symbolic/taylor/taylor_graph.h"

namespace orrery::symbolic::internal {
namespace {

// A larger plan would not fit in memory.
constexpr std::size_t kMostNodes = 1U << 22U;

// Runs code on quantities in place of numbers. Loops run pass by pass: indices
// are numbers.
class TaylorTracer {
 public:
  TaylorTracer(const TaylorTask& task, TaylorGraph& graph)
      : tape_(*task.tape),
        graph_(graph),
        nodes_(tape_.memory_size(), kNotRead),
        indices_(tape_.memory_size()) {
    std::uint32_t place = 0;
    for (const std::uint32_t slot : task.states) {
      nodes_[slot] = graph.Moving(place++);
    }
    nodes_[task.time] = graph.Moving(place++);
    for (const std::uint32_t slot : task.inputs) {
      nodes_[slot] = graph.Moving(place++);
    }
  }

  [[nodiscard]] TaylorGraph::Id Read(std::uint32_t address) {
    TaylorGraph::Id& node = nodes_[address];
    if (node == kNotRead) {
      const std::size_t constant = address - tape_.num_slots();
      node = address >= tape_.num_slots() && constant < tape_.constants().size()
                 ? graph_.Constant(tape_.constants()[constant])
                 : graph_.Held(address);
    }
    return node;
  }

  // Returns the reason why the code cannot be run at `at()`; empty if it was
  // run.
  std::string Run(std::span<const Tape::Instruction> code) {
    std::string reason;
    for (at_ = 0; code[at_].op != TapeOp::kReturn && reason.empty();) {
      const std::size_t at = at_;
      const Tape::Instruction& i = code[at];
      if (i.op == TapeOp::kNext && ++indices_[i.target] < std::int64_t{i.a}) {
        at_ = at + static_cast<std::size_t>(static_cast<std::int32_t>(i.b));
        continue;
      }
      reason = Step(i);
      at_ = at + (reason.empty() ? 1 : 0);
      if (graph_.size() > kMostNodes) {
        reason = "there are too many operations";
      }
    }
    return reason;
  }

  [[nodiscard]] std::size_t at() const noexcept { return at_; }

 private:
  static constexpr TaylorGraph::Id kNotRead = 0xffffffff;

  std::string Step(const Tape::Instruction& i) {
    if (IsElementwise(i.op)) {
      const Op op = static_cast<Op>(i.op);
      const int operands = ElementwiseOperands(op);
      const TaylorGraph::Id a = Read(i.a);
      const TaylorGraph::Id b = operands > 1 ? Read(i.b) : a;
      nodes_[i.target] = graph_.Apply(op, a, b, operands > 2 ? Read(i.c) : a);
      return {};
    }
    switch (i.op) {
      case TapeOp::kCopy:
        nodes_[i.target] = Read(i.a);
        return {};
      case TapeOp::kCopyInteger:  // Checked where the derivatives are
                                  // evaluated.
        nodes_[i.target] = Read(i.a);
        graph_.AddBreak();
        return {};
      case TapeOp::kCopyArray:
      case TapeOp::kFillArray:
        for (std::uint32_t k = 0; k < i.c; ++k) {
          nodes_[i.target + k] =
              Read(i.op == TapeOp::kCopyArray ? i.a + k : i.a);
        }
        return {};
      case TapeOp::kLoad:
        nodes_[i.target] = Read(Moved(i.a, i.b));
        return {};
      case TapeOp::kStore:
        nodes_[Moved(i.target, i.b)] = Read(i.a);
        return {};
      case TapeOp::kFromIndex:
        nodes_[i.target] = graph_.Constant(static_cast<double>(indices_[i.a]));
        return {};
      case TapeOp::kToIndex:
        return ToIndex(i);
      case TapeOp::kIndexZero:
      case TapeOp::kLoop:
        indices_[i.target] = 0;
        return {};
      case TapeOp::kIndexScale:
        indices_[i.target] = indices_[i.a] * static_cast<std::int32_t>(i.b);
        return {};
      case TapeOp::kIndexAdd:
        indices_[i.target] =
            indices_[i.a] * static_cast<std::int32_t>(i.b) + indices_[i.c];
        return {};
      case TapeOp::kNext:
        return {};
      case TapeOp::kAssert:  // Checked where the derivatives are evaluated.
        graph_.AddBreak();
        return {};
      case TapeOp::kCall:
        return Run(tape_.FunctionCode(i.a));
      case TapeOp::kOpaque:
        return "an external function is called";
      case TapeOp::kPush:
      case TapeOp::kPop:
        return "a function calls itself";
      default:
        return "the course of a branch or loop is computed";
    }
  }

  [[nodiscard]] std::uint32_t Moved(std::uint32_t address,
                                    std::uint32_t index) const {
    return address + static_cast<std::uint32_t>(indices_[index]);
  }

  std::string ToIndex(const Tape::Instruction& i) {
    const TaylorNode& subscript = graph_[Read(i.a)];
    if (subscript.kind != TaylorKind::kConstant || !(subscript.value >= 1) ||
        !(subscript.value <= i.c)) {
      return "a subscript is computed";
    }
    indices_[i.target] = static_cast<std::int64_t>(subscript.value) - 1;
    return {};
  }

  const Tape& tape_;
  TaylorGraph& graph_;
  std::vector<TaylorGraph::Id> nodes_;  // By address: the quantity there.
  std::vector<std::int64_t> indices_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<TaylorGraph::Id> TraceTaylor(const TaylorTask& task,
                                         TaylorGraph& graph,
                                         std::optional<TaylorLack>& lack) {
  TaylorTracer tracer(task, graph);
  for (const std::size_t section : task.sections) {
    std::string reason = tracer.Run(task.tape->CodeOf(section));
    if (!reason.empty()) {
      lack = {.section = section,
              .assignment = task.tape->AssignmentOf(section, tracer.at()),
              .reason = std::move(reason)};
      return {};
    }
  }
  std::vector<TaylorGraph::Id> derivatives;
  for (const TaylorTask::Derivative& derivative : task.derivatives) {
    const TaylorGraph::Id value = tracer.Read(derivative.slot);
    derivatives.push_back(graph.Series(
        derivative.is_negated ? graph.Apply(Op::kNegate, value, 0, 0) : value));
  }
  return derivatives;
}

}  // namespace orrery::symbolic::internal
