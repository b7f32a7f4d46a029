#include "orrery/codegen/plan/repetitions.h"

#include <algorithm>

#include "orrery/codegen/plan/section_plan.h"

namespace orrery::codegen::internal {
namespace {

constexpr std::size_t kLongestPass = 64;

}  // namespace

StraightCode::StraightCode(std::span<const Tape::Instruction> code)
    : code_(code) {
  sources_.resize(code.size());
  std::vector<std::uint32_t> counts(code.size() + 1);
  for (std::uint32_t at = 0; at < code.size(); ++at) {
    const ValueAccess access = ValuesOf(code[at]);
    sources_[at].fill(kNone);
    for (std::size_t k = 0; k < access.num_reads; ++k) {
      const auto found = last_.find(access.reads[k]);
      if (found != last_.end()) {
        sources_[at][k] = found->second;
        ++counts[found->second + 1];
      } else {
        read_before_.insert(access.reads[k]);
      }
    }
    is_mixed_ = is_mixed_ || read_before_.contains(code[at].target);
    last_[code[at].target] = at;
  }
  for (std::size_t at = 0; at < code.size(); ++at) {
    counts[at + 1] += counts[at];
  }
  first_user_ = counts;
  users_.resize(counts.back());
  for (std::uint32_t at = 0; at < code.size(); ++at) {
    for (const std::uint32_t source : sources_[at]) {
      if (source != kNone) {
        users_[counts[source]++] = at;
      }
    }
  }
}

std::optional<Repetition> RepetitionFinder::At(std::size_t begin) const {
  Repetition best;
  const std::size_t left = code_.size() - begin;
  for (std::size_t length = 1;
       length <= std::min(kLongestPass, left / kLeastPasses);
       ++length) {
    const Repetition found = Extend(begin, length);
    if (found.end() > best.end() + length && found.passes >= kLeastPasses) {
      best = found;
    }
  }
  if (best.passes == 0) {
    return std::nullopt;
  }
  return best.size() < kLeastRolled ? best : WithFewestCarried(best);
}

Repetition RepetitionFinder::Extend(std::size_t begin,
                                    std::size_t length) const {
  Repetition result{.begin = begin, .length = length, .passes = 1};
  while (begin + (result.passes + 1) * length <= code_.size() &&
         Follows(result)) {
    ++result.passes;
  }
  return result;
}

// True if one more pass is like those before.
bool RepetitionFinder::Follows(const Repetition& so_far) const {
  const std::size_t next = so_far.end();
  for (std::size_t i = 0; i < so_far.length; ++i) {
    if (!Matches(so_far, next + i)) {
      return false;
    }
  }
  return true;
}

bool RepetitionFinder::Matches(const Repetition& r, std::size_t at) const {
  const Tape::Instruction& now = code_[at];
  const Tape::Instruction& before = code_[at - r.length];
  if (now.op != before.op) {
    return false;
  }
  // Strides are known from the second pass on.
  const bool moves_are_known = r.passes > 1;
  const Tape::Instruction& earlier =
      code_[moves_are_known ? at - 2 * r.length : at - r.length];
  const ValueAccess access = ValuesOf(now);
  const auto& a = access.reads;
  const auto b = ValuesOf(before).reads;
  const auto c = ValuesOf(earlier).reads;
  for (std::size_t k = 0; k < access.num_reads; ++k) {
    const std::uint32_t source = code_.SourceOf(at, k);
    const std::uint32_t source_before = code_.SourceOf(at - r.length, k);
    const bool is_within = source != StraightCode::kNone && source >= r.begin;
    const bool was_within =
        source_before != StraightCode::kNone && source_before >= r.begin;
    if (is_within) {
      if (source_before == StraightCode::kNone ||
          source - source_before != r.length) {
        return false;
      }
    } else if (was_within || (moves_are_known && a[k] - b[k] != b[k] - c[k])) {
      return false;
    }
  }
  return true;
}

// The same repetition, shifted so that passes leave least to each other.
Repetition RepetitionFinder::WithFewestCarried(const Repetition& r) const {
  Repetition best = r;
  std::size_t least = CountCarried(r);
  for (std::size_t shift = 1; shift < r.length && least > 0; ++shift) {
    const Repetition shifted{
        .begin = r.begin + shift, .length = r.length, .passes = r.passes - 1};
    const std::size_t carried = CountCarried(shifted);
    if (carried < least) {
      least = carried;
      best = shifted;
    }
  }
  return best;
}

// Operands of the second pass that are results of the first.
std::size_t RepetitionFinder::CountCarried(const Repetition& r) const {
  std::size_t count = 0;
  for (std::size_t at = r.begin + r.length; at < r.begin + 2 * r.length; ++at) {
    for (std::size_t k = 0; k < ValuesOf(code_[at]).num_reads; ++k) {
      const std::uint32_t source = code_.SourceOf(at, k);
      count += source != StraightCode::kNone && source >= r.begin &&
                       source < r.begin + r.length
                   ? 1
                   : 0;
    }
  }
  return count;
}

}  // namespace orrery::codegen::internal
