#include "orrery/sdk/experiments/measured_data.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/text/parse.h"
#include "orrery/base/units.h"
#include "orrery/experiment/runs/program_subject.h"
#include "orrery/results/csv.h"
#include "orrery/sdk/documents/varied_subject.h"

namespace orrery::sdk::internal {
namespace {

[[noreturn]] void RefuseData(const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, message);
}

// The factor that converts a column of deviations to the unit of the compared
// values. Deviations are differences: the zero of a unit does not matter.
// Without a unit they have that of the values next to them.
double DeviationFactor(const Table& table,
                       const TableColumn& deviations,
                       const TableColumn& values,
                       const std::string& unit) {
  const std::string& from =
      deviations.unit.empty() ? values.unit : deviations.unit;
  const std::string& to = unit.empty() ? values.unit : unit;
  if (from.empty() || to.empty()) {
    return 1;
  }
  const auto conversion = ConversionBetween(from, to);
  if (!conversion) {
    RefuseData("cannot take '" + deviations.name + " [" + from + "]' of " +
               table.name() + " as the deviations of '" + values.name +
               "', which is compared in " + to +
               ": its unit is none of that kind; write the right one in its "
               "header, or none");
  }
  return conversion->from.factor / conversion->to.factor;
}

// The columns of signals.
using Matches = std::vector<ParameterText>;

Matches MatchesOf(const CalibrationDocument& document) {
  Matches matches;
  for (const std::string& text : document.match) {
    const ParameterText match = Assignment(text);
    if (match.name.empty() || match.value.empty()) {
      RefuseData("cannot take --match '" + text +
                 "': it is not SIGNAL=COLUMN, as in --match x=position");
    }
    if (std::ranges::find(matches, match) != matches.end()) {
      RefuseData("cannot take --match '" + text +
                 "' twice: what was measured would count as often");
    }
    matches.push_back(match);
  }
  return matches;
}

// Returns why a measurement of `name` does not help to estimate; empty if it
// does.
std::string WhyNotMeasured(const Subject& subject, const std::string& name) {
  const auto found = subject.signals().Find(name);
  if (!found) {
    return "no quantity of " + subject.name();
  }
  if (subject.signals().signals()[*found].variability ==
      SignalVariability::kConstant) {
    return "a parameter";
  }
  const std::vector<std::string> inputs = InputsOf(subject);
  return std::ranges::find(inputs, name) != inputs.end() ? "an input" : "";
}

// True if --sigma names this column.
bool IsOfDeviations(const CalibrationDocument& document,
                    const std::string& column) {
  return std::ranges::any_of(document.sigma, [&](const std::string& sigma) {
    return Assignment(sigma).value == column;
  });
}

// @param warnings receives one about each column that is neither a measurement,
//     nor a deviation, nor an input of the run.
Matches MatchesIn(const Table& table,
                  const CalibrationDocument& document,
                  const Subject& subject,
                  const RunDocument& run,
                  std::vector<std::string>& warnings) {
  const Matches asked = MatchesOf(document);
  Matches matches;
  if (!asked.empty()) {
    std::ranges::copy_if(
        asked, std::back_inserter(matches), [&](const ParameterText& match) {
          return table.Find(match.value) != nullptr;
        });
    if (matches.empty()) {
      static_cast<void>(table[asked.front().value]);
    }
    return matches;
  }
  std::string others;
  for (const TableColumn& column : table.columns()) {
    const bool is_fed = std::ranges::find(run.input_columns, column.name) !=
                        run.input_columns.end();
    if (&column == &table.times() || is_fed ||
        IsOfDeviations(document, column.name)) {
      continue;
    }
    const std::string why = WhyNotMeasured(subject, column.name);
    if (why.empty()) {
      matches.push_back({.name = column.name, .value = column.name});
    } else {
      others +=
          (others.empty() ? "'" : ", '") + column.name + "' (" + why + ")";
    }
  }
  if (matches.empty()) {
    const std::string what =
        others.empty() ? "there is none but those of inputs and of --sigma"
                       : "there are " + others;
    RefuseData("cannot calibrate " + subject.name() + " against " +
               table.name() +
               ": no column is called as a signal; beside the times in '" +
               table.times().name + "' " + what +
               "; say which is which by --match SIGNAL=COLUMN");
  }
  if (!others.empty()) {
    warnings.push_back("of " + table.name() + ", whose times are in '" +
                       table.times().name +
                       "', some columns are left out: " + others);
  }
  return matches;
}

// The time span of a run. Measurements outside of it cannot be compared.
struct RunSpan {
  double start = 0;
  std::optional<double> stop;  // Without a value: that of the data.
};

std::optional<ResolvedOptions> ResolvedOf(const Subject& subject) {
  const auto* const equations = dynamic_cast<const ProgramSubject*>(&subject);
  if (equations == nullptr) {
    return std::nullopt;
  }
  return Resolve(equations->options(), equations->program()->experiment);
}

RunSpan SpanOf(const RunDocument& run, const Subject& subject) {
  RunSpan span;
  const SimulationOptions& options = run.options;
  if (const auto resolved = ResolvedOf(subject)) {
    span.start = resolved->start;
  } else if (options.start) {
    span.start = options.start->value;
  }
  if (options.stop) {
    span.stop = options.stop->value;
  }
  return span;
}

// The standard deviations of the values of one signal.
struct DeviationRule {
  const TableColumn* column = nullptr;  // Null: the same deviation for all
                                        // values.
  bool is_relative = false;             // Relative to the values.
  double factor = 1;

