#include "orrery/base/units.h"

#include <sleef.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "orrery/base/error.h"

namespace orrery {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kMaxNesting = 32;
constexpr int kMaxExponent = 99;  // In a text: larger exponents are no unit.

// `mantissa * 10^decimal` kg^e0 m^e1 ... Powers of ten are separate, so that
// prefixes are exact: mm2 is 1e-6 m2, to the last bit.
struct Symbol {
  std::string_view text;
  double mantissa;
  int decimal;
  std::array<std::int8_t, Dimension::kBaseUnits> exponents;
  bool takes_prefix;
  double offset = 0;
};

// SI Brochure, 9th edition (2019), tables 2, 4 and 8, and Modelica 3.6, 19.1.
//                                          kg  m  s  A  K mol cd
constexpr auto kSymbols = std::to_array<Symbol>({
    {"m", 1, 0, {0, 1, 0, 0, 0, 0, 0}, true},
    {"g", 1, -3, {1, 0, 0, 0, 0, 0, 0}, true},
    {"s", 1, 0, {0, 0, 1, 0, 0, 0, 0}, true},
    {"A", 1, 0, {0, 0, 0, 1, 0, 0, 0}, true},
    {"K", 1, 0, {0, 0, 0, 0, 1, 0, 0}, true},
    {"mol", 1, 0, {0, 0, 0, 0, 0, 1, 0}, true},
    {"cd", 1, 0, {0, 0, 0, 0, 0, 0, 1}, true},
    {"rad", 1, 0, {}, true},
    {"sr", 1, 0, {}, true},
    {"Hz", 1, 0, {0, 0, -1, 0, 0, 0, 0}, true},
    {"N", 1, 0, {1, 1, -2, 0, 0, 0, 0}, true},
    {"Pa", 1, 0, {1, -1, -2, 0, 0, 0, 0}, true},
    {"J", 1, 0, {1, 2, -2, 0, 0, 0, 0}, true},
    {"W", 1, 0, {1, 2, -3, 0, 0, 0, 0}, true},
    {"C", 1, 0, {0, 0, 1, 1, 0, 0, 0}, true},
    {"V", 1, 0, {1, 2, -3, -1, 0, 0, 0}, true},
    {"F", 1, 0, {-1, -2, 4, 2, 0, 0, 0}, true},
    {"Ohm", 1, 0, {1, 2, -3, -2, 0, 0, 0}, true},
    {"S", 1, 0, {-1, -2, 3, 2, 0, 0, 0}, true},
    {"Wb", 1, 0, {1, 2, -2, -1, 0, 0, 0}, true},
    {"T", 1, 0, {1, 0, -2, -1, 0, 0, 0}, true},
    {"H", 1, 0, {1, 2, -2, -2, 0, 0, 0}, true},
    {"lm", 1, 0, {0, 0, 0, 0, 0, 0, 1}, true},
    {"lx", 1, 0, {0, -2, 0, 0, 0, 0, 1}, true},
    {"Bq", 1, 0, {0, 0, -1, 0, 0, 0, 0}, true},
    {"Gy", 1, 0, {0, 2, -2, 0, 0, 0, 0}, true},
    {"Sv", 1, 0, {0, 2, -2, 0, 0, 0, 0}, true},
    {"kat", 1, 0, {0, 0, -1, 0, 0, 1, 0}, true},
    {"degC", 1, 0, {0, 0, 0, 0, 1, 0, 0}, true, 273.15},
    {"degF", 5.0 / 9, 0, {0, 0, 0, 0, 1, 0, 0}, false, 459.67 * 5 / 9},
    {"degRk", 5.0 / 9, 0, {0, 0, 0, 0, 1, 0, 0}, false},
    {"min", 60, 0, {0, 0, 1, 0, 0, 0, 0}, false},
    {"h", 3600, 0, {0, 0, 1, 0, 0, 0, 0}, false},
    {"d", 86400, 0, {0, 0, 1, 0, 0, 0, 0}, false},
    {"a", 31557600, 0, {0, 0, 1, 0, 0, 0, 0}, false},  // Julian, of 365.25 d
    {"yr", 31557600, 0, {0, 0, 1, 0, 0, 0, 0}, false},
    {"l", 1, -3, {0, 3, 0, 0, 0, 0, 0}, true},
    {"L", 1, -3, {0, 3, 0, 0, 0, 0, 0}, true},
    {"t", 1, 3, {1, 0, 0, 0, 0, 0, 0}, false},
    {"ha", 1, 4, {0, 2, 0, 0, 0, 0, 0}, false},
    {"deg", kPi / 180, 0, {}, false},
    {"rev", 2 * kPi, 0, {}, false},
    {"rpm", kPi / 30, 0, {0, 0, -1, 0, 0, 0, 0}, false},
    {"%", 1, -2, {}, false},
    {"dB", 1, 0, {}, false},  // Levels: pure numbers.
    {"Np", 1, 0, {}, false},
    {"phon", 1, 0, {}, false},
    {"sone", 1, 0, {}, false},
    {"bar", 1, 5, {1, -1, -2, 0, 0, 0, 0}, true},
    {"atm", 101325, 0, {1, -1, -2, 0, 0, 0, 0}, false},
    {"var", 1, 0, {1, 2, -3, 0, 0, 0, 0}, true},
    {"cal", 4.184, 0, {1, 2, -2, 0, 0, 0, 0}, true},
    {"eV", 1.602176634, -19, {1, 2, -2, 0, 0, 0, 0}, true},
    {"u", 1.66053906660, -27, {1, 0, 0, 0, 0, 0, 0}, false},
    {"debye", 1 / 2.99792458, -29, {0, 1, 1, 1, 0, 0, 0}, false},
    {"Oe", 250 / kPi, 0, {0, -1, 0, 1, 0, 0, 0}, false},
    {"Gs", 1, -4, {1, 0, -2, -1, 0, 0, 0}, false},
});

struct Prefix {
  std::string_view text;
  int decimal;
};

constexpr auto kPrefixes = std::to_array<Prefix>({
    {"da", 1},  {"Q", 30},  {"R", 27},  {"Y", 24},  {"Z", 21},  {"E", 18},
    {"P", 15},  {"T", 12},  {"G", 9},   {"M", 6},   {"k", 3},   {"h", 2},
    {"d", -1},  {"c", -2},  {"m", -3},  {"u", -6},  {"n", -9},  {"p", -12},
    {"f", -15}, {"a", -18}, {"z", -21}, {"y", -24}, {"r", -27}, {"q", -30},
});

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

bool IsUnitChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '%';
}

