#include "orrery/compile/units/check_units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/element_units.h"
#include "orrery/base/units.h"
#include "orrery/compile/units/unit_inference.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {
namespace {

constexpr std::uint32_t kNowhere = 0xffffffff;
constexpr std::size_t kMaxQuoted = 60;      // Characters of a formula.
constexpr std::size_t kMaxSearched = 1000;  // Nodes, for the hint of a warning.

// A unit text, shared by all variables that have it.
struct KnownUnit {
  std::optional<Unit> unit;  // Empty if it cannot be read: see `error`.
  std::uint32_t dimension = DimensionTable::kUnknown;
  UnitError error;
};

// Adds warnings, each once, up to a limit.
class WarningList {
 public:
  explicit WarningList(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // True if a warning at `span`, for the reason `key`, is to be made. The
  // instances of a class repeat its equations.
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

// 12 digits hide the rounding of a quotient.
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
        is_trusted_(graph_.size()) {
    ListVariables();
    for (const Equation& equation : model_.as_written.equations) {
      written_at_.insert(PlaceOf(equation.span));
    }
  }

  void Run() {
    inference_.SetTime(model_.time);
    for (const Variable* const variable : variables_) {
      ReadUnit(*variable);
    }
    inference_.Run();
    FindTrusted();
    for (const Variable* const variable : variables_) {
      CheckVariable(*variable);
    }
    for (const auto* equations :
         {&model_.equations, &model_.initial_equations}) {
      for (const Equation& equation : *equations) {
        if (!written_at_.contains(PlaceOf(equation.span)) &&
            !NamesOne(equation.span)) {
          CheckEquation(equation);
        }
      }
    }
    for (const Equation& equation : model_.as_written.equations) {
      CheckEquation(equation);
    }
    for (const Connection& connection : model_.connections) {
      CheckConnection(connection);
    }
    warnings_.Finish();
  }

 private:
  using TextPlace = std::pair<const SourceFile*, std::uint64_t>;

  static TextPlace PlaceOf(const SourceSpan& span) {
    return {span.file.get(), std::uint64_t{span.begin} << 32U | span.end};
  }

  // Lists the variables of the model, as they are written, and constants that
  // stand beside them.
  void ListVariables() {
    std::unordered_map<std::uint32_t, const Variable*> as_written;
    for (const Variable& variable : model_.as_written.variables) {
      as_written.emplace(variable.symbol.id(), &variable);
    }
    for (const Variable& variable : model_.variables) {
      const auto found = as_written.extract(variable.symbol.id());
      variables_.push_back(found.empty() ? &variable : found.mapped());
    }
    for (const Variable& variable : model_.as_written.variables) {
      if (as_written.contains(variable.symbol.id())) {
        variables_.push_back(&variable);
      }
    }
  }

  // True if a constant equal to 1 is written there, which the formula has lost.
  [[nodiscard]] bool NamesOne(const SourceSpan& span) const {
    const auto file = model_.ones.find(span.file.get());
    if (file == model_.ones.end()) {
      return false;
    }
    const auto one = file->second.lower_bound(span.begin);
    return one != file->second.end() && *one < span.end;
  }

  // The place of a formula, for its warning.
  struct Place {
    const SourceSpan& span;
    const std::string& path;
  };

  void ReadUnit(const Variable& variable) {
    variable_of_symbol_[graph_.SymbolOrdinal(variable.symbol)] =
        static_cast<std::uint32_t>(unit_of_variable_.size());
    unit_of_variable_.push_back(nullptr);
    // An array whose elements have different units is not looked into.
    if (variable.notes->unit.empty() ||
        AreDifferentUnits(variable.notes->unit.str())) {
      return;
    }
    const auto [found, is_new] = units_.try_emplace(variable.notes->unit);
    KnownUnit& known = found->second;
    if (is_new) {
      auto parsed = ParseUnit(variable.notes->unit);
      if (auto* unit = std::get_if<Unit>(&parsed)) {
        known.unit = std::move(*unit);
        known.dimension =
            inference_.dimensions().NumberOf(known.unit->dimension);
      } else {
        known.error = std::get<UnitError>(std::move(parsed));
      }
    }
    if (!known.unit) {
      // If the variable has source text, its reader has reported the error
      // there.
      if (is_new && variable.notes->span.file == nullptr) {
        WarnOfUnreadable(variable, known.error);
      }
      return;
    }
    unit_of_variable_.back() = &known;
    inference_.Declare(variable.symbol, known.dimension);
  }

  void WarnOfUnreadable(const Variable& variable, const UnitError& error) {
    if (warnings_.Wants(variable.notes->span, variable.notes->unit)) {
      warnings_.Add(variable.notes->span,
                    "",
                    "cannot read the unit '" + variable.notes->unit.str() +
                        "' of " + Quoted(variable.symbol) + ": " +
                        error.message,
                    error.hint);
    }
  }

  // Finds the units that other formulas confirm. Used in hints only.
  void FindTrusted() {
    for (const Expr& agreeing : inference_.agreements()) {
      Trust(agreeing);
    }
    for (const auto* equations :
         {&model_.equations, &model_.as_written.equations}) {
      for (const Equation& equation : *equations) {
        TrustIfEqual(equation.left, equation.right);
      }
    }
    for (const Connection& connection : model_.connections) {
      TrustIfEqual(connection.a.variable, connection.b.variable);
    }
  }

  void TrustIfEqual(Expr left, Expr right) {
    const InferredQuantity& a = inference_.Of(left);
    const InferredQuantity& b = inference_.Of(right);
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

  // Returns the variable in the formulas whose unit nothing confirms, if it is
  // the only one.
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

  // Returns the unit of a variable or an element of one, perhaps negated.
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

  // True if the formula contradicts itself; then adds a warning.
  bool CheckWithin(Expr formula, const Place& place) {
    const std::uint32_t number = inference_.ConflictIn(formula);
    if (number == UnitInference::kNoConflict) {
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
    const Place place{variable.notes->span, path};
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

  // Returns the units of two variables if they have one dimension but another
  // scale, else null.
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

  // Frequencies and speeds of rotation may differ by turns and radians, which
  // their dimension does not show: no factor is certain there.
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
  std::vector<const Variable*> variables_;
  std::set<TextPlace> written_at_;  // Equations as written.
  ExprGraph& graph_;
  UnitInference inference_;
  WarningList warnings_;
  std::unordered_map<std::string, KnownUnit> units_;
  std::vector<std::uint32_t> variable_of_symbol_;
  std::vector<const KnownUnit*> unit_of_variable_;  // Null: none or unreadable.
  std::vector<bool> is_trusted_;
  std::unordered_set<std::uint32_t> reported_;  // Numbers of conflicts.
};

}  // namespace

void CheckUnits(const FlatModel& model, Diagnostics& diagnostics) {
  const auto has_none = [](const Variable& variable) {
    return variable.notes->unit.empty();
  };
  if (std::ranges::all_of(model.variables, has_none) &&
      std::ranges::all_of(model.as_written.variables, has_none)) {
    return;
  }
  UnitCheck(model, diagnostics).Run();
}

}  // namespace orrery::compile::internal
