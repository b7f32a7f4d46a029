#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "orrery/base/numbers/random.h"
#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/devs/modeling/bag.h"
#include "orrery/devs/modeling/model.h"
#include "orrery/devs/modeling/structure.h"

namespace orrery::devs {

/// The access of a model to its run at the start.
class Start {
 public:
  Start(std::uint64_t seed, const Model& model) : seed_(seed), model_(model) {}

  /// A stream of random numbers of this model and this name, independent of
  /// those of other models or names.
  [[nodiscard]] RandomStream Stream(std::string_view name) const {
    return {seed_, model_.Path() + "." + std::string(name)};
  }

 private:
  std::uint64_t seed_;
  const Model& model_;
};

namespace internal {

/// The functions of an atomic model, for a state of unknown type. Transitions
/// return the time advance of the new state.
struct AtomicOps {
  std::size_t state_size;
  std::size_t state_alignment;
  const std::type_info* state_type;
  bool is_trivial;  ///< The state is trivially copyable and destructible.
  bool has_external;
  void (*initialize)(const Model&, const Start&, void* state);
  void (*copy)(const void* from, void* to);
  void (*move)(void* from, void* to);  ///< `from` must still be destroyed.
  void (*destroy)(void* state);
  Duration (*advance)(const Model&, const void* state);
  void (*output)(const Model&, const void* state, Bag& y);
  Duration (*internal)(const Model&, void* state, Structure&);
  Duration (*external)(
      const Model&, void* state, Duration elapsed, const Bag&, Structure&);
  Duration (*confluent)(const Model&, void* state, const Bag& x, Structure&);
  void (*describe)(const Model&, const void* state, Record&);
};

}  // namespace internal

/// A base of atomic models, as `class Processor : public Atomic<Processor>`.
///
/// `M` has, all const:
/// - `State`, copyable: all data that change in a run;
/// - optionally `State Initial()` or `State Initial(const Start&)`; else the
///   initial state is `State{}`;
/// - optionally `Duration TimeAdvance(const State&)`, not negative; without it
///   the model is passive until an input arrives;
/// - `void Internal(State&)`, if there is a time advance;
/// - optionally `void Output(const State&, Bag& y)`, before each `Internal`;
/// - `void External(State&, Duration elapsed, const Bag& x)`, if there are
///   inputs; `elapsed` is the time since the last transition;
/// - optionally `void Confluent(State&, const Bag& x)` for inputs at the time
///   of an internal transition; else `Internal`, then `External` with `elapsed`
///   0;
/// - optionally `void Describe(const State&, Record&)`, for traces.
///
/// `Internal`, `External` and `Confluent` may take a `Structure&` as their last
/// parameter, by which they change the model around them.
///
/// They may throw: the run then ends with the model's name and the time.
template <typename M>
class Atomic : public Model {
 public:
  /// The class whose functions are called.
  using Functions = M;

  [[nodiscard]] const internal::AtomicOps* ops() const noexcept final {
    return &kOps<M>;
  }

 private:
  static const M& Self(const Model& model) {
    return static_cast<const M&>(model);
  }

  // M is complete only where these are instantiated.
  struct Thunks {
    template <typename S>
    static void Initialize(const Model& model, const Start& start, void* at) {
      if constexpr (requires { Self(model).Initial(start); }) {
        ::new (at) S(Self(model).Initial(start));
      } else if constexpr (requires { Self(model).Initial(); }) {
        ::new (at) S(Self(model).Initial());
      } else {
        ::new (at) S{};
      }
    }

    template <typename S>
    static void Copy(const void* from, void* to) {
      ::new (to) S(*static_cast<const S*>(from));
    }

    template <typename S>
    static void Move(void* from, void* to) {
      ::new (to) S(std::move(*static_cast<S*>(from)));
    }

    template <typename S>
    static void Destroy(void* state) {
      std::destroy_at(static_cast<S*>(state));
    }

    template <typename S>
    static Duration Advance(const Model& model, const void* state) {
      if constexpr (requires(const S& s) { Self(model).TimeAdvance(s); }) {
        return Self(model).TimeAdvance(*static_cast<const S*>(state));
      } else {
        return kPassive;
      }
    }

    template <typename S>
    static void Output(const Model& model, const void* state, Bag& y) {
      if constexpr (requires(const S& s) { Self(model).Output(s, y); }) {
        Self(model).Output(*static_cast<const S*>(state), y);
      }
    }

    // True if there is such a function, with a Structure& or without.
    template <typename S>
    static constexpr bool HasInternal() {
      return requires(const M& m, S& s) {
        m.Internal(s);
      }
      || requires(const M& m, S& s, Structure& t) {
        m.Internal(s, t);
      };
    }

    template <typename S>
    static constexpr bool HasExternal() {
      return requires(const M& m, S& s, Duration e, const Bag& x) {
        m.External(s, e, x);
      }
      || requires(const M& m, S& s, Duration e, const Bag& x, Structure& t) {
        m.External(s, e, x, t);
      };
    }

