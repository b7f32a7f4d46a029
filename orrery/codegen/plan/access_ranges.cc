#include "orrery/codegen/plan/access_ranges.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace orrery::codegen::internal {
namespace {

// Follows the indices through a code. Each is computed in its innermost loop
// and used there or in loops within.
class IndexFollower {
 public:
  explicit IndexFollower(std::span<const Tape::Instruction> code)
      : code_(code), ranges_(code.size(), AccessRange{.low = 0, .high = -1}) {}

  std::vector<AccessRange> Follow() && {
    for (std::size_t at = 0; at < code_.size(); ++at) {
      Pass(code_[at], ranges_[at]);
    }
    return std::move(ranges_);
  }

 private:
  struct Index {
    AccessRange range;
    std::size_t depth = 0;  // The loop that computes it.
  };

  void Pass(const Tape::Instruction& i, AccessRange& access) {
    switch (i.op) {
      case TapeOp::kLoop:
        ++depth_;
        Set(i.target, {.low = 0, .high = std::int64_t{i.a} - 1, .stride = 1});
        break;
      case TapeOp::kNext:
        --depth_;
        break;
      case TapeOp::kIndexZero:
        Set(i.target, {});
        break;
      case TapeOp::kIndexScale:
        Set(i.target, Scaled(Get(i.a), i.b));
        break;
      case TapeOp::kIndexAdd:
        Set(i.target, Sum(Scaled(Get(i.a), i.b), Get(i.c)));
        break;
      case TapeOp::kToIndex:
        Set(i.target, {.low = 0, .high = std::int64_t{i.c} - 1});
        break;
      case TapeOp::kLoad:
        access = Sum(Get(i.b), {.low = i.a, .high = i.a});
        break;
      case TapeOp::kStore:
        access = Sum(Get(i.b), {.low = i.target, .high = i.target});
        break;
      default:
        break;
    }
  }

  [[nodiscard]] AccessRange Get(std::uint32_t address) const {
    const Index& index = indices_.at(address);
    AccessRange range = index.range;
    if (index.depth != depth_) {
      range.stride = 0;
    }
    return range;
  }

  void Set(std::uint32_t address, const AccessRange& range) {
    indices_[address] = {.range = range, .depth = depth_};
  }

  static AccessRange Scaled(const AccessRange& range, std::uint32_t field) {
    const std::int64_t factor = static_cast<std::int32_t>(field);
    return {.low = std::min(range.low * factor, range.high * factor),
            .high = std::max(range.low * factor, range.high * factor),
            .stride = range.stride * factor};
  }

  static AccessRange Sum(const AccessRange& a, const AccessRange& b) {
    return {.low = a.low + b.low,
            .high = a.high + b.high,
            .stride = a.stride + b.stride};
  }

  std::span<const Tape::Instruction> code_;
  std::vector<AccessRange> ranges_;
  std::unordered_map<std::uint32_t, Index> indices_;
  std::size_t depth_ = 0;
};

}  // namespace

std::vector<AccessRange> AccessRangesOf(
    std::span<const Tape::Instruction> code) {
  return IndexFollower(code).Follow();
}

}  // namespace orrery::codegen::internal