  [[nodiscard]] double At(std::size_t row, double value) const {
    return factor * (column != nullptr ? column->values[row]
                     : is_relative     ? std::abs(value)
                                       : 1);
  }
};

class Deviations {
 public:
  explicit Deviations(const CalibrationDocument& document) {
    for (const std::string& text : document.sigma) {
      sigmas_.push_back(Assignment(text));
    }
  }

  // @param values of the signal.
  // @param unit of the signal.
  [[nodiscard]] DeviationRule Of(const std::string& signal,
                                 const Table& table,
                                 const TableColumn& values,
                                 const std::string& unit) const {
    const ParameterText* chosen = nullptr;
    for (const ParameterText& sigma : sigmas_) {
      if (sigma.name == signal || (sigma.name.empty() && chosen == nullptr)) {
        chosen = &sigma;
      }
    }
    if (chosen == nullptr) {
      return {};
    }
    const std::string& text = chosen->value;
    const bool is_relative = text.ends_with('%');
    const std::optional<double> number =
        ParseDecimal(is_relative ? text.substr(0, text.size() - 1) : text);
    if (!number) {
      const TableColumn& column = table[text];
      return {.column = &column,
              .factor = DeviationFactor(table, column, values, unit)};
    }
    return {.is_relative = is_relative,
            .factor = is_relative ? *number / 100 : *number};
  }

 private:
  std::vector<ParameterText> sigmas_;
};

// Reads one file and checks it against one run.
class DataReader {
 public:
  DataReader(const CalibrationDocument& document,
             const DataSource& source,
             std::vector<std::string>& warnings)
      : source_(source),
        table_(ParseTableOverTime(document.run.files.Read(source.file))),
        times_(table_.times().values),
        warnings_(warnings) {
    RunDocument run = RunOf(document, source);
    const bool has_inputs = run.input == source.file;
    if (has_inputs) {
      run.input.clear();
    }
    std::shared_ptr<const Subject> subject =
        sdk::internal::LoadSearched(run, document.vary, source.labels);
    if (has_inputs) {
      run.input = source.file;
      run.input_columns = InputsOf(*subject);
    }
    span_ = SpanOf(run, *subject);
    const Matches matches =
        MatchesIn(table_, document, *subject, run, warnings_);
    const Deviations deviations(document);
    for (const ParameterText& match : matches) {
      const auto& signals = subject->signals();
      const auto found = signals.Find(match.name);
      Read(match, found ? signals.signals()[*found].unit : "", deviations);
    }
    CheckOverlap();
    run.options.output_times = TimesOf(measured_.signals);
    if (!run.options.stop) {
      run.options.stop = run.options.output_times.back();
    }
    if (!run.options.interval && !HasFixedStep(run.options.method)) {
      run.options.interval =
          std::max(run.options.stop->value - span_.start, 1e-300);
    }
    measured_.name = source.file;
    measured_.subject =
        sdk::internal::LoadSearched(run, document.vary, source.labels);
  }

  MeasuredRun Take() { return std::move(measured_); }

