#include "orrery/compile/internal/check_units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/units.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/print.h"

namespace orrery::internal {
namespace {

constexpr std::uint32_t kNowhere = 0xffffffff;
constexpr std::size_t kMaxQuoted = 60;      // Characters of a formula.
constexpr std::size_t kMaxSearched = 1000;  // Nodes, for the hint of a warning.

// Dimensions by number, so that a formula's is one word. Products are
// remembered: a model has few distinct ones.
class DimensionTable {
 public:
  static constexpr std::uint32_t kUnknown = 0;
  static constexpr std::uint32_t kOne = 1;

  DimensionTable() : dimensions_(1) { NumberOf(Dimension{}); }

  const Dimension& operator[](std::uint32_t number) const {
    return dimensions_[number];
  }

  std::uint32_t NumberOf(const Dimension& dimension) {
    std::vector<std::uint32_t>& bucket = numbers_[HashOf(dimension)];
    for (const std::uint32_t number : bucket) {
      if (dimensions_[number] == dimension) {
        return number;
      }
    }
    bucket.push_back(static_cast<std::uint32_t>(dimensions_.size()));
    dimensions_.push_back(dimension);
    return bucket.back();
  }

  // Of operands that are known. Unknown if an exponent is out of range.
  std::uint32_t Multiply(std::uint32_t a, std::uint32_t b) {
    if (a == kOne || b == kOne) {
      return a == kOne ? b : a;
    }
    const auto [a1, b1] = std::minmax(a, b);
    const auto [found, is_new] =
        products_.try_emplace(std::uint64_t{a1} << 32U | b1, kUnknown);
    if (is_new) {
      found->second =
          TryNumberOf([this, a, b] { return dimensions_[a] * dimensions_[b]; });
    }
    return found->second;
  }

  std::uint32_t Divide(std::uint32_t a, std::uint32_t b) {
    if (b == kOne || a == b) {
      return b == kOne ? a : kOne;
    }
    const auto [found, is_new] =
        quotients_.try_emplace(std::uint64_t{a} << 32U | b, kUnknown);
    if (is_new) {
      found->second =
          TryNumberOf([this, a, b] { return dimensions_[a] / dimensions_[b]; });
    }
    return found->second;
  }

  std::uint32_t Power(std::uint32_t base, Rational exponent) {
    return base == kOne ? kOne : TryNumberOf([this, base, exponent] {
      return dimensions_[base].Power(exponent);
    });
  }

 private:
  static std::uint64_t HashOf(const Dimension& dimension) {
    std::uint64_t hash = 0;
    for (int i = 0; i < Dimension::kBaseUnits; ++i) {
      const Rational exponent = dimension.exponent(static_cast<BaseUnit>(i));
      const auto numerator = static_cast<std::uint32_t>(exponent.numerator());
      const auto denominator =
          static_cast<std::uint32_t>(exponent.denominator());
      hash ^= std::uint64_t{numerator} << 32U | denominator;
      hash = hash * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 32U;
    }
    return hash;
  }

  template <typename F>
  std::uint32_t TryNumberOf(const F& compute) {
    try {
      return NumberOf(compute());
    } catch (const Error&) {  // An exponent beyond 32 bits.
      return kUnknown;
    }
  }

  std::vector<Dimension> dimensions_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> products_;
  std::unordered_map<std::uint64_t, std::uint32_t> quotients_;
};

// What is known of a formula's value.
struct Quantity {
  std::uint32_t dimension = DimensionTable::kUnknown;
  // Whether a declared unit stands behind it, not only `time`.
  bool is_declared = false;

