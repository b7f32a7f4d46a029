#include "orrery/base/numbers/random.h"

#include <sleef.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "orrery/base/error.h"
#include "orrery/base/numbers/elementary.h"
#include "orrery/base/text/number_text.h"

namespace orrery {
namespace {

static_assert(std::is_trivially_copyable_v<RandomStream>);

// Below this mean, inversion is the faster way to a Poisson or binomial
// variable; above it, the rejection methods are valid.
constexpr double kInversionMean = 10;
constexpr double kMaxCount = 1e9;

double Exp(double x) {
  return OfOne<Sleef_cinz_expd2_u10sse2>(x);
}

double Log(double x) {
  return OfOne<Sleef_cinz_logd2_u10sse2>(x);
}

double Log1p(double x) {
  return OfOne<Sleef_cinz_log1pd2_u10sse2>(x);
}

double Power(double x, double y) {
  return OfOne<Sleef_cinz_powd2_u10sse2>(x, y);
}

double LogFactorial(double n) {
  return Sleef_cinz_lgammad1_u10purec(n + 1);
}

// Throws unless `holds`, which is false for NaN.
void Require(bool holds,
             const char* distribution,
             const char* parameter,
             double value,
             const char* range) {
  if (!holds) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string("cannot draw from ") + distribution + ": " +
                    parameter + " is " + ShortestText(value) + "; it must be " +
                    range);
  }
}

void RequirePositive(const char* distribution,
                     const char* parameter,
                     double value) {
  Require(value > 0 && std::isfinite(value),
          distribution,
          parameter,
          value,
          "positive and finite");
}

void RequireFinite(const char* distribution,
                   const char* parameter,
                   double value) {
  Require(
      std::isfinite(value), distribution, parameter, value, "a finite number");
}

void RequireSpread(const char* distribution,
                   const char* parameter,
                   double value) {
  Require(value >= 0 && std::isfinite(value),
          distribution,
          parameter,
          value,
          "at least 0 and finite");
}

void RequireProbability(const char* distribution, double value) {
  Require(value >= 0 && value <= 1,
          distribution,
          "probability",
          value,
          "between 0 and 1");
}

// The full product of two 64-bit numbers.
struct Product {
  std::uint64_t high;
  std::uint64_t low;
};

Product Multiply(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return {static_cast<std::uint64_t>(product >> 64U),
          static_cast<std::uint64_t>(product)};
}

template <std::size_t kSize>
double Polynomial(const std::array<double, kSize>& coefficients, double x) {
  double value = 0;
  for (auto it = coefficients.rbegin(); it != coefficients.rend(); ++it) {
    value = value * x + *it;
  }
  return value;
}

// AS 241: rational approximations for the middle, the flanks and the tails.
constexpr std::array<double, 8> kMiddleAbove = {3.3871328727963666080e0,
                                                1.3314166789178437745e2,
                                                1.9715909503065514427e3,
                                                1.3731693765509461125e4,
                                                4.5921953931549871457e4,
                                                6.7265770927008700853e4,
                                                3.3430575583588128105e4,
                                                2.5090809287301226727e3};
constexpr std::array<double, 8> kMiddleBelow = {1.0,
                                                4.2313330701600911252e1,
                                                6.8718700749205790830e2,
                                                5.3941960214247511077e3,
                                                2.1213794301586595867e4,
                                                3.9307895800092710610e4,
                                                2.8729085735721942674e4,
                                                5.2264952788528545610e3};
constexpr std::array<double, 8> kFlankAbove = {1.42343711074968357734e0,
                                               4.63033784615654529590e0,
                                               5.76949722146069140550e0,
                                               3.64784832476320460504e0,
                                               1.27045825245236838258e0,
                                               2.41780725177450611770e-1,
                                               2.27238449892691845833e-2,
                                               7.74545014278341407640e-4};
constexpr std::array<double, 8> kFlankBelow = {1.0,
                                               2.05319162663775882187e0,
                                               1.67638483018380384940e0,
                                               6.89767334985100004550e-1,
                                               1.48103976427480074590e-1,
                                               1.51986665636164571966e-2,
                                               5.47593808499534494600e-4,
                                               1.05075007164441684324e-9};
