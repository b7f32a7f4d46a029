#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/attribute_reader.h"
#include "orrery/fmi/stepping/co_simulation.h"

namespace orrery::fmi {
namespace {

// The names of all inputs that are numbers, elements by themselves.
std::vector<std::string> InputNames(const Description& description) {
  std::vector<std::string> names;
  for (const Variable& variable : description.variables) {
    if (variable.causality == Causality::kInput) {
      for (std::size_t i = 0; i < SizeOf(variable); ++i) {
        names.push_back(variable.name + Subscripts(variable, i));
      }
    }
  }
  return names;
}

// Why a value is none of an input's type; empty if it is.
std::string WhyNoValue(const Variable& variable, double value) {
  if (std::isnan(value)) {
    return "is missing";
  }
  if (IsFloat(variable.type)) {
    return "";
  }
  if (variable.type == ValueType::kBoolean) {
    return value == 0 || value == 1 ? "" : "is neither 0 nor 1";
  }
  if (value != std::floor(value) || !std::isfinite(value)) {
    return "is no whole number";
  }
  const std::string text = fmt::format("{:.0f}", value);
  return internal::ParseNumberOf(variable.type, text)
             ? ""
             : "does not fit " +
                   std::string(NameOf(kValueTypeNames, variable.type));
}

}  // namespace

InputCourse::InputCourse(const Description& description,
                         std::shared_ptr<const Table> table)
    : table_(std::move(table)) {
  const auto unit_of = [&description](const std::string& column) {
    const auto place = FindPlace(description, column);
    return place ? description.variables[place->variable].unit : std::string();
  };
  table_ = std::make_shared<const Table>(InUnits(*table_, unit_of));
  std::vector<VariableIndex> variables;
  std::vector<std::size_t> places;
  for (const TableColumn& column : table_->columns()) {
    if (&column != &table_->times()) {
      AddColumn(description, column, variables, places);
    }
  }
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const Variable& variable = description.variables[variables[k]];
    std::vector<ReferenceGroup> groups =
        GroupByType(description, {&variables[k], 1}, {&places[k], 1});
    if (!variable.clocks.empty()) {
      for (ReferenceGroup& group : groups) {
        clocked_.push_back(
            {.clocks = variable.clocks, .group = std::move(group)});
      }
      continue;
    }
    std::ranges::move(
        groups,
        std::back_inserter(variable.variability == Variability::kContinuous
                               ? continuous_
                               : discrete_));
  }
}

void InputCourse::AddColumn(const Description& description,
                            const TableColumn& column,
                            std::vector<VariableIndex>& variables,
                            std::vector<std::size_t>& places) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot take '{}' of {} as an input: {}",
                            column.name,
                            table_->name(),
                            why));
  };
  const auto place = FindPlace(description, column.name);
  if (!place ||
      description.variables[place->variable].causality != Causality::kInput) {
    refuse(fmt::format("{} has no such input{}",
                       description.model_name,
                       Clause(Suggest(column.name, InputNames(description)))));
  }
  const Variable& variable = description.variables[place->variable];
  if (!IsNumber(variable.type)) {
    refuse(fmt::format("it is a {}, and no number",
                       NameOf(kValueTypeNames, variable.type)));
  }
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const std::string why = WhyNoValue(variable, column.values[i]);
    if (!why.empty()) {
      refuse(fmt::format(
          "its value {} in row {} {}", column.values[i], i + 1, why));
    }
  }
  if (!place->is_element && SizeOf(variable) != 1) {
    refuse(
        fmt::format("it is an array of {} elements; a column is for one "
                    "of them, as {}",
                    SizeOf(variable),
                    variable.name + Subscripts(variable, 0)));
  }
  // All elements of an array are set at once; others keep their start values.
  auto known = std::ranges::find(variables, place->variable);
  if (known == variables.end()) {
    variables.push_back(place->variable);
    places.push_back(row_.size());
    known = variables.end() - 1;
    std::ranges::copy(StartNumbers(variable), std::back_inserter(row_));
  }
  columns_.push_back(
      {.place = places[static_cast<std::size_t>(known - variables.begin())] +
                place->element,
       .is_continuous = variable.variability == Variability::kContinuous,
       .is_clocked = !variable.clocks.empty(),
       .values = &column.values});
}

const std::vector<double>& InputCourse::At(double t) {
  const std::vector<double>& times = table_->times().values;
  if (times.empty()) {
    return row_;
  }
  const std::size_t next = RowsUpTo(t);
  const std::size_t last = next == 0 ? 0 : next - 1;
  for (const Column& column : columns_) {
    const std::vector<double>& values = *column.values;
    double value = values[last];
    if (column.is_continuous && next > 0 && next < times.size()) {
      const double part = (t - times[last]) / (times[next] - times[last]);
      value += part * (values[next] - values[last]);
    }
    row_[column.place] = value;
  }
  return row_;
}

// The second of two rows at one time counts.
std::size_t InputCourse::RowsUpTo(double t) const {
  const std::vector<double>& times = table_->times().values;
  return static_cast<std::size_t>(std::ranges::upper_bound(times, t) -
                                  times.begin());
}

bool InputCourse::JumpsAt(double t) const {
  if (table_->times().values.empty()) {
    return false;
  }
  const std::size_t next = RowsUpTo(t);
  const std::size_t last = next == 0 ? 0 : next - 1;
  return std::ranges::any_of(columns_, [&](const Column& column) {
    return !column.is_continuous && !column.is_clocked &&
           row_[column.place] != (*column.values)[last];
  });
}

}  // namespace orrery::fmi