  [[nodiscard]] bool is_known() const {
    return dimension != DimensionTable::kUnknown;
  }
};

// Whether they can measure the same, as far as the author has said anything.
bool Contradict(const Quantity& a, const Quantity& b) {
  return a.is_known() && b.is_known() && a.dimension != b.dimension &&
         (a.is_declared || b.is_declared);
}

// Two parts of a formula that contradict each other; or one, `a`, that had to
// be a pure number, and no `b`.
struct Conflict {
  Expr node;
  Expr a;
  Expr b;
};

// The operands of `node` that give it its dimension: [first, last).
std::pair<std::size_t, std::size_t> CarryingOperands(Expr node) {
  switch (node.op()) {
    case Op::kSelect:
      return {1, 3};
    case Op::kIndex:
    case Op::kPower:
      return {0, 1};
    case Op::kBuild:
    case Op::kSum:
    case Op::kProduct:
    case Op::kMinimum:
    case Op::kMaximum:
      return {1, 2};
    case Op::kNegate:
    case Op::kAbs:
    case Op::kSqrt:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kMin:
    case Op::kMax:
    case Op::kMod:
    case Op::kRem:
    case Op::kQuotient:
    case Op::kMakeArray:
    case Op::kDer:
      return {0, node.num_operands()};
    default:
      return {0, 0};
  }
}

// Finds the quantity of every formula of a graph from those of its symbols.
class Inference {
 public:
  explicit Inference(ExprGraph& graph)
      : graph_(graph),
        quantities_(graph.size()),
        conflict_of_(graph.size(), kNowhere),
        second_(dimensions_.NumberOf(Dimension::Of(BaseUnit::kSecond))) {}

  DimensionTable& dimensions() noexcept { return dimensions_; }

  void SetTime(Expr time) {
    quantities_[time.id()] = {.dimension = second_, .is_declared = false};
  }

  void Declare(Expr symbol, std::uint32_t dimension) {
    quantities_[symbol.id()] = {.dimension = dimension, .is_declared = true};
  }

  void Run() {
    for (std::uint32_t id = 0; id < graph_.size(); ++id) {
      const Expr node = graph_.At(id);
      InheritConflict(node);
      if (node.op() != Op::kSymbol) {
        quantities_[id] = Infer(node);
      }
    }
  }

  [[nodiscard]] const Quantity& Of(Expr node) const {
    return quantities_[node.id()];
  }

  // The number of a conflict in `node` or a part of it, or kNowhere.
  [[nodiscard]] std::uint32_t ConflictIn(Expr node) const {
    return conflict_of_[node.id()];
  }

  [[nodiscard]] const Conflict& conflict(std::uint32_t number) const {
    return conflicts_[number];
  }

  // Formulas that agree with another one that is added to them or the like.
  [[nodiscard]] const std::vector<Expr>& agreements() const {
    return agreements_;
  }

 private:
  void InheritConflict(Expr node) {
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      const std::uint32_t inner = ConflictIn(node.operand(i));
      if (inner != kNowhere) {
        conflict_of_[node.id()] = inner;
        return;
      }
    }
  }

  void AddConflict(const Conflict& conflict) {
    std::uint32_t& own = conflict_of_[conflict.node.id()];
    if (own == kNowhere) {
      own = static_cast<std::uint32_t>(conflicts_.size());
      conflicts_.push_back(conflict);
    }
  }

  Quantity Infer(Expr node) {
    switch (node.op()) {
      case Op::kNegate:
      case Op::kAbs:
      case Op::kIndex:
        return Of(node.operand(0));
      case Op::kBuild:
      case Op::kSum:
      case Op::kMinimum:
      case Op::kMaximum:
        return Of(node.operand(1));
      case Op::kAdd:
      case Op::kSubtract:
      case Op::kMin:
      case Op::kMax:
      case Op::kMod:
      case Op::kRem:
        return Agree(node, node.operand(0), node.operand(1));
      case Op::kSelect:
        return Agree(node, node.operand(1), node.operand(2));
      case Op::kLess:
      case Op::kLessEqual:
      case Op::kEqual:
      case Op::kNotEqual:
        Agree(node, node.operand(0), node.operand(1));
        return {};
      case Op::kAtan2:
        return Agree(node, node.operand(0), node.operand(1)).is_declared
                   ? Number()
                   : Quantity{};
      case Op::kMakeArray:
        return InferArray(node);
      default:
        return InferProductOrFunction(node);
    }
  }

