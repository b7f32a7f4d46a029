#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orrery/base/containers/growing_array.h"
#include "orrery/symbolic/op.h"

namespace orrery {

class ExprGraph;
struct Function;

/// Numbers of elements per dimension, row-major; empty for a scalar.
using Shape = std::vector<std::int64_t>;

/// Returns the number of scalars in a value of `shape`.
[[nodiscard]] std::int64_t NumElements(const Shape& shape) noexcept;

/// Contents of a formula, including the formula itself. The contents of a
/// called function do not count.
enum class Trait : std::uint8_t {
  kDer = 1,        ///< kDer.
  kBreak = 2,      ///< Operations that may jump or have a kink, such as kLess
                   ///< or kAbs.
  kIterator = 4,   ///< kIterator, of a loop inside or around it.
  kComposite = 8,  ///< An array, a subscript, a loop or a call.
  kEvent = 16,     ///< kPre, kNoEvent, kSample, kDelay, kTransport.
};

/// A handle to a node of an `ExprGraph`: a formula. Cheap to copy; equal
/// handles mean equal formulas. Valid as long as the graph.
class Expr {
 public:
  Expr() = default;

  Expr(ExprGraph* graph, std::uint32_t id) noexcept : graph_(graph), id_(id) {}

  /// True if it refers to a node.
  explicit operator bool() const noexcept { return graph_ != nullptr; }

  [[nodiscard]] ExprGraph& graph() const noexcept { return *graph_; }

  /// Operands always have smaller ids than the node itself.
  [[nodiscard]] std::uint32_t id() const noexcept { return id_; }

  [[nodiscard]] Op op() const noexcept;
  [[nodiscard]] ValueType type() const noexcept;
  [[nodiscard]] const Shape& shape() const noexcept;
  [[nodiscard]] bool is_scalar() const noexcept;
  [[nodiscard]] std::size_t num_operands() const noexcept;
  [[nodiscard]] Expr operand(std::size_t index) const noexcept;

  /// True if it has the trait or contains a node that has. Needs no walk.
  [[nodiscard]] bool Contains(Trait trait) const noexcept;

  /// True for a scalar constant; then `value()` is its number.
  [[nodiscard]] bool is_constant() const noexcept;
  [[nodiscard]] bool is_constant(double value) const noexcept;
  [[nodiscard]] double value() const noexcept;

  friend bool operator==(const Expr&, const Expr&) = default;

 private:
  ExprGraph* graph_ = nullptr;
  std::uint32_t id_ = 0;
};

/// The properties of a new symbol.
struct SymbolInfo {
  std::string name;
  ValueType type = ValueType::kReal;
  Shape shape;
};

/// The values an iterator takes: start, start + step, ..., `count` of them.
struct Range {
  std::int64_t start = 1;
  std::int64_t step = 1;
  std::int64_t count = 0;

  [[nodiscard]] std::int64_t last() const noexcept {
    return start + (count - 1) * step;
  }

  friend auto operator<=>(const Range&, const Range&) = default;
};

/// A routine without known formulas: plain doubles in, plain doubles out.
struct OpaqueFunction {
  std::string name;
  std::size_t num_inputs = 0;
  std::size_t num_outputs = 0;
  /// Must be free of side effects; may be called from many threads.
  std::function<void(std::span<const double>, std::span<double>)> evaluate;
  /// The exact derivative in a direction. Its inputs are the point and then the
  /// direction. Empty: differences are taken.
  std::function<void(std::span<const double>, std::span<double>)> tangent = {};
  /// Typical sizes of the inputs, for differences; empty: 1 for each.
  std::vector<double> sizes = {};
};

/// A store of hash-consed formulas over Real, Integer and Boolean scalars and
/// arrays. A node never changes, equal nodes exist once, and a node comes after
/// its operands: every pass over formulas is a loop over ids, linear in their
/// number, without recursion.
///
/// Nodes are simplified as they are made, by rules that keep the value, bit for
/// bit up to the sign of zero, wherever it was defined (no reassociation). A
/// result that is not finite, or an Integer that is too large, is not folded
/// but left to the run, which can report the place.
///
/// Building is for one thread; a graph that does not change may be read by
/// many. References that the reading functions return stay valid as the graph
/// grows.
class ExprGraph {
 public:
  ExprGraph();
  ~ExprGraph();
  ExprGraph(const ExprGraph&) = delete;
  ExprGraph& operator=(const ExprGraph&) = delete;

  // Leaves ------------------------------------------------------------------

