#pragma once

namespace orrery::modelica::internal {

/// One function for all cases of a variant: CasesOf{[](A) {}, [](B) {}}.
template <typename... Cases>
struct CasesOf : Cases... {
  using Cases::operator()...;
};

template <typename... Cases>
CasesOf(Cases...) -> CasesOf<Cases...>;

}  // namespace orrery::modelica::internal