  Quantity InferProductOrFunction(Expr node) {
    switch (node.op()) {
      case Op::kMultiply:
      case Op::kDivide:
        return InferProduct(node);
      case Op::kQuotient:
        return NumberOrUnknown(InferProduct(node));
      case Op::kFloor:
      case Op::kCeil:  // What they cut off depends on the unit.
        return NumberOrUnknown(Of(node.operand(0)));
      case Op::kSqrt:
        return Raise(Of(node.operand(0)), Rational(1, 2));
      case Op::kPower:
        return InferPower(node);
      case Op::kProduct:
        return InferProductLoop(node);
      case Op::kDer: {
        const Quantity of = Of(node.operand(0));
        return of.is_known()
                   ? Quantity{dimensions_.Divide(of.dimension, second_),
                              of.is_declared}
                   : Quantity{};
      }
      case Op::kSign:
        return Of(node.operand(0)).is_declared ? Number() : Quantity{};
      case Op::kExp:
      case Op::kLog:
      case Op::kLog10:
      case Op::kSin:
      case Op::kCos:
      case Op::kTan:
      case Op::kAsin:
      case Op::kAcos:
      case Op::kAtan:
      case Op::kSinh:
      case Op::kCosh:
      case Op::kTanh:
        return WantNumber(node, node.operand(0)) ? Number() : Quantity{};
      default:  // Numbers, iterators, conditions, calls.
        return {};
    }
  }

  static Quantity Number() {
    return {.dimension = DimensionTable::kOne, .is_declared = true};
  }

  static Quantity NumberOrUnknown(const Quantity& quantity) {
    return quantity.dimension == DimensionTable::kOne ? quantity : Quantity{};
  }

  Quantity Agree(Expr node, Expr a, Expr b) {
    const Quantity& of_a = Of(a);
    const Quantity& of_b = Of(b);
    if (Contradict(of_a, of_b)) {
      AddConflict({node, a, b});
      return {};
    }
    if (!of_a.is_known() || !of_b.is_known()) {
      return of_a.is_known() ? of_a : of_b;
    }
    if (of_a.dimension != of_b.dimension) {
      return {};
    }
    if (of_a.is_declared && of_b.is_declared && a != b) {
      agreements_.push_back(a);
      agreements_.push_back(b);
    }
    return {of_a.dimension, of_a.is_declared || of_b.is_declared};
  }

  // Whether `operand` is known to be a pure number. That of a function of
  // `time` alone may be: sin(time) is common for sin(time in seconds).
  bool WantNumber(Expr node, Expr operand) {
    const Quantity& quantity = Of(operand);
    if (!quantity.is_declared) {
      return false;
    }
    if (quantity.dimension != DimensionTable::kOne) {
      AddConflict({node, operand, {}});
      return false;
    }
    return true;
  }

  Quantity InferProduct(Expr node) {
    const Quantity& a = Of(node.operand(0));
    const Quantity& b = Of(node.operand(1));
    if (!a.is_known() || !b.is_known()) {
      return {};
    }
    const std::uint32_t dimension =
        node.op() == Op::kMultiply
            ? dimensions_.Multiply(a.dimension, b.dimension)
            : dimensions_.Divide(a.dimension, b.dimension);
    return Known(dimension, a.is_declared || b.is_declared);
  }

  static Quantity Known(std::uint32_t dimension, bool is_declared) {
    return dimension == DimensionTable::kUnknown
               ? Quantity{}
               : Quantity{dimension, is_declared};
  }

  Quantity Raise(const Quantity& base, Rational exponent) {
    return base.is_known() ? Known(dimensions_.Power(base.dimension, exponent),
                                   base.is_declared)
                           : Quantity{};
  }

  Quantity InferPower(Expr node) {
    const Quantity& base = Of(node.operand(0));
    const Expr exponent = node.operand(1);
    if (exponent.is_constant()) {
      const std::optional<Rational> value = Rational::Near(exponent.value());
      return value ? Raise(base, *value) : NumberOrUnknown(base);
    }
    WantNumber(node, exponent);
    return NumberOrUnknown(base);
  }

  Quantity InferProductLoop(Expr node) {
    const std::int64_t count = graph_.IteratorRange(node.operand(0)).count;
    const Quantity& body = Of(node.operand(1));
    return count <= std::numeric_limits<std::int32_t>::max()
               ? Raise(body, static_cast<std::int32_t>(count))
               : NumberOrUnknown(body);
  }