constexpr std::array<double, 8> kTailAbove = {6.65790464350110377720e0,
                                              5.46378491116411436990e0,
                                              1.78482653991729133580e0,
                                              2.96560571828504891230e-1,
                                              2.65321895265761230930e-2,
                                              1.24266094738807843860e-3,
                                              2.71155556874348757815e-5,
                                              2.01033439929228813265e-7};
constexpr std::array<double, 8> kTailBelow = {1.0,
                                              5.99832206555887937690e-1,
                                              1.36929880922735805310e-1,
                                              1.48753612908506148525e-2,
                                              7.86869131145613259100e-4,
                                              1.84631831751005468180e-5,
                                              1.42151175831644588870e-7,
                                              2.04426310338993978564e-15};

// Adds the probabilities of 0, 1, 2, ... until they reach `u`. `next` computes
// P(k + 1) from k and P(k). Stops at the latest when further terms vanish by
// rounding.
template <typename Next>
std::int64_t InvertBySum(double u, double first, Next next) {
  constexpr double kNegligible = 1e-18;
  std::int64_t k = 0;
  double probability = first;
  double sum = 0;
  while (true) {
    sum += probability;
    const double following = next(k, probability);
    const bool is_past_peak = following < probability;
    if (u < sum || (is_past_peak && following < kNegligible)) {
      return k;
    }
    probability = following;
    ++k;
  }
}

}  // namespace

std::array<std::uint32_t, 4> Philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  constexpr int kRounds = 10;
  constexpr std::array<std::uint64_t, 2> kMultipliers = {0xD2511F53U,
                                                         0xCD9E8D57U};
  constexpr std::array<std::uint32_t, 2> kWeyl = {0x9E3779B9U, 0xBB67AE85U};
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t a = kMultipliers[0] * counter[0];
    const std::uint64_t b = kMultipliers[1] * counter[2];
    const auto high_a = static_cast<std::uint32_t>(a >> 32U);
    const auto high_b = static_cast<std::uint32_t>(b >> 32U);
    counter = {high_b ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(b),
               high_a ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(a)};
    key[0] += kWeyl[0];
    key[1] += kWeyl[1];
  }
  return counter;
}

std::uint64_t StableHash(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3U;
  }
  return hash;
}

double InverseNormalCdf(double p) {
  Require(p >= 0 && p <= 1,
          "the inverse normal distribution",
          "p",
          p,
          "between 0 and 1");
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * Polynomial(kMiddleAbove, r) / Polynomial(kMiddleBelow, r);
  }
  const double tail = q < 0 ? p : 1 - p;
  if (tail == 0) {
    return std::copysign(std::numeric_limits<double>::infinity(), q);
  }
  const double r = std::sqrt(-Log(tail));
  const double x =
      r <= 5
          ? Polynomial(kFlankAbove, r - 1.6) / Polynomial(kFlankBelow, r - 1.6)
          : Polynomial(kTailAbove, r - 5) / Polynomial(kTailBelow, r - 5);
  return std::copysign(x, q);
}

RandomStream::RandomStream(std::uint64_t seed, std::string_view name)
    : seed_(seed), name_hash_(StableHash(name)) {}

std::array<std::uint64_t, 2> RandomStream::Block(std::uint64_t position) const {
  const auto low = [](std::uint64_t x) {
    return static_cast<std::uint32_t>(x);
  };
  const auto high = [](std::uint64_t x) {
    return static_cast<std::uint32_t>(x >> 32U);
  };
  const std::uint64_t block = position / 2;
  const std::array<std::uint32_t, 4> bits =
      Philox4x32({low(block), high(block), low(name_hash_), high(name_hash_)},
                 {low(seed_), high(seed_)});
  const auto join = [](std::uint32_t first, std::uint32_t second) {
    return std::uint64_t{second} << 32U | first;
  };
  return {join(bits[0], bits[1]), join(bits[2], bits[3])};
}

void RandomStream::Seek(std::uint64_t position) {
  position_ = position;
  second_word_ = position % 2 == 1 ? Block(position)[1] : 0;
}

std::uint64_t RandomStream::Next() {
  const bool is_second = position_ % 2 == 1;
  std::uint64_t word = second_word_;
  second_word_ = 0;
  if (!is_second) {
    const std::array<std::uint64_t, 2> block = Block(position_);
    word = block[0];
    second_word_ = block[1];
  }
  ++position_;
  return word;
}

double RandomStream::Uniform01() {
  return static_cast<double>(Next() >> 11U) * 0x1p-53;
}

