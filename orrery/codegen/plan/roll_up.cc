#include "orrery/codegen/plan/roll_up.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "orrery/codegen/plan/access_ranges.h"
#include "orrery/codegen/plan/code_parts.h"
#include "orrery/codegen/plan/repetitions.h"
#include "orrery/codegen/plan/section_plan.h"

namespace orrery::codegen::internal {
namespace {

using Instruction = Tape::Instruction;

bool IsStraight(TapeOp op) noexcept {
  return IsElementwise(op) || IsCopy(op);
}

struct RollRules {
  const IsWanted& is_wanted;
  const std::function<bool(const UniformNumbers&)>& takes_for_uniform;
};

// Writes a repetition as a loop.
class LoopWriter {
 public:
  LoopWriter(const StraightCode& code,
             const Repetition& repetition,
             const RollRules& rules,
             std::uint32_t& next_local)
      : code_(code),
        r_(repetition),
        rules_(rules),
        next_local_(next_local),
        is_stored_(repetition.length),
        locals_(repetition.length) {}

  // @returns none if it cannot be a loop.
  std::optional<TapeCode> Write() {
    const std::uint32_t first_local = next_local_;
    for (std::uint32_t& local : locals_) {
      local = next_local_++;
    }
    if (!FindStored()) {
      next_local_ = first_local;
      return std::nullopt;
    }
    const std::uint32_t counter = next_local_++;
    TapeCode body;
    for (std::size_t b = 0; b < r_.length; ++b) {
      WriteInstruction(b, counter, body);
    }
    TapeCode result = std::move(before_);
    const auto passes = static_cast<std::uint32_t>(r_.passes);
    const auto length = static_cast<std::uint32_t>(body.size() + 1);
    result.push_back(
        {.op = TapeOp::kLoop, .target = counter, .a = passes, .c = length});
    result.insert(result.end(), body.begin(), body.end());
    result.push_back({.op = TapeOp::kNext,
                      .target = counter,
                      .a = passes,
                      .b = 1U - length});
    result.insert(result.end(), after_.begin(), after_.end());
    return result;
  }

  // Writes the passes one after the other; uniform numbers are read at one
  // place.
  TapeCode WriteStraight() {
    TapeCode result;
    for (std::size_t at = r_.begin; at < r_.end(); ++at) {
      const std::size_t b = (at - r_.begin) % r_.length;
      Instruction& i = result.emplace_back(code_[at]);
      const ValueAccess first = ValuesOf(code_[Place(0, b)]);
      const auto second = ValuesOf(code_[Place(1, b)]).reads;
      const std::array<std::uint32_t*, 3> fields = {&i.a, &i.b, &i.c};
      for (std::size_t k = 0; k < first.num_reads; ++k) {
        if (second[k] != first.reads[k] &&
            IsUniform(b, k, first.reads[k], second[k] - first.reads[k])) {
          *fields[k] = first.reads[k];
        }
      }
    }
    return result;
  }

 private:
  [[nodiscard]] std::size_t Place(std::size_t pass, std::size_t b) const {
    return r_.begin + pass * r_.length + b;
  }

  // The stride of an instruction's target; none if it moves unevenly.
  [[nodiscard]] std::optional<std::uint32_t> StrideOfTarget(
      std::size_t b) const {
    const std::uint32_t stride =
        code_[Place(1, b)].target - code_[Place(0, b)].target;
    for (std::size_t pass = 2; pass < r_.passes; ++pass) {
      if (code_[Place(pass, b)].target - code_[Place(pass - 1, b)].target !=
          stride) {
        return std::nullopt;
      }
    }
    return stride;
  }

  // The needs for the result of place `b` in a pass.
  struct Need {
    bool is_possible = true;    // A loop can satisfy them.
    bool is_of_others = false;  // Beyond the same and the next pass.
  };

  [[nodiscard]] Need NeedOf(std::size_t pass, std::size_t b) const {
    const std::size_t at = Place(pass, b);
    Need need{.is_of_others =
                  code_.IsLast(at) && rules_.is_wanted(code_[at].target)};
    for (const std::uint32_t user : code_.UsersOf(at)) {
      const std::size_t pass_of_user = (user - r_.begin) / r_.length;
      if (user >= r_.end()) {
        need.is_of_others = true;
      } else if (pass_of_user == pass + 1) {
        // The next pass must read it before it is overwritten.
        need.is_possible =
            need.is_possible && (user - r_.begin) % r_.length <= b;
      } else {
        need.is_possible = need.is_possible && pass_of_user == pass;
      }
    }
    return need;
  }

  // Finds results to be stored in each pass, or after the last one.
  bool FindStored() {
    for (std::size_t b = 0; b < r_.length; ++b) {
      bool is_needed = false;
      for (std::size_t pass = 0; pass + 1 < r_.passes; ++pass) {
        const Need need = NeedOf(pass, b);
        if (!need.is_possible) {
          return false;
        }
        is_needed = is_needed || need.is_of_others;
      }
      if (is_needed) {
        is_stored_[b] = StrideOfTarget(b).value_or(0);
        if (is_stored_[b] == 0) {
          return false;
        }
      } else if (NeedOf(r_.passes - 1, b).is_of_others) {
        after_.push_back({.op = TapeOp::kCopy,
                          .target = code_[Place(r_.passes - 1, b)].target,
                          .a = locals_[b]});
      }
    }
    return true;
  }

