#include "orrery/codegen/plan/slopes_code.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "orrery/codegen/plan/access_ranges.h"
#include "orrery/codegen/plan/code_parts.h"
#include "orrery/codegen/plan/section_plan.h"

namespace orrery::codegen::internal {
namespace {

using Instruction = Tape::Instruction;

bool IsInRegion(std::uint32_t address, std::uint32_t region) noexcept {
  return (address & kRegionOfAddress) == region;
}

// Moves slots into the regions of states and slopes.
class SlotMap {
 public:
  explicit SlotMap(const Program& program) : to_(EndOfSlots(program)) {
    std::iota(to_.begin(), to_.end(), 0U);
    for (std::uint32_t i = 0; i < program.state_slots.size(); ++i) {
      to_[program.state_slots[i]] = kStateRegion | i;
    }
  }

  // Does nothing for a slot that is moved already.
  void PutSlope(std::uint32_t slot, std::uint32_t state) {
    if (to_[slot] == slot) {
      to_[slot] = kSlopeRegion | state;
    }
  }

  [[nodiscard]] std::uint32_t At(std::uint32_t address) const {
    return address < to_.size() ? to_[address] : address;
  }

  // The begin of the addresses low ... high; none if they come apart.
  [[nodiscard]] std::optional<std::uint32_t> OfRange(std::int64_t low,
                                                     std::int64_t high) const {
    const auto first = static_cast<std::uint32_t>(low);
    const std::uint32_t begin = At(first);
    for (std::uint32_t k = 1; std::int64_t{k} <= high - low; ++k) {
      if (At(first + k) != begin + k) {
        return std::nullopt;
      }
    }
    return begin;
  }

 private:
  // Behind the slots of states and slopes: others stay in place.
  static std::size_t EndOfSlots(const Program& program) {
    std::uint32_t last = 0;
    for (const std::uint32_t slot : program.state_slots) {
      last = std::max(last, slot);
    }
    for (const Reference& at : program.derivatives_at) {
      last = std::max(last, at.slot);
    }
    return std::size_t{last} + 1;
  }

  std::vector<std::uint32_t> to_;
};

class SlopesWriter {
 public:
  explicit SlopesWriter(const Program& program)
      : program_(program), map_(program) {}

  std::optional<TapeCode> Write() {
    for (const ScheduleStep& step : program_.derivatives) {
      if (step.kind != ScheduleStep::Kind::kSection) {
        return std::nullopt;
      }
      const auto section = program_.tape->CodeOf(step.index);
      code_.insert(code_.end(), section.begin(), section.end() - 1);
    }
    PlaceSlopes();
    const std::vector<AccessRange> ranges = AccessRangesOf(code_);
    for (std::size_t at = 0; at < code_.size(); ++at) {
      if (!Move(code_[at], ranges[at])) {
        return std::nullopt;
      }
    }
    CopySlopes();
    code_.push_back({.op = TapeOp::kReturn});
    return std::move(code_);
  }

 private:
  // Lets derivatives be computed in their region.
  void PlaceSlopes() {
    std::vector<bool> is_written(program_.tape->memory_size());
    const std::vector<AccessRange> ranges = AccessRangesOf(code_);
    for (std::size_t at = 0; at < code_.size(); ++at) {
      if (const auto write = ValuesOf(code_[at]).write) {
        is_written[*write] = true;
      } else if (code_[at].op == TapeOp::kStore) {
        std::fill(is_written.begin() + ranges[at].low,
                  is_written.begin() + ranges[at].high + 1,
                  true);
      }
    }
    for (std::uint32_t i = 0; i < program_.derivatives_at.size(); ++i) {
      const Reference& from = program_.derivatives_at[i];
      if (from.sign > 0 && is_written[from.slot]) {
        map_.PutSlope(from.slot, i);
      }
    }
  }

  void CopySlopes() {
    for (std::uint32_t i = 0; i < program_.derivatives_at.size(); ++i) {
      const Reference& from = program_.derivatives_at[i];
      const std::uint32_t source = map_.At(from.slot);
      const std::uint32_t target = kSlopeRegion | i;
      if (source != target) {
        code_.push_back(
            {.op = from.sign > 0 ? TapeOp::kCopy : ToTapeOp(Op::kNegate),
             .target = target,
             .a = source});
      }
    }
  }