// 10^exponent, correctly rounded for whole exponents.
double PowerOfTen(Rational exponent) {
  if (exponent.denominator() != 1) {
    return Sleef_cinz_exp10d1_u10purec(exponent.value());
  }
  const std::string text = "1e" + std::to_string(exponent.numerator());
  double value = 0;
  const auto read =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc::result_out_of_range) {
    return exponent.numerator() > 0 ? std::numeric_limits<double>::infinity()
                                    : 0;
  }
  return value;
}

double PowerOf(double base, Rational exponent) {
  if (exponent.denominator() != 1) {
    return Sleef_cinz_powd1_u10purec(base, exponent.value());
  }
  double power = 1;
  for (int i = 0; i < std::abs(exponent.numerator()); ++i) {
    power *= base;
  }
  return exponent.numerator() < 0 ? 1 / power : power;
}

// A product of symbols, during reading.
struct SymbolProduct {
  double mantissa = 1;
  Rational decimal = 0;
  Dimension dimension;

  SymbolProduct& operator*=(const SymbolProduct& other) {
    mantissa *= other.mantissa;
    decimal = decimal + other.decimal;
    dimension = dimension * other.dimension;
    return *this;
  }

  [[nodiscard]] SymbolProduct Power(Rational exponent) const {
    return {PowerOf(mantissa, exponent),
            decimal * exponent,
            dimension.Power(exponent)};
  }
};

