#include "orrery/experiment/design/factor.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <memory>
#include <set>
#include <utility>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/units.h"
#include "orrery/experiment/statistics/range_reader.h"
#include "orrery/solver/steps/decimal_grid.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

using internal::Placed;
using internal::RangeReader;
using FactorRange = decltype(Factor::range);

constexpr double kMaxValues = 1e7;
constexpr std::string_view kForms =
    "give a range as 0:0.5:10, {1,2,5}, linspace(0,1,11), normal(4,0.2) or "
    "[0.1,10]";

// Returns the decimal number of 12 digits that equals `x` up to rounding, or
// `x`.
double NearestDecimal(double x) {
  constexpr int kDigits = 12;
  std::array<char, 32> text{};
  const char* const end = std::to_chars(text.data(),
                                        text.data() + text.size(),
                                        x,
                                        std::chars_format::general,
                                        kDigits)
                              .ptr;
  double decimal = x;
  std::from_chars(text.data(), end, decimal);
  const double magnitude = std::abs(x);
  const double ulp = std::nextafter(magnitude, INFINITY) - magnitude;
  return std::abs(decimal - x) <= 2 * ulp ? decimal : x;
}

std::vector<double> Linspace(double first, double last, std::size_t count) {
  std::vector<double> values(count);
  const auto steps = static_cast<double>(count - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const auto done = static_cast<double>(i);
    values[i] = NearestDecimal(first * ((steps - done) / steps) +
                               last * (done / steps));
  }
  values.front() = first;
  values.back() = last;
  return values;
}

class FactorReader {
 public:
  FactorReader(const std::shared_ptr<const SourceFile>& source,
               const EnumerationFinder& find_enumeration,
               const UnitFinder& find_unit)
      : text_(source->text()),
        reader_(source),
        find_enumeration_(find_enumeration),
        find_unit_(find_unit) {}

  // @param names of the factors before; receives the name of this one.
  Factor Read(std::set<std::string>& names) {
    const Placed<std::string> name = reader_.ReadName();
    if (reader_.Peek() == '\0') {
      reader_.Fail(name,
                   "there is no range for '" + name.value + "'",
                   std::string(kForms));
    }
    reader_.Expect('=', "would come before the range");
    if (!names.insert(name.value).second) {
      reader_.Fail(name,
                   "'" + name.value + "' is varied already",
                   "give one range for it");
    }
    if (find_enumeration_) {
      reader_.TakeLiterals([&] { return find_enumeration_(name.value); });
    }
    Factor factor{
        .name = name.value, .range = ReadRange(), .text = std::string(text_)};
    if (find_unit_ && reader_.Peek() != '\0') {
      ReadUnit(factor);
    }
    reader_.ExpectEnd("the range", kForms);
    return factor;
  }

 private:
  // Reads the unit behind the range.
  void ReadUnit(Factor& factor) {
    const Placed<std::string> unit = reader_.ReadRest();
    const std::variant<Unit, UnitError> parsed = ParseUnit(unit.value);
    const auto* const error = std::get_if<UnitError>(&parsed);
    const bool may_be_meant =
        error == nullptr ||
        std::isalpha(static_cast<unsigned char>(unit.value.front())) != 0;
    if (!may_be_meant) {
      reader_.Fail(
          unit, "nothing may follow the range but a unit", std::string(kForms));
    }
    const std::string its = find_unit_(factor.name);
    const auto conversion = ConversionBetween(unit.value, its);
    if (!conversion && error != nullptr) {
      reader_.Fail(unit, error->message, error->hint);
    }
    if (!conversion && its.empty()) {
      reader_.Fail(
          unit, "'" + factor.name + "' has no unit", "give numbers alone");
    }
    if (!conversion) {
      reader_.Fail(
          unit,
          "'" + factor.name + "' is in '" + its + "', which '" + unit.value +
              "' cannot be converted to",
          "give the range in '" + its + "', or in another unit of its kind");
    }
    Convert(*conversion, unit, factor.range);
  }

