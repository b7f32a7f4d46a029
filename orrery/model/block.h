#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/model/equation_set.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

class Block;
class BlockFunctions;
class Diagram;

enum class QuantityKind : std::uint8_t {
  kParameter,  ///< Set before a run, constant in it.
  kInput,
  kOutput,
  kState,  ///< Has a derivative.
  kLocal   ///< Any other unknown of the block's equations.
};

/// As in "an input", for messages.
[[nodiscard]] std::string_view KindName(QuantityKind kind) noexcept;

/// What may be said of a quantity besides its name and value.
struct Attributes {
  std::string unit;  ///< As Modelica writes it, "m/s2".
  std::string description;
  std::optional<double> default_value;  ///< Of an input nobody connects.
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> nominal;
  /// Of a state: whether its start value holds at the start (it does unless
  /// said otherwise) or is a first guess for the initial equations.
  std::optional<bool> fixed;
  bool is_protected = false;  ///< Hidden from results unless asked for.
};

/// The value of a parameter or the start of a state: one number for all
/// elements or one for each, row-major.
class Values {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a number is a value here.
  Values(double value) : numbers_{value} {}

  Values(std::vector<double> numbers) : numbers_(std::move(numbers)) {}

  Values(std::initializer_list<double> numbers) : numbers_(numbers) {}

  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const std::vector<double>& numbers() const noexcept {
    return numbers_;
  }

 private:
  std::vector<double> numbers_;
};

/// A quantity as its block declared it.
struct Declaration {
  QuantityKind kind = QuantityKind::kLocal;
  std::string name;
  Shape shape;
  std::vector<double> values;  ///< One number, or one for each element.
  Attributes attributes;
};

/// A handle to a quantity of a block: what `Parameter`, `Input`, `Output`,
/// `State` and `Local` are. Cheap to copy; valid as long as the block.
///
/// In the block's `Equations` it stands for its formula, in
/// `Diagram::Connect` for its port.
class Quantity {
 public:
  [[nodiscard]] Block& owner() const noexcept { return *owner_; }

  /// Its place in `owner().quantities()`.
  [[nodiscard]] std::size_t index() const noexcept { return index_; }

  [[nodiscard]] const Declaration& declaration() const noexcept;
  [[nodiscard]] QuantityKind kind() const noexcept;
  [[nodiscard]] const std::string& name() const noexcept;
  [[nodiscard]] const Shape& shape() const noexcept;

  /// The full name from the outermost block on, "Controlled.gain.u".
  [[nodiscard]] std::string path() const;

  /// Its formula.
  /// @throws Error kInvalidArgument outside the block's `Equations`.
  // NOLINTNEXTLINE(google-explicit-constructor): it reads as a formula.
  operator Expr() const;

  /// The element or subarray at a subscript, from 1; a formula as well.
  Expr operator[](std::int64_t subscript) const;
  Expr operator[](Expr subscript) const;

  /// The element at several subscripts: `u(i, 3)`.
  template <typename... Subscripts>
  Expr operator()(const Subscripts&... subscripts) const {
    const Expr array = *this;
    const std::vector<Expr> list = {Subscript(array, subscripts)...};
    return array.graph().Index(array, list);
  }

 protected:
  Quantity(Block* owner, Declaration declaration);

  [[nodiscard]] static Declaration Declare(QuantityKind kind,
                                           std::string_view name,
                                           Shape shape,
                                           const Values& values,
                                           Attributes attributes);

  [[nodiscard]] static Attributes InUnit(std::string_view unit) {
    return {.unit = std::string(unit)};
  }

 private:
  friend class Block;

  Quantity(Block* owner, std::size_t index) noexcept
      : owner_(owner), index_(index) {}

  static Expr Subscript(Expr array, std::int64_t number);
  static Expr Subscript(Expr array, Expr formula);

  Block* owner_;
  std::size_t index_;
};

/// A quantity of `kKind` that is declared with a value or start.
template <QuantityKind kKind>
class QuantityWithValue : public Quantity {
 public:
  /// Starts at 0.
  QuantityWithValue(Block* owner,
                    std::string_view name) requires(kKind !=
                                                    QuantityKind::kParameter)
      : Quantity(owner, Declare(kKind, name, {}, 0.0, {})) {}

  QuantityWithValue(Block* owner,
                    std::string_view name,
                    const Values& value,
                    std::string_view unit = {})
      : Quantity(owner, Declare(kKind, name, {}, value, InUnit(unit))) {}

  QuantityWithValue(Block* owner,
                    std::string_view name,
                    const Values& value,
                    Attributes attributes)
      : Quantity(owner,
                 Declare(kKind, name, {}, value, std::move(attributes))) {}