struct Operand {
  const Symbol* symbol = nullptr;
  int prefix_decimal = 0;

  [[nodiscard]] SymbolProduct ToProduct() const {
    SymbolProduct product;
    product.mantissa = symbol->mantissa;
    product.decimal = symbol->decimal + prefix_decimal;
    for (std::size_t i = 0; i < symbol->exponents.size(); ++i) {
      product.dimension =
          product.dimension *
          Dimension::Of(static_cast<BaseUnit>(i)).Power(symbol->exponents[i]);
    }
    return product;
  }
};

const Symbol* FindSymbol(std::string_view text) {
  const auto* found = std::ranges::find(kSymbols, text, &Symbol::text);
  return found == kSymbols.end() ? nullptr : found;
}

// Finds a whole symbol, otherwise a prefix with a symbol: `min` is the minute.
std::optional<Operand> FindOperand(std::string_view text) {
  if (const Symbol* symbol = FindSymbol(text)) {
    return Operand{symbol, 0};
  }
  for (const Prefix& prefix : kPrefixes) {
    if (text.starts_with(prefix.text)) {
      const Symbol* symbol = FindSymbol(text.substr(prefix.text.size()));
      if (symbol != nullptr && symbol->takes_prefix) {
        return Operand{symbol, prefix.decimal};
      }
    }
  }
  return std::nullopt;
}

// Suggests a product for `Nm`, which is two units, and the nearest name for a
// misspelling.
std::string HintFor(std::string_view unknown) {
  for (std::size_t i = 1; i < unknown.size(); ++i) {
    const std::string_view head = unknown.substr(0, i);
    const std::string_view tail = unknown.substr(i);
    if (FindOperand(head) && FindOperand(tail)) {
      return "a product is written with a dot: '" + std::string(head) + "." +
             std::string(tail) + "'";
    }
  }
  std::vector<std::string> names(kSymbols.size());
  std::ranges::transform(kSymbols, names.begin(), [](const Symbol& symbol) {
    return std::string(symbol.text);
  });
  return Suggest(unknown, names);
}