  void Convert(const UnitConversion& conversion,
               const Placed<std::string>& unit,
               FactorRange& range) const {
    if (conversion.from == conversion.to) {
      return;
    }
    const std::string in_its = "give the range in '" + conversion.to.text + "'";
    const auto* const bounds = std::get_if<SearchBounds>(&range);
    const bool is_log = is_of_powers_ || (bounds != nullptr &&
                                          bounds->scale == SearchScale::kLog);
    if (is_log && conversion.from.offset != conversion.to.offset) {
      reader_.Fail(unit,
                   "ratios change with the zero of the scale, which '" +
                       unit.value + "' has elsewhere",
                   in_its);
    }
    if (bounds != nullptr && bounds->is_integer) {
      reader_.Fail(unit, "whole numbers have no other unit", in_its);
    }
    try {
      range = std::visit(
          [&](const auto& its) -> FactorRange {
            return InUnit(conversion, its);
          },
          range);
    } catch (const Error& error) {
      reader_.Fail(unit, error.what(), in_its);
    }
  }

  static FactorRange InUnit(const UnitConversion& conversion,
                            std::vector<double> values) {
    std::ranges::transform(values, values.begin(), conversion);
    return values;
  }

  static FactorRange InUnit(const UnitConversion& conversion,
                            const Distribution& distribution) {
    return distribution.In(conversion);
  }

  static FactorRange InUnit(const UnitConversion& conversion,
                            SearchBounds bounds) {
    bounds.low = conversion(bounds.low);
    bounds.high = conversion(bounds.high);
    if (bounds.guess) {
      bounds.guess = conversion(*bounds.guess);
    }
    return bounds;
  }

  FactorRange ReadRange() {
    if (reader_.Peek() == '{') {
      return ReadList();
    }
    if (reader_.Peek() == '[') {
      return ReadBounds({});
    }
    if (!reader_.is_at_number()) {
      return ReadCall(reader_.ReadWord());
    }
    const Placed<double> first = reader_.ReadFinite("the first value");
    if (reader_.Accept(':')) {
      return ReadSteps(first);
    }
    if (reader_.Peek() == '[') {
      return ReadBounds({.guess = first});
    }
    const auto [word, behind] = reader_.PeekWord();
    const bool is_unit = find_unit_ && behind != '[';
    if (word.empty() || is_unit) {
      return std::vector<double>{first.value};
    }
    return ReadPrefixed(reader_.ReadWord(), first);
  }

  std::vector<double> ReadList() {
    reader_.Expect('{', "would begin the values");
    std::vector<double> values;
    do {
      values.push_back(reader_.ReadFinite("a value").value);
    } while (reader_.Accept(','));
    reader_.Expect('}', "would end the values");
    return values;
  }

  // Reads a:b and a:step:b, after the first colon.
  std::vector<double> ReadSteps(const Placed<double>& first) {
    Placed<double> last = reader_.ReadFinite("the end or the step");
    Placed<double> step{.value = 1};
    if (reader_.Accept(':')) {
      step = std::exchange(last, reader_.ReadFinite("the end"));
    }
    if (step.value == 0) {
      reader_.Fail(step, "the step is 0", "give a step towards the end");
    }
    const double steps = (last.value - first.value) / step.value;
    if (steps < 0) {
      reader_.Fail(
          first.begin,
          last.end,
          "the step, " + ShortestText(step.value) + ", leads away from the end",
          "turn its sign, or swap the ends");
    }
    constexpr double kTolerance = 1e-9;
    const double whole = std::floor(steps + kTolerance);
    CheckCount(whole + 1, first.begin, last.end);
    // Descending steps are the mirrored ascending ones.
    const double sign = step.value < 0 ? -1 : 1;
    const DecimalGrid grid(sign * first.value, sign * step.value);
    std::vector<double> values(static_cast<std::size_t>(whole) + 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = sign * grid.At(static_cast<std::int64_t>(i));
    }
    if (std::abs(steps - whole) <= kTolerance && whole > 0) {
      values.back() = last.value;
    }
    return values;
  }

