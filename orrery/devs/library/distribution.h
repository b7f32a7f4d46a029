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

/// A distribution of random numbers: those of RandomStream as values, and any
/// of one's own.
class Distribution {
 public:
  using DrawFunction = std::function<double(RandomStream&)>;

  /// @param text what messages call it, as "normal(1, 0.5)".
  /// @param draw must depend on the stream alone: runs may call it at once.
  Distribution(std::string text, DrawFunction draw);

  /// As the functions of RandomStream of these names.
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

/// How long something takes, each time: a duration, or one drawn from a
/// distribution of seconds.
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

  /// Not negative. Draws nothing if it is always the same.
  /// @throws Error kInvalidArgument, with the distribution and the value, for a
  ///     draw that is negative, not a number or beyond the range of times.
  [[nodiscard]] Duration Draw(RandomStream& random) const {
    return seconds_ ? DrawSeconds(random) : constant_;
  }

  /// When something ends that begins at `begin`; kPassive, so never, if that
  /// is beyond the range of times.
  [[nodiscard]] Duration DrawEnd(Duration begin, RandomStream& random) const {
    const Duration time = Draw(random);
    return time < Duration::max() - begin ? begin + time : Duration::max();
  }

  /// Whether it is always zero.
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