// A recursive-descent parser of the grammar of ParseUnit(). A function returns
// nothing once `error_` is set.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::variant<Unit, UnitError> Parse() {
    const std::optional<SymbolProduct> product = ReadExpression(0);
    if (product && at_ < text_.size()) {
      FailAfterExpression("'.', '/' or the end");
    }
    if (!error_.message.empty()) {
      return error_;
    }
    return ToUnit(*product);
  }

 private:
  std::variant<Unit, UnitError> ToUnit(const SymbolProduct& product) {
    Unit unit;
    unit.factor = product.mantissa * PowerOfTen(product.decimal);
    unit.dimension = product.dimension;
    unit.text = text_;
    if (const std::optional<Operand> alone = FindOperand(text_)) {
      unit.offset = alone->symbol->offset;
    }
    if (!std::isnormal(unit.factor)) {
      Fail(0, text_.size(), "its size is out of the range of numbers");
      return error_;
    }
    return unit;
  }

  [[nodiscard]] char Peek() const {
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool Take(char c) {
    const bool found = at_ < text_.size() && text_[at_] == c;
    at_ += found ? 1U : 0U;
    return found;
  }

  std::nullopt_t Fail(std::size_t offset,
                      std::size_t length,
                      std::string message,
                      std::string hint = {}) {
    error_ = {std::move(message),
              std::move(hint),
              static_cast<int>(offset),
              static_cast<int>(length)};
    return std::nullopt;
  }

  // The character at `at_`, for a message.
  [[nodiscard]] std::string Found() const {
    if (at_ == text_.size()) {
      return "the text ends";
    }
    const char c = text_[at_];
    return c >= ' ' && c <= '~' ? "found '" + std::string(1, c) + "'"
                                : "found a character outside ASCII";
  }

  // Fails because the text goes on after a complete expression.
  std::nullopt_t FailAfterExpression(std::string_view closing) {
    const char c = Peek();
    if (after_slash_ && (c == '/' || c == '.')) {
      return Fail(at_,
                  1,
                  "a second factor below '/' is ambiguous",
                  "put what is below into parentheses, as in 'J/(kg.K)'");
    }
    if (c == '.') {
      return Fail(at_, 1, "a product may not follow '1' or ')'");
    }
    std::string hint;
    if (c == '*' || c == ' ') {
      hint = "a product is written with a dot, as in 'N.m'";
    } else if (c == '^') {
      hint = "a power is written without a sign, as in 'm2'";
    }
    return Fail(at_,
                at_ < text_.size() ? 1 : 0,
                "expected " + std::string(closing) + ", " + Found(),
                std::move(hint));
  }

  std::optional<SymbolProduct> ReadExpression(int nesting) {
    std::optional<SymbolProduct> product = ReadNumerator(nesting);
    after_slash_ = product && Take('/');
    if (!after_slash_) {
      return product;
    }
    const std::optional<SymbolProduct> below =
        Peek() == '(' ? ReadParenthesis(nesting) : ReadFactor();
    if (!below) {
      return std::nullopt;
    }
    *product *= below->Power(-1);
    after_slash_ = true;
    return product;
  }

  std::optional<SymbolProduct> ReadNumerator(int nesting) {
    if (Peek() == '(') {
      return ReadParenthesis(nesting);
    }
    if (Take('1')) {
      return SymbolProduct{};
    }
    std::optional<SymbolProduct> product = ReadFactor();
    while (product && Take('.')) {
      const std::optional<SymbolProduct> factor = ReadFactor();
      if (!factor) {
        return std::nullopt;
      }
      *product *= *factor;
    }
    return product;
  }

  std::optional<SymbolProduct> ReadParenthesis(int nesting) {
    const std::size_t open = at_++;
    if (nesting == kMaxNesting) {
      return Fail(open, 1, "parentheses are nested too deeply");
    }
    std::optional<SymbolProduct> product = ReadExpression(nesting + 1);
    if (product && !Take(')')) {
      return FailAfterExpression("'.', '/' or ')'");
    }
    return product;
  }

  std::optional<SymbolProduct> ReadFactor() {
    const std::size_t start = at_;
    while (at_ < text_.size() && IsUnitChar(text_[at_])) {
      ++at_;
    }
    const std::string_view name = text_.substr(start, at_ - start);
    if (name.empty()) {
      return Fail(
          at_, at_ < text_.size() ? 1 : 0, "expected a unit, " + Found());
    }
    const std::optional<Operand> operand = FindOperand(name);
    if (!operand) {
      return Fail(start,
                  name.size(),
                  "there is no unit '" + std::string(name) + "'",
                  HintFor(name));
    }
    const std::optional<Rational> exponent = ReadExponent();
    if (!exponent) {
      return std::nullopt;
    }
    return operand->ToProduct().Power(*exponent);
  }

  // [ "+" | "-" ] ( n | "(" n "/" m ")" ); 1 if there is none.
  std::optional<Rational> ReadExponent() {
    const bool negative = Peek() == '-';
    const bool has_sign = negative || Peek() == '+';
    at_ += has_sign ? 1U : 0U;
    if (!has_sign && !IsDigit(Peek()) && Peek() != '(') {
      return Rational(1);
    }
    std::int32_t denominator = 1;
    std::optional<std::int32_t> numerator;
    if (Take('(')) {
      const std::optional<Rational> fraction = ReadFraction();
      if (!fraction) {
        return std::nullopt;
      }
      numerator = fraction->numerator();
      denominator = fraction->denominator();
    } else {
      numerator = ReadInteger();
    }
    if (!numerator) {
      return std::nullopt;
    }
    return Rational(negative ? -*numerator : *numerator, denominator);
  }

  // Reads the exponent after its '('.
  std::optional<Rational> ReadFraction() {
    const std::optional<std::int32_t> numerator = ReadInteger();
    if (!numerator) {
      return std::nullopt;
    }
    if (!Take('/')) {
      return Fail(at_, 0, "expected '/' in an exponent, " + Found());
    }
    const std::size_t start = at_;
    const std::optional<std::int32_t> denominator = ReadInteger();
    if (!denominator) {
      return std::nullopt;
    }
    if (*denominator == 0) {
      return Fail(start, at_ - start, "an exponent is divided by zero");
    }
    if (!Take(')')) {
      return Fail(at_, 0, "expected ')', " + Found());
    }
    return Rational(*numerator, *denominator);
  }

  std::optional<std::int32_t> ReadInteger() {
    const std::size_t start = at_;
    std::int32_t value = 0;
    while (IsDigit(Peek())) {
      value = std::min(10 * value + (Peek() - '0'), kMaxExponent + 1);
      ++at_;
    }
    if (at_ == start) {
      return Fail(at_, 0, "expected a whole number in an exponent, " + Found());
    }
    if (value > kMaxExponent) {
      return Fail(start, at_ - start, "an exponent is over 99");
    }
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool after_slash_ = false;  // The latest expression has a denominator.
  UnitError error_;
};

// Returns 1 / factor if it is a whole number: a value in milliseconds is
// divided by 1000, exactly, instead of multiplied by the rounded 0.001.
std::optional<double> WholeInverse(double factor) {
  const double inverse = std::round(1 / factor);
  const bool is_whole = factor < 1 && inverse < 0x1p53 && factor == 1 / inverse;
  return is_whole ? std::optional<double>(inverse) : std::nullopt;
}

}  // namespace