  // An array may hold quantities of several kinds, as a state vector does; its
  // dimension is then unknown. Zeros are of any kind.
  [[nodiscard]] Quantity InferArray(Expr node) const {
    Quantity common;
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      const Expr element = node.operand(i);
      if (element.is_constant(0)) {
        continue;
      }
      const Quantity& quantity = Of(element);
      if (!quantity.is_known() ||
          (common.is_known() && quantity.dimension != common.dimension)) {
        return {};
      }
      common.dimension = quantity.dimension;
      common.is_declared = common.is_declared || quantity.is_declared;
    }
    return common;
  }

  ExprGraph& graph_;
  DimensionTable dimensions_;
  std::vector<Quantity> quantities_;
  std::vector<std::uint32_t> conflict_of_;
  std::vector<Conflict> conflicts_;
  std::vector<Expr> agreements_;
  std::uint32_t second_;
};

// A unit text as all variables that have it share it.
struct KnownUnit {
  std::optional<Unit> unit;  // None if it cannot be read: `error` says why.
  std::uint32_t dimension = DimensionTable::kUnknown;
  UnitError error;
};

// Adds warnings, each once, up to a limit.
class WarningList {
 public:
  explicit WarningList(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // Whether a warning at `span`, for the reason `key`, is to be made. The
  // equation of a class is met again in each of its instances.
  bool Wants(const SourceSpan& span, std::string_view key) {
    if (span.file != nullptr) {
      std::string place = span.file->name() + "\n" +
                          std::to_string(span.begin) + "\n" +
                          std::to_string(span.end) + "\n";
      place += key;
      if (!seen_.insert(std::move(place)).second) {
        return false;
      }
    }
    left_out_ += made_ < kMaxUnitWarnings ? 0U : 1U;
    return made_ < kMaxUnitWarnings;
  }

  void Add(const SourceSpan& span,
           std::string path,
           std::string message,
           std::string hint) {
    ++made_;
    Diagnostic warning = MakeDiagnostic(
        Severity::kWarning, span, std::move(message), std::move(hint));
    warning.path = std::move(path);
    diagnostics_.Add(std::move(warning));
  }

  void Finish() {
    if (left_out_ > 0) {
      diagnostics_.Add({.severity = Severity::kWarning,
                        .message = std::to_string(left_out_) +
                                   " more contradictions of units were found",
                        .hint = "mend those above first"});
    }
  }

 private:
  Diagnostics& diagnostics_;
  std::unordered_set<std::string> seen_;
  int made_ = 0;
  std::size_t left_out_ = 0;
};

// The usual name of a dimension, if it has one.
std::string_view NameOf(const Dimension& dimension) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"N", "Pa", "N.m", "W", "C", "V", "F", "Ohm", "S", "Wb", "T", "H"});
  for (const std::string_view name : kNames) {
    if (UnitOrThrow(name).dimension == dimension) {
      return name;
    }
  }
  return {};
}

std::string Quoted(Expr expr) {
  return "'" + ToText(expr, kMaxQuoted) + "'";
}

// To 12 digits, which hides the rounding of a quotient.
std::string NumberText(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(),
                                 text.data() + text.size(),
                                 value,
                                 std::chars_format::general,
                                 12);
  return {text.data(), end.ptr};
}

bool DifferInScale(const Unit& a, const Unit& b) {
  return std::abs(a.factor - b.factor) > 1e-12 * a.factor ||
         a.offset != b.offset;
}

class UnitCheck {
 public:
  UnitCheck(const FlatModel& model, Diagnostics& diagnostics)
      : model_(model),
        graph_(*model.graph),
        inference_(graph_),
        warnings_(diagnostics),
        variable_of_symbol_(graph_.num_symbols(), kNowhere),
        is_trusted_(graph_.size()) {}

  void Run() {
    inference_.SetTime(model_.time);
    for (std::size_t i = 0; i < model_.variables.size(); ++i) {
      ReadUnit(i);
    }
    inference_.Run();
    FindTrusted();
    for (const Variable& variable : model_.variables) {
      CheckVariable(variable);
    }
    for (const auto* equations :
         {&model_.equations, &model_.initial_equations}) {
      for (const Equation& equation : *equations) {
        CheckEquation(equation);
      }
    }
    for (const Connection& connection : model_.connections) {
      CheckConnection(connection);
    }
    warnings_.Finish();
  }