  void WriteInstruction(std::size_t b, std::uint32_t counter, TapeCode& body) {
    Instruction i = code_[Place(0, b)];
    const ValueAccess access = ValuesOf(i);
    const auto& first = access.reads;
    const auto second = ValuesOf(code_[Place(1, b)]).reads;
    const std::array<std::uint32_t*, 3> fields = {&i.a, &i.b, &i.c};
    for (std::size_t k = 0; k < access.num_reads; ++k) {
      const std::uint32_t source = code_.SourceOf(Place(1, b), k);
      if (source != StraightCode::kNone && source >= r_.begin) {
        const std::size_t from = (source - r_.begin) % r_.length;
        *fields[k] = locals_[from];
        if (source < r_.begin + r_.length) {  // From the pass before.
          before_.push_back(
              {.op = TapeOp::kCopy, .target = locals_[from], .a = first[k]});
        }
      } else if (second[k] != first[k] &&
                 !IsUniform(b, k, first[k], second[k] - first[k])) {
        *fields[k] = next_local_++;
        body.push_back({.op = TapeOp::kLoad,
                        .target = *fields[k],
                        .a = first[k],
                        .b = IndexOf(second[k] - first[k], counter, body)});
      }
    }
    const std::uint32_t target = i.target;
    i.target = locals_[b];
    body.push_back(i);
    if (is_stored_[b] != 0) {
      body.push_back({.op = TapeOp::kStore,
                      .target = target,
                      .a = locals_[b],
                      .b = IndexOf(is_stored_[b], counter, body)});
    }
  }

  // True if operand k, which no pass computes, may be read once for all passes.
  [[nodiscard]] bool IsUniform(std::size_t b,
                               std::size_t k,
                               std::uint32_t first,
                               std::uint32_t stride) const {
    for (std::size_t pass = 0; pass < r_.passes; ++pass) {
      if (code_.SourceOf(Place(pass, b), k) != StraightCode::kNone) {
        return false;
      }
    }
    return rules_.takes_for_uniform &&
           rules_.takes_for_uniform(
               {.first = first,
                .stride = static_cast<std::int32_t>(stride),
                .count = static_cast<std::uint32_t>(r_.passes)});
  }

  // counter * stride
  std::uint32_t IndexOf(std::uint32_t stride,
                        std::uint32_t counter,
                        TapeCode& body) {
    if (stride == 1) {
      return counter;
    }
    const auto [entry, is_new] = indices_.try_emplace(stride, next_local_);
    if (is_new) {
      body.push_back({.op = TapeOp::kIndexScale,
                      .target = next_local_++,
                      .a = counter,
                      .b = stride});
    }
    return entry->second;
  }

  const StraightCode& code_;
  const Repetition& r_;
  const RollRules& rules_;
  std::uint32_t& next_local_;
  std::vector<std::uint32_t> is_stored_;  // The stride, 0: not stored.
  std::vector<std::uint32_t> locals_;     // By place in a pass.
  std::unordered_map<std::uint32_t, std::uint32_t> indices_;
  TapeCode before_;
  TapeCode after_;
};

void RollStraight(std::span<const Instruction> part,
                  const RollRules& rules,
                  std::uint32_t& next_local,
                  TapeCode& result) {
  const auto append = [&](std::span<const Instruction> more) {
    result.insert(result.end(), more.begin(), more.end());
  };
  if (part.size() < kLeastPasses) {
    return append(part);
  }
  const StraightCode code(part);
  if (code.is_mixed()) {
    return append(part);
  }
  const RepetitionFinder finder(code);
  for (std::size_t at = 0; at < part.size();) {
    const auto found = finder.At(at);
    if (!found) {
      result.push_back(part[at++]);
      continue;
    }
    append(part.subspan(at, found->begin - at));
    LoopWriter writer(code, *found, rules, next_local);
    auto loop = found->size() < kLeastRolled ? std::nullopt : writer.Write();
    append(loop ? *loop : writer.WriteStraight());
    at = found->end();
  }
}

// By instruction: true within a loop or between a jump and its end.
std::vector<bool> FindCovered(std::span<const Instruction> code) {
  std::vector<std::int32_t> changes(code.size() + 1);
  for (std::size_t at = 0; at < code.size(); ++at) {
    const std::int64_t jump = JumpOf(code[at]);
    const auto to =
        static_cast<std::size_t>(static_cast<std::int64_t>(at) + jump);
    if (jump != 0) {
      ++changes[std::min(at, to)];
      --changes[std::max(at + 1, to)];
    }
  }
  std::vector<bool> is_covered(code.size());
  std::int32_t depth = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    depth += changes[at];
    is_covered[at] = depth > 0;
  }
  return is_covered;
}

// Addresses that are read outside of the straight part that writes them: by
// arrays, loops and branches, or in another straight part.
class ReadersApart {
 public:
  ReadersApart(std::span<const Instruction> code,
               const std::vector<bool>& is_covered) {
    const auto is_straight = [&](std::size_t at) {
      return IsStraight(code[at].op) && !is_covered[at];
    };
    std::size_t first = 0;
    while (first < code.size() && is_straight(first)) {
      ++first;
    }
    if (first + 1 >= code.size()) {
      return;  // One part and its kReturn.
    }
    const std::vector<AccessRange> ranges = AccessRangesOf(code);
    std::size_t part = 0;
    for (std::size_t at = 0; at < code.size(); ++at) {
      if (!is_straight(at)) {
        part = at + 1;
        NoteArrays(code[at], ranges[at]);
      }
      const ValueAccess access = ValuesOf(code[at]);
      for (std::size_t k = 0; k < access.num_reads; ++k) {
        Note(access.reads[k], is_straight(at) ? part : kApart);
      }
    }
    MergeArrays();
  }

