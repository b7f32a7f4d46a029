#include "orrery/symbolic/emit/callees.h"

#include <algorithm>

namespace orrery::symbolic::internal {

// True if the call may lead back to the function that is being compiled.
bool Callees::MayReturn(std::uint32_t callee) const {
  return unit_.function != TapeUnit::kNoFunction &&
         context_.Reaches(context_.functions[callee].unbound,
                          context_.functions[unit_.function].unbound);
}

// Returns the function to call: a variant that reads long arguments in place.
std::uint32_t Callees::Of(std::uint32_t call) {
  constexpr std::int64_t kLong = 16;  // Shorter ones are cheap to copy.
  const Expr node = info_.node(call);
  const std::uint32_t unbound =
      context_.NumberOf(node.graph().FunctionOf(node));
  if (MayReturn(unbound)) {
    return unbound;
  }
  std::vector<Address> places(node.num_operands(), kNoAddress);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (NumElements(node.operand(i).shape()) >= kLong) {
      places[i] = SettledPlaceOf(info_.operand(call, i));
    }
  }
  const bool any = std::ranges::any_of(
      places, [](Address place) { return place != kNoAddress; });
  return any ? context_.Bound(unbound, places) : unbound;
}

// Returns the address of a contiguous array that nothing changes while
// functions run; or kNoAddress.
Address Callees::SettledPlaceOf(std::uint32_t number) const {
  const Expr node = info_.node(number);
  if (node.op() == Op::kArrayConstant) {
    return code_.BaseOf(number);
  }
  if (node.op() == Op::kSymbol) {
    const bool is_variable =
        variables_ != nullptr && variables_->contains(node.id());
    const bool is_settled =
        is_variable ? (variables_->at(node.id()) & kRegionMask) != kFrameRegion
                    : context_.settled.contains(node.id());
    return is_settled ? code_.AddressOfSymbol(node) : kNoAddress;
  }
  if (node.op() != Op::kIndex) {
    return kNoAddress;
  }
  const Address base = SettledPlaceOf(info_.operand(number, 0));
  if (base == kNoAddress) {
    return kNoAddress;
  }
  const Shape& shape = node.operand(0).shape();
  std::int64_t place = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    place *= shape[k];
    if (k + 1 < node.num_operands()) {
      const Expr subscript = node.operand(k + 1);
      if (!subscript.is_constant() ||
          !info_.IsInBounds(info_.operand(number, k + 1), shape[k])) {
        return kNoAddress;
      }
      place += static_cast<std::int64_t>(subscript.value()) - 1;
    }
  }
  return base + static_cast<Address>(place);
}

}  // namespace orrery::symbolic::internal