 private:
  // Where a formula stands, for its warning.
  struct Place {
    const SourceSpan& span;
    const std::string& path;
  };

  void ReadUnit(std::size_t index) {
    const Variable& variable = model_.variables[index];
    variable_of_symbol_[graph_.SymbolOrdinal(variable.symbol)] =
        static_cast<std::uint32_t>(index);
    unit_of_variable_.push_back(nullptr);
    if (variable.unit.empty()) {
      return;
    }
    const auto [found, is_new] = units_.try_emplace(variable.unit);
    KnownUnit& known = found->second;
    if (is_new) {
      auto parsed = ParseUnit(variable.unit);
      if (auto* unit = std::get_if<Unit>(&parsed)) {
        known.unit = std::move(*unit);
        known.dimension =
            inference_.dimensions().NumberOf(known.unit->dimension);
      } else {
        known.error = std::get<UnitError>(std::move(parsed));
      }
    }
    if (!known.unit) {
      if (is_new || variable.span.file != nullptr) {
        WarnOfUnreadable(variable, known.error);
      }
      return;
    }
    unit_of_variable_.back() = &known;
    inference_.Declare(variable.symbol, known.dimension);
  }

  void WarnOfUnreadable(const Variable& variable, const UnitError& error) {
    if (warnings_.Wants(variable.span, variable.unit)) {
      warnings_.Add(variable.span,
                    "",
                    "cannot read the unit '" + variable.unit + "' of " +
                        Quoted(variable.symbol) + ": " + error.message,
                    error.hint);
    }
  }

  // Which units other formulas confirm. Used in hints only.
  void FindTrusted() {
    for (const Expr& agreeing : inference_.agreements()) {
      Trust(agreeing);
    }
    for (const Equation& equation : model_.equations) {
      TrustIfEqual(equation.left, equation.right);
    }
    for (const Connection& connection : model_.connections) {
      TrustIfEqual(connection.a.variable, connection.b.variable);
    }
  }

  void TrustIfEqual(Expr left, Expr right) {
    const Quantity& a = inference_.Of(left);
    const Quantity& b = inference_.Of(right);
    if (a.is_declared && b.is_declared && a.dimension == b.dimension) {
      Trust(left);
      Trust(right);
    }
  }

  void Trust(Expr root) {
    std::vector<Expr> stack = {root};
    while (!stack.empty()) {
      const Expr node = stack.back();
      stack.pop_back();
      if (is_trusted_[node.id()] || !inference_.Of(node).is_declared) {
        continue;
      }
      is_trusted_[node.id()] = true;
      const auto [first, last] = CarryingOperands(node);
      for (std::size_t i = first; i < last; ++i) {
        stack.push_back(node.operand(i));
      }
    }
  }

  // The one variable in the formulas whose unit nothing confirms, if it is one.
  [[nodiscard]] Expr SuspectIn(std::span<const Expr> formulas) const {
    std::vector<Expr> stack(formulas.begin(), formulas.end());
    std::unordered_set<std::uint32_t> visited;
    Expr suspect;
    while (!stack.empty()) {
      const Expr node = stack.back();
      stack.pop_back();
      if (!node || !inference_.Of(node).is_declared ||
          !visited.insert(node.id()).second) {
        continue;
      }
      if (visited.size() > kMaxSearched) {
        return {};
      }
      if (node.op() == Op::kSymbol && !is_trusted_[node.id()]) {
        if (suspect) {
          return {};
        }
        suspect = node;
      }
      const auto [first, last] = CarryingOperands(node);
      for (std::size_t i = first; i < last; ++i) {
        stack.push_back(node.operand(i));
      }
    }
    return suspect;
  }

  [[nodiscard]] std::string HintFor(std::span<const Expr> formulas,
                                    std::string_view otherwise) const {
    const Expr suspect = SuspectIn(formulas);
    return suspect ? "check the unit of " + Quoted(suspect)
                   : std::string(otherwise);
  }