double Unit::ToSi(double value) const {
  const std::optional<double> inverse = WholeInverse(factor);
  return (inverse ? value / *inverse : value * factor) + offset;
}

double Unit::FromSi(double value) const {
  const std::optional<double> inverse = WholeInverse(factor);
  return inverse ? (value - offset) * *inverse : (value - offset) / factor;
}

std::variant<Unit, UnitError> ParseUnit(std::string_view text) {
  try {
    return Parser(text).Parse();
  } catch (const Error&) {  // Only Rational throws here.
    return UnitError{.message = "its exponents are out of range",
                     .length = static_cast<int>(text.size())};
  }
}

Unit UnitOrThrow(std::string_view text) {
  std::variant<Unit, UnitError> result = ParseUnit(text);
  if (const UnitError* error = std::get_if<UnitError>(&result)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot read the unit '" + std::string(text) +
                    "': " + error->message + Clause(error->hint));
  }
  return std::get<Unit>(std::move(result));
}

bool SameDimension(const Unit& a, const Unit& b) {
  return a.dimension == b.dimension;
}

std::optional<UnitConversion> ConversionBetween(std::string_view from,
                                                std::string_view to) {
  if (from == to) {
    return UnitConversion();
  }
  const std::variant<Unit, UnitError> given = ParseUnit(from);
  const std::variant<Unit, UnitError> wanted = ParseUnit(to);
  const Unit* const a = std::get_if<Unit>(&given);
  const Unit* const b = std::get_if<Unit>(&wanted);
  return a != nullptr && b != nullptr && SameDimension(*a, *b)
             ? std::optional(UnitConversion{.from = *a, .to = *b})
             : std::nullopt;
}

std::optional<NumberWithUnit> SplitUnit(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) {
    text.remove_prefix(1);  // from_chars does not accept it.
  }
  NumberWithUnit result;
  const auto [last, error] =
      std::from_chars(text.data(), text.data() + text.size(), result.value);
  if (error != std::errc()) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(last - text.data()));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  result.unit = text;
  return result;
}

}  // namespace orrery
