#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/model/flat_model.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

class Block;
class Quantity;

/// The formulas of an event or a clock while a model is traced.
struct EventFormulas {
  Expr condition;  ///< True in one microstep.
  /// True if the event function is above zero. Within its tolerance of zero
  /// each keeps its value; has_risen starts as false, has_not_fallen as true.
  /// Empty if the event's direction does not need it.
  Expr has_risen;
  Expr has_not_fallen;
};

/// The events and clocks of a model, by their owner and place in it.
using EventTable =
    std::map<std::pair<const Block*, std::size_t>, EventFormulas>;

/// Takes the equations that a block states while it is traced; the argument of
/// `Block::Equations`.
///
///     eq.Der(angle) = rate;
///     eq.Set(tip) = length * sin(angle);
///     eq.Add(a + b, c + 2);
///     eq.For(2, n, [&](Expr i) { eq.Der(u[i]) = u[i - 1] - u[i]; });
///
/// Every mistake throws Error kInvalidModel naming the quantity by its path.
class EquationSet {
 public:
  /// The left side of an equation; assigning the right side states it. Read, it
  /// is a formula: `eq.Add(inductance * eq.Der(i), v)`.
  class Target {
   public:
    // NOLINTBEGIN(misc-unconventional-assign-operator): nothing is assigned.
    void operator=(Expr right);
    void operator=(double right);
    void operator=(const Target& right);
    // NOLINTEND(misc-unconventional-assign-operator)
    Target(const Target&) = default;
    ~Target() = default;

    // NOLINTNEXTLINE(google-explicit-constructor): it reads as a formula.
    operator Expr() const noexcept { return left_; }

   private:
    friend class EquationSet;

    static constexpr std::size_t kNoHandler = static_cast<std::size_t>(-1);

    Target(EquationSet& equations,
           Expr left,
           std::size_t quantity,
           std::size_t handler = kNoHandler) noexcept
        : equations_(&equations),
          left_(left),
          quantity_(quantity),
          handler_(handler) {}

    EquationSet* equations_;
    Expr left_;
    std::size_t quantity_;
    std::size_t handler_;  ///< kNoHandler for an equation.
  };

  /// The assignments at an event.
  class Handler {
   public:
    /// Selects a state, a discrete quantity or an element of one; assigning to
    /// it gives it a new value.
    [[nodiscard]] Target Set(Expr quantity);

   private:
    friend class EquationSet;

    Handler(EquationSet& equations, std::size_t number) noexcept
        : equations_(&equations), number_(number) {}

    EquationSet* equations_;
    std::size_t number_;  ///< Its place among the model's handlers.
  };

  /// For `Lower`.
  /// @param symbols one for each of the block's quantities, made one after the
  ///     other.
  /// @param path of the block in the model, for the equations.
  /// @param events all events of the model.
  /// @param flat receives the equations.
  EquationSet(const Block& block,
              std::span<const Expr> symbols,
              SharedText path,
              const EventTable& events,
              FlatModel& flat);

  /// The time derivative of a state of this block or of an element of one.
  [[nodiscard]] Target Der(Expr state);

  /// Selects an output or local quantity, or an element of one; the assigned
  /// formula gives its value. Or selects an event; it occurs where the assigned
  /// formula crosses zero.
  [[nodiscard]] Target Set(Expr output);

  /// Adds a handler for an event or a tick of this block or of another one of
  /// the model:
  ///
  ///     eq.On(clock).Set(held) = u;
  ///
  /// A handler computes all new values before it sets the first. Handlers that
  /// are due at one time run in the order in which blocks and their calls of
  /// `On` are declared; each sees the values set by the earlier ones.
  /// @throws Error kInvalidModel for an event that is not of the model.
  [[nodiscard]] Handler On(const Quantity& event);

  /// Adds a handler for the events in which `condition` comes to hold, but not
  /// for the start unless the condition is `initial()` itself.
  [[nodiscard]] Handler When(Expr condition);

  /// Ends the run, with `message`, where `condition` does not hold.
  void Assert(Expr condition, std::string message);

  /// Ends the run, completed, where `condition` comes to hold.
  void Terminate(Expr condition, std::string message);

  /// An equation without fixed causality; a scalar side is extended to an
  /// array.
  void Add(Expr left, Expr right);
  void Add(Expr left, double right);

  /// An initial equation; the states it determines should be declared with
  /// `.fixed = false`.
  void Initial(Expr left, Expr right);
  void Initial(Expr left, double right);

  /// States the equations of `body` for i = from ... to, as a loop: `body` is
  /// called once, with the iterator (not at all for an empty range).
  void For(std::int64_t from,
           std::int64_t to,
           const std::function<void(Expr)>& body);

  /// The sum of `body` over i = from ... to; 0 for an empty range.
  [[nodiscard]] Expr Sum(std::int64_t from,
                         std::int64_t to,
                         const std::function<Expr(Expr)>& body) const;

  /// The value of the scalar `value` `delay` seconds ago; until then, its value
  /// at the start. As exact as the solver.
  /// @param delay s, 0 or more. It may vary if `most`, its upper bound, is
  ///     given.
  [[nodiscard]] Expr Delay(Expr value, double delay) const;
  [[nodiscard]] Expr Delay(Expr value, Expr delay, double most) const;

  /// The simulated time, s.
  [[nodiscard]] Expr time() const noexcept { return flat_.time; }

  /// True only while the start values are computed.
  [[nodiscard]] Expr initial() const noexcept { return flat_.initial; }

  /// True in the last event, at the end of a completed run.
  [[nodiscard]] Expr terminal() const noexcept { return flat_.terminal; }

  [[nodiscard]] ExprGraph& graph() const noexcept { return *flat_.graph; }

  /// The place, in a text, of the equations that are stated from now on.
  void SetPlace(SourceSpan place) { place_ = std::move(place); }

  [[nodiscard]] const SourceSpan& place() const noexcept { return place_; }

  /// Reports an error in the equation that is being stated.
  void Report(std::string message, Diagnostics& diagnostics) const;

  /// Reports states without a derivative and outputs not set, set in part or
  /// more than once. A block with equations by `Add` must have as many
  /// equations as unknowns.
  void Check(Diagnostics& diagnostics) const;

 private:
  struct Progress {
    std::int64_t set = 0;  ///< Elements given a value by `Der` or `Set`.
    SourceSpan first;      ///< The equations that gave the first one and the
    SourceSpan last;       ///< last one.
    bool is_differentiated = false;
  };

  void Take(const Target& target, Expr right);
  void State(Expr left, Expr right, std::vector<Equation>& list);
  void Assign(std::size_t handler, Expr left, Expr right);
  void AddCrossings(std::size_t event, Expr function);
  void RefuseInLoop(std::string_view what) const;
  [[noreturn]] void RefuseShapes(Expr left, Expr right) const;
  void Count(std::size_t quantity, Expr left);
  [[nodiscard]] std::int64_t Combinations() const;
  [[nodiscard]] std::size_t QuantityOf(Expr left) const;
  [[nodiscard]] std::string PathOf(std::size_t quantity) const;
  [[noreturn]] void Refuse(std::string_view what,
                           std::size_t quantity,
                           const std::string& why) const;

  const Block& block_;
  std::span<const Expr> symbols_;
  SharedText path_;
  const EventTable& events_;
  FlatModel& flat_;
  std::vector<Expr> iterators_;
  std::vector<Progress> progress_;
  SourceSpan place_;
  std::int64_t num_implicit_ = 0;   ///< Scalar equations by `Add`.
  std::size_t num_conditions_ = 0;  ///< Of `When`.
};

}  // namespace orrery