double RandomStream::UniformOpen01() {
  return (static_cast<double>(Next() >> 12U) + 0.5) * 0x1p-52;
}

double RandomStream::Uniform(double low, double high) {
  RequireFinite("a uniform distribution", "low", low);
  Require(high >= low && std::isfinite(high - low),
          "a uniform distribution",
          "high",
          high,
          "at least low, and their distance finite");
  return low + (high - low) * Uniform01();
}

std::int64_t RandomStream::UniformInt(std::int64_t low, std::int64_t high) {
  if (high < low) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot draw from the integers from " + std::to_string(low) +
                    " to " + std::to_string(high) +
                    ": there are none; high must be at least low");
  }
  const std::uint64_t count =
      static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  std::uint64_t drawn = Next();
  if (count != 0) {  // Otherwise all 2^64 values are possible.
    Product product = Multiply(drawn, count);
    if (product.low < count) {
      const std::uint64_t excess = (0 - count) % count;
      while (product.low < excess) {
        product = Multiply(Next(), count);
      }
    }
    drawn = product.high;
  }
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + drawn);
}

bool RandomStream::Bernoulli(double probability) {
  RequireProbability("a Bernoulli distribution", probability);
  return Uniform01() < probability;
}

double RandomStream::Normal(double mean, double standard_deviation) {
  RequireFinite("a normal distribution", "mean", mean);
  RequireSpread(
      "a normal distribution", "standard_deviation", standard_deviation);
  return mean + standard_deviation * InverseNormalCdf(UniformOpen01());
}

double RandomStream::LogNormal(double mu, double sigma) {
  RequireFinite("a log-normal distribution", "mu", mu);
  RequireSpread("a log-normal distribution", "sigma", sigma);
  return Exp(mu + sigma * InverseNormalCdf(UniformOpen01()));
}

double RandomStream::Exponential(double mean) {
  RequirePositive("an exponential distribution", "mean", mean);
  return -mean * Log(UniformOpen01());
}

double RandomStream::LogGamma(double shape) {
  // For a shape below 1: Gamma(shape) = Gamma(shape + 1) * U^(1 / shape).
  const double boosted = shape < 1 ? shape + 1 : shape;
  const double d = boosted - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  double log_gamma = 0;
  while (true) {
    const double x = InverseNormalCdf(UniformOpen01());
    const double u = UniformOpen01();
    const double root = 1 + c * x;
    if (root <= 0) {
      continue;
    }
    const double v = root * root * root;
    const double log_v = 3 * Log(root);
    if (Log(u) < 0.5 * x * x + d * (1 - v + log_v)) {
      log_gamma = Log(d) + log_v;
      break;
    }
  }
  return shape < 1 ? log_gamma + Log(UniformOpen01()) / shape : log_gamma;
}

double RandomStream::Gamma(double shape, double scale) {
  RequirePositive("a gamma distribution", "shape", shape);
  RequirePositive("a gamma distribution", "scale", scale);
  return scale * Exp(LogGamma(shape));
}

double RandomStream::Beta(double a, double b) {
  // For smaller values the logarithms of both gamma variables could be
  // infinite.
  constexpr double kMinShape = 1e-300;
  const char* const range = "at least 1e-300 and finite";
  Require(
      a >= kMinShape && std::isfinite(a), "a beta distribution", "a", a, range);
  Require(
      b >= kMinShape && std::isfinite(b), "a beta distribution", "b", b, range);
  const double log_a = LogGamma(a);
  const double log_b = LogGamma(b);
  return 1 / (1 + Exp(log_b - log_a));
}

double RandomStream::Weibull(double shape, double scale) {
  RequirePositive("a Weibull distribution", "shape", shape);
  RequirePositive("a Weibull distribution", "scale", scale);
  return scale * Power(-Log(UniformOpen01()), 1 / shape);
}

double RandomStream::Triangular(double low, double mode, double high) {
  const char* const name = "a triangular distribution";
  RequireFinite(name, "low", low);
  Require(high >= low && std::isfinite(high - low),
          name,
          "high",
          high,
          "at least low, and their distance finite");
  Require(
      mode >= low && mode <= high, name, "mode", mode, "between low and high");
  const double u = UniformOpen01();
  const double width = high - low;
  if (u * width < mode - low) {
    return low + std::sqrt(u * width * (mode - low));
  }
  return high - std::sqrt((1 - u) * width * (high - mode));
}

