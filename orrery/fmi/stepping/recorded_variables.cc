#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/pattern.h"
#include "orrery/fmi/clocks/running_clocks.h"
#include "orrery/fmi/stepping/co_simulation.h"

namespace orrery::fmi {
namespace {

// Numbers alone are recorded, ticks of the FMU's own clocks as counts, and the
// time by itself.
bool IsRecorded(const Variable& variable) {
  const bool is_told =
      variable.clock != nullptr && variable.causality != Causality::kInput;
  return (IsNumber(variable.type) || is_told) &&
         variable.causality != Causality::kIndependent &&
         variable.name != "time";
}

bool IsConstant(const Variable& variable) {
  return variable.variability <= Variability::kTunable;
}

// The names of the values of an enumeration, from 0 on; none for values that
// would leave large gaps.
Shared<std::vector<std::string>> ItemNames(const Description& description,
                                           const Variable& variable) {
  constexpr std::int64_t kMost = 1000;
  std::vector<std::string> names;
  if (variable.declared_type) {
    for (const EnumerationItem& item :
         description.types[*variable.declared_type].items) {
      if (item.value < 0 || item.value > kMost) {
        return {};
      }
      const auto place = static_cast<std::size_t>(item.value);
      names.resize(std::max(names.size(), place + 1));
      names[place] = item.name;
    }
  }
  Shared<std::vector<std::string>> shared;
  if (!names.empty()) {
    shared.Edit() = std::move(names);
  }
  return shared;
}

// Collects signals and the places of their values.
class SignalCollector {
 public:
  SignalCollector(const Description& description,
                  const std::vector<std::string>& patterns)
      : description_(description), patterns_(patterns) {}

  void Add(VariableIndex index) {
    const Variable& variable = description_.variables[index];
    if (!IsRecorded(variable) || !IsWanted(variable)) {
      return;
    }
    const VariableIndex base = variable.alias_of.value_or(index);
    const bool is_constant = IsConstant(variable);
    auto& places = is_constant ? constant_places_ : column_places_;
    std::size_t& count = is_constant ? recorded_.num_constants : num_columns_;
    const std::size_t size = SizeOf(variable);
    const auto [place, is_new] = places.try_emplace(base, count);
    if (is_new) {
      count += size;
    }
    for (std::size_t i = 0; i < size; ++i) {
      SignalInfo info{.name = variable.name + Subscripts(variable, i),
                      .unit = variable.unit,
                      .description = variable.description,
                      .variability = SignalVariability::kConstant};
      if (variable.type == ValueType::kBoolean) {
        info.value_names = TruthNames();
      } else if (variable.type == ValueType::kEnumeration) {
        info.value_names = ItemNames(description_, variable);
      }
      if (is_constant) {
        recorded_.constant_signals.push_back(
            {.signal = signals_.size(), .place = place->second + i});
      } else {
        info.variability = variable.variability == Variability::kContinuous
                               ? SignalVariability::kContinuous
                               : SignalVariability::kDiscrete;
        info.column = static_cast<int>(place->second + i);
        if (IsFloat(variable.type) &&
            variable.causality == Causality::kOutput) {
          real_outputs_.insert(place->second + i);
        }
      }
      signals_.push_back(std::move(info));
    }
  }

  [[nodiscard]] RecordedVariables Finish() {
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      if (!used_.contains(i)) {
        throw Error(
            ErrorCode::kInvalidArgument,
            fmt::format(
                "cannot record '{}': no number of {} has such a "
                "name{}",
                patterns_[i],
                description_.model_name,
                Clause(Suggest(patterns_[i], VariableNames(description_)))));
      }
    }
    GroupVarying();
    recorded_.real_outputs.assign(real_outputs_.begin(), real_outputs_.end());
    recorded_.constants = Grouped(constant_places_);
    recorded_.table = std::make_shared<const SignalTable>(std::move(signals_));
    return std::move(recorded_);
  }

 private:
  [[nodiscard]] bool IsWanted(const Variable& variable) {
    bool is_wanted = patterns_.empty();
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      if (FitsPattern(patterns_[i], variable.name) ||
          (!variable.dimensions.empty() &&
           FitsBeginning(patterns_[i], variable.name + "["))) {
        used_.insert(i);
        is_wanted = true;
      }
    }
    return is_wanted;
  }

  // Sorts the columns by when their values can be read.
  void GroupVarying() {
    const std::vector<VariableIndex> told = ToldClocksOf(description_);
    std::map<VariableIndex, std::size_t> always;
    for (const auto& [variable, place] : column_places_) {
      const Variable& its = description_.variables[variable];
      if (its.clock != nullptr) {
        recorded_.tick_counts.push_back(
            {.clock = static_cast<std::size_t>(
                 std::ranges::find(told, variable) - told.begin()),
             .column = place});
      } else if (its.clocks.empty()) {
        always.emplace(variable, place);
      } else {
        for (ReferenceGroup& group : Grouped({{variable, place}})) {
          recorded_.clocked.push_back(
              {.clocks = its.clocks, .group = std::move(group)});
        }
      }
    }
    recorded_.varying = Grouped(always);
  }

  [[nodiscard]] std::vector<ReferenceGroup> Grouped(
      const std::map<VariableIndex, std::size_t>& its) const {
    std::vector<VariableIndex> variables;
    std::vector<std::size_t> places;
    for (const auto& [variable, place] : its) {
      variables.push_back(variable);
      places.push_back(place);
    }
    return GroupByType(description_, variables, places);
  }

  const Description& description_;
  const std::vector<std::string>& patterns_;
  RecordedVariables recorded_;
  std::vector<SignalInfo> signals_;
  std::map<VariableIndex, std::size_t> column_places_;
  std::map<VariableIndex, std::size_t> constant_places_;
  std::set<std::size_t> real_outputs_;
  std::size_t num_columns_ = 0;
  std::set<std::size_t> used_;
};

}  // namespace

RecordedVariables RecordedOf(const Description& description,
                             const std::vector<std::string>& patterns) {
  SignalCollector collector(description, patterns);
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    collector.Add(static_cast<VariableIndex>(i));
  }
  return collector.Finish();
}

}  // namespace orrery::fmi
