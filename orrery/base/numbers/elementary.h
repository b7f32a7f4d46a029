#pragma once

namespace orrery {

/// The type of the vector of two numbers that is the argument of a function.
template <typename Result, typename Pair>
Pair PairOf(Result (*)(Pair));
template <typename Result, typename Pair>
Pair PairOf(Result (*)(Pair, Pair));

template <typename Function>
concept OfPair = requires(Function f, decltype(PairOf(f)) x) {
  f(x);
};

template <typename Function>
concept OfTwoPairs = requires(Function f, decltype(PairOf(f)) x) {
  f(x, x);
};

/// Evaluates an elementary function of one number by SLEEF's code for two
/// (SSE2, which all of x86-64 has). It gives the same bits as the scalar code,
/// and takes a fifth to a third less time.
template <OfPair auto kOfTwo>
[[nodiscard]] double OfOne(double x) noexcept {
  using Pair = decltype(PairOf(kOfTwo));
  return kOfTwo(Pair{x, x})[0];
}

/// The same for two arguments.
template <OfTwoPairs auto kOfTwo>
[[nodiscard]] double OfOne(double x, double y) noexcept {
  using Pair = decltype(PairOf(kOfTwo));
  return kOfTwo(Pair{x, x}, Pair{y, y})[0];
}

}  // namespace orrery