  // Reads a range that begins with a word: `linspace(`, `log[`, `normal(`.
  FactorRange ReadCall(const Placed<std::string>& word) {
    if (reader_.Peek() == '[') {
      return ReadPrefixed(word, {});
    }
    if (word.value == "linspace" || word.value == "logspace") {
      return ReadSpaced(word);
    }
    std::vector<std::string> known(Distribution::Families().begin(),
                                   Distribution::Families().end());
    known.insert(known.end(), {"linspace", "logspace"});
    if (std::ranges::find(known, word.value) == known.end()) {
      const std::string nearest = Nearest(word.value, known);
      reader_.Fail(word,
                   word.value.empty()
                       ? "there is no range here"
                       : "there is no range '" + word.value + "'",
                   nearest.empty() ? std::string(kForms)
                                   : "did you mean '" + nearest + "'?");
    }
    return ReadDistribution(reader_, word);
  }

  std::vector<double> ReadSpaced(const Placed<std::string>& word) {
    reader_.Expect('(', "would begin the arguments of " + word.value);
    const Placed<double> first = reader_.ReadFinite("the first value");
    reader_.Expect(',', "would part first, last and number of values");
    const Placed<double> last = reader_.ReadFinite("the last value");
    reader_.Expect(',', "would part first, last and number of values");
    const Placed<double> count = reader_.ReadFinite("the number of values");
    reader_.Expect(')', "would end the arguments of " + word.value);
    if (!(count.value >= 2) || count.value != std::floor(count.value)) {
      reader_.Fail(count,
                   "the number of values is " + ShortestText(count.value),
                   "give a whole number from 2 on");
    }
    CheckCount(count.value, count.begin, count.end);
    std::vector<double> values = Linspace(
        first.value, last.value, static_cast<std::size_t>(count.value));
    if (word.value == "linspace") {
      return values;
    }
    for (const Placed<double>& exponent : {first, last}) {
      constexpr double kMaxExponent = 308;
      if (std::abs(exponent.value) > kMaxExponent) {
        reader_.Fail(exponent,
                     "10^" + ShortestText(exponent.value) +
                         " is beyond what a number can be",
                     "logspace takes the exponents: logspace(0,3,4) is "
                     "{1,10,100,1000}");
      }
    }
    is_of_powers_ = true;
    for (double& value : values) {
      value = NearestDecimal(std::pow(10.0, value));
    }
    return values;
  }

  void CheckCount(double count, std::size_t begin, std::size_t end) const {
    if (count > kMaxValues) {
      reader_.Fail(begin,
                   end,
                   "there are " + ShortestText(count) + " values",
                   "at most " + ShortestText(kMaxValues) + " are possible");
    }
  }

  // Reads the bounds after `word`.
  SearchBounds ReadPrefixed(const Placed<std::string>& word,
                            const std::optional<Placed<double>>& guess) {
    if (word.value != "log" && word.value != "integer") {
      reader_.Fail(word,
                   "there is '" + word.value + "' where bounds would begin",
                   "give 1[0.1,10], 1 log[0.1,10] or 1 integer[0,5]");
    }
    return ReadBounds({.guess = guess,
                       .scale = word.value == "log" ? SearchScale::kLog
                                                    : SearchScale::kLinear,
                       .is_integer = word.value == "integer"});
  }

  // The text before bounds.
  struct BoundsStart {
    std::optional<Placed<double>> guess;
    SearchScale scale = SearchScale::kLinear;
    bool is_integer = false;
  };

  SearchBounds ReadBounds(const BoundsStart& start) {
    const bool is_log = start.scale == SearchScale::kLog;
    reader_.Expect('[', "would begin the bounds");
    const Placed<double> low =
        ReadBound("the lower bound", ',', is_log ? 0 : -kInfinity);
    reader_.Expect(',', "would part the bounds");
    const Placed<double> high = ReadBound("the upper bound", ']', kInfinity);
    reader_.Expect(']', "would end the bounds");
    const bool is_open = low.begin == low.end || std::isinf(low.value);
    if (is_open || std::isinf(high.value)) {
      CheckOpen(start, low.begin - 1, high.end + 1);
    }
    if (!(low.value < high.value)) {
      reader_.Fail(low.begin,
                   high.end,
                   "nothing lies between the bounds",
                   "give the lower one first: [0.1,10]");
    }
    if (is_log && !is_open && low.value <= 0) {
      reader_.Fail(low,
                   "the lower bound is " + ShortestText(low.value) +
                       ", which has no logarithm",
                   "give a positive one, or leave out 'log'");
    }
    SearchBounds bounds{.low = low.value,
                        .high = high.value,
                        .scale = start.scale,
                        .is_integer = start.is_integer};
    CheckWhole(bounds, low);
    CheckWhole(bounds, high);
    if (const auto& guess = start.guess) {
      CheckWhole(bounds, *guess);
      if (guess->value < low.value || guess->value > high.value) {
        reader_.Fail(*guess,
                     "the guess is not between the bounds",
                     "give one from " + ShortestText(low.value) + " to " +
                         ShortestText(high.value));
      }
      bounds.guess = guess->value;
    }
    return bounds;
  }

