#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/text/shared_text.h"
#include "orrery/base/values/clock_times.h"
#include "orrery/base/values/direction.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

class Block;

enum class QuantityKind : std::uint8_t {
  kParameter,  ///< Set before a run, constant in it.
  kInput,
  kOutput,
  kState,     ///< Has a derivative.
  kLocal,     ///< An unknown that other blocks cannot see.
  kDiscrete,  ///< Changes by handlers of events only.
  kEvent,     ///< The function of an event.
  kClock      ///< The period of a clock.
};

/// The kind with its article, as in "an input", for messages.
[[nodiscard]] std::string_view KindName(QuantityKind kind) noexcept;

/// True if quantities of that kind are declared with a value or a start.
[[nodiscard]] bool HasValue(QuantityKind kind) noexcept;

/// The attributes of a quantity besides its name and value.
struct Attributes {
  SharedText unit;  ///< In Modelica's notation: "m/s2".
  SharedText description;
  std::optional<double> default_value;  ///< For an unconnected input.
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> nominal;
  /// For a state. True, the default: its start value is its value at the start.
  /// False: it is a first guess for the initial equations.
  std::optional<bool> fixed;
  bool is_protected = false;  ///< Hidden from results unless asked for.
  /// The type of its values; true is 1. All types but Real change at events
  /// only.
  ValueType type = ValueType::kReal;

  friend bool operator==(const Attributes&, const Attributes&) = default;
};

/// Shares attributes as immutable. Empty attributes share one object.
[[nodiscard]] std::shared_ptr<const Attributes> Share(Attributes attributes);

/// The value of a parameter or the start of a state: one number for all
/// elements or one for each, row-major.
class Values {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a number is a value here.
  Values(double value) : numbers_{value} {}

  Values(std::vector<double> numbers) : numbers_(std::move(numbers)) {}

  Values(std::initializer_list<double> numbers) : numbers_(numbers) {}

  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const std::vector<double>& numbers() const& noexcept {
    return numbers_;
  }

  [[nodiscard]] std::vector<double> numbers() && noexcept {
    return std::move(numbers_);
  }

 private:
  std::vector<double> numbers_;
};

/// Further traits of an event or a clock.
struct EventTraits {
  Direction direction = Direction::kEither;
  double tolerance = 0;
  double offset = 0;  ///< s
  ClockTimes times;
};

/// A quantity as its block declared it.
struct Declaration {
  QuantityKind kind = QuantityKind::kLocal;
  bool has_formula = false;  ///< A formula gives its value; `values` is empty.
  std::string name;
  Shape shape;
  std::vector<double> values;  ///< One number, or one for each element; empty
                               ///< for kinds without a value.
  std::shared_ptr<const Attributes> attributes = Share({});  ///< Never null.
};

class Element;

