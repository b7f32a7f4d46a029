#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace orrery {

/// The counter-based generator Philox4x32-10: a bijection of `counter` for each
/// `key`. Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1,
/// 2, 3", SC'11.
[[nodiscard]] std::array<std::uint32_t, 4> Philox4x32(
    std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// FNV-1a in 64 bits: the same bytes give the same number, on every machine and
/// in every version.
[[nodiscard]] std::uint64_t StableHash(std::string_view text);

/// The `x` for which a standard normal variable is below `x` with probability
/// `p`, to about 16 digits; infinite for 0 and 1. Wichura, "Algorithm AS 241",
/// Applied Statistics 37 (1988) 477-484, PPND16.
/// @throws Error kInvalidArgument if `p` is outside [0, 1].
[[nodiscard]] double InverseNormalCdf(double p);

/// A stream of random numbers, identified by a seed and a name.
///
/// Word n (64 bits) of the stream is half of Philox4x32 at counter (n / 2,
/// StableHash(name)) with the key `seed`. Streams with one seed and different
/// names never overlap. Each use of randomness in a model has its own stream,
/// whose numbers do not depend on other uses. A stream is a small value: a copy
/// is a snapshot, and equal streams always give equal numbers. Two threads must
/// not use a stream at once. It has 2^64 words, then repeats.
///
/// Every distribution is specified to the last bit: elementary functions are
/// SLEEF's reproducible ones, so that numbers are the same on every machine. "k
/// words" below is the consumption of one draw. Each function throws Error
/// kInvalidArgument, naming the parameter that is out of range, before it
/// consumes anything.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name);

  /// The same stream, identified by the hash of its name.
  RandomStream(std::uint64_t seed, std::uint64_t name_hash)
      : seed_(seed), name_hash_(name_hash) {}

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  /// The number of words consumed so far, modulo 2^64.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

  /// Goes to word `position`, forward or back, at once.
  void Seek(std::uint64_t position);

  /// Skips `words` words.
  void Jump(std::uint64_t words) { Seek(position_ + words); }

  /// 64 random bits. One word.
  std::uint64_t Next();

  /// Uniform on the multiples of 2^-53 in [0, 1). One word.
  double Uniform01();

  /// Uniform on the odd multiples of 2^-53 in (0, 1): never 0, never 1. One
  /// word. The basis of all inversions below.
  double UniformOpen01();

  /// Uniform from `low` to `high` (>= `low`); rounding may yield `high`. One
  /// word.
  double Uniform(double low, double high);

  /// Uniform on the integers from `low` to `high` (>= `low`), both included,
  /// without bias. One word, more with probability < (high - low + 1) / 2^64.
  /// Lemire, ACM Trans. Model. Comput. Simul. 29 (2019) 3.
  std::int64_t UniformInt(std::int64_t low, std::int64_t high);

  /// True with `probability` in [0, 1]. One word.
  bool Bernoulli(double probability);

  /// By inversion (InverseNormalCdf). One word.
  double Normal(double mean, double standard_deviation);

  /// exp of Normal(mu, sigma). One word.
  double LogNormal(double mu, double sigma);

  /// With `mean` > 0, the inverse of the rate; by inversion. One word.
  double Exponential(double mean);

  /// Density ~ x^(shape-1) exp(-x/scale); both > 0. Two words a trial (a trial
  /// succeeds with probability > 0.95), and one more if shape < 1. Marsaglia &
  /// Tsang, ACM Trans. Math. Softw. 26 (2000) 363-372.
  double Gamma(double shape, double scale);

  /// Density ~ x^(a-1) (1-x)^(b-1), a and b >= 1e-300. The words of two
  /// Gamma().
  double Beta(double a, double b);

  /// With `scale` and `shape` > 0; by inversion. One word.
  double Weibull(double shape, double scale);

  /// With its peak at `mode` in [low, high]; by inversion. One word.
  double Triangular(double low, double mode, double high);

  /// With `mean` in [0, 1e9]. Below a mean of 10 by inversion, one word;
  /// otherwise two words a trial (expected: at most 1.4 trials), by PTRS of
  /// Hoermann, Insurance: Mathematics and Economics 12 (1993) 39-45.
  std::int64_t Poisson(double mean);

  /// The number of successes in `trials` (0 to 1e9) trials with `probability`
  /// each. If the expected number of the rarer outcome is below 10: by
  /// inversion, one word. Otherwise two words a trial, by BTRS of Hoermann, J.
  /// Stat. Comput. Simul. 46 (1993) 101-110.
  std::int64_t Binomial(std::int64_t trials, double probability);

  /// An index into `weights` with a probability in proportion to its weight
  /// (>= 0, the sum > 0 and finite). One word.
  std::size_t Discrete(std::span<const double> weights);

  /// One of `sample`, at least one number, with equal probability. Words of
  /// UniformInt().
  double Empirical(std::span<const double> sample);

  /// Shuffles `items`; all orders are equally likely (Fisher-Yates, from the
  /// last to the second). A UniformInt() for each but the first.
  template <typename T>
  void Shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      const auto j = UniformInt(0, static_cast<std::int64_t>(i) - 1);
      using std::swap;
      swap(items[i - 1], items[static_cast<std::size_t>(j)]);
    }
  }

  friend bool operator==(const RandomStream&, const RandomStream&) = default;

 private:
  // The two words of the block that holds word `position`.
  [[nodiscard]] std::array<std::uint64_t, 2> Block(
      std::uint64_t position) const;

  // log of Gamma(shape, 1): far below the smallest number for small shapes.
  double LogGamma(double shape);

  std::int64_t PoissonByRejection(double mean);
  std::int64_t BinomialByRejection(std::int64_t trials, double probability);

  std::uint64_t seed_;
  std::uint64_t name_hash_;
  std::uint64_t position_ = 0;
  // The second word of the current block if `position_` is odd, else 0.
  std::uint64_t second_word_ = 0;
};

/// The seed of replication `number`, from 0, of runs with `seed`. That of the
/// first is `seed` itself. Seeds do not depend on the number of replications.
[[nodiscard]] std::uint64_t ReplicationSeed(std::uint64_t seed,
                                            std::int64_t number);

}  // namespace orrery
