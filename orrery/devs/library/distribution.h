#pragma once

#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/numbers/random.h"
#include "orrery/base/time.h"

namespace orrery::devs {

/// A distribution of random numbers: one of RandomStream, or one of the user.
class Distribution {
 public:
  using DrawFunction = std::function<double(RandomStream&)>;

  /// @param text its name in messages, as "normal(1, 0.5)".
  /// @param draw must depend on the stream alone: runs may call it
  ///     concurrently.
  Distribution(std::string text, DrawFunction draw);

  /// The distributions of RandomStream's functions of these names.
  /// @throws Error kInvalidArgument, naming the parameter that is out of range.
  static Distribution Exponential(double mean);
  static Distribution Uniform(double low, double high);
  static Distribution Normal(double mean, double standard_deviation);
  static Distribution LogNormal(double mu, double sigma);
  static Distribution Gamma(double shape, double scale);
  static Distribution Beta(double a, double b);
  static Distribution Weibull(double shape, double scale);
  static Distribution Triangular(double low, double mode, double high);
  static Distribution Poisson(double mean);
  static Distribution Empirical(std::vector<double> sample);

  [[nodiscard]] double Draw(RandomStream& random) const {
    return draw_(random);
  }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
  DrawFunction draw_;
};

/// A constant duration, or random durations from a distribution of seconds.
class Times {
 public:
  /// @throws Error kInvalidArgument if it is negative.
  template <typename Rep, typename Period>

  requires std::convertible_to<std::chrono::duration<Rep, Period>, Duration>
  // NOLINTNEXTLINE(google-explicit-constructor): a duration is a time.
  Times(std::chrono::duration<Rep, Period> constant) : constant_(constant) {
    CheckConstant();
  }

  // NOLINTNEXTLINE(google-explicit-constructor): so is a distribution.
  Times(Distribution seconds) : seconds_(std::move(seconds)) {}

  /// A duration, not negative. A constant draws no random number.
  /// @throws Error kInvalidArgument, with the distribution and the value, for a
  ///     draw that is negative, not a number or beyond the range of times.
  [[nodiscard]] Duration Draw(RandomStream& random) const {
    return seconds_ ? DrawSeconds(random) : constant_;
  }

  /// The end of a random duration from `begin` on; kPassive (never) if that is
  /// beyond the range of times.
  [[nodiscard]] Duration DrawEnd(Duration begin, RandomStream& random) const {
    const Duration time = Draw(random);
    return time < Duration::max() - begin ? begin + time : Duration::max();
  }

  [[nodiscard]] bool is_zero() const noexcept {
    return !seconds_ && constant_ == Duration::zero();
  }

 private:
  void CheckConstant() const;
  Duration DrawSeconds(RandomStream& random) const;

  Duration constant_{};
  std::optional<Distribution> seconds_;
};

}  // namespace orrery::devs