    template <typename S>
    static constexpr bool HasConfluent() {
      return requires(const M& m, S& s, const Bag& x) {
        m.Confluent(s, x);
      }
      || requires(const M& m, S& s, const Bag& x, Structure& t) {
        m.Confluent(s, x, t);
      };
    }

    template <typename S>
    static void MoveInternal(const M& m, S& s, Structure& structure) {
      if constexpr (requires { m.Internal(s, structure); }) {
        m.Internal(s, structure);
      } else if constexpr (HasInternal<S>()) {
        m.Internal(s);
      }
    }

    template <typename S>
    static void MoveExternal(const M& m,
                             S& s,
                             Duration elapsed,
                             const Bag& x,
                             Structure& structure) {
      if constexpr (requires { m.External(s, elapsed, x, structure); }) {
        m.External(s, elapsed, x, structure);
      } else if constexpr (HasExternal<S>()) {
        m.External(s, elapsed, x);
      }
    }

    template <typename S>
    static Duration Internal(const Model& model,
                             void* state,
                             Structure& structure) {
      MoveInternal(Self(model), *static_cast<S*>(state), structure);
      return Advance<S>(model, state);
    }

    template <typename S>
    static Duration External(const Model& model,
                             void* state,
                             Duration elapsed,
                             const Bag& x,
                             Structure& structure) {
      MoveExternal(Self(model), *static_cast<S*>(state), elapsed, x, structure);
      return Advance<S>(model, state);
    }

    template <typename S>
    static Duration Confluent(const Model& model,
                              void* state,
                              const Bag& x,
                              Structure& structure) {
      const M& m = Self(model);
      S& s = *static_cast<S*>(state);
      if constexpr (requires { m.Confluent(s, x, structure); }) {
        m.Confluent(s, x, structure);
      } else if constexpr (HasConfluent<S>()) {
        m.Confluent(s, x);
      } else {
        MoveInternal(m, s, structure);
        MoveExternal(m, s, Duration::zero(), x, structure);
      }
      return Advance<S>(model, state);
    }

    // Refuses functions of another signature, which would be ignored silently.
    template <typename S>
    static constexpr void CheckSignatures() {
      constexpr bool kHasAdvance = requires(const M& m, const S& s) {
        { m.TimeAdvance(s) } -> std::convertible_to<Duration>;
      };
      static_assert(
          kHasAdvance || !requires { &M::TimeAdvance; },
          "want: Duration TimeAdvance(const State&) const");
      static_assert(
          HasInternal<S>() || !requires { &M::Internal; },
          "want: void Internal(State&) const");
      static_assert(
          HasExternal<S>() || !requires { &M::External; },
          "want: void External(State&, Duration elapsed, const Bag&) const");
      static_assert(
          HasConfluent<S>() || !requires { &M::Confluent; },
          "want: void Confluent(State&, const Bag&) const");
      static_assert(
          requires(const M& m, const S& s, Bag& y) { m.Output(s, y); } ||
              !requires { &M::Output; },
          "want: void Output(const State&, Bag&) const");
      static_assert(
          requires(const M& m) {
            { m.Initial() } -> std::convertible_to<S>;
          } ||
              requires(const M& m, const Start& start) {
                { m.Initial(start) } -> std::convertible_to<S>;
              } ||
              !requires { &M::Initial; },
          "want: State Initial() const or State Initial(const Start&) const");
      static_assert(HasInternal<S>() || !kHasAdvance,
                    "a model with a time advance needs void Internal(State&) "
                    "const");
      static_assert(kHasAdvance || !HasInternal<S>(),
                    "without Duration TimeAdvance(const State&) const, "
                    "Internal would never be called");
      static_assert(
          kHasAdvance || !requires { &M::Output; },
          "without Duration TimeAdvance(const State&) const, Output "
          "would never be called");
    }

    template <typename S>
    static void Describe(const Model& model,
                         const void* state,
                         Record& record) {
      const S& s = *static_cast<const S*>(state);
      if constexpr (requires { Self(model).Describe(s, record); }) {
        Self(model).Describe(s, record);
      } else if constexpr (Record::Takes<S>()) {
        record.Add("", s);
      }
    }

    template <typename S>
    static constexpr internal::AtomicOps Table() {
      static_assert(alignof(S) <= alignof(std::max_align_t));
      static_assert(std::is_copy_constructible_v<S>,
                    "a run is saved by copies of its states: State must be "
                    "copyable");
      CheckSignatures<S>();
      return {.state_size = sizeof(S),
              .state_alignment = alignof(S),
              .state_type = &typeid(S),
              .is_trivial = std::is_trivially_copyable_v<S> &&
                            std::is_trivially_destructible_v<S>,
              .has_external = HasExternal<S>(),
              .initialize = &Initialize<S>,
              .copy = &Copy<S>,
              .move = &Move<S>,
              .destroy = &Destroy<S>,
              .advance = &Advance<S>,
              .output = &Output<S>,
              .internal = &Internal<S>,
              .external = &External<S>,
              .confluent = &Confluent<S>,
              .describe = &Describe<S>};
    }
  };

  template <typename D>
  static constexpr internal::AtomicOps kOps =
      Thunks::template Table<typename D::State>();
};

}  // namespace orrery::devs
