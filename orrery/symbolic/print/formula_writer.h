#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery::symbolic::internal {

/// Binding strength of the outermost operator of a piece of notation,
/// ascending.
enum Level : int {
  kAnything,  ///< An if-expression.
  kOr,
  kAnd,
  kNot,
  kRelation,
  kSum,  ///< Also a leading minus.
  kProduct,
  kPower,
  kPrimary,
};

/// Returns a constant as one would write it: an Integer as 1000000, not 1e+06.
[[nodiscard]] std::string ConstantText(double value, ValueType type);

/// Writes a formula piece by piece. A stack makes its depth irrelevant, and the
/// writing stops when the text is long enough. A notation derives from this
/// class.
class FormulaWriter {
 public:
  /// @param open the left parenthesis, `close` the right one.
  FormulaWriter(std::size_t max_length, std::string open, std::string close)
      : max_length_(max_length),
        open_(std::move(open)),
        close_(std::move(close)) {}

  virtual ~FormulaWriter() = default;
  FormulaWriter(const FormulaWriter&) = delete;
  FormulaWriter& operator=(const FormulaWriter&) = delete;

  [[nodiscard]] std::string Write(Expr expr);

 protected:
  /// Returns the binding strength of the notation of `node`.
  [[nodiscard]] virtual Level LevelOf(Expr node) const = 0;

  /// Returns the binding strength of `op` in most notations.
  [[nodiscard]] static Level UsualLevel(Op op) noexcept;

  /// Describes `node` by calls of Put, PutFormula and PutList, left to right.
  virtual void Describe(Expr node) = 0;

  void Put(std::string text) { pieces_.push_back({{}, {}, std::move(text)}); }

  /// Puts `expr`, in parentheses if it binds less tightly than `level`.
  void PutFormula(Expr expr, Level level) {
    pieces_.push_back({expr, level, {}});
  }

  /// Puts both operands with `sign` between them.
  void PutInfix(Expr node, std::string sign, Level left, Level right);

  /// Puts a relation with the sign `less`. A constant on the left moves to the
  /// right, with the sign `greater`, as in `x > 3`.
  void PutRelation(Expr node, std::string less, std::string greater);

  /// Puts the operands from `first` on, with `separator` between them.
  void PutList(Expr node, std::size_t first, const std::string& separator);

  [[nodiscard]] std::size_t max_length() const noexcept { return max_length_; }

 private:
  struct Piece {
    Expr expr;  // Empty: the piece is `text`.
    Level level = kAnything;
    std::string text;
  };

  std::size_t max_length_;
  std::string open_;
  std::string close_;
  std::vector<Piece> pieces_;  // Pieces of the current node.
};

/// The name of a symbol; for a derivative `der(x)` the name x.
struct QuantityName {
  std::string_view name;
  bool is_derivative = false;
};

[[nodiscard]] QuantityName SplitDerivative(std::string_view name) noexcept;

}  // namespace orrery::symbolic::internal
