#include "orrery/symbolic/emit/temp_places.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "orrery/symbolic/emit/tape_parts.h"

namespace orrery::symbolic::internal {

AddressFields AddressesOf(TapeOp op) noexcept {
  if (IsElementwise(op)) {
    const int operands = ElementwiseOperands(static_cast<Op>(op));
    return {.target = true, .a = true, .b = operands > 1, .c = operands > 2};
  }
  switch (op) {
    case TapeOp::kLoad:
    case TapeOp::kStore:
      return {.target = true, .a = true, .b = true};
    case TapeOp::kIndexAdd:
      return {.target = true, .a = true, .c = true};
    case TapeOp::kIndexZero:
    case TapeOp::kLoop:
    case TapeOp::kNext:
    case TapeOp::kCountPass:
      return {.target = true};
    case TapeOp::kJumpUnless:
    case TapeOp::kAssert:
    case TapeOp::kPush:
    case TapeOp::kPop:
      return {.a = true};
    case TapeOp::kJump:
    case TapeOp::kCall:
    case TapeOp::kReturn:
      return {};
    default:
      return {.target = true, .a = true};
  }
}

namespace {

using Instruction = Tape::Instruction;

struct Interval {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The range of instructions in which a temporary must keep its place.
//
// A temporary written before a loop and read in it lives to the loop's end. A
// temporary first written in a loop and read after it lives from the loop's
// start.
class Lifetimes {
 public:
  explicit Lifetimes(const TapeUnit& unit) : unit_(unit) {
    FindLoops();
    lives_.resize(unit.temps.count());
    is_used_.resize(unit.temps.count());
    ForEachUse([this](std::uint32_t temp, std::size_t at) {
      Interval& life = lives_[temp];
      if (!is_used_[temp]) {
        is_used_[temp] = true;
        life = {.begin = at, .end = at};
      }
      life.end = std::max(life.end, at);
      const auto loop = std::ranges::upper_bound(
          open_, life.begin, {}, [](const Interval& l) { return l.begin; });
      if (loop != open_.end()) {
        life.end = std::max(life.end, loop->end);
      }
    });
    if (!loops_.empty()) {
      LengthenToLoops();
    }
    for (const std::uint32_t temp : unit.temps.lasting()) {
      is_used_[temp] = true;
      lives_[temp] = {.begin = 0, .end = unit.code.size()};
    }
  }

  [[nodiscard]] bool IsUsed(std::uint32_t temp) const { return is_used_[temp]; }

  [[nodiscard]] const Interval& Of(std::uint32_t temp) const {
    return lives_[temp];
  }

 private:
  // A temporary first written in a loop and read after it lives from its start.
  void LengthenToLoops() {
    std::vector<bool> is_seen(lives_.size());
    ForEachUse([&](std::uint32_t temp, std::size_t /*at*/) {
      if (is_seen[temp]) {
        return;
      }
      is_seen[temp] = true;
      Interval& life = lives_[temp];
      const auto loop = std::ranges::find_if(
          open_, [&](const Interval& l) { return l.end < life.end; });
      if (loop != open_.end()) {
        life.begin = loop->begin;
      }
    });
  }

