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

/// What a resource is at some time: how a number goes on from there, a truth or
/// a text.
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

/// A quantity that is derived from cells and followed over the run: its profile
/// is what people look at afterwards. It is computed when an instant is
/// settled, and only if a cell that it read last time has changed or expired.
///
///     Resource power{this, "power", battery - 2.0 * heater, "W"};
///     Resource mode_name{this, "mode", [this] { return Name(mode.Get()); }};
class Resource : public Member, public internal::Dependent {
 public:
  /// @param quantity an expression of cells; or a function that returns one, a
  ///     Polynomial of the seconds from now, a number, a truth or a text.
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

  /// What it is for the task, condition or resource at work.
  [[nodiscard]] Reading Read() const { return read_(); }

  /// The same of one that is a number.
  /// @throws Error kInvalidModel if it is none.
  [[nodiscard]] Polynomial Dynamics() const;

  struct AsCondition {
    using IsTerm = void;
    const Resource* resource;

    [[nodiscard]] Polynomial Dynamics() const { return resource->Dynamics(); }

    [[nodiscard]] std::string Text() const { return resource->name(); }
  };

  /// As it stands in an expression: `power > 10.0`.
  [[nodiscard]] AsCondition AsTerm() const { return {this}; }

  void Evaluate(internal::Run& run) final;

  /// For runs that are restored: finds out what it depends on.
  void Relink(internal::Run& run);

 private:
  /// What it is from now on.
  virtual void Take(internal::Run& run, Reading reading);

  void Bind(internal::Run& run) final;

  void Unbind() noexcept final { Forget(); }

  std::string unit_;
  std::function<Reading()> read_;
  std::uint32_t index_ = 0;  // In the run.
};

/// Tells what lies outside of the run of tasks how a number goes on, whenever
/// that has changed: a resource without a profile that is computed at the end
/// of each microstep in which, since the last time, what it read has changed or
/// expired.
class Follower final : public Resource {
 public:
  using Tell = std::function<void(const Polynomial&)>;

  /// @param number as of a resource.
  /// @param tell is called between microsteps; reads no cells.
  template <typename Q>
  Follower(Model* owner, std::string_view name, const Q& number, Tell tell)
      : Resource(owner, name, number), tell_(std::move(tell)) {
    takes_samples = false;
  }

 private:
  /// @throws Error kInvalidModel for what is no number.
  void Take(internal::Run& run, Reading reading) override;

  Tell tell_;
};

}  // namespace orrery::process