std::int64_t RandomStream::Poisson(double mean) {
  Require(mean >= 0 && mean <= kMaxCount,
          "a Poisson distribution",
          "mean",
          mean,
          "between 0 and 1e9");
  if (mean >= kInversionMean) {
    return PoissonByRejection(mean);
  }
  return InvertBySum(
      Uniform01(), Exp(-mean), [mean](std::int64_t k, double probability) {
        return probability * mean / static_cast<double>(k + 1);
      });
}

std::int64_t RandomStream::PoissonByRejection(double mean) {
  const double b = 0.931 + 2.53 * std::sqrt(mean);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double v_sure = 0.9277 - 3.6224 / (b - 2);
  const double log_mean = Log(mean);
  while (true) {
    const double u = UniformOpen01() - 0.5;
    const double v = UniformOpen01();
    const double edge = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / edge + b) * u + mean + 0.43);
    const bool is_sure = edge >= 0.07 && v <= v_sure;
    if (k < 0 || (edge < 0.013 && v > edge)) {
      continue;
    }
    if (is_sure || Log(v * inverse_alpha / (a / (edge * edge) + b)) <=
                       k * log_mean - mean - LogFactorial(k)) {
      return static_cast<std::int64_t>(k);
    }
  }
}

std::int64_t RandomStream::Binomial(std::int64_t trials, double probability) {
  const auto n = static_cast<double>(trials);
  Require(n >= 0 && n <= kMaxCount,
          "a binomial distribution",
          "trials",
          n,
          "between 0 and 1e9");
  RequireProbability("a binomial distribution", probability);
  if (probability > 0.5) {
    return trials - Binomial(trials, 1 - probability);
  }
  if (n * probability >= kInversionMean) {
    return BinomialByRejection(trials, probability);
  }
  const double odds = probability / (1 - probability);
  return InvertBySum(Uniform01(),
                     Exp(n * Log1p(-probability)),
                     [n, odds](std::int64_t k, double each) {
                       const auto successes = static_cast<double>(k);
                       return each * odds * (n - successes) / (successes + 1);
                     });
}

std::int64_t RandomStream::BinomialByRejection(std::int64_t trials,
                                               double probability) {
  const auto n = static_cast<double>(trials);
  const double mean = n * probability;
  const double deviation = std::sqrt(mean * (1 - probability));
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * probability;
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double v_sure = 0.92 - 4.2 / b;
  const double log_odds = Log(probability) - Log1p(-probability);
  const double peak = std::floor((n + 1) * probability);
  const double log_peak = LogFactorial(peak) + LogFactorial(n - peak);
  while (true) {
    const double u = UniformOpen01() - 0.5;
    const double v = UniformOpen01();
    const double edge = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / edge + b) * u + mean + 0.5);
    if (k < 0 || k > n) {
      continue;
    }
    const bool is_sure = edge >= 0.07 && v <= v_sure;
    if (is_sure || Log(v * alpha / (a / (edge * edge) + b)) <=
                       log_peak - LogFactorial(k) - LogFactorial(n - k) +
                           (k - peak) * log_odds) {
      return static_cast<std::int64_t>(k);
    }
  }
}

std::size_t RandomStream::Discrete(std::span<const double> weights) {
  const char* const name = "a discrete distribution";
  double sum = 0;
  for (const double weight : weights) {
    Require(weight >= 0, name, "a weight", weight, "at least 0");
    sum += weight;
  }
  RequirePositive(name, "the sum of the weights", sum);
  double rest = Uniform01() * sum;
  std::size_t last = 0;  // Rounding may leave a rest: then take the last index.
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) {
      last = i;
      if (rest < weights[i]) {
        break;
      }
      rest -= weights[i];
    }
  }
  return last;
}

double RandomStream::Empirical(std::span<const double> sample) {
  if (sample.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot draw from a sample: it is empty; it must have at least "
                "one number");
  }
  const auto last = static_cast<std::int64_t>(sample.size()) - 1;
  return sample[static_cast<std::size_t>(UniformInt(0, last))];
}

std::uint64_t ReplicationSeed(std::uint64_t seed, std::int64_t number) {
  if (number == 0) {
    return seed;
  }
  RandomStream stream(seed, "replications");
  stream.Seek(static_cast<std::uint64_t>(number));
  return stream.Next();
}

}  // namespace orrery
