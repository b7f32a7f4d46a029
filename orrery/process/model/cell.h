#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "orrery/process/cells/cell_type.h"
#include "orrery/process/model/cell_core.h"
#include "orrery/process/model/member.h"
#include "orrery/process/model/model.h"

namespace orrery::process {

/// A cell of a model, whatever its type: a place whose value changes in a run.
class CellHandle : public Member {
 public:
  /// The work that the cell has done so far in the run.
  [[nodiscard]] virtual CellCounts counts() const = 0;

 protected:
  using Member::Member;

  [[noreturn]] void RefuseMoving() const;
};

template <CellType C>
class BasicCell;

namespace internal {

template <typename C>
using ValueOf = std::decay_t<decltype(std::declval<const C&>().Value())>;

template <typename C>
concept HasNumber = HasDynamics<C> || Number<ValueOf<C>>;

/// The number in a cell, as a term of an expression.
template <CellType C>
struct CellTerm {
  using IsTerm = void;
  const BasicCell<C>* cell;

  [[nodiscard]] Polynomial Dynamics() const { return cell->Dynamics(); }

  [[nodiscard]] double Number() const requires(!HasDynamics<C>) {
    return static_cast<double>(cell->State().Value());
  }

  /// Null where it may change by itself.
  [[nodiscard]] CellCore* StillCell() const {
    if constexpr (HasDynamics<C> || Expires<C> || StepsInTime<C>) {
      return nullptr;
    } else {
      return &cell->Core();
    }
  }

  [[nodiscard]] std::string Text() const { return cell->name(); }
};

/// The text of a value that is not a number: `true`, "text", the number of an
/// enumerator; "a value" for a type without a text.
template <typename T>
[[nodiscard]] std::string TextOfValue(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_convertible_v<T, std::string_view>) {
    const std::string_view text = value;
    return '"' + std::string(text) + '"';
  } else {
    return "a value";
  }
}

/// The condition that a cell has, or does not have, a value that is not a
/// number.
template <CellType C>
struct CellEquals {
  const BasicCell<C>* cell;
  ValueOf<C> value;
  bool equals;

  [[nodiscard]] std::optional<Duration> Next(bool wanted,
                                             Duration from,
                                             Duration /*until*/) const {
    const bool holds = (cell->Get() == value) == equals;
    return holds == wanted ? std::optional(from) : std::nullopt;
  }

  [[nodiscard]] std::optional<Threshold> Needs(bool wanted) const {
    if constexpr (Keyed<ValueOf<C>> && !Expires<C> && !StepsInTime<C>) {
      if (equals == wanted) {
        return Threshold{.cell = &cell->Core(),
                         .relation = Relation::kEqual,
                         .bound = KeyOf(value)};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string Text() const {
    return cell->name() + (equals ? " == " : " != ") + TextOfValue(value);
  }
};

}  // namespace internal

/// The members that cells of all types `C` have. Types whose effects have names
/// have a `Cell<C>` of their own.
template <CellType C>
class BasicCell : public CellHandle {
 public:
  using Effect = typename C::Effect;

  /// @param arguments of the constructor of the initial state.
  template <typename... Arguments>
  BasicCell(Model* owner, std::string_view name, Arguments&&... arguments)
      : CellHandle(owner, name),
        initial_(std::forward<Arguments>(arguments)...) {}

  /// The value as the step at work sees it: with its own effects and those of
  /// the steps that spawned it, without concurrent effects. A reference is
  /// valid until the task waits or acts on the cell.
  /// @throws Error kInvalidArgument unless a task, condition or resource of the
  ///     run is at work.
  [[nodiscard]] decltype(auto) Get() const {
    internal::CellSlot<C>& cell = slot("read");
    using Value = decltype(std::declval<const C&>().Value());
    if (cell.run().step.logs_reads()) {
      return static_cast<Value>(
          cell.run().step.template Logged<std::decay_t<Value>>(
              [&]() -> Value { return cell.Read().Value(); }));
    }
    const C& state = cell.Read();
    if constexpr (HasDynamics<C>) {
      if (cell.is_evaluated() && state.Dynamics().degree() > 0) {
        RefuseMoving();
      }
    }
    return static_cast<Value>(state.Value());
  }

  /// The number as a polynomial of the seconds from now. Comparisons use it.
  [[nodiscard]] Polynomial Dynamics() const requires internal::HasNumber<C> {
    if constexpr (HasDynamics<C>) {
      return State().Dynamics();
    } else {
      return {static_cast<double>(State().Value())};
    }
  }

  /// The state as the step at work sees it.
  /// @throws as Get.
  [[nodiscard]] const C& State() const {
    internal::CellSlot<C>& cell = slot("read");
    return cell.run().step.logs_reads()
               ? cell.run().step.template Logged<C>(
                     [&]() -> const C& { return cell.Read(); })
               : cell.Read();
  }

  /// The cell as a term of an expression: `battery + 2.0 * reserve > 80.0`.
  [[nodiscard]] internal::CellTerm<C> AsTerm()
      const requires internal::HasNumber<C> {
    return {this};
  }

  /// Applies `effect` to the cell, now.
  /// @throws Error kInvalidArgument unless a task of the run is at work.
  void Emit(Effect effect) { slot("change").Emit(std::move(effect)); }

  /// Applies an effect that is not logged. For topics, whose event is in the
  /// log already.
  void EmitUnseen(Effect effect) {
    slot("change").EmitUnseen(std::move(effect));
  }

  [[nodiscard]] CellCounts counts() const override {
    return slot("count the steps of").counts();
  }

  [[nodiscard]] const C& initial() const noexcept { return initial_; }

  /// For conditions: what it is in the run.
  [[nodiscard]] internal::CellCore& Core() const { return slot("read"); }

 private:
  friend class Simulator;

  [[nodiscard]] internal::CellSlot<C>& slot(std::string_view purpose) const {
    if (!slot_.is_in_run()) {
      RefuseOutside(purpose);
    }
    return slot_;
  }

  void Bind(internal::Run& run) override {
    slot_.Begin(run, Path(), initial_);
    run.members.Add(slot_);
  }

  void Unbind() noexcept override { slot_.End(); }

  C initial_;
  // Belongs to the run, not to the model.
  mutable internal::CellSlot<C> slot_{initial_};
};

/// Makes a condition of a value that is not a number, as in
/// `mode == Mode::kIdle`.
template <CellType C>

requires(!internal::HasNumber<C>) [[nodiscard]] internal::CellEquals<C>
operator==(const BasicCell<C>& cell, internal::ValueOf<C> value) {
  return {.cell = &cell, .value = std::move(value), .equals = true};
}

template <CellType C>

requires(!internal::HasNumber<C>) [[nodiscard]] internal::CellEquals<C>
operator!=(const BasicCell<C>& cell, internal::ValueOf<C> value) {
  return {.cell = &cell, .value = std::move(value), .equals = false};
}

/// A cell: `Cell<Accumulator> battery{this, "battery", 100.0};`.
template <CellType C>
class Cell : public BasicCell<C> {
 public:
  using BasicCell<C>::BasicCell;
};

}  // namespace orrery::process
