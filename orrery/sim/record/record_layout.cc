#include "orrery/sim/record/record_layout.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "orrery/base/element_units.h"
#include "orrery/base/error.h"
#include "orrery/base/text/pattern.h"
#include "orrery/base/values/enumeration.h"
#include "orrery/sim/types/find_direction.h"
#include "orrery/sim/types/sensitivity.h"
#include "orrery/symbolic/node_index.h"

namespace orrery::sim::internal {
namespace {

bool IsConstant(VariableKind kind) {
  return kind == VariableKind::kConstant || kind == VariableKind::kParameter;
}

// A pattern of names to be recorded.
class WantedNames {
 public:
  WantedNames(const std::string& pattern, const ElementNames& names)
      : is_one_(pattern.find_first_of("*?") == std::string::npos),
        pattern_(is_one_ && !names.empty() ? names.WithLiterals(pattern)
                                           : pattern),
        has_any_length_(pattern.find('*') != std::string::npos) {}

  [[nodiscard]] const std::string& pattern() const noexcept { return pattern_; }

  // True if the pattern is a name.
  [[nodiscard]] bool is_one() const noexcept { return is_one_; }

  // True if the pattern has fitted a name.
  [[nodiscard]] bool is_used() const noexcept { return is_used_; }

  // True if no other name can fit: no two quantities share a name.
  [[nodiscard]] bool is_complete() const noexcept {
    return is_one_ && is_used_;
  }

  // Takes all elements of the array of this name.
  [[nodiscard]] bool TakeArray(std::string_view name) {
    const bool has_fit = is_one_ && name == pattern_;
    is_used_ = is_used_ || has_fit;
    return has_fit;
  }

  // Does not read the text of most names, which is far from the variable.
  [[nodiscard]] bool Take(std::string_view name) {
    const bool has_fit = (has_any_length_ || name.size() == pattern_.size()) &&
                         FitsPattern(pattern_, name);
    is_used_ = is_used_ || has_fit;
    return has_fit;
  }

 private:
  bool is_one_;
  std::string pattern_;
  bool has_any_length_;
  bool is_used_ = false;
};

// True if the variable is recorded where no patterns are given.
bool IsRecordedByDefault(const ProgramVariable& variable, bool with_protected) {
  return !variable.is_protected || (with_protected && !variable.is_made_up);
}

// @param with_numbers the name with numbers as subscripts, if literals stand in
//     it.
bool IsWanted(const ProgramVariable& variable,
              bool by_default,
              std::string_view name,
              std::string_view with_numbers,
              std::span<WantedNames> wanted) {
  bool is_wanted = by_default;
  for (WantedNames& names : wanted) {
    if (variable.is_made_up && !names.is_one()) {
      continue;
    }
    is_wanted = names.Take(name) || is_wanted;
    is_wanted =
        (!with_numbers.empty() && names.Take(with_numbers)) || is_wanted;
  }
  return is_wanted;
}

void CheckUsed(const Program& program, std::span<const WantedNames> wanted) {
  const auto unused = std::ranges::find(wanted, false, &WantedNames::is_used);
  if (unused == wanted.end()) {
    return;
  }
  const std::string& pattern = unused->pattern();
  std::vector<std::string> known;
  for (const ProgramVariable& variable : program.variables) {
    known.push_back(variable.name);
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot record '" + pattern + "': model " + program.name +
                  " has no such quantity" + Clause(Suggest(pattern, known)));
}

std::string UnitOfRatio(const std::string& top, const std::string& bottom) {
  return bottom.empty() ? top : (top.empty() ? "1" : top) + "/(" + bottom + ")";
}

// The number of scalars that are recorded if no patterns are given.
std::size_t CountElements(const Program& program, bool with_protected) {
  std::int64_t count = 0;
  for (const ProgramVariable& variable : program.variables) {
    count += IsRecordedByDefault(variable, with_protected)
                 ? NumElements(variable.shape)
                 : 0;
  }
  return static_cast<std::size_t>(count);
}

class RecordLayoutMaker {
 public:
  explicit RecordLayoutMaker(const Program& program) : program_(program) {}

  RecordLayout Make(const SimulationOptions& options) {
    AddSignals(options);
    AddBounded();
    LinkDerivatives();
    const std::size_t num_signals = signals_.size();
    AddSensitivities(options.sensitivities);
    AddSlopes(num_signals, Followed(options));
    layout_.table = std::make_shared<const SignalTable>(std::move(signals_));
    return std::move(layout_);
  }

