#include "orrery/sim/machine/input_signals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/element_units.h"
#include "orrery/base/error.h"
#include "orrery/sim/machine/settings.h"

namespace orrery::sim::internal {
namespace {

[[noreturn]] void Refuse(const Table& table, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot take inputs from {}: {}", table.name(), why));
}

}  // namespace

InputSignals::InputSignals(const Program& program,
                           std::shared_ptr<const Table> table)
    : table_(std::move(table)) {
  if (table_ == nullptr) {
    return;
  }
  if (table_->rows() == 0) {
    Refuse(*table_, "it has no rows");
  }
  const std::string& times = table_->times().name;
  if (std::ranges::find(program.input_names, times) !=
      program.input_names.end()) {
    Refuse(*table_,
           fmt::format("it has no times: no column is called 'time', and the "
                       "first one is the input '{}'; begin it with the times",
                       times));
  }
  TakeTimes(table_->times());
  for (const TableColumn& column : table_->columns()) {
    if (&column != &table_->times()) {
      TakeColumn(program, column);
    }
  }
  FindJumps();
  GoTo(-std::numeric_limits<double>::infinity());
}

void InputSignals::TakeTimes(const TableColumn& column) {
  time_ = column.values;
  for (std::size_t row = 0; row < time_.size(); ++row) {
    if (!std::isfinite(time_[row])) {
      Refuse(*table_,
             fmt::format("the time in row {} is {}; each row needs a time",
                         row + 1,
                         time_[row]));
    }
    if (row > 0 && time_[row] < time_[row - 1]) {
      Refuse(*table_,
             fmt::format("its time goes back from {} to {} in row {}; sort its "
                         "rows by time",
                         time_[row - 1],
                         time_[row],
                         row + 1));
    }
  }
}

void InputSignals::TakeColumn(const Program& program,
                              const TableColumn& column) {
  const auto name = std::ranges::find(
      program.input_names, program.element_names.WithLiterals(column.name));
  if (name == program.input_names.end()) {
    const auto number = &column - table_->columns().data() + 1;
    if (column.name == fmt::format("column{}", number)) {
      Refuse(
          *table_,
          fmt::format(
              "column {} has no name; begin the table with a line "
              "of names, as in 'time,{}'",
              number,
              program.input_names.empty() ? "u" : program.input_names.front()));
    }
    Refuse(
        *table_,
        fmt::format("model {} has no input '{}'{}",
                    program.name,
                    column.name,
                    program.input_names.empty()
                        ? ": it has no inputs"
                        : Clause(Suggest(column.name, program.input_names))));
  }
  const auto missing = std::ranges::find_if_not(
      column.values, [](double value) { return std::isfinite(value); });
  if (missing != column.values.end()) {
    Refuse(*table_,
           fmt::format("column '{}' has no number in row {}; give one",
                       column.name,
                       missing - column.values.begin() + 1));
  }
  const NamedScalar input = NameTable(program).Get(column.name);
  const ProgramVariable& variable = program.variables[input.variable];
  const ValueType type = variable.type;
  std::vector<double> values =
      ValuesIn(UnitOfElement(variable.notes->unit.str(), input.element),
               *table_,
               column);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const std::string why = WhyNotValue(type, values[row]);
    if (!why.empty()) {
      Refuse(*table_,
             fmt::format("row {} of '{}': {}", row + 1, column.name, why));
    }
  }
  columns_.push_back(std::move(values));
  is_held_.push_back(type != ValueType::kReal);
  numbers_.push_back(
      static_cast<std::size_t>(name - program.input_names.begin()));
  slots_.push_back(program.input_slots[numbers_.back()]);
}

void InputSignals::FindJumps() {
  for (std::size_t row = 1; row < time_.size(); ++row) {
    if (time_[row] == time_[row - 1] || HeldChangeIn(row)) {
      jumps_.push_back(row);
    }
  }
}

bool InputSignals::HeldChangeIn(std::size_t row) const noexcept {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (is_held_[i] && columns_[i][row] != columns_[i][row - 1]) {
      return true;
    }
  }
  return false;
}

// True if an input moves from the row before to this one, but by a jump.
bool InputSignals::MoveBefore(std::size_t row) const noexcept {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!is_held_[i] && columns_[i][row] != columns_[i][row - 1]) {
      return time_[row] != time_[row - 1];
    }
  }
  return false;
}

std::vector<Diagnostic> InputSignals::WhereHeld(double start,
                                                double stop) const {
  std::vector<Diagnostic> warnings;
  const std::size_t rows = time_.size();
  if (rows < 2) {
    return warnings;
  }
  const double rounding = 1e-9 * (stop - start);
  const auto warn = [&](std::string message, std::string hint) {
    warnings.push_back({.severity = Severity::kWarning,
                        .message = std::move(message),
                        .hint = std::move(hint)});
  };
  if (time_.front() > start + rounding && MoveBefore(1)) {
    warn(fmt::format("the table of inputs {} begins at {} s, and the run at {} "
                     "s: till then its first row holds",
                     table_->name(),
                     time_.front(),
                     start),
         fmt::format("begin it earlier, or the run at {} s", time_.front()));
  }
  if (time_.back() < stop - rounding && MoveBefore(rows - 1)) {
    warn(fmt::format("the table of inputs {} ends at {} s, and the run at {} "
                     "s: from there on its last row holds",
                     table_->name(),
                     time_.back(),
                     stop),
         fmt::format("go on with it, or end the run at {} s", time_.back()));
  }
  return warnings;
}

