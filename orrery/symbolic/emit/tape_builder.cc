#include "orrery/symbolic/emit/tape_builder.h"

#include <array>
#include <limits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/symbolic/emit/emitter.h"
#include "orrery/symbolic/emit/tape_context.h"
#include "orrery/symbolic/emit/tape_function.h"
#include "orrery/symbolic/emit/tape_parts.h"
#include "orrery/symbolic/emit/temp_places.h"
#include "orrery/symbolic/node_index.h"

namespace orrery {

namespace internal = symbolic::internal;

using internal::Address;
using internal::TapeContext;
using internal::TapeUnit;

namespace symbolic::internal {
namespace {

Emitter::Target TargetOf(Expr target) {
  if (target.op() == Op::kSymbol) {
    return {.symbol = target, .subscripts = {}};
  }
  ORRERY_CHECK(target.op() == Op::kIndex &&
               target.operand(0).op() == Op::kSymbol);
  Emitter::Target result{.symbol = target.operand(0), .subscripts = {}};
  for (std::size_t k = 1; k < target.num_operands(); ++k) {
    result.subscripts.push_back(target.operand(k));
  }
  return result;
}

TapeUnit CompileSection(TapeContext& context,
                        std::span<const TapeAssignment> assignments) {
  std::vector<Expr> roots;
  std::vector<Emitter::Target> targets;
  NodeIndex times_assigned;  // By symbol: 1, or 2 for more often.
  roots.reserve(assignments.size());
  targets.reserve(assignments.size());
  for (const TapeAssignment& assignment : assignments) {
    const Emitter::Target& target =
        targets.emplace_back(TargetOf(assignment.target));
    roots.push_back(assignment.value);
    roots.insert(
        roots.end(), target.subscripts.begin(), target.subscripts.end());
    const bool is_first = times_assigned.Insert(target.symbol.id(), 1);
    if (!is_first) {
      times_assigned.Set(target.symbol.id(), 2);
    }
  }
  const FormulaInfo info(roots, {});
  TapeUnit unit;
  Emitter emitter(context, unit, info, nullptr);
  for (std::size_t i = 0; i < assignments.size(); ++i) {
    unit.assignments.push_back(unit.code.size());
    emitter.Assign(targets[i],
                   assignments[i].value,
                   assignments[i].iterators,
                   times_assigned.Find(targets[i].symbol.id()) == 1);
  }
  unit.code.Add({.op = TapeOp::kReturn}, 0);
  return unit;
}

}  // namespace
}  // namespace symbolic::internal

struct TapeBuilder::State {
  TapeContext context;
  std::size_t num_slots = 0;
  std::vector<TapeUnit> sections;
};

TapeBuilder::TapeBuilder(const ExprGraph& graph,
                         std::vector<std::uint32_t> slots,
                         std::size_t num_slots)
    : state_(std::make_unique<State>()) {
  state_->context.graph = &graph;
  state_->context.slots = std::move(slots);
  state_->num_slots = num_slots;
}

TapeBuilder::~TapeBuilder() = default;
TapeBuilder::TapeBuilder(TapeBuilder&&) noexcept = default;
TapeBuilder& TapeBuilder::operator=(TapeBuilder&&) noexcept = default;

void TapeBuilder::Settle(Expr symbol) {
  state_->context.settled.insert(symbol.id());
}

std::size_t TapeBuilder::AddSection(
    std::span<const TapeAssignment> assignments) {
  state_->sections.push_back(
      internal::CompileSection(state_->context, assignments));
  return state_->sections.size() - 1;
}

namespace {

// Turns the addresses of a unit into places in memory.
class Linker {
 public:
  Linker(const TapeUnit& unit, internal::TempPlaces places)
      : unit_(unit), places_(std::move(places)) {}

  std::size_t constants = 0;
  std::size_t frames = 0;
  std::size_t temps = 0;