  // The unit of a variable or an element of one, perhaps negated.
  [[nodiscard]] const Unit* UnitOfVariable(Expr expr) const {
    if (expr.op() == Op::kNegate) {
      expr = expr.operand(0);
    }
    if (expr.op() == Op::kIndex) {
      expr = expr.operand(0);
    }
    if (expr.op() != Op::kSymbol) {
      return nullptr;
    }
    const std::uint32_t index = variable_of_symbol_[graph_.SymbolOrdinal(expr)];
    const KnownUnit* known =
        index == kNowhere ? nullptr : unit_of_variable_[index];
    return known == nullptr ? nullptr : &*known->unit;
  }

  // "'r.v' is in V (kg.m2/(s3.A))".
  std::string Describe(Expr expr) {
    const Dimension& dimension =
        inference_.dimensions()[inference_.Of(expr).dimension];
    const Unit* declared = UnitOfVariable(expr);
    std::string unit =
        declared != nullptr ? declared->text : std::string(NameOf(dimension));
    const std::string text = dimension.ToString();
    if (dimension.is_one()) {
      return Quoted(expr) + (unit.empty() || unit == text
                                 ? " is a pure number"
                                 : " is in " + unit + ", a pure number");
    }
    if (unit.empty() || unit == text) {
      return Quoted(expr) + " is in " + text;
    }
    return Quoted(expr) + " is in " + unit + " (" + text + ")";
  }

  [[nodiscard]] std::string KeyOf(Expr a, Expr b) const {
    return std::to_string(inference_.Of(a).dimension) + " " +
           std::to_string(b ? inference_.Of(b).dimension : 0);
  }

  // Whether the formula contradicts itself; warns if it does.
  bool CheckWithin(Expr formula, const Place& place) {
    const std::uint32_t number = inference_.ConflictIn(formula);
    if (number == kNowhere) {
      return false;
    }
    const Conflict& conflict = inference_.conflict(number);
    if (reported_.insert(number).second &&
        warnings_.Wants(place.span, KeyOf(conflict.a, conflict.b))) {
      const std::array parts = {conflict.a, conflict.b};
      warnings_.Add(place.span,
                    place.path,
                    MessageFor(conflict),
                    HintFor(parts, "a factor with a unit may be missing"));
    }
    return true;
  }

  std::string MessageFor(const Conflict& conflict) {
    const std::string whole = Quoted(conflict.node);
    if (!conflict.b) {
      return whole +
             (conflict.node.op() == Op::kPower
                  ? " needs a pure number as exponent: "
                  : " needs a pure number: ") +
             Describe(conflict.a);
    }
    const std::string parts =
        Describe(conflict.a) + ", " + Describe(conflict.b);
    switch (conflict.node.op()) {
      case Op::kAdd:
        return whole + " adds different dimensions: " + parts;
      case Op::kSubtract:
        return whole + " subtracts different dimensions: " + parts;
      case Op::kSelect:
        return whole + " has branches of different dimensions: " + parts;
      case Op::kLess:
      case Op::kLessEqual:
      case Op::kEqual:
      case Op::kNotEqual:
        return whole + " compares different dimensions: " + parts;
      default:
        return whole + " takes different dimensions: " + parts;
    }
  }

  void CheckEquation(const Equation& equation) {
    const Place place{equation.span, equation.path};
    if (!CheckWithin(equation.left, place) &&
        !CheckWithin(equation.right, place)) {
      Compare(equation.left,
              equation.right,
              place,
              "the two sides have different dimensions: ");
    }
  }

  void CheckVariable(const Variable& variable) {
    const std::string path;
    const Place place{variable.span, path};
    const std::array<std::pair<Expr, std::string_view>, 5> attributes = {
        {{variable.binding, "value"},
         {variable.start, "start value"},
         {variable.min, "min"},
         {variable.max, "max"},
         {variable.nominal, "nominal"}}};
    for (const auto& [formula, what] : attributes) {
      if (formula && !CheckWithin(formula, place)) {
        Compare(variable.symbol,
                formula,
                place,
                "the " + std::string(what) + " of " + Quoted(variable.symbol) +
                    " has another dimension: ");
      }
    }
  }