 private:
  [[nodiscard]] bool IsInRun(double time) const {
    return time >= span_.start && !(span_.stop && time > *span_.stop);
  }

  void Read(const ParameterText& match,
            const std::string& unit,
            const Deviations& deviations) {
    MeasuredSignal signal{
        .name = match.name, .times = {}, .values = {}, .deviations = {}};
    const TableColumn& column = table_[match.value];
    const std::vector<double> values = ValuesIn(unit, table_, column);
    const DeviationRule deviation =
        deviations.Of(match.name, table_, column, unit);
    for (std::size_t row = 0; row < times_.size(); ++row) {
      const double value = values[row];
      if (std::isnan(value)) {
        continue;
      }
      if (std::isnan(times_[row])) {
        ++num_timeless_;
        continue;
      }
      if (std::isinf(value)) {
        RefuseData("cannot calibrate against " + source_.file + ": '" +
                   column.name + "' is infinite in row " +
                   std::to_string(row + 1) + ", at the time " +
                   ShortestText(times_[row]) +
                   "; leave the cell empty where nothing was measured");
      }
      if (!IsInRun(times_[row])) {
        ++num_outside_;
        continue;
      }
      signal.times.push_back(times_[row]);
      signal.values.push_back(value);
      signal.deviations.push_back(deviation.At(row, value));
    }
    measured_.signals.push_back(std::move(signal));
  }

  void CheckOverlap() {
    const std::string run =
        "the run, from " + ShortestText(span_.start) +
        (span_.stop ? " to " + ShortestText(*span_.stop) : " on");
    if (TimesOf(measured_.signals).empty()) {
      const auto [first, last] = std::ranges::minmax_element(times_);
      RefuseData("cannot calibrate against " + source_.file +
                 (num_outside_ == 0
                      ? ": no row of it has a value of " + NamesOfSignals()
                      : ": nothing in it was measured during " + run +
                            "; its times are from " + ShortestText(*first) +
                            " to " + ShortestText(*last) +
                            "; give --start and --stop"));
    }
    WarnOf(num_outside_,
           std::string(num_outside_ == 1 ? "was" : "were") +
               " not measured during " + run + ",");
    WarnOf(num_timeless_,
           num_timeless_ == 1 ? "has no time," : "have no time,");
  }

  // "'x' or 'y'"
  [[nodiscard]] std::string NamesOfSignals() const {
    std::string names;
    for (const MeasuredSignal& signal : measured_.signals) {
      names += (names.empty() ? "'" : " or '") + signal.name + "'";
    }
    return names;
  }

  void WarnOf(std::size_t count, const std::string& what) {
    if (count > 0) {
      warnings_.push_back(std::to_string(count) + " of the values in " +
                          source_.file + " " + what + " and " +
                          (count == 1 ? "is" : "are") + " left out");
    }
  }

  const DataSource& source_;
  Table table_;
  std::span<const double> times_;
  RunSpan span_;
  MeasuredRun measured_;
  std::size_t num_outside_ = 0;
  std::size_t num_timeless_ = 0;
  std::vector<std::string>& warnings_;
};

}  // namespace

RunDocument RunOf(const CalibrationDocument& document,
                  const DataSource& source) {
  RunDocument run = document.run;
  for (const ParameterText& setting : source.settings) {
    std::erase_if(run.settings, [&](const ParameterText& its) {
      return its.name == setting.name;
    });
    run.settings.push_back(setting);
  }
  if (!source.input.empty()) {
    run.input = source.input;
  }
  return run;
}

std::vector<std::string> InputsOf(const Subject& subject) {
  const auto* const equations = dynamic_cast<const ProgramSubject*>(&subject);
  return equations == nullptr ? std::vector<std::string>()
                              : equations->program()->input_names;
}

std::vector<double> TimesOf(std::span<const MeasuredSignal> signals) {
  std::vector<double> times;
  for (const MeasuredSignal& signal : signals) {
    times.insert(times.end(), signal.times.begin(), signal.times.end());
  }
  std::ranges::sort(times);
  return times;
}

MeasuredRun ReadMeasured(const CalibrationDocument& document,
                         const DataSource& source,
                         std::vector<std::string>& warnings) {
  return DataReader(document, source, warnings).Take();
}

}  // namespace orrery::sdk::internal