  Expr Constant(double value, ValueType type = ValueType::kReal);
  Expr Boolean(bool value);

  /// @param values row-major, as many as `shape` (not empty) has elements.
  Expr ArrayConstant(std::span<const double> values,
                     const Shape& shape,
                     ValueType type = ValueType::kReal);

  /// Makes a new symbol, distinct from every other, whatever its name.
  Expr Symbol(SymbolInfo info);

  /// Makes a new loop variable. Each loop (kBuild, a reduction, a for-equation,
  /// a for-statement) has an iterator of its own.
  Expr Iterator(std::string name, Range range);

  // Operations --------------------------------------------------------------

  /// @throws Error kInvalidModel if the shapes or types do not fit.
  Expr Unary(Op op, Expr a);
  Expr Binary(Op op, Expr a, Expr b);
  Expr Select(Expr condition, Expr if_true, Expr if_false);

  /// @param elements at least one; all of one shape.
  Expr MakeArray(std::span<const Expr> elements);

  /// Returns an element, or the subarray under the leading `subscripts`.
  /// Subscripts are Integer scalars counting from 1.
  /// @throws Error kInvalidModel naming a constant subscript out of bounds.
  Expr Index(Expr array, std::span<const Expr> subscripts);

  /// kBuild, kSum, kProduct, kMinimum or kMaximum of `body` over `iterator`.
  Expr Loop(Op op, Expr iterator, Expr body);

  /// Returns all outputs of `function`; pick one with `Output`.
  Expr Call(std::shared_ptr<const Function> function,
            std::span<const Expr> arguments);
  Expr Opaque(std::shared_ptr<const OpaqueFunction> function,
              std::span<const Expr> arguments);
  Expr Output(Expr call, std::size_t index);

  Expr Der(Expr a);
  Expr Pre(Expr a);
  Expr NoEvent(Expr a);

  /// @param start, interval scalars, s.
  Expr Sample(Expr start, Expr interval);

  /// @param value, delay, most scalars; the times in s.
  Expr Delay(Expr value, Expr delay, Expr most);

  /// z(end) for z(y, t), 0 <= y <= 1, which moves with the position x(t):
  /// dz/dt + dx/dt dz/dy = 0. Where x grows, what enters comes in at y = 0, and
  /// at y = 1 where it falls.
  /// @param operands scalars: what enters, x, the end (0 or 1), then the places
  ///     and as many values of z at the start, linear in between.
  Expr Transport(std::span<const Expr> operands);

  // Reading -----------------------------------------------------------------

  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

  [[nodiscard]] std::size_t num_symbols() const noexcept {
    return symbol_names_.size();
  }

  [[nodiscard]] Expr At(std::uint32_t id) noexcept { return {this, id}; }

  /// Symbols are numbered from 0 as they are made.
  [[nodiscard]] std::uint32_t SymbolOrdinal(Expr symbol) const noexcept;
  [[nodiscard]] const std::string& NameOf(Expr symbol) const noexcept;
  [[nodiscard]] Expr SymbolAt(std::uint32_t ordinal) noexcept;
  [[nodiscard]] const std::string& IteratorName(Expr iterator) const noexcept;
  [[nodiscard]] const Range& IteratorRange(Expr iterator) const noexcept;
  [[nodiscard]] std::span<const double> ArrayValues(
      Expr array_constant) const noexcept;
  [[nodiscard]] const std::shared_ptr<const Function>& FunctionOf(
      Expr call) const noexcept;
  [[nodiscard]] const std::shared_ptr<const OpaqueFunction>& OpaqueOf(
      Expr call) const noexcept;
  [[nodiscard]] std::size_t OutputIndex(Expr output) const noexcept;

  /// The derivatives of functions made so far, so that a function has the same
  /// derivative in all formulas. For `Tangent`.
  struct TangentFunctions {
    std::unordered_map<const Function*, std::shared_ptr<const Function>>
        functions;
    std::unordered_map<const OpaqueFunction*,
                       std::shared_ptr<const OpaqueFunction>>
        opaques;
    std::vector<std::shared_ptr<const Function>> kept;  ///< Keep keys alive.
  };

  [[nodiscard]] TangentFunctions& tangents() noexcept { return tangents_; }

 private:
  friend class Expr;
  friend class GraphBytes;

  struct Node {
    Op op = Op::kConstant;
    ValueType type = ValueType::kReal;
    std::uint8_t traits = 0;    // Bits of Trait.
    std::uint32_t shape = 0;    // Index into shapes_; 0 is the scalar.
    std::uint32_t payload = 0;  // Constant, symbol, iterator, function, ...
    std::uint32_t first = 0;  // Operands: [first, first + count) of operands_.
    std::uint32_t count = 0;
  };