bool InputSignals::Gives(std::uint32_t slot) const {
  return std::ranges::find(slots_, slot) != slots_.end() ||
         std::ranges::any_of(driven_, [slot](const Driven& driven) {
           return driven.slot == slot && driven.is_on;
         });
}

bool InputSignals::IsDriven(std::uint32_t slot) const {
  return std::ranges::find(driven_, slot, &Driven::slot) != driven_.end();
}

void InputSignals::AddDriven(const Program& program, std::size_t number) {
  if (Gives(program.input_slots[number])) {
    Refuse(*table_,
           fmt::format("input '{}' is driven by a connection; leave out its "
                       "column",
                       program.input_names[number]));
  }
  driven_.push_back({.number = number, .slot = program.input_slots[number]});
}

void InputSignals::Drive(const Program& program,
                         std::size_t number,
                         const Curve& curve,
                         double t) {
  if (!IsDriven(program.input_slots[number])) {
    AddDriven(program, number);
  }
  std::ranges::find(driven_, number, &Driven::number)->next = curve;
  drive_time_ = t;
}

void InputSignals::Apply(double t, std::span<double> memory) noexcept {
  ApplyTable(t, memory);
  for (const Driven& driven : driven_) {
    if (driven.is_on) {
      memory[driven.slot] = driven.curve.At(t);
    }
  }
}

void InputSignals::ApplyTable(double t, std::span<double> memory) noexcept {
  if (slots_.empty()) {
    return;
  }
  // The last row of the piece that is not after t, or its first row.
  if (t < time_[row_] || (row_ + 1 < end_ && t >= time_[row_ + 1])) {
    const auto begin = time_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto end = time_.begin() + static_cast<std::ptrdiff_t>(end_);
    const auto after = std::upper_bound(begin, end, t);
    row_ = static_cast<std::size_t>(after - time_.begin());
    row_ -= after == begin ? 0U : 1U;
  }
  const std::size_t next = std::min(row_ + 1, end_ - 1);
  const double length = time_[next] - time_[row_];
  const double part =
      length > 0 ? std::clamp((t - time_[row_]) / length, 0.0, 1.0) : 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    memory[slots_[i]] =
        is_held_[i] ? columns_[i][begin_]
                    : std::lerp(columns_[i][row_], columns_[i][next], part);
  }
}

void InputSignals::Slopes(double t, std::span<double> slopes) const noexcept {
  std::ranges::fill(slopes, 0.0);
  for (const Driven& driven : driven_) {
    if (driven.is_on) {
      slopes[driven.number] = driven.curve.SlopeAt(t);
    }
  }
  if (slots_.empty() || row_ + 1 >= end_ || t < time_[row_]) {
    return;
  }
  const double length = time_[row_ + 1] - time_[row_];
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slopes[numbers_[i]] =
        is_held_[i] ? 0 : (columns_[i][row_ + 1] - columns_[i][row_]) / length;
  }
}

void InputSignals::Coefficients(double t,
                                std::size_t k,
                                std::span<double> coefficients) const noexcept {
  if (k == 1) {
    Slopes(t, coefficients);
    return;
  }
  std::ranges::fill(coefficients, 0.0);
  for (const Driven& driven : driven_) {
    if (driven.is_on) {
      coefficients[driven.number] = driven.curve.CoefficientAt(t, k);
    }
  }
}

double InputSignals::NextNode(double t) const noexcept {
  const auto node = std::ranges::upper_bound(time_, t);
  return node == time_.end() ? std::numeric_limits<double>::infinity() : *node;
}

double InputSignals::next_jump() const noexcept {
  return piece_ < jumps_.size() ? std::min(drive_time_, time_[jumps_[piece_]])
                                : drive_time_;
}

void InputSignals::GoTo(double t) noexcept {
  if (drive_time_ <= t) {
    drive_time_ = std::numeric_limits<double>::infinity();
    for (Driven& driven : driven_) {
      if (driven.next) {
        driven.curve = *std::exchange(driven.next, std::nullopt);
        driven.is_on = true;
      }
    }
  }
  while (next_jump() <= t) {
    ++piece_;
  }
  BeginPiece();
}

void InputSignals::Transfer(StateStream& stream) {
  double passed = piece_ == 0 ? -std::numeric_limits<double>::infinity()
                              : time_[jumps_[piece_ - 1]];
  stream.Number(passed);
  if (stream.reads() && !slots_.empty()) {
    piece_ = 0;
    while (piece_ < jumps_.size() && time_[jumps_[piece_]] <= passed) {
      ++piece_;
    }
    BeginPiece();
  }
}

void InputSignals::BeginPiece() noexcept {
  begin_ = piece_ == 0 ? 0 : jumps_[piece_ - 1];
  end_ = time_.size();
  if (piece_ < jumps_.size()) {
    const std::size_t jump = jumps_[piece_];
    // Inputs that do not jump there are linear up to it.
    end_ = time_[jump] == time_[jump - 1] ? jump : jump + 1;
  }
  row_ = begin_;
}

}  // namespace orrery::sim::internal
