#pragma once

#include <concepts>
#include <cstdint>

#include "orrery/base/values/record.h"

namespace orrery::devs {

/// A message without content: something has happened.
struct Signal {
  void Describe(Record& record) const { record.Add("", true); }
};

/// The default type of messages of the library.
struct Job {
  std::int64_t id = 0;
  double priority = 0;  ///< The lower, the sooner.

  friend bool operator==(const Job&, const Job&) = default;

  void Describe(Record& record) const {
    record.Add("id", id);
    record.Add("priority", priority);
  }
};

/// A type of messages with functions for a number as identity.
template <typename T>
concept HasId = requires(const T& message, std::int64_t number) {
  { message.Id() } -> std::convertible_to<std::int64_t>;
  { T::WithId(number) } -> std::convertible_to<T>;
};

/// A type of messages that are numbers, or have a number as identity: a member
/// `id`, or functions `Id()` and `WithId(number)`.
template <typename T>
concept Numbered = std::integral<T> || HasId<T> || requires(T message) {
  { message.id } -> std::convertible_to<std::int64_t>;
};

/// The number of a message.
template <Numbered T>
[[nodiscard]] std::int64_t NumberOf(const T& message) {
  if constexpr (std::integral<T>) {
    return static_cast<std::int64_t>(message);
  } else if constexpr (HasId<T>) {
    return message.Id();
  } else {
    return static_cast<std::int64_t>(message.id);
  }
}

/// A message of that number; all other members as in T{}.
template <Numbered T>
[[nodiscard]] T MakeNumbered(std::int64_t number) {
  if constexpr (std::integral<T>) {
    return static_cast<T>(number);
  } else if constexpr (HasId<T>) {
    return T::WithId(number);
  } else {
    T message{};
    message.id = static_cast<decltype(message.id)>(number);
    return message;
  }
}

}  // namespace orrery::devs