/// A handle to a quantity of a block: the base of `Parameter`, `Input`,
/// `Output`, `State`, `Local` and so on. Cheap to copy; valid as long as the
/// block.
///
/// In the block's `Equations` it denotes its formula, in `Diagram::Connect` its
/// port.
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

  /// The element or subarray at a subscript, from 1; a formula as well. At a
  /// number it is also an end of a connection: `d.Connect(a.y, sum.u[2])`.
  Element operator[](std::int64_t subscript) const;
  Expr operator[](Expr subscript) const;

  /// The element at several subscripts: `u(i, 3)`.
  template <typename... Subscripts>
  Expr operator()(const Subscripts&... subscripts) const {
    const Expr array = *this;
    const std::vector<Expr> list = {Subscript(array, subscripts)...};
    return array.graph().Index(array, list);
  }

 protected:
  /// Returns the quantity if it is of that kind.
  /// @throws Error kInvalidArgument if it is of another kind.
  [[nodiscard]] static const Quantity& As(const Quantity& quantity,
                                          QuantityKind kind);

  Quantity(Block* owner, Declaration declaration);
  Quantity(Block* owner, Declaration declaration, EventTraits traits);

  [[nodiscard]] static Declaration Declare(QuantityKind kind,
                                           std::string_view name,
                                           Shape shape,
                                           std::vector<double> values,
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

/// A quantity at subscripts from 1: an element or, with fewer of them than it
/// has dimensions, a subarray.
class Element {
 public:
  Element(const Quantity& quantity, std::vector<std::int64_t> at)
      : quantity_(quantity), at_(std::move(at)) {}

  [[nodiscard]] const Quantity& quantity() const noexcept { return quantity_; }

  [[nodiscard]] const std::vector<std::int64_t>& at() const noexcept {
    return at_;
  }

  [[nodiscard]] Element operator[](std::int64_t subscript) const;

  /// Its formula.
  /// @throws Error kInvalidArgument outside the block's `Equations`.
  // NOLINTNEXTLINE(google-explicit-constructor): it reads as a formula.
  operator Expr() const;

 private:
  Quantity quantity_;
  std::vector<std::int64_t> at_;
};

/// An end of a connection: a port or one element of it.
class PortEnd {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a port is an end of a connection.
  PortEnd(const Quantity& port) : port_(port) {}

  PortEnd(const Element& element)
      : port_(element.quantity()), at_(element.at()) {}

  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const Quantity& port() const noexcept { return port_; }

  /// Subscripts from 1, as many as the port has dimensions; none for all of it.
  [[nodiscard]] const std::vector<std::int64_t>& at() const noexcept {
    return at_;
  }

  /// "Controlled.sum.u[2]".
  [[nodiscard]] std::string path() const;

 private:
  Quantity port_;
  std::vector<std::int64_t> at_;
};

/// A quantity of `kKind` that is declared with a value or start.
template <QuantityKind kKind>
class QuantityWithValue : public Quantity {
 public:
  /// Starts at 0.
  QuantityWithValue(Block* owner,
                    std::string_view name) requires(kKind !=
                                                    QuantityKind::kParameter)
      : Quantity(owner, Declare(kKind, name, {}, {0.0}, {})) {}

  /// A handle to an already declared quantity.
  /// @throws Error kInvalidArgument if it is of another kind.
  explicit QuantityWithValue(const Quantity& quantity)
      : Quantity(As(quantity, kKind)) {}

  QuantityWithValue(Block* owner,
                    std::string_view name,
                    Values value,
                    std::string_view unit = {})
      : Quantity(
            owner,
            Declare(
                kKind, name, {}, std::move(value).numbers(), InUnit(unit))) {}

  QuantityWithValue(Block* owner,
                    std::string_view name,
                    Values value,
                    Attributes attributes)
      : Quantity(owner,
                 Declare(kKind,
                         name,
                         {},
                         std::move(value).numbers(),
                         std::move(attributes))) {}

  QuantityWithValue(Block* owner,
                    std::string_view name,
                    Shape shape,
                    Values value,
                    std::string_view unit = {})
      : Quantity(owner,
                 Declare(kKind,
                         name,
                         std::move(shape),
                         std::move(value).numbers(),
                         InUnit(unit))) {}

  QuantityWithValue(Block* owner,
                    std::string_view name,
                    Shape shape,
                    Values value,
                    Attributes attributes)
      : Quantity(owner,
                 Declare(kKind,
                         name,
                         std::move(shape),
                         std::move(value).numbers(),
                         std::move(attributes))) {}
};

/// A quantity of `kKind` through which a block meets its surroundings.
template <QuantityKind kKind>
class Port : public Quantity {
 public:
  /// A handle to an already declared quantity.
  /// @throws Error kInvalidArgument if it is of another kind.
  explicit Port(const Quantity& quantity) : Quantity(As(quantity, kKind)) {}

  Port(Block* owner, std::string_view name, std::string_view unit = {})
      : Quantity(owner, Declare(kKind, name, {}, {}, InUnit(unit))) {}

  Port(Block* owner, std::string_view name, Attributes attributes)
      : Quantity(owner, Declare(kKind, name, {}, {}, std::move(attributes))) {}

  Port(Block* owner,
       std::string_view name,
       Shape shape,
       std::string_view unit = {})
      : Quantity(owner,
                 Declare(kKind, name, std::move(shape), {}, InUnit(unit))) {}

  Port(Block* owner, std::string_view name, Shape shape, Attributes attributes)
      : Quantity(
            owner,
            Declare(kKind, name, std::move(shape), {}, std::move(attributes))) {
  }
};

}  // namespace orrery
