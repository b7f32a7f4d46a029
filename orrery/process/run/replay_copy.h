#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace orrery::process::internal {

/// The ways to save a T that a task was given in its log, to give it to a
/// replay: not at all;
template <typename T>
struct ReplayCopy {
  static constexpr bool kIsPossible = false;
};

template <typename T>
inline constexpr bool kIsCopied = std::is_copy_constructible_v<T>;

template <typename T>
inline constexpr bool kIsCopied<std::vector<T>> = kIsCopied<T>;

/// as a copy;
template <typename T>

requires kIsCopied<T>

struct ReplayCopy<T> {
  static constexpr bool kIsPossible = true;
  using Saved = T;

  static const T& Save(const T& given) { return given; }

  static const T& Load(const T& saved) { return saved; }
};

/// as the data it is made of, `T::Memory`, returned by `memory()`;
template <typename T>

requires(!kIsCopied<T> && kIsCopied<typename T::Memory>) struct ReplayCopy<T> {
  static constexpr bool kIsPossible = true;
  using Saved = typename T::Memory;

  static Saved Save(const T& given) { return given.memory(); }

  static T Load(const Saved& saved) { return T(saved); }
};

/// or by its elements, as results of AnyOf and AllOf.
template <typename T>

requires(!kIsCopied<T> &&
         ReplayCopy<T>::kIsPossible) struct ReplayCopy<std::optional<T>> {
  static constexpr bool kIsPossible = true;
  using Saved = std::optional<typename ReplayCopy<T>::Saved>;

  static Saved Save(const std::optional<T>& given) {
    return given ? Saved(ReplayCopy<T>::Save(*given)) : Saved();
  }

  static std::optional<T> Load(const Saved& saved) {
    return saved ? std::optional<T>(ReplayCopy<T>::Load(*saved)) : std::nullopt;
  }
};

template <typename... Ts>

requires(!(kIsCopied<Ts> && ...) &&
         (ReplayCopy<Ts>::kIsPossible &&
          ...)) struct ReplayCopy<std::tuple<Ts...>> {
  static constexpr bool kIsPossible = true;
  using Saved = std::tuple<typename ReplayCopy<Ts>::Saved...>;

  static Saved Save(const std::tuple<Ts...>& given) {
    return std::apply(
        [](const Ts&... each) { return Saved(ReplayCopy<Ts>::Save(each)...); },
        given);
  }

  static std::tuple<Ts...> Load(const Saved& saved) {
    return std::apply(
        [](const typename ReplayCopy<Ts>::Saved&... each) {
          return std::tuple<Ts...>(ReplayCopy<Ts>::Load(each)...);
        },
        saved);
  }
};

template <typename T>

requires(!kIsCopied<T> &&
         ReplayCopy<T>::kIsPossible) struct ReplayCopy<std::vector<T>> {
  static constexpr bool kIsPossible = true;
  using Saved = std::vector<typename ReplayCopy<T>::Saved>;

  static Saved Save(const std::vector<T>& given) {
    Saved saved;
    saved.reserve(given.size());
    for (const T& each : given) {
      saved.push_back(ReplayCopy<T>::Save(each));
    }
    return saved;
  }

  static std::vector<T> Load(const Saved& saved) {
    std::vector<T> loaded;
    loaded.reserve(saved.size());
    for (const typename ReplayCopy<T>::Saved& each : saved) {
      loaded.push_back(ReplayCopy<T>::Load(each));
    }
    return loaded;
  }
};

}  // namespace orrery::process::internal