  [[nodiscard]] Tape::Instruction Link(Tape::Instruction instruction) const {
    const bool saves_temps =
        (instruction.op == TapeOp::kPush || instruction.op == TapeOp::kPop) &&
        instruction.a == internal::kNoAddress;
    if (saves_temps) {
      instruction.a = static_cast<std::uint32_t>(temps);
      instruction.c = static_cast<std::uint32_t>(places_.size);
      return instruction;
    }
    const internal::AddressFields fields =
        internal::AddressesOf(instruction.op);
    const auto link = [this](bool is_address, std::uint32_t& field) {
      if (is_address) {
        field = PlaceOf(field);
      }
    };
    link(fields.target, instruction.target);
    link(fields.a, instruction.a);
    link(fields.b, instruction.b);
    link(fields.c, instruction.c);
    return instruction;
  }

 private:
  [[nodiscard]] std::uint32_t PlaceOf(Address address) const {
    const Address offset = address & ~internal::kRegionMask;
    std::size_t place = offset;
    switch (address & internal::kRegionMask) {
      case internal::kConstantRegion:
        place += constants;
        break;
      case internal::kFrameRegion:
        place += frames;
        break;
      case internal::kTempRegion: {
        const std::uint32_t temp = unit_.temps.NumberOf(address);
        place =
            temps + places_.place_of[temp] + offset - unit_.temps.StartOf(temp);
        break;
      }
      default:
        break;
    }
    return static_cast<std::uint32_t>(place);
  }

  const TapeUnit& unit_;
  internal::TempPlaces places_;
};

}  // namespace

Tape TapeBuilder::Finish() && {
  TapeContext& context = state_->context;
  std::vector<TapeUnit> functions;
  for (std::uint32_t i = 0; i < context.functions.size(); ++i) {
    functions.push_back(CompileFunction(context, i));
  }
  Tape tape;
  tape.num_slots_ = state_->num_slots;
  const std::size_t constants = tape.num_slots_;
  const std::size_t frames = constants + context.constants.values().size();
  std::size_t temps = frames + context.frames_size;
  tape.scratch_ = temps;
  std::size_t num_instructions = 0;
  for (const auto* units : {&functions, &state_->sections}) {
    for (const TapeUnit& unit : *units) {
      num_instructions += unit.code.size();
    }
  }
  tape.code_.reserve(num_instructions);
  tape.nodes_.reserve(num_instructions);
  const auto link = [&](const TapeUnit& unit, std::string name) {
    internal::TempPlaces places = PlaceTemps(unit);
    const std::size_t size = places.size;
    Linker linker(unit, std::move(places));
    linker.constants = constants;
    linker.frames = frames;
    linker.temps = temps;
    Tape::Block block{.begin = tape.code_.size(),
                      .size = unit.code.size() - unit.writers_size,
                      .name = std::move(name),
                      .assignments = unit.assignments};
    for (const Tape::Instruction& instruction : unit.code.instructions) {
      tape.code_.push_back(linker.Link(instruction));
    }
    tape.nodes_.insert(
        tape.nodes_.end(), unit.code.nodes.begin(), unit.code.nodes.end());
    return std::pair(std::move(block), size);
  };
  for (std::size_t i = 0; i < functions.size(); ++i) {
    auto [block, size] =
        link(functions[i], context.functions[i].function->name);
    tape.functions_.push_back(std::move(block));
    temps += size;  // A function may run while its caller's values live.
  }
  std::size_t scratch = 0;
  for (const TapeUnit& unit : state_->sections) {
    auto [block, size] = link(unit, {});
    tape.sections_.push_back(std::move(block));
    scratch = std::max(scratch, size);
  }
  tape.memory_size_ = temps + scratch;
  if (context.has_recursion) {
    tape.stack_ = tape.memory_size_;
    tape.memory_size_ += 1 + Tape::kStackSize;
  }
  constexpr std::size_t kMaxMemory = ~internal::kRegionMask;
  if (tape.memory_size_ > kMaxMemory) {
    throw Error(ErrorCode::kUnsupported,
                "cannot compile the model: it needs " +
                    std::to_string(tape.memory_size_) +
                    " numbers of memory; at most 2^30 are possible");
  }
  tape.constants_ = context.constants.values();
  tape.opaques_ = std::move(context.opaques);
  tape.messages_ = std::move(context.messages);
  return tape;
}

}  // namespace orrery
