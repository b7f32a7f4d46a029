#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace orrery::process::internal {

/// The ways to keep a T that a task was given in its log, to give it to a
/// replay: not at all;
template <typename T>
struct Keeping {
  static constexpr bool kIsPossible = false;
};

template <typename T>
inline constexpr bool kIsCopied = std::is_copy_constructible_v<T>;

template <typename T>
inline constexpr bool kIsCopied<std::vector<T>> = kIsCopied<T>;

/// as a copy;
template <typename T>

requires kIsCopied<T>

struct Keeping<T> {
  static constexpr bool kIsPossible = true;
  using Kept = T;

  static const T& Keep(const T& given) { return given; }

  static const T& Again(const T& kept) { return kept; }
};

/// as the data it is made of, `T::Memory`, returned by `memory()`;
template <typename T>

requires(!kIsCopied<T> && kIsCopied<typename T::Memory>) struct Keeping<T> {
  static constexpr bool kIsPossible = true;
  using Kept = typename T::Memory;

  static Kept Keep(const T& given) { return given.memory(); }

  static T Again(const Kept& kept) { return T(kept); }
};

/// or by its elements, as results of AnyOf and AllOf.
template <typename T>

requires(!kIsCopied<T> &&
         Keeping<T>::kIsPossible) struct Keeping<std::optional<T>> {
  static constexpr bool kIsPossible = true;
  using Kept = std::optional<typename Keeping<T>::Kept>;

  static Kept Keep(const std::optional<T>& given) {
    return given ? Kept(Keeping<T>::Keep(*given)) : Kept();
  }

  static std::optional<T> Again(const Kept& kept) {
    return kept ? std::optional<T>(Keeping<T>::Again(*kept)) : std::nullopt;
  }
};

template <typename... Ts>

requires(!(kIsCopied<Ts> && ...) &&
         (Keeping<Ts>::kIsPossible && ...)) struct Keeping<std::tuple<Ts...>> {
  static constexpr bool kIsPossible = true;
  using Kept = std::tuple<typename Keeping<Ts>::Kept...>;

  static Kept Keep(const std::tuple<Ts...>& given) {
    return std::apply(
        [](const Ts&... each) { return Kept(Keeping<Ts>::Keep(each)...); },
        given);
  }

  static std::tuple<Ts...> Again(const Kept& kept) {
    return std::apply(
        [](const typename Keeping<Ts>::Kept&... each) {
          return std::tuple<Ts...>(Keeping<Ts>::Again(each)...);
        },
        kept);
  }
};

template <typename T>

requires(!kIsCopied<T> &&
         Keeping<T>::kIsPossible) struct Keeping<std::vector<T>> {
  static constexpr bool kIsPossible = true;
  using Kept = std::vector<typename Keeping<T>::Kept>;

  static Kept Keep(const std::vector<T>& given) {
    Kept kept;
    kept.reserve(given.size());
    for (const T& each : given) {
      kept.push_back(Keeping<T>::Keep(each));
    }
    return kept;
  }

  static std::vector<T> Again(const Kept& kept) {
    std::vector<T> again;
    again.reserve(kept.size());
    for (const typename Keeping<T>::Kept& each : kept) {
      again.push_back(Keeping<T>::Again(each));
    }
    return again;
  }
};

}  // namespace orrery::process::internal
