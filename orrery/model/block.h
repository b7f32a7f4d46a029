#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/model/equation_set.h"
#include "orrery/model/event.h"
#include "orrery/model/quantity.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

class BlockFunctions;
class Diagram;
struct FlatModel;

/// How the author of a block writes equations, for messages; '%' stands for a
/// quantity.
struct EquationNotation {
  std::string_view place = "Equations";
  std::string_view derivative = "eq.Der(%) = ...";
  std::string_view value = "eq.Set(%) = ...";
  std::string_view assignment = "eq.On(event).Set(%) = ...";

  /// A form for the quantity `name`.
  [[nodiscard]] static std::string For(std::string_view form,
                                       std::string_view name);
};

/// A reusable component: quantities declared as members and equations in plain
/// C++, or, as a `Diagram`, other blocks and their connections.
///
///     struct Pendulum : orrery::Block {
///       Parameter length{this, "length", 1.0, "m"};
///       Input torque{this, "torque"};
///       State angle{this, "angle", 0.1}, rate{this, "rate", 0.0};
///       Output tip{this, "tip", "m"};
///
///       void Equations(EquationSet& eq) override {
///         eq.Der(angle) = rate;
///         eq.Der(rate) = -9.81 / length * sin(angle) + torque;
///         eq.Set(tip) = length * sin(angle);
///       }
///     };
///
/// A leaf block is a dynamical system dx/dt = g(t, x, u), y = h(t, x, u). Its
/// vectors x, u and y hold the states, inputs and outputs in the order of
/// declaration, arrays row-major. A diagram's x joins those of its leaf blocks
/// in the order of `enumerate_leaf_blocks`; its u and y are those of its own
/// ports. The event functions z = e(t, x, u), one for each `Event`, are ordered
/// like x. Source of these properties' names and meaning: requirement 1 (see
/// docs/reference/requirements.md), "Simulation Architecture".
///
/// A block describes the system; a simulation does not change it, since the
/// values of a run are stored elsewhere. While a block is traced (by `Lower`,
/// or by the first call of the functions of x and u) no other thread may use
/// it.
class Block {
 public:
  using EquationSet = orrery::EquationSet;
  using Expr = orrery::Expr;
  using Shape = orrery::Shape;
  using Attributes = orrery::Attributes;

  /// A value that is set before a run and constant in it.
  using Parameter = QuantityWithValue<QuantityKind::kParameter>;
  /// A quantity with a value from outside of the block.
  using Input = Port<QuantityKind::kInput>;
  /// A quantity that other blocks can read.
  using Output = Port<QuantityKind::kOutput>;
  /// A quantity with a derivative and a start value.
  using State = QuantityWithValue<QuantityKind::kState>;
  /// An unknown of the block's equations that others cannot read; its start is
  /// the first guess if it must be solved for.
  using Local = QuantityWithValue<QuantityKind::kLocal>;
  /// A quantity that changes only where a handler of an event assigns it.
  using Discrete = QuantityWithValue<QuantityKind::kDiscrete>;
  using Event = orrery::Event;
  using Clock = orrery::Clock;
  using Direction = orrery::Direction;

  Block();

  /// A block that stands at the top of a model under this name.
  explicit Block(std::string name);
  virtual ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// States the block's equations. Called whenever the block is traced; must
  /// state the same equations each time.
  virtual void Equations(EquationSet& eq);

  /// The name in its diagram; the C++ type's name for a block without a
  /// diagram.
  [[nodiscard]] std::string name() const;

  /// The names from the outermost block on, joined by dots.
  [[nodiscard]] std::string path() const;

  /// The diagram that holds it; null at the top.
  [[nodiscard]] const Diagram* parent() const noexcept { return parent_; }

  /// Its place among the parent's `children`.
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

  [[nodiscard]] std::span<const Declaration> quantities() const noexcept {
    return quantities_;
  }

  /// The traits of the event or clock in that place among `quantities`.
  [[nodiscard]] const EventTraits& TraitsOf(std::size_t quantity) const;