 private:
  void AddSignals(const SimulationOptions& options);
  void AddElements(std::size_t v,
                   bool by_default,
                   std::span<WantedNames> wanted);
  void AddSignal(const ProgramVariable& variable,
                 std::string name,
                 SharedText with_numbers,
                 const NamedScalar& scalar);
  void AddBounded();
  [[nodiscard]] bool MayFit(std::string_view array,
                            std::span<const WantedNames> wanted) const;
  [[nodiscard]] std::string WithNumbers(const std::string& name) const;
  void LinkDerivatives();
  void AddSensitivities(std::span<const std::string> names);
  void AddSlopes(std::size_t num_signals,
                 std::span<const std::string> followed);
  Shared<std::vector<std::string>> NamesOfValues(
      const ProgramVariable& variable);
  int AddColumn(std::uint32_t slot);
  [[nodiscard]] int ColumnOf(std::uint32_t slot) const;

  const Program& program_;
  RecordLayout layout_;
  std::vector<SignalInfo> signals_;
  NodeIndex column_of_slot_;
  std::unordered_map<const Enumeration*, Shared<std::vector<std::string>>>
      literals_;
};

void RecordLayoutMaker::AddSignals(const SimulationOptions& options) {
  std::vector<WantedNames> wanted;
  for (const std::string& pattern : options.record) {
    wanted.emplace_back(pattern, program_.element_names);
  }
  if (wanted.empty()) {
    signals_.reserve(CountElements(program_, options.record_protected));
  }
  const auto are_complete = [&] {
    return !wanted.empty() &&
           std::ranges::all_of(wanted, &WantedNames::is_complete);
  };
  for (std::size_t v = 0; v < program_.variables.size() && !are_complete();
       ++v) {
    const ProgramVariable& variable = program_.variables[v];
    const bool by_default =
        wanted.empty() &&
        IsRecordedByDefault(variable, options.record_protected);
    if (!variable.shape.empty()) {
      AddElements(v, by_default, wanted);
      continue;
    }
    std::string with_numbers = WithNumbers(variable.name);
    if (IsWanted(variable, by_default, variable.name, with_numbers, wanted)) {
      AddSignal(
          variable, variable.name, std::move(with_numbers), {.variable = v});
    }
  }
  CheckUsed(program_, wanted);
}

// Returns the name with numbers as subscripts; empty if it has no literals.
std::string RecordLayoutMaker::WithNumbers(const std::string& name) const {
  if (program_.element_names.empty()) {
    return {};
  }
  std::string with_numbers = program_.element_names.WithNumbers(name);
  return with_numbers == name ? std::string() : with_numbers;
}

// Returns false if no element of the array can fit a pattern. In the name of an
// element, subscripts may come before the last character.
bool RecordLayoutMaker::MayFit(std::string_view array,
                               std::span<const WantedNames> wanted) const {
  array.remove_suffix(1);
  return std::ranges::any_of(wanted, [array](const WantedNames& names) {
    return FitsBeginning(names.pattern(), array);
  });
}

// Adds the elements of an array.
void RecordLayoutMaker::AddElements(std::size_t v,
                                    bool by_default,
                                    std::span<WantedNames> wanted) {
  const ProgramVariable& variable = program_.variables[v];
  const std::string array = WithNumbers(variable.name);
  bool is_whole = false;
  for (WantedNames& names : wanted) {
    is_whole = names.TakeArray(variable.name) || is_whole;
  }
  if (!wanted.empty() && !is_whole && !MayFit(variable.name, wanted) &&
      (array.empty() || !MayFit(array, wanted))) {
    return;
  }
  const auto count = static_cast<std::size_t>(NumElements(variable.shape));
  for (std::size_t i = 0; i < count; ++i) {
    const NamedScalar scalar{.variable = v, .element = i};
    std::string name = NameOf(program_, scalar);
    std::string with_numbers = WithNumbers(name);
    if (IsWanted(variable, by_default, name, with_numbers, wanted) ||
        is_whole) {
      AddSignal(variable, std::move(name), std::move(with_numbers), scalar);
    }
  }
}

void RecordLayoutMaker::AddSignal(const ProgramVariable& variable,
                                  std::string name,
                                  SharedText with_numbers,
                                  const NamedScalar& scalar) {
  const Reference at = ReferenceOf(program_, scalar);
  SignalInfo& signal = signals_.emplace_back();
  signal.name = std::move(name);
  signal.name_with_numbers = std::move(with_numbers);
  signal.unit = UnitOfElement(variable.notes->unit.str(), scalar.element);
  signal.description = variable.notes->description;
  signal.negated = at.sign < 0;
  signal.value_names = NamesOfValues(variable);
  if (IsConstant(variable.kind) ||
      std::isnan(program_.initial_memory[at.slot])) {
    signal.variability = SignalVariability::kConstant;
    layout_.constants.push_back(
        {.signal = signals_.size() - 1, .slot = at.slot, .along = {}});
  } else {
    signal.variability = variable.kind == VariableKind::kDiscrete
                             ? SignalVariability::kDiscrete
                             : SignalVariability::kContinuous;
    signal.column = AddColumn(at.slot);
  }
}

void RecordLayoutMaker::AddBounded() {
  for (std::size_t k = 0; k < program_.limits.size(); ++k) {
    const std::size_t v = program_.limits[k].variable;
    const ProgramVariable& variable = program_.variables[v];
    const auto count = static_cast<std::size_t>(NumElements(variable.shape));
    for (std::size_t i = 0; i < count; ++i) {
      const NamedScalar scalar{.variable = v, .element = i};
      const Reference at = ReferenceOf(program_, scalar);
      const int column = ColumnOf(at.slot);
      if (column != SignalInfo::kNone) {
        layout_.bounded.push_back({.scalar = scalar,
                                   .limits = k,
                                   .column = static_cast<std::size_t>(column),
                                   .is_negated = at.sign < 0});
      }
    }
  }
}

Shared<std::vector<std::string>> RecordLayoutMaker::NamesOfValues(
    const ProgramVariable& variable) {
  if (variable.type == ValueType::kBoolean) {
    return TruthNames();
  }
  const Enumeration* const enumeration = variable.notes->enumeration.get();
  if (enumeration == nullptr) {
    return {};
  }
  auto& names = literals_[enumeration];
  if (names.is_default()) {
    names.Edit() = enumeration->literals;
    names.Edit().insert(names->begin(), "");  // They number from 1.
  }
  return names;
}

// Adds signals for the derivatives of all signals before, and of the time of
// their rows, by each of `names`.
void RecordLayoutMaker::AddSensitivities(std::span<const std::string> names) {
  if (names.empty()) {
    return;
  }
  const std::size_t num_signals = signals_.size();
  const std::size_t num_constants = layout_.constants.size();
  const NameTable table(program_);
  for (std::size_t j = 0; j < names.size(); ++j) {
    const NamedScalar direction = FindDirection(table, names[j]);
    const std::string unit =
        UnitOfElement(program_.variables[direction.variable].notes->unit.str(),
                      direction.element);
    const auto first_signal = static_cast<int>(signals_.size());
    const auto first_column = static_cast<int>(
        layout_.column_slots.size() + j * (layout_.column_slots.size() + 1));
    for (std::size_t i = 0; i < num_signals; ++i) {
      SignalInfo signal = signals_[i];
      signal.description.clear();
      signal.value_names = {};
      signal.unit = UnitOfRatio(signal.unit, unit);
      if (!signal.name_with_numbers.empty()) {
        signal.name_with_numbers =
            SensitivityName(signal.name_with_numbers, names[j]);
      }
      signal.name = SensitivityName(signal.name, names[j]);
      if (signal.column != SignalInfo::kNone) {
        signal.column += first_column;
      }
      if (signal.derivative != SignalInfo::kNone) {
        signal.derivative += first_signal;
      }
      signals_.push_back(std::move(signal));
    }
    signals_.push_back(
        {.name = SensitivityName("time", names[j]),
         .unit = UnitOfRatio("s", unit),
         .variability = SignalVariability::kDiscrete,
         .column =
             first_column + static_cast<int>(layout_.column_slots.size())});
    for (std::size_t i = 0; i < num_constants; ++i) {
      layout_.constants.push_back(
          {.signal = layout_.constants[i].signal +
                     static_cast<std::size_t>(first_signal),
           .slot = layout_.constants[i].slot,
           .along = j});
    }
  }
}

// Adds signals for the derivatives of those followed signals among the first
// `num_signals` that have none, and of their sensitivities.
void RecordLayoutMaker::AddSlopes(std::size_t num_signals,
                                  std::span<const std::string> followed) {
  if (followed.empty()) {
    return;
  }
  std::unordered_map<std::string, int> index_of;
  int num_columns = 0;
  for (const SignalInfo& signal : signals_) {
    index_of.emplace(signal.name, static_cast<int>(index_of.size()));
    num_columns = std::max(num_columns, signal.column + 1);
  }
  std::unordered_map<int, int> slope_of;  // By column.
  const std::size_t num_all = signals_.size();
  for (std::size_t i = 0; i < num_all; ++i) {
    // Each sensitivity has as many signals, and one for the time.
    const std::size_t base =
        i < num_signals ? i : (i - num_signals) % (num_signals + 1);
    if (base == num_signals || !IsFollowed(signals_[base], followed) ||
        signals_[i].derivative != SignalInfo::kNone) {
      continue;
    }
    const auto [named, is_new_name] = index_of.emplace(
        "der(" + signals_[i].name + ")", static_cast<int>(signals_.size()));
    if (!is_new_name) {  // The derivative is a constant.
      const SignalInfo& known =
          signals_[static_cast<std::size_t>(named->second)];
      if (known.column != SignalInfo::kNone) {
        signals_[i].derivative = named->second;
      }
      continue;
    }
    signals_[i].derivative = named->second;
    SignalInfo slope = signals_[i];
    const auto [column, is_new_column] = slope_of.emplace(
        slope.column, num_columns + static_cast<int>(slope_of.size()));
    if (is_new_column) {
      layout_.sloped_columns.push_back(static_cast<std::size_t>(slope.column));
    }
    slope.name = named->first;
    if (!slope.name_with_numbers.empty()) {
      slope.name_with_numbers = "der(" + slope.name_with_numbers.str() + ")";
    }
    slope.unit = UnitOfRatio(slope.unit, "s");
    slope.description.clear();
    slope.column = column->second;
    slope.derivative = SignalInfo::kNone;
    signals_.push_back(std::move(slope));
  }
}

// The column of the slot, which another name may share.
int RecordLayoutMaker::AddColumn(std::uint32_t slot) {
  const auto next = static_cast<std::uint32_t>(layout_.column_slots.size());
  if (column_of_slot_.Insert(slot, next)) {
    layout_.column_slots.push_back(slot);
  }
  return ColumnOf(slot);
}

int RecordLayoutMaker::ColumnOf(std::uint32_t slot) const {
  const std::uint32_t column = column_of_slot_.Find(slot);
  return column == NodeIndex::kNone ? SignalInfo::kNone
                                    : static_cast<int>(column);
}

void RecordLayoutMaker::LinkDerivatives() {
  // By column and sign: the first such signal.
  std::vector<int> signal_at(2 * layout_.column_slots.size(),
                             SignalInfo::kNone);
  const auto key = [](int column, bool negated) {
    return 2 * static_cast<std::size_t>(column) + (negated ? 1 : 0);
  };
  for (std::size_t i = signals_.size(); i-- > 0;) {
    if (signals_[i].column != SignalInfo::kNone) {
      signal_at[key(signals_[i].column, signals_[i].negated)] =
          static_cast<int>(i);
    }
  }
  std::vector<const Reference*> derivative_of(layout_.column_slots.size(),
                                              nullptr);
  for (std::size_t i = program_.state_slots.size(); i-- > 0;) {
    const int column = ColumnOf(program_.state_slots[i]);
    if (column != SignalInfo::kNone) {
      derivative_of[static_cast<std::size_t>(column)] =
          &program_.derivatives_at[i];
    }
  }
  for (SignalInfo& signal : signals_) {
    const Reference* const derivative =
        signal.column == SignalInfo::kNone
            ? nullptr
            : derivative_of[static_cast<std::size_t>(signal.column)];
    if (derivative == nullptr) {
      continue;
    }
    const int column = ColumnOf(derivative->slot);
    if (column != SignalInfo::kNone) {
      signal.derivative =
          signal_at[key(column, signal.negated != (derivative->sign < 0))];
    }
  }
}

}  // namespace

RecordLayout MakeRecordLayout(const Program& program,
                              const SimulationOptions& options) {
  return RecordLayoutMaker(program).Make(options);
}

std::span<const std::string> Followed(const SimulationOptions& options) {
  return HasFixedStep(options.method) ? std::span<const std::string>()
                                      : std::span(options.follow);
}

bool IsFollowed(const SignalInfo& signal,
                std::span<const std::string> followed) {
  return signal.column != SignalInfo::kNone &&
         signal.variability == SignalVariability::kContinuous &&
         std::ranges::any_of(followed, [&](const std::string& pattern) {
           return FitsPattern(pattern, signal.name) ||
                  (!signal.name_with_numbers.empty() &&
                   (FitsPattern(pattern, signal.name_with_numbers) ||
                    WithShortLiterals(pattern) == signal.name));
         });
}

}  // namespace orrery::sim::internal
