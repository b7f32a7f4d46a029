#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "orrery/base/source_file.h"

/// The syntax tree of Modelica 3.6 (appendix A.2), one type a production.
///
/// All nodes are immutable and live in the memory of their StoredDefinition.
/// Pointers and lists only refer to it, so a tree of any depth is freed in one
/// piece. A pointer that may be null says so. Operators of one precedence form
/// one flat node, and the parser limits all other nesting: a recursive walk
/// over a tree is safe.
///
/// The nodes have a namespace of their own because `symbolic` has a Statement,
/// an Assignment and so on too. The front end lowers these nodes to those.
namespace orrery::modelica::ast {

/// Bytes [begin, end) of the source.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

/// A sequence that lives in the tree's memory.
template <typename T>
class List {
 public:
  using value_type = T;

  List() = default;

  List(const T* data, std::size_t size)
      : data_(data), size_(static_cast<std::uint32_t>(size)) {}

  [[nodiscard]] const T* begin() const noexcept { return data_; }

  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }

  [[nodiscard]] const T& front() const { return data_[0]; }

  [[nodiscard]] const T& back() const { return data_[size_ - 1]; }

 private:
  const T* data_ = nullptr;
  std::uint32_t size_ = 0;
};

struct ClassDefinition;
struct ClassModification;
struct ComponentClause;
struct Equation;
struct Expression;
struct Statement;

/// A name as written; a quoted one with its quotes, its redundant escapes
/// (\? and \") removed, so that equal names have equal texts.
struct Identifier {
  std::string_view text;  ///< Empty where the grammar allows none.
  Span span;
};

/// `a.b.c` or `.a.b.c`: a name or a type-specifier.
struct Name {
  Span span;
  bool is_global = false;  ///< Begins with a dot: looked up from the top.
  List<Identifier> parts;
};

/// The name as written, with dots.
[[nodiscard]] std::string ToString(const Name& name);

struct StringLiteral {
  Span span;             ///< With the quotes.
  std::string_view raw;  ///< Between the quotes, escapes as written.
};

/// The text of a literal without escape sequences.
[[nodiscard]] std::string Unescape(std::string_view raw);

/// A description-string and an annotation, both optional.
struct Description {
  List<StringLiteral> strings;  ///< Joined by '+'.
  const ClassModification* annotation = nullptr;
};

/// All strings of a description, unescaped and joined.
[[nodiscard]] std::string ToString(const List<StringLiteral>& strings);

// Expressions.

using Expressions = List<const Expression*>;

/// An unparsable part of a text with errors.
struct Invalid {};

struct IntegerLiteral {
  std::int64_t value = 0;
};

struct RealLiteral {
  double value = 0;
};

struct BooleanLiteral {
  bool value = false;
};

/// `end` in a subscript: the size of that dimension.
struct End {};

/// `:` in a subscript or a declared size.
struct Colon {};

struct ReferencePart {
  Identifier name;
  Expressions subscripts;
};

/// `a[i].b` or `.a.b`; also `time`, which is no keyword.
struct ComponentReference {
  Span span;
  bool is_global = false;
  List<ReferencePart> parts;
};

/// The reference as written, without subscripts.
[[nodiscard]] std::string ToString(const ComponentReference& reference);

/// `i in 1:n`. `i` alone has a null range: all subscripts of the dimensions
/// that it indexes.
struct ForIndex {
  Span span;
  Identifier name;
  const Expression* range = nullptr;
  /// Without a range: size(a, k) of each dimension that `i` stands in.
  Expressions sizes;
};

/// One argument; the name of a positional one is empty.
struct CallArgument {
  Identifier name;
  const Expression* value = nullptr;
};

/// `f(a, n=b)` or the reduction `f(e for i in r)`. The keywords `der`,
/// `initial` and `pure` are functions of that name here.
struct Call {
  ComponentReference function;
  List<CallArgument> arguments;  ///< Positional before named.
  List<ForIndex> iterators;      ///< If any, there is one argument.
};

/// `function f(x=1)`, an argument only.
struct PartialApplication {
  Name function;
  List<CallArgument> arguments;  ///< All named.
};

/// `{a, b}` or `{e for i in r}`.
struct ArrayConstructor {
  Expressions elements;
  List<ForIndex> iterators;
};

/// `[a, b; c, d]`.
struct MatrixConstructor {
  List<Expressions> rows;
};

/// `(a, , b)`: not exactly one element; null for each one left out. An
/// expression in parentheses is just that expression.
struct Tuple {
  Expressions elements;
};

/// `(e)[i]`.
struct Subscripted {
  const Expression* base = nullptr;
  Expressions subscripts;
};

/// `(e).name`.
struct Member {
  const Expression* base = nullptr;
  Identifier name;
};

enum class UnaryOperator : std::uint8_t {
  kPlus,
  kMinus,
  kElementPlus,
  kElementMinus,
  kNot,
};

enum class BinaryOperator : std::uint8_t {
  kOr,
  kAnd,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kAdd,
  kSubtract,
  kElementAdd,
  kElementSubtract,
  kMultiply,
  kDivide,
  kElementMultiply,
  kElementDivide,
  kPower,
  kElementPower,
};

/// The operator as written: "+", ".+", "not", ...
[[nodiscard]] std::string_view Spelling(UnaryOperator op) noexcept;
[[nodiscard]] std::string_view Spelling(BinaryOperator op) noexcept;

/// The binding strength of operators, the weakest first (specification, table
/// 3.1).
enum class Precedence : std::uint8_t {
  kIf,
  kRange,
  kOr,
  kAnd,
  kNot,
  kRelation,
  kAdditive,  ///< The sign of a sum's first term too.
  kMultiplicative,
  kPower,
  kPrimary,
};