  /// The quantity of this name.
  /// @throws Error kInvalidArgument suggesting a name that exists.
  [[nodiscard]] Quantity operator[](std::string_view name);

  /// Gives a parameter or the start of a state another value.
  /// @throws Error kInvalidArgument if the number of values does not fit, or a
  ///     value does not fit the quantity's type.
  void SetValue(const Quantity& quantity, const Values& values);

  /// This block as a diagram; null if it is a leaf.
  [[nodiscard]] virtual const Diagram* AsDiagram() const noexcept;

  /// The model that replaces `Equations`, with a variable for each quantity
  /// under its name; null for a block that states its own equations.
  [[nodiscard]] virtual const FlatModel* AsFlatModel() const noexcept;

  // Requirement 1 -----------------------------------------------------------

  [[nodiscard]] std::size_t num_inputs() const noexcept;
  [[nodiscard]] std::size_t num_outputs() const noexcept;
  [[nodiscard]] virtual std::size_t num_states() const;
  [[nodiscard]] virtual std::size_t num_events() const;

  /// The inputs, ascending, that influence an output directly.
  [[nodiscard]] const std::vector<std::size_t>& feedthrough_inputs();

  /// The inputs, ascending, that influence this output directly.
  [[nodiscard]] const std::vector<std::size_t>& feedthrough_inputs(
      std::size_t output);

  /// y = h(t, x, u).
  /// @param x `num_states()` numbers.
  /// @param u `num_inputs()` numbers; those without feed-through are ignored.
  /// @throws Error kUnsupported if the block must be solved for its outputs
  ///     (equations in no causality, or an algebraic loop).
  [[nodiscard]] std::vector<double> output_function(double t,
                                                    std::span<const double> x,
                                                    std::span<const double> u);

  /// dx/dt = g(t, x, u); parameters and errors as in `output_function`.
  [[nodiscard]] std::vector<double> state_update_function(
      double t, std::span<const double> x, std::span<const double> u);

  /// z = e(t, x, u): an event takes place where its element of z crosses zero.
  /// Parameters and errors as in `output_function`.
  [[nodiscard]] std::vector<double> event_function(double t,
                                                   std::span<const double> x,
                                                   std::span<const double> u);

  // Tracing -----------------------------------------------------------------

  /// Calls `Equations` with the handles standing for `symbols`, one for each of
  /// `quantities()`. For `Lower`.
  void Trace(std::span<const Expr> symbols, EquationSet& equations);

 protected:
  /// The language of its `Equations`; C++ unless the block says otherwise.
  [[nodiscard]] virtual const EquationNotation& notation() const noexcept;

  /// Discards derived data, after a change of the block or of a part.
  void Touch() noexcept;

  /// Takes `part` in as the child at `position` of `parent`.
  static void Adopt(Block& part,
                    Diagram& parent,
                    std::string name,
                    std::size_t position);

  /// The reason why this kind of block cannot have a quantity; empty if it can.
  [[nodiscard]] virtual std::string FaultHere(
      const Declaration& declaration) const;

  /// The reason why a quantity's value cannot be set; empty if it can. For
  /// kinds with a value.
  [[nodiscard]] virtual std::string WhyFixed(std::size_t quantity) const;

  /// @returns the quantity's place among `quantities`.
  /// @throws Error kInvalidModel if there cannot be such a quantity.
  std::size_t Declare(Declaration declaration);

 private:
  friend class Quantity;
  friend orrery::EquationSet;

  [[nodiscard]] Expr SymbolOf(std::size_t quantity) const;
  const BlockFunctions& functions();

  std::string name_;
  Diagram* parent_ = nullptr;
  std::size_t position_ = 0;
  std::vector<Declaration> quantities_;
  std::vector<std::pair<std::size_t, EventTraits>> events_;  // Ascending.
  std::span<const Expr> symbols_;  // While it is traced.
  std::unique_ptr<const BlockFunctions> functions_;
};

}  // namespace orrery
