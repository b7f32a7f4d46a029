#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "orrery/process/model/member.h"
#include "orrery/process/run/dependent.h"
#include "orrery/process/tasks/condition.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

/// The value of a resource from some time on: a polynomial of time, a boolean
/// or a text.
using Reading = std::variant<Polynomial, bool, std::string>;

namespace internal {

template <typename T>
concept Readable = Term<T> || Operand<T> || std::same_as<T, Reading> ||
    std::convertible_to<const T&, Polynomial> || std::is_arithmetic_v<T> ||
    std::convertible_to<const T&, std::string_view>;

template <Readable T>
Reading ToReading(const T& value) {
  if constexpr (std::same_as<T, Reading> || std::same_as<T, bool>) {
    return value;
  } else if constexpr (Term<T> || Operand<T>) {
    return ToTerm(value).Dynamics();
  } else if constexpr (std::is_arithmetic_v<T>) {
    return Polynomial{static_cast<double>(value)};
  } else if constexpr (std::convertible_to<const T&, Polynomial>) {
    const Polynomial curve = value;
    return curve;
  } else {
    const std::string_view text = value;
    return Reading(std::in_place_type<std::string>, text);
  }
}

template <typename F>
concept ReadingFunction = std::invocable<const F&> &&
    Readable<std::decay_t<std::invoke_result_t<const F&>>>;

}  // namespace internal

/// A quantity that is derived from cells and recorded over the run, as a
/// profile. It is computed when an instant is settled, and only if a cell that
/// it read last time has changed or expired.
///
///     Resource power{this, "power", battery - 2.0 * heater, "W"};
///     Resource mode_name{this, "mode", [this] { return Name(mode.Get()); }};
class Resource : public Member, public internal::Dependent {
 public:
  /// @param quantity an expression of cells; or a function that returns one, a
  ///     Polynomial of the seconds from now, a number, a boolean or a text.
  template <typename Q>

  requires(internal::Term<Q> || internal::Operand<Q> ||
           internal::ReadingFunction<Q>) Resource(Model* owner,
                                                  std::string_view name,
                                                  const Q& quantity,
                                                  std::string_view unit = "")
      : Member(owner, name), unit_(unit) {
    takes_samples = true;
    if constexpr (internal::ReadingFunction<Q>) {
      read_ = [quantity] {
        return internal::ToReading(quantity());
      };
    } else {
      read_ = [term = internal::ToTerm(quantity)] {
        return term.Dynamics();
      };
    }
  }

  [[nodiscard]] const std::string& unit() const noexcept { return unit_; }

  /// The value as the task, condition or resource at work sees it.
  [[nodiscard]] Reading Read() const { return read_(); }

  /// The same for a resource that is a number.
  /// @throws Error kInvalidModel if it is a boolean or a text.
  [[nodiscard]] Polynomial Dynamics() const;

  struct AsCondition {
    using IsTerm = void;
    const Resource* resource;

    [[nodiscard]] Polynomial Dynamics() const { return resource->Dynamics(); }

    [[nodiscard]] std::string Text() const { return resource->name(); }
  };

  /// The resource as a term of an expression: `power > 10.0`.
  [[nodiscard]] AsCondition AsTerm() const { return {this}; }

  void Evaluate(internal::Run& run) final;

  /// Finds the cells that it depends on, after a run was restored.
  void Relink(internal::Run& run);

 private:
  /// Records the value from now on.
  virtual void Take(internal::Run& run, Reading reading);

  void Bind(internal::Run& run) final;

  void Unbind() noexcept final { Forget(); }

  std::string unit_;
  std::function<Reading()> read_;
  std::uint32_t index_ = 0;  // Its number in the run.
};

/// A resource without a profile that tells code outside of the run of tasks the
/// course of a number. It is computed at the end of each microstep in which a
/// cell that it read last time has changed or expired.
class Follower final : public Resource {
 public:
  using Tell = std::function<void(const Polynomial&)>;

  /// @param number as `quantity` of a Resource.
  /// @param tell is called between microsteps; it must not read cells.
  template <typename Q>
  Follower(Model* owner, std::string_view name, const Q& number, Tell tell)
      : Resource(owner, name, number), tell_(std::move(tell)) {
    takes_samples = false;
  }

 private:
  /// @throws Error kInvalidModel for a boolean or a text.
  void Take(internal::Run& run, Reading reading) override;

  Tell tell_;
};

}  // namespace orrery::process