/// The next stronger precedence.
/// @pre `precedence` is not kPrimary.
[[nodiscard]] constexpr Precedence Above(Precedence precedence) noexcept {
  return static_cast<Precedence>(static_cast<std::uint8_t>(precedence) + 1);
}

[[nodiscard]] Precedence PrecedenceOf(UnaryOperator op) noexcept;
[[nodiscard]] Precedence PrecedenceOf(BinaryOperator op) noexcept;

/// `-a + b` is the sum of `-a` and `b`; `-a * b` is minus a product.
struct Unary {
  UnaryOperator op = UnaryOperator::kPlus;
  const Expression* operand = nullptr;
};

struct OperationStep {
  BinaryOperator op = BinaryOperator::kAdd;
  const Expression* operand = nullptr;
};

/// `first op operand op operand ...`, all of one precedence, applied from the
/// left. Comparisons and powers have one step.
struct Operation {
  const Expression* first = nullptr;
  List<OperationStep> steps;
};

/// `start:stop` or `start:step:stop`.
struct Range {
  const Expression* start = nullptr;
  const Expression* step = nullptr;  ///< May be null.
  const Expression* stop = nullptr;
};

struct IfExpressionBranch {
  const Expression* condition = nullptr;
  const Expression* value = nullptr;
};

struct IfExpression {
  List<IfExpressionBranch> branches;  ///< `if`, then each `elseif`.
  const Expression* otherwise = nullptr;
};

struct Expression {
  Span span;  ///< Without parentheses around it.
  std::variant<Invalid,
               IntegerLiteral,
               RealLiteral,
               BooleanLiteral,
               StringLiteral,
               End,
               Colon,
               ComponentReference,
               Call,
               PartialApplication,
               ArrayConstructor,
               MatrixConstructor,
               Tuple,
               Subscripted,
               Member,
               Unary,
               Operation,
               Range,
               IfExpression>
      node;
};

/// The precedence of an expression's outermost operator.
[[nodiscard]] Precedence PrecedenceOf(const Expression& expression) noexcept;

// Modifications.

/// `(start=1) = 2`, `(start=1)`, `= 2` or `= break`.
struct Modification {
  Span span;
  const ClassModification* arguments = nullptr;  ///< Null without parentheses.
  const Expression* value = nullptr;             ///< Null without '='.
  bool is_break = false;
};

/// `a.b(start=1) "why"`.
struct ElementModification {
  Name name;
  const Modification* modification = nullptr;  ///< May be null.
  List<StringLiteral> description;
};

/// `break name`: leaves the element out of the inherited elements.
struct BreakElement {
  Identifier name;
};

/// `break connect(a, b)`: leaves the connection out of the inherited equations.
struct BreakConnect {
  ComponentReference from;
  ComponentReference to;
};

/// `constrainedby Type(modifications)`.
struct ConstrainingClause {
  Span span;
  Name type;
  const ClassModification* modification = nullptr;  ///< May be null.
  Description description;                          ///< Elements only.
};

/// One argument of a class or inheritance modification. A redeclared class is
/// a short one, a redeclared component's clause has one component.
struct Argument {
  Span span;
  bool is_redeclare = false;
  bool is_each = false;
  bool is_final = false;
  bool is_replaceable = false;
  std::variant<ElementModification,
               const ClassDefinition*,
               const ComponentClause*,
               BreakElement,
               BreakConnect>
      node;
  const ConstrainingClause* constraint = nullptr;  ///< May be null.
};

/// `(argument, ...)`; an annotation's content too.
struct ClassModification {
  Span span;  ///< Includes the parentheses.
  List<Argument> arguments;
};

// Equations and statements.

/// A branch of `if` or `when`; the condition of `else` is null.
template <typename Item>
struct Branch {
  const Expression* condition = nullptr;
  List<Item> body;
};

template <typename Item>
struct If {
  List<Branch<Item>> branches;
};

template <typename Item>
struct For {
  List<ForIndex> indices;
  List<Item> body;
};

template <typename Item>
struct When {
  List<Branch<Item>> branches;  ///< `when`, then each `elsewhen`.
};

struct SimpleEquation {
  const Expression* left = nullptr;
  const Expression* right = nullptr;
};

struct Connect {
  ComponentReference from;
  ComponentReference to;
};

/// A call as an equation or a statement.
struct CallItem {
  const Expression* call = nullptr;  ///< Holds a Call.
};

struct Equation {
  Span span;  ///< Without the semicolon.
  std::variant<SimpleEquation,
               CallItem,
               If<Equation>,
               For<Equation>,
               When<Equation>,
               Connect>
      node;
  Description description;
};

/// `target := value`.
struct Assignment {
  ComponentReference target;
  const Expression* value = nullptr;
};

/// `(a, , b) := f(x)`.
struct MultiAssignment {
  Expressions targets;               ///< Null for each one left out.
  const Expression* call = nullptr;  ///< Holds a Call.
};

struct While {
  const Expression* condition = nullptr;
  List<Statement> body;
};

struct Break {};

struct Return {};

struct Statement {
  Span span;  ///< Without the semicolon.
  std::variant<Assignment,
               MultiAssignment,
               CallItem,
               If<Statement>,
               For<Statement>,
               When<Statement>,
               While,
               Break,
               Return>
      node;
  Description description;
};

/// The place of `span` in `file`, for a diagnostic.
[[nodiscard]] SourceSpan In(const std::shared_ptr<const SourceFile>& file,
                            const Span& span);

}  // namespace orrery::modelica::ast
