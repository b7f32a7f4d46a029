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

/// What stands for an event or a clock while a model is traced.
struct EventFormulas {
  Expr condition;  ///< True in one microstep.
  /// Of an event, whether its function is above zero: the one is false and the
  /// other true while it has been zero from the start on. Empty where its
  /// direction has no use for it.
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
    std::size_t handler_;  ///< That assigns it; else an equation gives it.
  };

  /// What happens at an event.
  class Handler {
   public:
    /// A state, a discrete quantity or an element of one: assigning gives it a
    /// new value.
    [[nodiscard]] Target Set(Expr quantity);

   private:
    friend class EquationSet;

    Handler(EquationSet& equations, std::size_t number) noexcept
        : equations_(&equations), number_(number) {}

    EquationSet* equations_;
    std::size_t number_;  ///< Among the model's handlers.
  };

  /// For `Lower`.
  /// @param symbols one for each of the block's quantities, made one after the
  ///     other.
  /// @param path of the block in the model, for the equations.
  /// @param events of the whole model.
  /// @param flat takes the equations.
  EquationSet(const Block& block,
              std::span<const Expr> symbols,
              SharedText path,
              const EventTable& events,
              FlatModel& flat);

  /// The time derivative of a state of this block or of an element of one.
  [[nodiscard]] Target Der(Expr state);

  /// The output or local quantity, or an element of one, that the assigned
  /// formula gives its value; or the event that takes place where the assigned
  /// formula crosses zero.
  [[nodiscard]] Target Set(Expr output);

  /// States what happens at an event or a tick, of this block or of another one
  /// of the model:
  ///
  ///     eq.On(clock).Set(held) = u;
  ///
  /// What one handler sets is computed before it sets the first. Handlers that
  /// are due at one time follow each other in the order in which blocks and
  /// their calls of `On` are declared, each seeing what the earlier ones did.
  /// @throws Error kInvalidModel for an event that is not of the model.
  [[nodiscard]] Handler On(const Quantity& event);

  /// Ends the run, with `message`, where `condition` does not hold.
  void Assert(Expr condition, std::string message);

  /// Ends the run, completed, where `condition` comes to hold.
  void Terminate(Expr condition, std::string message);

  /// An equation in no particular causality; a scalar side stands for an array
  /// of its value.
  void Add(Expr left, Expr right);
  void Add(Expr left, double right);

  /// An equation of the start; the states it determines should be declared
  /// with `.fixed = false`.
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

  /// What the scalar `value` was `delay` seconds ago; before that much time has
  /// passed, what it was at the start. As exact as the solver.
  /// @param delay 0 or more; may vary if `most`, which it never exceeds, is
  ///     given.
  [[nodiscard]] Expr Delay(Expr value, double delay) const;
  [[nodiscard]] Expr Delay(Expr value, Expr delay, double most) const;

  /// The simulated time, s.
  [[nodiscard]] Expr time() const noexcept { return flat_.time; }

  [[nodiscard]] ExprGraph& graph() const noexcept { return *flat_.graph; }

  /// Reports states without a derivative and outputs not set, set in part or
  /// more than once. A block with equations by `Add` must have as many
  /// equations as unknowns.
  void Check(Diagnostics& diagnostics) const;

 private:
  struct Progress {
    std::int64_t set = 0;  ///< Elements given a value by `Der` or `Set`.
    bool is_differentiated = false;
  };

  void Take(const Target& target, Expr right);
  void State(Expr left, Expr right, std::vector<Equation>& list);
  void Assign(std::size_t handler, Expr left, Expr right);
  void AddCrossings(std::size_t event, Expr function);
  void RefuseInLoop(std::string_view what) const;
  void Count(std::size_t quantity, Expr left);
  bool CheckQuantity(std::size_t quantity, Diagnostics& diagnostics) const;
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
  std::int64_t num_implicit_ = 0;  ///< Scalar equations by `Add`.
};

}  // namespace orrery