  // An entry in a table of nodes; `number` is 0 if it is free, else id + 1.
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;
  };

  // Open addressing, linear probing, at most half full.
  struct Table {
    std::vector<Entry> entries;
    std::size_t count = 0;
  };

  std::uint32_t Intern(const Node& node,
                       std::span<const std::uint32_t> operands);
  std::uint32_t Append(Node node, std::span<const std::uint32_t> operands);
  [[nodiscard]] Table& TableFor(std::span<const std::uint32_t> operands);
  static void Grow(Table& table);
  std::uint32_t InternShape(const Shape& shape);
  [[nodiscard]] std::uint32_t HashOf(
      const Node& node, std::span<const std::uint32_t> operands) const noexcept;
  [[nodiscard]] bool IsSame(
      const Node& known,
      const Node& node,
      std::span<const std::uint32_t> operands) const noexcept;
  [[nodiscard]] std::uint64_t PayloadHash(const Node& node) const noexcept;
  [[nodiscard]] bool HasSamePayload(const Node& a,
                                    const Node& b) const noexcept;
  [[nodiscard]] Node ElementwiseNode(Op op,
                                     std::span<const Expr> operands) const;
  Expr InternElementwise(const Node& node, std::span<const Expr> operands);
  Expr Fold(const Node& node, std::span<const Expr> operands);
  template <typename Callee>
  Expr InternCall(Op op,
                  std::shared_ptr<const Callee> callee,
                  std::deque<std::shared_ptr<const Callee>>& callees,
                  std::span<const Expr> arguments);
  Expr InternModelOp(Op op, ValueType type, std::span<const Expr> operands);
  void CheckOwned(Expr expr) const;

  GrowingArray<Node> nodes_;
  GrowingArray<std::uint32_t> operands_;
  // All nodes that may be looked up again (symbols and iterators are not). One
  // table has those without operands; others have blocks by their latest
  // operands. Nodes made together are looked up together, so that they stay in
  // the cache, however large the graph.
  std::vector<Table> tables_;
  // Deques do not move their elements when they grow.
  std::deque<Shape> shapes_;
  std::vector<double> constants_;
  std::vector<std::vector<double>> arrays_;
  std::deque<std::string> symbol_names_;
  GrowingArray<std::uint32_t> symbol_nodes_;

  struct IteratorInfo {
    std::string name;
    Range range;
  };

  std::deque<IteratorInfo> iterators_;
  std::deque<std::shared_ptr<const Function>> functions_;
  std::deque<std::shared_ptr<const OpaqueFunction>> opaques_;
  std::unordered_map<const void*, std::uint32_t> payload_of_;  // By function.
  TangentFunctions tangents_;
};

inline Op Expr::op() const noexcept {
  return graph_->nodes_[id_].op;
}

inline ValueType Expr::type() const noexcept {
  return graph_->nodes_[id_].type;
}

inline const Shape& Expr::shape() const noexcept {
  return graph_->shapes_[graph_->nodes_[id_].shape];
}

inline bool Expr::is_scalar() const noexcept {
  return graph_->nodes_[id_].shape == 0;
}

inline std::size_t Expr::num_operands() const noexcept {
  return graph_->nodes_[id_].count;
}

inline Expr Expr::operand(std::size_t index) const noexcept {
  return {graph_, graph_->operands_[graph_->nodes_[id_].first + index]};
}

inline bool Expr::Contains(Trait trait) const noexcept {
  return (graph_->nodes_[id_].traits & static_cast<unsigned>(trait)) != 0;
}

inline bool Expr::is_constant() const noexcept {
  return graph_ != nullptr && op() == Op::kConstant;
}

inline double Expr::value() const noexcept {
  return graph_->constants_[graph_->nodes_[id_].payload];
}

inline bool Expr::is_constant(double value) const noexcept {
  return is_constant() && this->value() == value;
}

// The C++ notation of formulas. A number next to an Expr is a constant; two
// operands must belong to one graph.

Expr operator-(Expr a);
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator+(Expr a, double b);
Expr operator+(double a, Expr b);
Expr operator-(Expr a, double b);
Expr operator-(double a, Expr b);
Expr operator*(Expr a, double b);
Expr operator*(double a, Expr b);
Expr operator/(Expr a, double b);
Expr operator/(double a, Expr b);

}  // namespace orrery