  // @param part its begin.
  [[nodiscard]] bool Read(std::uint32_t address, std::size_t part) const {
    const auto reader = readers_.find(address);
    return all_ || IsInArray(address) ||
           (reader != readers_.end() && reader->second != part);
  }

 private:
  static constexpr std::size_t kApart = std::numeric_limits<std::size_t>::max();

  void Note(std::uint32_t address, std::size_t part) {
    const auto [reader, is_new] = readers_.try_emplace(address, part);
    if (!is_new && reader->second != part) {
      reader->second = kApart;
    }
  }

  void NoteArrays(const Instruction& i, const AccessRange& range) {
    if (i.op == TapeOp::kLoad) {
      arrays_.push_back(range);
    } else if (i.op == TapeOp::kCopyArray) {
      arrays_.push_back({.low = i.a, .high = std::int64_t{i.a} + i.c - 1});
    }
    all_ = all_ || i.op == TapeOp::kOpaque || i.op == TapeOp::kPush;
  }

  // Sorts the ranges and merges those that overlap.
  void MergeArrays() {
    std::ranges::sort(arrays_, {}, &AccessRange::low);
    std::size_t merged = 0;
    for (const AccessRange& range : arrays_) {
      if (merged > 0 && range.low <= arrays_[merged - 1].high) {
        arrays_[merged - 1].high =
            std::max(arrays_[merged - 1].high, range.high);
      } else {
        arrays_[merged++] = range;
      }
    }
    arrays_.resize(merged);
  }

  [[nodiscard]] bool IsInArray(std::uint32_t address) const {
    const auto after =
        std::ranges::upper_bound(arrays_, address, {}, &AccessRange::low);
    return after != arrays_.begin() && std::prev(after)->Contains(address);
  }

  std::unordered_map<std::uint32_t, std::size_t> readers_;
  std::vector<AccessRange> arrays_;
  bool all_ = false;
};

}  // namespace

TapeCode DropUnused(std::span<const Instruction> code,
                    const IsWanted& is_wanted) {
  std::unordered_map<std::uint32_t, bool> is_read;  // False: overwritten.
  std::vector<bool> stays(code.size(), true);
  const std::vector<bool> is_covered = FindCovered(code);
  for (std::size_t at = code.size(); at-- > 0;) {
    const Instruction& i = code[at];
    if (i.op == TapeOp::kReturn && at + 1 == code.size()) {
      continue;
    }
    if (!IsStraight(i.op) || is_covered[at]) {
      break;
    }
    const auto known = is_read.find(i.target);
    stays[at] = i.op == TapeOp::kCopyInteger ||  // It may end the run.
                (known == is_read.end() ? is_wanted(i.target) : known->second);
    if (stays[at]) {
      is_read[i.target] = false;
      const ValueAccess access = ValuesOf(i);
      for (std::size_t k = 0; k < access.num_reads; ++k) {
        is_read[access.reads[k]] = true;
      }
    }
  }
  TapeCode result;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (stays[at]) {
      result.push_back(code[at]);
    }
  }
  return result;
}

TapeCode RollUp(
    std::span<const Instruction> code,
    const IsWanted& is_wanted,
    const std::function<bool(const UniformNumbers&)>& takes_for_uniform) {
  TapeCode result;
  std::uint32_t next_local = kLocalRegion;
  const std::vector<bool> is_covered = FindCovered(code);
  const ReadersApart apart(code, is_covered);
  std::size_t at = 0;
  const IsWanted is_needed = [&](std::uint32_t address) {
    return is_wanted(address) || apart.Read(address, at);
  };
  const RollRules rules{.is_wanted = is_needed,
                        .takes_for_uniform = takes_for_uniform};
  while (at < code.size()) {
    std::size_t end = at;
    while (end < code.size() && IsStraight(code[end].op) && !is_covered[end]) {
      ++end;
    }
    RollStraight(code.subspan(at, end - at), rules, next_local, result);
    if (end < code.size()) {
      result.push_back(code[end]);
    }
    at = end + 1;
  }
  return result;
}

}  // namespace orrery::codegen::internal
