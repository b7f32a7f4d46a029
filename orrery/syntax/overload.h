#pragma once

namespace orrery::modelica::internal {

/// Lambdas as one visitor of a variant.
template <typename... Visitors>
struct Overload : Visitors... {
  using Visitors::operator()...;
};

template <typename... Visitors>
Overload(Visitors...) -> Overload<Visitors...>;

}  // namespace orrery::modelica::internal
