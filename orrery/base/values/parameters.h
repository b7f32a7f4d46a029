#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/record.h"

namespace orrery {

/// The value of a parameter, as on a command line.
struct ParameterText {
  std::string name;
  std::string value;

  friend bool operator==(const ParameterText&, const ParameterText&) = default;
};

/// The description of a declared parameter. Plain data.
struct ParameterInfo {
  std::string name;
  std::string type;  ///< "a whole number of 1 or more", "a time", ...
  std::string value;
  std::string default_value;
  std::string unit;  ///< May be empty.
  std::string meaning;

  friend bool operator==(const ParameterInfo&, const ParameterInfo&) = default;
};

/// Tell the kind of values of a parameter.
[[nodiscard]] bool IsTruth(const ParameterInfo& info) noexcept;
[[nodiscard]] bool IsWhole(const ParameterInfo& info) noexcept;
[[nodiscard]] bool IsTime(const ParameterInfo& info) noexcept;

/// The refusal of the value of a parameter.
struct ParameterRefusal {
  std::string name;
  std::string message;  ///< "cannot set 'servers' to '0': it takes ..."
  std::string hint;     ///< A remedy.

  friend bool operator==(const ParameterRefusal&,
                         const ParameterRefusal&) = default;
};

/// The reaction to an invalid value of a parameter.
enum class OnRefusal : std::uint8_t {
  kThrow,
  kCollect,  ///< Takes the default, so that all errors can be reported.
};

/// The range of a parameter.
template <typename T>
struct ParameterLimits {
  std::optional<T> min = {};
  std::optional<T> max = {};
  /// The unit of a number, as in Modelica: `kg.m/s2`. Values may then have
  /// other units of the same dimension.
  std::string_view unit = {};
};

template <>
struct ParameterLimits<bool> {};

template <>
struct ParameterLimits<std::string> {
  /// The allowed texts; empty: any.
  std::vector<std::string> choices = {};
};

namespace base::internal {

/// The type of a parameter with a default of type T.
template <typename T>
struct ParameterTypeOf {
  using Type = T;
};

template <std::floating_point T>
struct ParameterTypeOf<T> {
  using Type = double;
};

template <typename Rep, typename Period>
struct ParameterTypeOf<std::chrono::duration<Rep, Period>> {
  using Type = Duration;
};

template <std::convertible_to<std::string_view> T>
struct ParameterTypeOf<T> {
  using Type = std::string;
};

}  // namespace base::internal

/// The parameters of a model during its construction: the settings, and the
/// declarations so far.
///
///     explicit Factory(orrery::Parameters& p) {
///       const Duration period = p.Get("period", 1s, "Time between jobs");
///       const int servers = p.Get("servers", 3, "Machines", {.min = 1});
///
/// A call of Get declares a parameter.
class Parameters {
 public:
  /// The type of a parameter with a default of type T: bool, an integer,
  /// double, Duration or std::string.
  template <typename T>
  using TypeOf = typename base::internal::ParameterTypeOf<T>::Type;

  Parameters() = default;

  /// @throws Error kInvalidArgument for a name that comes twice.
  explicit Parameters(std::vector<ParameterText> texts,
                      OnRefusal on_refusal = OnRefusal::kThrow);

  /// Declares a parameter.
  ///
  /// Booleans are `true` and `false`. Times are seconds or have a unit (`90s`,
  /// `2min`). Numbers may have a unit if the parameter has one (`300 g` for one
  /// in kg).
  ///
  /// @param meaning one line.
  /// @returns its setting, else the default.
  /// @throws Error kInvalidArgument if the setting is invalid; kInvalidModel if
  ///     the name was declared before or is invalid, or the default is outside
  ///     of the limits.
  template <typename T>
  TypeOf<T> Get(std::string_view name,
                const T& default_value,
                std::string_view meaning,
                const ParameterLimits<TypeOf<T>>& limits = {}) {
    using Type = TypeOf<T>;
    static_assert(std::is_arithmetic_v<Type> || std::same_as<Type, Duration> ||
                      std::same_as<Type, std::string>,
                  "a parameter is a truth, a number, a time or a text");
    if constexpr (std::same_as<Type, bool>) {
      return GetTruth({name, meaning, {}}, default_value);
    } else if constexpr (std::integral<Type>) {
      return static_cast<Type>(GetInteger({name, meaning, limits.unit},
                                          Clamped(default_value),
                                          Widened(limits),
                                          LimitsOf<Type>()));
    } else if constexpr (std::same_as<Type, double>) {
      return GetNumber({name, meaning, limits.unit},
                       static_cast<Type>(default_value),
                       limits);
    } else if constexpr (std::same_as<Type, Duration>) {
      return GetTime({name, meaning, {}}, default_value, limits);
    } else {
      const std::string_view text = default_value;
      return GetText({name, meaning, {}}, std::string(text), limits.choices);
    }
  }