  void Compare(Expr left,
               Expr right,
               const Place& place,
               const std::string& message) {
    if (!Contradict(inference_.Of(left), inference_.Of(right))) {
      CompareScales(left, right, place);
      return;
    }
    if (warnings_.Wants(place.span, KeyOf(left, right))) {
      const std::array sides = {left, right};
      warnings_.Add(place.span,
                    place.path,
                    message + Describe(left) + ", " + Describe(right),
                    HintFor(sides, "a factor with a unit may be missing"));
    }
  }

  // The units of two variables if they are of one dimension but scaled
  // differently, else null.
  [[nodiscard]] std::pair<const Unit*, const Unit*> ScalesOf(Expr a,
                                                             Expr b) const {
    const Unit* of_a = UnitOfVariable(a);
    const Unit* of_b = UnitOfVariable(b);
    if (of_a == nullptr || of_b == nullptr || !SameDimension(*of_a, *of_b) ||
        !DifferInScale(*of_a, *of_b)) {
      return {nullptr, nullptr};
    }
    return {of_a, of_b};
  }

  void CompareScales(Expr left, Expr right, const Place& place) {
    const auto [a, b] = ScalesOf(left, right);
    if (a != nullptr && warnings_.Wants(place.span, a->text + " " + b->text)) {
      warnings_.Add(place.span,
                    place.path,
                    Quoted(left) + " is in " + a->text + ", " + Quoted(right) +
                        " in " + b->text + ", and nothing converts",
                    ConversionHint(right, *b, *a));
    }
  }

  // Frequencies and speeds of rotation differ by turns and radians, which the
  // dimension does not tell apart: no number is certain there.
  static std::string ConversionHint(Expr expr,
                                    const Unit& from,
                                    const Unit& to) {
    const bool is_frequency =
        from.dimension == Dimension::Of(BaseUnit::kSecond).Power(-1);
    if (from.offset != 0 || to.offset != 0 || is_frequency) {
      return "convert one of them, or use one unit";
    }
    const bool is_larger = from.factor > to.factor;
    const double factor =
        is_larger ? from.factor / to.factor : to.factor / from.factor;
    return (is_larger ? "multiply " : "divide ") + Quoted(expr) + " by " +
           NumberText(factor);
  }

  void CheckConnection(const Connection& connection) {
    const Expr a = connection.a.variable;
    const Expr b = connection.b.variable;
    const Place place{connection.span, connection.path};
    if (Contradict(inference_.Of(a), inference_.Of(b))) {
      if (warnings_.Wants(place.span, KeyOf(a, b))) {
        const std::array ends = {a, b};
        warnings_.Add(place.span,
                      place.path,
                      "the connection joins different dimensions: " +
                          Describe(a) + ", " + Describe(b),
                      HintFor(ends, "connect quantities of one kind"));
      }
      return;
    }
    const auto [unit_a, unit_b] = ScalesOf(a, b);
    if (unit_a != nullptr &&
        warnings_.Wants(place.span, unit_a->text + " " + unit_b->text)) {
      warnings_.Add(place.span,
                    place.path,
                    "the connection joins " + Quoted(a) + " in " +
                        unit_a->text + " and " + Quoted(b) + " in " +
                        unit_b->text + ", and nothing converts",
                    "use one unit, or convert between them");
    }
  }

  const FlatModel& model_;
  ExprGraph& graph_;
  Inference inference_;
  WarningList warnings_;
  std::unordered_map<std::string, KnownUnit> units_;
  std::vector<std::uint32_t> variable_of_symbol_;
  std::vector<const KnownUnit*> unit_of_variable_;  // Null: none or unreadable.
  std::vector<bool> is_trusted_;
  std::unordered_set<std::uint32_t> reported_;  // Numbers of conflicts.
};

}  // namespace

void CheckUnits(const FlatModel& model, Diagnostics& diagnostics) {
  if (std::ranges::all_of(model.variables, [](const Variable& variable) {
        return variable.unit.empty();
      })) {
    return;
  }
  UnitCheck(model, diagnostics).Run();
}

}  // namespace orrery::internal