  // Every backward jump closes a loop.
  void FindLoops() {
    const std::vector<Instruction>& code = unit_.code.instructions;
    for (std::size_t at = 0; at < code.size(); ++at) {
      std::int32_t distance = 0;
      if (code[at].op == TapeOp::kNext) {
        distance = static_cast<std::int32_t>(code[at].b);
      } else if (code[at].op == TapeOp::kJump) {
        distance = static_cast<std::int32_t>(code[at].a);
      }
      if (distance < 0) {
        const auto length = static_cast<std::size_t>(-distance);
        loops_.push_back({.begin = at - length, .end = at});
      }
    }
    std::ranges::sort(loops_, [](const Interval& a, const Interval& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
  }

  // Calls visit(temporary, position) in order; `open_` holds the loops around.
  template <typename Visit>
  void ForEachUse(const Visit& visit) {
    open_.clear();
    auto next_loop = loops_.begin();
    const std::vector<Instruction>& code = unit_.code.instructions;
    for (std::size_t at = 0; at < code.size(); ++at) {
      while (!open_.empty() && open_.back().end < at) {
        open_.pop_back();
      }
      for (; next_loop != loops_.end() && next_loop->begin == at; ++next_loop) {
        open_.push_back(*next_loop);
      }
      const AddressFields fields = AddressesOf(code[at].op);
      const auto use = [&](bool is_address, Address address) {
        if (is_address && (address & kRegionMask) == kTempRegion) {
          visit(unit_.temps.NumberOf(address), at);
        }
      };
      use(fields.a, code[at].a);
      use(fields.b, code[at].b);
      use(fields.c, code[at].c);
      use(fields.target, code[at].target);
    }
  }

  const TapeUnit& unit_;
  std::vector<Interval> loops_;  // By begin, outer before inner.
  std::vector<Interval> open_;   // Outermost first.
  std::vector<Interval> lives_;
  std::vector<bool> is_used_;
};

// Free places, by size. Takes the exact fit that was freed last, which is
// likely to be in the cache.
class FreePlaces {
 public:
  Address Take(std::size_t size) {
    std::vector<Address>& list = free_[size];
    if (!list.empty()) {
      const Address place = list.back();
      list.pop_back();
      return place;
    }
    const auto place = static_cast<Address>(used_);
    used_ += size;
    return place;
  }

  void Give(Address place, std::size_t size) { free_[size].push_back(place); }

  [[nodiscard]] std::size_t used() const noexcept { return used_; }

 private:
  std::map<std::size_t, std::vector<Address>> free_;
  std::size_t used_ = 0;
};

// The temporaries of each instruction, ascending.
class ByInstruction {
 public:
  /// @param instruction_of instruction of each temporary; kNone: none.
  ByInstruction(std::span<const std::uint32_t> instruction_of,
                std::size_t num_instructions)
      : starts_(num_instructions + 1) {
    for (const std::uint32_t at : instruction_of) {
      if (at != kNone) {
        ++starts_[at + 1];
      }
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    temps_.resize(starts_.back());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (std::uint32_t temp = 0; temp < instruction_of.size(); ++temp) {
      if (instruction_of[temp] != kNone) {
        temps_[next[instruction_of[temp]]++] = temp;
      }
    }
  }

  static constexpr std::uint32_t kNone = 0xffffffff;

  [[nodiscard]] std::span<const std::uint32_t> operator[](
      std::size_t at) const {
    return std::span(temps_).subspan(starts_[at],
                                     starts_[at + 1] - starts_[at]);
  }

 private:
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> temps_;
};

// True if the operands are read completely before the result is written.
bool ReadsFirst(TapeOp op) noexcept {
  return IsElementwise(op) || IsCopy(op) || op == TapeOp::kLoad ||
         op == TapeOp::kFromIndex || op == TapeOp::kToIndex ||
         op == TapeOp::kIndexScale || op == TapeOp::kIndexAdd;
}

}  // namespace

TempPlaces PlaceTemps(const TapeUnit& unit) {
  const Lifetimes lives(unit);
  const auto count = static_cast<std::uint32_t>(unit.temps.count());
  std::vector<std::uint32_t> begin_of(count, ByInstruction::kNone);
  std::vector<std::uint32_t> end_of(count, ByInstruction::kNone);
  for (std::uint32_t temp = 0; temp < count; ++temp) {
    if (lives.IsUsed(temp)) {
      begin_of[temp] = static_cast<std::uint32_t>(lives.Of(temp).begin);
      end_of[temp] = static_cast<std::uint32_t>(lives.Of(temp).end);
    }
  }
  const ByInstruction begins(begin_of, unit.code.size() + 1);
  const ByInstruction ends(end_of, unit.code.size() + 1);
  TempPlaces places;
  places.place_of.resize(count);
  FreePlaces free;
  const auto give = [&](std::uint32_t temp) {
    free.Give(places.place_of[temp], unit.temps.SizeOf(temp));
  };
  for (std::size_t at = 0; at <= unit.code.size(); ++at) {
    const bool reads_first =
        at < unit.code.size() && ReadsFirst(unit.code.instructions[at].op);
    const auto is_operand = [&](std::uint32_t temp) {
      return reads_first && lives.Of(temp).begin < at;
    };
    for (const std::uint32_t temp : ends[at]) {
      if (is_operand(temp)) {
        give(temp);
      }
    }
    for (const std::uint32_t temp : begins[at]) {
      places.place_of[temp] = free.Take(unit.temps.SizeOf(temp));
    }
    for (const std::uint32_t temp : ends[at]) {
      if (!is_operand(temp)) {
        give(temp);
      }
    }
  }
  places.size = free.used();
  return places;
}

}  // namespace orrery::symbolic::internal
