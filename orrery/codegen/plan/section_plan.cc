#include "orrery/codegen/plan/section_plan.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_map>

namespace orrery::codegen::internal {

ValueAccess ValuesOf(const Tape::Instruction& i) noexcept {
  const auto access = [](std::initializer_list<std::uint32_t> reads,
                         std::optional<std::uint32_t> write) {
    ValueAccess result{.num_reads = reads.size(), .write = write};
    std::ranges::copy(reads, result.reads.begin());
    return result;
  };
  if (IsElementwise(i.op)) {
    return {.reads = {i.a, i.b, i.c},
            .num_reads = static_cast<std::size_t>(
                ElementwiseOperands(static_cast<Op>(i.op))),
            .write = i.target};
  }
  switch (i.op) {
    case TapeOp::kCopy:
    case TapeOp::kCopyInteger:
    case TapeOp::kIndexScale:
    case TapeOp::kToIndex:
    case TapeOp::kFromIndex:
      return access({i.a}, i.target);
    case TapeOp::kLoad:
      return access({i.b}, i.target);
    case TapeOp::kStore:
      return access({i.a, i.b}, {});
    case TapeOp::kIndexAdd:
      return access({i.a, i.c}, i.target);
    case TapeOp::kIndexZero:
    case TapeOp::kLoop:
      return access({}, i.target);
    case TapeOp::kNext:
    case TapeOp::kCountPass:
      return access({i.target}, i.target);
    case TapeOp::kFillArray:
    case TapeOp::kJumpUnless:
    case TapeOp::kAssert:
      return access({i.a}, {});
    default:
      return {};
  }
}

SectionPlan::SectionPlan(const Tape& tape,
                         std::span<const Tape::Instruction> code,
                         bool keeps_slots,
                         std::size_t most_instructions)
    : ranges_(AccessRangesOf(code)),
      is_own_(tape.stack() == 0 ? tape.memory_size() : tape.stack()) {
  std::fill(is_own_.begin() + static_cast<std::ptrdiff_t>(tape.scratch()),
            is_own_.end(),
            std::uint8_t{1});
  if (!keeps_slots) {
    FindOwnSlots(tape, code);
  }
  FindArrays(tape, code);
  Cut(code, most_instructions == 0 ? code.size() : most_instructions);
  if (pieces_.size() > 1) {
    KeepAcrossPieces(code);
  }
}

void SectionPlan::Keep(std::int64_t low, std::int64_t high) {
  const auto end = static_cast<std::int64_t>(is_own_.size());
  for (std::int64_t i = low; i <= high && i < end; ++i) {
    is_own_[static_cast<std::size_t>(i)] = 0;
  }
}

// Finds slots that are written, beyond all branches, before they are read.
void SectionPlan::FindOwnSlots(const Tape& tape,
                               std::span<const Tape::Instruction> code) {
  std::vector<std::uint8_t> is_met(tape.num_slots());
  for (const Tape::Instruction& i : code) {
    if (i.op == TapeOp::kJump || i.op == TapeOp::kJumpUnless) {
      return;
    }
    const ValueAccess access = ValuesOf(i);
    for (std::size_t k = 0; k < access.num_reads; ++k) {
      if (access.reads[k] < is_met.size()) {
        is_met[access.reads[k]] = 1;
      }
    }
    if (access.write && *access.write < is_met.size() &&
        is_met[*access.write] == 0) {
      is_met[*access.write] = 1;
      is_own_[*access.write] = 1;
    }
  }
}

void SectionPlan::FindArrays(const Tape& tape,
                             std::span<const Tape::Instruction> code) {
  const auto keep = [this](std::uint32_t begin, std::size_t count) {
    Keep(begin, std::int64_t{begin} + static_cast<std::int64_t>(count) - 1);
  };
  for (std::size_t at = 0; at < code.size(); ++at) {
    const Tape::Instruction& i = code[at];
    switch (i.op) {
      case TapeOp::kLoad:
      case TapeOp::kStore:
        Keep(ranges_[at].low, ranges_[at].high);
        break;
      case TapeOp::kCopyArray:
        keep(i.a, i.c);
        keep(i.target, i.c);
        break;
      case TapeOp::kFillArray:
        keep(i.target, i.c);
        break;
      case TapeOp::kOpaque:
        keep(i.a, tape.opaque(i.b).num_inputs);
        keep(i.target, tape.opaque(i.b).num_outputs);
        break;
      default:
        break;
    }
  }
}

// Cuts the code where no loop or jump leads across.
void SectionPlan::Cut(std::span<const Tape::Instruction> code,
                      std::size_t most) {
  std::vector<std::int32_t> open(code.size() + 2);  // Differences.
  const auto forbid = [&](std::size_t first, std::size_t last) {
    ++open[first];
    --open[last + 1];
  };
  for (std::size_t at = 0; at < code.size(); ++at) {
    const std::int64_t jump = JumpOf(code[at]);
    const auto to =
        static_cast<std::size_t>(static_cast<std::int64_t>(at) + jump);
    if (code[at].op == TapeOp::kNext) {
      forbid(to, at);  // The kLoop is before the jump's target.
    } else if (jump < 0) {
      forbid(to + 1, at);
    } else if (jump > 0) {
      forbid(at + 1, to);
    }
  }
  // The uses of a local address stay together.
  std::unordered_map<std::uint32_t, std::size_t> first_use;
  const auto use = [&](std::uint32_t address, std::size_t at) {
    if ((address & kRegionOfAddress) == kLocalRegion) {
      const std::size_t first =
          first_use.try_emplace(address, at).first->second;
      if (first < at) {
        forbid(first + 1, at);
      }
    }
  };
  for (std::size_t at = 0; at < code.size(); ++at) {
    const ValueAccess access = ValuesOf(code[at]);
    for (std::size_t k = 0; k < access.num_reads; ++k) {
      use(access.reads[k], at);
    }
    use(access.write.value_or(0), at);
  }
  std::size_t begin = 0;
  std::int32_t depth = 0;
  for (std::size_t at = 1; at <= code.size(); ++at) {
    depth += open[at];
    if (at == code.size() || (depth == 0 && at - begin >= most)) {
      pieces_.push_back({.begin = begin, .end = at});
      begin = at;
    }
  }
}

// Keeps values in memory that a piece may read before it has written them.
void SectionPlan::KeepAcrossPieces(std::span<const Tape::Instruction> code) {
  const auto is_local = [this](std::uint32_t address) {
    return address < is_own_.size() && is_own_[address] != 0;
  };
  // By address: 1 + the begin of the last piece that surely writes it.
  std::vector<std::size_t> written(is_own_.size());
  auto piece = pieces_.begin();
  std::size_t certain_from = 0;  // Behind all jumps so far.
  for (std::size_t at = 0; at < code.size(); ++at) {
    piece += at == piece->end ? 1 : 0;
    const ValueAccess access = ValuesOf(code[at]);
    for (std::size_t k = 0; k < access.num_reads; ++k) {
      const std::uint32_t address = access.reads[k];
      if (is_local(address) && written[address] != piece->begin + 1) {
        Keep(address, address);
      }
    }
    const std::int64_t jump = std::max<std::int64_t>(JumpOf(code[at]), 0);
    certain_from = std::max(certain_from, at + static_cast<std::size_t>(jump));
    if (access.write && is_local(*access.write) && at >= certain_from) {
      written[*access.write] = piece->begin + 1;
    }
  }
}

}  // namespace orrery::codegen::internal