  /// Sets the default stop time of runs. Without it, a run ends when nothing is
  /// due any more.
  /// @throws Error kInvalidModel if it is negative.
  void SetDefaultStop(Duration stop);

  [[nodiscard]] std::optional<Duration> default_stop() const noexcept {
    return default_stop_;
  }

  /// The declared parameters, in order.
  [[nodiscard]] std::span<const ParameterInfo> declared() const noexcept {
    return declared_;
  }

  /// Their values, in the same order.
  [[nodiscard]] std::span<const Record::Field> values() const noexcept {
    return values_;
  }

  /// True if a setting has been refused by an exception.
  [[nodiscard]] bool has_refused() const noexcept { return has_refused_; }

  /// The refusals without an exception, in order of declaration.
  [[nodiscard]] std::span<const ParameterRefusal> refusals() const noexcept {
    return refusals_;
  }

  /// Must be called after the construction of the model.
  /// @param model its name.
  /// @throws Error kInvalidArgument, with the nearest name, for a setting
  ///     without a declaration.
  void CheckAllDeclared(std::string_view model);

 private:
  struct Declaration {
    std::string_view name;
    std::string_view meaning;
    std::string_view unit;
  };

  template <std::integral T>
  static constexpr std::int64_t Clamped(T value) {
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
    return std::cmp_greater(value, kMax) ? kMax
                                         : static_cast<std::int64_t>(value);
  }

  // An unsigned type has the lower limit 0.
  template <std::integral T>
  static ParameterLimits<std::int64_t> Widened(
      const ParameterLimits<T>& limits) {
    ParameterLimits<std::int64_t> result;
    if (limits.min || std::is_unsigned_v<T>) {
      result.min = Clamped(limits.min.value_or(0));
    }
    if (limits.max) {
      result.max = Clamped(*limits.max);
    }
    return result;
  }

  template <std::integral T>
  static constexpr ParameterLimits<std::int64_t> LimitsOf() {
    return {.min = Clamped(std::numeric_limits<T>::min()),
            .max = Clamped(std::numeric_limits<T>::max())};
  }

  bool GetTruth(const Declaration& declaration, bool default_value);
  std::int64_t GetInteger(const Declaration& declaration,
                          std::int64_t default_value,
                          const ParameterLimits<std::int64_t>& limits,
                          const ParameterLimits<std::int64_t>& of_type);
  double GetNumber(const Declaration& declaration,
                   double default_value,
                   const ParameterLimits<double>& limits);
  Duration GetTime(const Declaration& declaration,
                   Duration default_value,
                   const ParameterLimits<Duration>& limits);
  std::string GetText(const Declaration& declaration,
                      const std::string& default_value,
                      std::span<const std::string> choices);

  ParameterInfo& Declare(const Declaration& declaration,
                         std::string type,
                         const std::string& default_value);
  [[nodiscard]] const std::string* TextOf(std::string_view name) const;
  void Refuse(const ParameterInfo& info,
              const std::string& text,
              std::span<const std::string> choices = {});

  // Returns the setting, or else the default; both must satisfy `fits`. A
  // refusal suggests the nearest of the choices.
  template <typename T, typename Fits, typename Parse>
  T Take(ParameterInfo& info,
         const T& default_value,
         Fits fits,
         Parse parse,
         std::span<const std::string> choices = {});

  std::vector<ParameterText> texts_;
  OnRefusal on_refusal_ = OnRefusal::kThrow;
  std::vector<ParameterInfo> declared_;
  std::vector<Record::Field> values_;
  std::vector<ParameterRefusal> refusals_;
  std::optional<Duration> default_stop_;
  bool has_refused_ = false;
};

}  // namespace orrery
