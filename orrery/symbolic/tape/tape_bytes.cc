#include "orrery/symbolic/tape/tape_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "orrery/base/error.h"

namespace orrery {

template <typename Stream>
void TapeBytes::BlockFields(Stream& stream, std::vector<Tape::Block>& blocks) {
  std::size_t count = blocks.size();
  stream.Count(count, 32);
  blocks.resize(count);
  for (Tape::Block& block : blocks) {
    stream.Number(block.begin);
    stream.Number(block.size);
    stream.Text(block.name);
    stream.Numbers(block.assignments);
  }
}

template <typename Stream>
void TapeBytes::Fields(Stream& stream, Tape& tape) {
  stream.Number(tape.num_slots_);
  stream.Number(tape.memory_size_);
  stream.Number(tape.scratch_);
  stream.Number(tape.stack_);
  stream.Numbers(tape.constants_);
  std::size_t count = tape.messages_.size();
  stream.Count(count, 8);
  tape.messages_.resize(count);
  for (std::string& message : tape.messages_) {
    stream.Text(message);
  }
  BlockFields(stream, tape.sections_);
  BlockFields(stream, tape.functions_);
  stream.Numbers(tape.nodes_);
  count = tape.code_.size();
  stream.Count(count, 17);
  tape.code_.resize(count);
  for (Tape::Instruction& i : tape.code_) {
    stream.Choice(i.op, TapeOp::kReturn);
    stream.Number(i.target);
    stream.Number(i.a);
    stream.Number(i.b);
    stream.Number(i.c);
  }
}

void TapeBytes::Write(ByteWriter& out, const Tape& tape) {
  if (!tape.opaques_.empty()) {
    throw Error(ErrorCode::kUnsupported,
                "function " + tape.opaques_.front()->name +
                    " is code of the model's author or of a library, which "
                    "compiled formulas do not contain");
  }
  Tape copy = tape;
  Fields(out, copy);
}

// Requirements on each block of code.
class TapeBytes::Check {
 public:
  Check(const ByteReader& in, const Tape& tape) : in_(in), tape_(tape) {}

  void All() const {
    constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
    const Tape& tape = tape_;
    in_.Expect(
        tape.memory_size_ <= kMost && tape.num_slots_ <= tape.memory_size_ &&
            tape.constants_.size() <= tape.memory_size_ - tape.num_slots_ &&
            tape.scratch_ <= tape.memory_size_,
        "parts outside of its memory");
    in_.Expect(tape.stack_ == 0 ||
                   (tape.stack_ < tape.memory_size_ &&
                    tape.memory_size_ - tape.stack_ > Tape::kStackSize),
               "a stack outside of its memory");
    in_.Expect(tape.nodes_.size() == tape.code_.size(),
               "instructions without formulas");
    for (const Tape::Block& section : tape.sections_) {
      CheckBlock(section);
      in_.Expect(section.assignments.empty() ? section.size == 1
                                             : section.assignments[0] == 0,
                 "instructions of no assignment");
    }
    for (const Tape::Block& function : tape.functions_) {
      CheckBlock(function);
    }
  }

 private:
  void CheckBlock(const Tape::Block& block) const {
    in_.Expect(block.size > 0 && block.begin <= tape_.code_.size() &&
                   block.size <= tape_.code_.size() - block.begin,
               "a section outside of its code");
    const std::span code =
        std::span(tape_.code_).subspan(block.begin, block.size);
    in_.Expect(code.back().op == TapeOp::kReturn, "a section without an end");
    in_.Expect(std::ranges::is_sorted(block.assignments),
               "assignments out of order");
    for (std::size_t at = 0; at < code.size(); ++at) {
      in_.Expect(HasAddresses(code[at]) && HasNumbers(code[at], code, at),
                 "an instruction with parts outside");
    }
  }

  [[nodiscard]] bool IsIn(std::uint32_t address,
                          std::size_t count = 1) const noexcept {
    return address < tape_.memory_size_ &&
           count <= tape_.memory_size_ - address;
  }

  [[nodiscard]] bool HasAddresses(const Tape::Instruction& i) const {
    switch (i.op) {
      case TapeOp::kCopyArray:
        return IsIn(i.target, i.c) && IsIn(i.a, i.c);
      case TapeOp::kFillArray:
        return IsIn(i.target, i.c) && IsIn(i.a);
      case TapeOp::kLoad:
      case TapeOp::kStore:
        return IsIn(i.target) && IsIn(i.a) && IsIn(i.b);
      case TapeOp::kIndexAdd:
        return IsIn(i.target) && IsIn(i.a) && IsIn(i.c);
      case TapeOp::kCopy:
      case TapeOp::kCopyInteger:
      case TapeOp::kIndexScale:
      case TapeOp::kToIndex:
      case TapeOp::kFromIndex:
        return IsIn(i.target) && IsIn(i.a);
      case TapeOp::kIndexZero:
      case TapeOp::kLoop:
      case TapeOp::kNext:
      case TapeOp::kCountPass:
        return IsIn(i.target);
      case TapeOp::kJumpUnless:
      case TapeOp::kAssert:
        return IsIn(i.a);
      case TapeOp::kPush:
      case TapeOp::kPop:
        return tape_.stack_ != 0 && IsIn(i.a, i.c);
      case TapeOp::kJump:
      case TapeOp::kCall:
      case TapeOp::kReturn:
        return true;
      case TapeOp::kOpaque:
        return false;
      default:
        return IsElementwise(i.op) && IsIn(i.target) && IsIn(i.a) &&
               IsIn(i.b) && IsIn(i.c);
    }
  }

  [[nodiscard]] bool HasNumbers(const Tape::Instruction& i,
                                std::span<const Tape::Instruction> code,
                                std::size_t at) const {
    const auto is_jump = [&](std::uint32_t distance) {
      const auto target =
          static_cast<std::ptrdiff_t>(at) + static_cast<std::int32_t>(distance);
      return target >= 0 && target < std::ssize(code);
    };
    switch (i.op) {
      case TapeOp::kJump:
        return is_jump(i.a);
      case TapeOp::kNext:
      case TapeOp::kJumpUnless:
        return is_jump(i.b);
      case TapeOp::kAssert:
        return is_jump(i.b) && (i.b != 0 || i.c < tape_.messages_.size());
      case TapeOp::kCall:
        return i.a < tape_.functions_.size();
      default:
        return true;
    }
  }

  const ByteReader& in_;
  const Tape& tape_;
};

std::shared_ptr<const Tape> TapeBytes::Read(ByteReader& in) {
  const std::shared_ptr<Tape> tape(new Tape());
  Fields(in, *tape);
  Check(in, *tape).All();
  return tape;
}

}  // namespace orrery