  // A bound that is left out, as in [0.1,], before `end`, is `open`.
  Placed<double> ReadBound(std::string_view what, char end, double open) {
    if (reader_.Peek() == end) {
      return {.value = open,
              .begin = reader_.position(),
              .end = reader_.position()};
    }
    return reader_.ReadNumber(what);
  }

  void CheckOpen(const BoundsStart& start,
                 std::size_t begin,
                 std::size_t end) const {
    if (start.is_integer) {
      reader_.Fail(begin,
                   end,
                   "whole numbers are gone through one by one",
                   "give both bounds");
    }
    if (!start.guess) {
      reader_.Fail(begin,
                   end,
                   "it is not said where a search begins",
                   "give a guess before bounds that are open, as in 1[0.1,]");
    }
  }

  void CheckWhole(const SearchBounds& bounds,
                  const Placed<double>& number) const {
    if (bounds.is_integer && number.value != std::floor(number.value)) {
      reader_.Fail(number,
                   ShortestText(number.value) + " is no whole number",
                   "give whole numbers, or leave out 'integer'");
    }
  }

  std::string_view text_;
  RangeReader reader_;
  const EnumerationFinder& find_enumeration_;
  const UnitFinder& find_unit_;
  bool is_of_powers_ = false;  // The range is a logspace.
};

}  // namespace

std::vector<Factor> ParseFactors(std::string_view source,
                                 std::span<const std::string> texts,
                                 const EnumerationFinder& find_enumeration,
                                 const UnitFinder& find_unit) {
  std::vector<Factor> factors;
  std::vector<Diagnostic> findings;
  std::set<std::string> names;
  for (const std::string& text : texts) {
    try {
      const auto file =
          std::make_shared<const SourceFile>(std::string(source), text);
      factors.push_back(
          FactorReader(file, find_enumeration, find_unit).Read(names));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInvalidArgument ||
          error.diagnostics().empty()) {
        throw;  // An error of the model, not of the text.
      }
      findings.insert(findings.end(),
                      error.diagnostics().begin(),
                      error.diagnostics().end());
    }
  }
  if (!findings.empty()) {
    throw Error(ErrorCode::kInvalidArgument, std::move(findings));
  }
  return factors;
}

Distribution DistributionOf(const Factor& factor) {
  if (const auto* const values =
          std::get_if<std::vector<double>>(&factor.range)) {
    return Distribution::Discrete(*values);
  }
  if (const auto* const bounds = std::get_if<SearchBounds>(&factor.range)) {
    if (!bounds->is_closed()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot draw '" +
                      (factor.text.empty() ? factor.name : factor.text) +
                      "': its bounds are open; give both, or a distribution "
                      "as exponential(2)");
    }
    if (bounds->is_integer) {
      return {"uniforminteger", {bounds->low, bounds->high}};
    }
    return {bounds->scale == SearchScale::kLog ? "loguniform" : "uniform",
            {bounds->low, bounds->high}};
  }
  return std::get<Distribution>(factor.range);
}

void CheckWhole(const Factor& factor) {
  if (DistributionOf(factor).is_integer()) {
    return;
  }
  std::string mend = "={0,1,2} or " + factor.name + "=uniforminteger(0,2)";
  if (const auto* const bounds = std::get_if<SearchBounds>(&factor.range)) {
    const double low = std::ceil(bounds->low);
    const double high = std::floor(bounds->high);
    if (low < high) {
      mend = "=integer[" + ShortestText(low) + "," + ShortestText(high) + "]";
    }
  }
  throw Error(
      ErrorCode::kInvalidArgument,
      "cannot vary '" + (factor.text.empty() ? factor.name : factor.text) +
          "': it takes whole numbers alone; write " + factor.name + mend);
}

}  // namespace orrery
