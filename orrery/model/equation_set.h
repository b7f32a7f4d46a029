#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/model/flat_model.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

class Block;

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

    Target(EquationSet& equations, Expr left, std::size_t quantity) noexcept
        : equations_(&equations), left_(left), quantity_(quantity) {}

    EquationSet* equations_;
    Expr left_;
    std::size_t quantity_;
  };

  /// For `Lower`.
  /// @param symbols one for each of the block's quantities, made one after the
  ///     other.
  /// @param path of the block in the model, for the equations.
  /// @param flat takes the equations.
  EquationSet(const Block& block,
              std::span<const Expr> symbols,
              std::string path,
              FlatModel& flat);

  /// The time derivative of a state of this block or of an element of one.
  [[nodiscard]] Target Der(Expr state);

  /// The output or local quantity, or an element of one, that the assigned
  /// formula gives its value.
  [[nodiscard]] Target Set(Expr output);

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

  void State(Expr left, Expr right, std::vector<Equation>& list);
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
  std::string path_;
  FlatModel& flat_;
  std::vector<Expr> iterators_;
  std::vector<Progress> progress_;
  std::int64_t num_implicit_ = 0;  ///< Scalar equations by `Add`.
};

}  // namespace orrery