  [[nodiscard]] bool Move(Instruction& i, const AccessRange& range) const {
    if (IsElementwise(i.op) || IsCopy(i.op)) {
      i.target = map_.At(i.target);
      i.a = map_.At(i.a);
      i.b = map_.At(i.b);
      i.c = map_.At(i.c);
      return true;
    }
    const auto array =
        [this](std::uint32_t& base, std::int64_t low, std::int64_t high) {
          const auto begin = map_.OfRange(low, high);
          base += begin.value_or(0) - static_cast<std::uint32_t>(low);
          return begin.has_value();
        };
    const auto whole = [&](std::uint32_t& base, std::size_t count) {
      return count == 0 ||
             array(base,
                   base,
                   std::int64_t{base} + static_cast<std::int64_t>(count) - 1);
    };
    switch (i.op) {
      case TapeOp::kLoad:
        i.target = map_.At(i.target);
        return array(i.a, range.low, range.high);
      case TapeOp::kStore:
        i.a = map_.At(i.a);
        return array(i.target, range.low, range.high);
      case TapeOp::kCopyArray:
        return whole(i.a, i.c) && whole(i.target, i.c);
      case TapeOp::kFillArray:
        i.a = map_.At(i.a);
        return whole(i.target, i.c);
      case TapeOp::kOpaque:
        return whole(i.a, program_.tape->opaque(i.b).num_inputs) &&
               whole(i.target, program_.tape->opaque(i.b).num_outputs);
      case TapeOp::kFromIndex:
        i.target = map_.At(i.target);
        return true;
      case TapeOp::kToIndex:
      case TapeOp::kJumpUnless:
      case TapeOp::kAssert:
        i.a = map_.At(i.a);
        return true;
      default:
        return true;
    }
  }

  const Program& program_;
  SlotMap map_;
  TapeCode code_;
};

// Slots that may change without an event.
std::vector<std::uint32_t> MovingSlots(const Program& program) {
  std::vector<std::uint32_t> slots = program.input_slots;
  slots.push_back(program.time_slot);
  std::ranges::sort(slots);
  return slots;
}

}  // namespace

std::optional<TapeCode> SlopesCode(const Program& program,
                                   std::span<const double> memory,
                                   std::vector<UniformNumbers>& uniform) {
  if (!program.delays.empty()) {
    return std::nullopt;
  }
  auto code = SlopesWriter(program).Write();
  if (!code) {
    return std::nullopt;
  }
  const IsWanted is_slope = [](std::uint32_t address) {
    return IsInRegion(address, kSlopeRegion);
  };
  const std::vector<std::uint32_t> moving = MovingSlots(program);
  const auto takes_for_uniform = [&](const UniformNumbers& numbers) {
    for (std::uint32_t k = 0; k < numbers.count; ++k) {
      if (numbers.At(k) >= memory.size() ||
          std::ranges::binary_search(moving, numbers.At(k))) {
        return false;
      }
    }
    const bool are_same = numbers.AreSame(memory);
    if (are_same) {
      uniform.push_back(numbers);
    }
    return are_same;
  };
  return RollUp(DropUnused(*code, is_slope), is_slope, takes_for_uniform);
}

std::vector<SlotRange> SlotsRead(std::span<const Instruction> code) {
  std::vector<SlotRange> reads;
  const auto add = [&](std::int64_t low, std::int64_t high) {
    if (low <= high && ((low | high) & kRegionOfAddress) == 0) {
      reads.push_back({.begin = static_cast<std::uint32_t>(low),
                       .end = static_cast<std::uint32_t>(high + 1)});
    }
  };
  const std::vector<AccessRange> ranges = AccessRangesOf(code);
  for (std::size_t at = 0; at < code.size(); ++at) {
    const Instruction& i = code[at];
    const ValueAccess access = ValuesOf(i);
    for (std::size_t k = 0; k < access.num_reads; ++k) {
      add(access.reads[k], access.reads[k]);
    }
    if (i.op == TapeOp::kLoad) {
      add(ranges[at].low, ranges[at].high);
    } else if (i.op == TapeOp::kCopyArray && i.c > 0) {
      add(i.a, std::int64_t{i.a} + i.c - 1);
    }
  }
  std::ranges::sort(reads, {}, &SlotRange::begin);
  std::vector<SlotRange> slots;
  for (const SlotRange& read : reads) {
    if (slots.empty() || slots.back().end < read.begin) {
      slots.push_back(read);
    } else {
      slots.back().end = std::max(slots.back().end, read.end);
    }
  }
  return slots;
}

bool GoesInLanes(std::span<const Instruction> code) {
  return std::ranges::all_of(code, [](const Instruction& i) {
    switch (i.op) {
      case TapeOp::kCopy:
      case TapeOp::kLoad:
      case TapeOp::kStore:
      case TapeOp::kCopyArray:
      case TapeOp::kFillArray:
      case TapeOp::kIndexZero:
      case TapeOp::kIndexScale:
      case TapeOp::kIndexAdd:
      case TapeOp::kFromIndex:
      case TapeOp::kLoop:
      case TapeOp::kNext:
      case TapeOp::kReturn:
        return true;
      default:
        return IsElementwise(i.op);
    }
  });
}

}  // namespace orrery::codegen::internal