  QuantityWithValue(Block* owner,
                    std::string_view name,
                    Shape shape,
                    const Values& value,
                    std::string_view unit = {})
      : Quantity(owner,
                 Declare(kKind, name, std::move(shape), value, InUnit(unit))) {}

  QuantityWithValue(Block* owner,
                    std::string_view name,
                    Shape shape,
                    const Values& value,
                    Attributes attributes)
      : Quantity(
            owner,
            Declare(
                kKind, name, std::move(shape), value, std::move(attributes))) {}
};

/// A quantity of `kKind` through which a block meets its surroundings.
template <QuantityKind kKind>
class Port : public Quantity {
 public:
  Port(Block* owner, std::string_view name, std::string_view unit = {})
      : Quantity(owner, Declare(kKind, name, {}, 0.0, InUnit(unit))) {}

  Port(Block* owner, std::string_view name, Attributes attributes)
      : Quantity(owner, Declare(kKind, name, {}, 0.0, std::move(attributes))) {}

  Port(Block* owner,
       std::string_view name,
       Shape shape,
       std::string_view unit = {})
      : Quantity(owner,
                 Declare(kKind, name, std::move(shape), 0.0, InUnit(unit))) {}

  Port(Block* owner, std::string_view name, Shape shape, Attributes attributes)
      : Quantity(
            owner,
            Declare(
                kKind, name, std::move(shape), 0.0, std::move(attributes))) {}
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
/// declaration, arrays row-major; those of a diagram hold x of its leaf blocks
/// in the order of `enumerate_leaf_blocks`, and u and y of its own ports.
/// Source of these properties' names and meaning: requirement 1, "Simulation
/// Architecture".
///
/// A block says what the system is and is not changed by simulating it: the
/// values of a run live elsewhere. While it is traced (`Lower`,
/// the functions of x and u on their first call) no other thread may use it.
class Block {
 public:
  using EquationSet = orrery::EquationSet;
  using Expr = orrery::Expr;
  using Shape = orrery::Shape;
  using Attributes = orrery::Attributes;

  /// A value that is set before a run.
  using Parameter = QuantityWithValue<QuantityKind::kParameter>;
  /// A quantity that the block's surroundings determine.
  using Input = Port<QuantityKind::kInput>;
  /// A quantity that the block shows to its surroundings.
  using Output = Port<QuantityKind::kOutput>;
  /// A quantity with a derivative and a start value.
  using State = QuantityWithValue<QuantityKind::kState>;
  /// An unknown of the block's equations that is not shown; its start is the
  /// first guess where it must be solved for.
  using Local = QuantityWithValue<QuantityKind::kLocal>;

  Block();

  /// A block that stands at the top of a model under this name.
  explicit Block(std::string name);
  virtual ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// States the block's equations. Called whenever it is traced; must state the
  /// same equations each time.
  virtual void Equations(EquationSet& eq);

  /// Within its diagram; the C++ type's name for a block without one.
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

  /// The quantity of this name.
  /// @throws Error kInvalidArgument suggesting a name that exists.
  [[nodiscard]] Quantity operator[](std::string_view name);

  /// Gives a parameter or the start of a state another value.
  /// @throws Error kInvalidArgument if the number of values does not fit.
  void SetValue(const Quantity& quantity, const Values& values);

  /// This block as a diagram; null if it is a leaf.
  [[nodiscard]] virtual const Diagram* AsDiagram() const noexcept;

  // Requirement 1 -----------------------------------------------------------

  [[nodiscard]] std::size_t num_inputs() const noexcept;
  [[nodiscard]] std::size_t num_outputs() const noexcept;
  [[nodiscard]] virtual std::size_t num_states() const;

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

  // Tracing -----------------------------------------------------------------

  /// Calls `Equations` with the handles standing for `symbols`, one for each of
  /// `quantities()`. For `Lower`.
  void Trace(std::span<const Expr> symbols, EquationSet& equations);

 protected:
  /// Forgets what was derived from the block: it or a part has changed.
  void Touch() noexcept;

  /// Takes `part` in as the child at `position` of `parent`.
  static void Adopt(Block& part,
                    Diagram& parent,
                    std::string name,
                    std::size_t position);

  /// Why this kind of block cannot have a quantity; empty if it can.
  [[nodiscard]] virtual std::string FaultHere(
      const Declaration& declaration) const;

 private:
  friend class Quantity;

  std::size_t Declare(Declaration declaration);
  [[nodiscard]] Expr SymbolOf(std::size_t quantity) const;
  const BlockFunctions& functions();

  std::string name_;
  Diagram* parent_ = nullptr;
  std::size_t position_ = 0;
  std::vector<Declaration> quantities_;
  std::span<const Expr> symbols_;  // While it is traced.
  std::unique_ptr<const BlockFunctions> functions_;
};

}  // namespace orrery
