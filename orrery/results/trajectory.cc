#include "orrery/results/trajectory.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/values/element_names.h"

namespace orrery {

namespace internal = results::internal;

namespace {

// Rows are gathered row by row and moved to their columns in blocks, so that a
// model with many columns does not touch all of its memory at every row.
constexpr std::size_t kChunkRows = 32;

// The cubic through (0, x0) and (h, x1) with slopes v0 and v1 there, at s * h.
double Hermite(double s, double h, double x0, double v0, double x1, double v1) {
  const double r = 1 - s;
  return r * r * ((1 + 2 * s) * x0 + s * h * v0) +
         s * s * ((1 + 2 * r) * x1 - r * h * v1);
}

void CheckSignal(const SignalInfo& signal, std::size_t count) {
  ORRERY_CHECK(signal.column >= SignalInfo::kNone);
  ORRERY_CHECK(signal.derivative >= SignalInfo::kNone);
  ORRERY_CHECK(signal.derivative < static_cast<int>(count));
  ORRERY_CHECK(signal.column != SignalInfo::kNone ||
               signal.variability == SignalVariability::kConstant);
}

std::string WhyNameIsWrong(const std::string& name) {
  if (name.empty()) {
    return "its name is empty";
  }
  if (name == "time") {
    return "'time' is the name of the time column; give it another name";
  }
  return {};
}

}  // namespace

const Shared<std::vector<std::string>>& TruthNames() {
  static const auto names = [] {
    Shared<std::vector<std::string>> truths;
    truths.Edit() = {"false", "true"};
    return truths;
  }();
  return names;
}

SignalTable::SignalTable(std::vector<SignalInfo> signals)
    : signals_(std::move(signals)) {
  ORRERY_CHECK(signals_.size() < kFree);
  places_.assign(std::bit_ceil(2 * signals_.size() + 1), kFree);
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const SignalInfo& signal = signals_[i];
    CheckSignal(signal, signals_.size());
    std::string why = WhyNameIsWrong(signal.name);
    std::uint32_t& place = places_[PlaceOf(signal.name)];
    if (place != kFree) {
      why = "another signal has this name; rename one of them";
    }
    place = static_cast<std::uint32_t>(i);
    if (!why.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot record signal '" + signal.name + "': " + why);
    }
    columns_ = std::max(columns_, static_cast<std::size_t>(signal.column + 1));
    if (!signal.name_with_numbers.empty()) {
      by_numbers_.emplace(signal.name_with_numbers.str(), i);
    }
  }
}

std::size_t SignalTable::PlaceOf(std::string_view name) const {
  const std::size_t mask = places_.size() - 1;
  std::size_t place = std::hash<std::string_view>()(name) & mask;
  while (places_[place] != kFree && signals_[places_[place]].name != name) {
    place = (place + 1) & mask;
  }
  return place;
}

std::optional<std::size_t> SignalTable::Find(std::string_view name) const {
  std::uint32_t found = places_[PlaceOf(name)];
  if (found == kFree && !by_numbers_.empty()) {
    const std::string written = WithShortLiterals(name);
    const auto by_numbers = by_numbers_.find(written);
    if (by_numbers != by_numbers_.end()) {
      return by_numbers->second;
    }
    found = places_[PlaceOf(written)];
  }
  if (found == kFree) {
    return std::nullopt;
  }
  return found;
}

std::size_t SignalTable::Require(std::string_view name) const {
  if (const auto found = Find(name)) {
    return *found;
  }
  std::vector<std::string> known;
  known.reserve(signals_.size());
  for (const SignalInfo& signal : signals_) {
    known.push_back(signal.name);
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot find signal '" + std::string(name) +
                  "': the result has none of this name" +
                  Clause(Suggest(name, known)));
}

Signal::Signal(std::shared_ptr<const internal::Recording> run,
               std::size_t index)
    : run_(std::move(run)),
      info_(&run_->table->signals().at(index)),
      value_(ValuesOf(*run_, index)) {
  if (info_->derivative != SignalInfo::kNone) {
    slope_ = ValuesOf(*run_, static_cast<std::size_t>(info_->derivative));
  }
}

Signal::Values Signal::ValuesOf(const internal::Recording& run,
                                std::size_t index) {
  const SignalInfo& info = run.table->signals()[index];
  const double sign = info.negated ? -1 : 1;
  if (info.column == SignalInfo::kNone) {
    return {.constant = sign * run.constants[index]};
  }
  return {.column = &run.columns[static_cast<std::size_t>(info.column)],
          .sign = sign};
}

std::vector<double> Signal::values() const {
  std::vector<double> result(size());
  for (std::size_t row = 0; row < size(); ++row) {
    result[row] = value_[row];
  }
  return result;
}

double Signal::at(double t) const {
  t = Clamped(t);
  const auto& time = run_->time;
  const auto next = std::ranges::upper_bound(time, t);
  return Between(static_cast<std::size_t>(next - time.begin()) - 1, t);
}

double Signal::LeftLimit(double t) const {
  t = Clamped(t);
  const auto& time = run_->time;
  const auto first = std::ranges::lower_bound(time, t);
  const auto row = static_cast<std::size_t>(first - time.begin());
  return *first == t ? (*this)[row] : Between(row - 1, t);
}

double Signal::front() const {
  RequireRows("the first value");
  return (*this)[0];
}

double Signal::final() const {
  RequireRows("the final value");
  return (*this)[size() - 1];
}

double Signal::min() const {
  RequireRows("the least value");
  double least = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t row = 0; row < size(); ++row) {
    least = std::fmin(least, (*this)[row]);
  }
  return least;
}

double Signal::max() const {
  RequireRows("the greatest value");
  double greatest = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t row = 0; row < size(); ++row) {
    greatest = std::fmax(greatest, (*this)[row]);
  }
  return greatest;
}

void Signal::RequireRows(const char* wanted) const {
  if (size() == 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot give " + std::string(wanted) + " of '" + name() +
                    "': nothing was recorded");
  }
}

// `t`, moved to the nearer end of the run where it misses it by rounding only.
double Signal::Clamped(double t) const {
  RequireRows("a value");
  const double start = run_->time.front();
  const double stop = run_->time.back();
  const double slack = 4 * std::numeric_limits<double>::epsilon() *
                       std::max(std::abs(start), std::abs(stop));
  if (!(t >= start - slack && t <= stop + slack)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot evaluate '" + name() + "' at t = " + ShortestText(t) +
                    ": the run covers " + ShortestText(start) + " to " +
                    ShortestText(stop));
  }
  return std::clamp(t, start, stop);
}

double Signal::Between(std::size_t row, double t) const noexcept {
  const auto& time = run_->time;
  const double x0 = value_[row];
  if (t == time[row] || info_->variability != SignalVariability::kContinuous) {
    return x0;
  }
  const double h = time[row + 1] - time[row];
  const double s = (t - time[row]) / h;
  const double x1 = value_[row + 1];
  if (slope_) {
    if (x0 == x1 && (*slope_)[row] == 0 && (*slope_)[row + 1] == 0) {
      return x0;  // The cubic would be off by its rounding.
    }
    const double x = Hermite(s, h, x0, (*slope_)[row], x1, (*slope_)[row + 1]);
    if (std::isfinite(x)) {
      return x;
    }
  }
  return std::lerp(x0, x1, s);
}

std::array<double, 4> Signal::ControlPoints(std::size_t row) const noexcept {
  const double x0 = value_[row];
  if (info_->variability != SignalVariability::kContinuous) {
    return {x0, x0, x0, x0};
  }
  const double h = run_->time[row + 1] - run_->time[row];
  const double x1 = value_[row + 1];
  if (slope_) {
    const double after = x0 + h * (*slope_)[row] / 3;
    const double before = x1 - h * (*slope_)[row + 1] / 3;
    if (std::isfinite(after) && std::isfinite(before)) {
      return {x0, after, before, x1};
    }
  }
  return {x0, std::lerp(x0, x1, 1.0 / 3), std::lerp(x0, x1, 2.0 / 3), x1};
}

Trajectory::Trajectory()
    : Trajectory(internal::Recording{
          .table =
              std::make_shared<const SignalTable>(std::vector<SignalInfo>{})}) {
}

Trajectory::Trajectory(internal::Recording run)
    : run_(std::make_shared<const internal::Recording>(std::move(run))) {}

Signal Trajectory::operator[](std::string_view name) const {
  return signal(run_->table->Require(name));
}

Signal Trajectory::signal(std::size_t index) const {
  return {run_, index};
}

bool Trajectory::Contains(std::string_view name) const {
  return run_->table->Find(name).has_value();
}

TrajectoryBuilder::TrajectoryBuilder(std::shared_ptr<const SignalTable> table) {
  run_.table = std::move(table);
  Reset();
}

TrajectoryBuilder::TrajectoryBuilder(std::vector<SignalInfo> signals)
    : TrajectoryBuilder(
          std::make_shared<const SignalTable>(std::move(signals))) {}

void TrajectoryBuilder::Reserve(std::size_t rows) {
  const std::size_t width = run_.table->columns();
  run_.time.reserve(rows);
  chunk_.reserve(std::min(rows, kChunkRows) * width);
  if (rows >= kChunkRows) {
    run_.columns.resize(width);
    for (auto& column : run_.columns) {
      column.reserve(rows);
    }
  }
}

void TrajectoryBuilder::SetConstant(std::size_t index, double value) {
  ORRERY_CHECK(run_.table->signals().at(index).column == SignalInfo::kNone);
  run_.constants[index] = value;
}

void TrajectoryBuilder::LetVary(std::span<const std::size_t> constants) {
  FlushChunk(run_.columns);
  chunk_.clear();
  std::vector<SignalInfo> signals = run_.table->signals();
  for (const std::size_t index : constants) {
    SignalInfo& signal = signals.at(index);
    ORRERY_CHECK(signal.column == SignalInfo::kNone);
    signal.column = static_cast<int>(run_.columns.size());
    signal.variability = SignalVariability::kDiscrete;
    run_.columns.emplace_back(rows(), run_.constants[index]);
  }
  run_.table = std::make_shared<const SignalTable>(std::move(signals));
}

void TrajectoryBuilder::Append(double t, std::span<const double> columns) {
  ORRERY_CHECK(columns.size() == run_.table->columns());
  ORRERY_CHECK(std::isfinite(t));
  ORRERY_CHECK(run_.time.empty() || t >= run_.time.back());
  run_.time.push_back(t);
  chunk_.insert(chunk_.end(), columns.begin(), columns.end());
  if (chunk_.size() == kChunkRows * columns.size()) {
    FlushChunk(run_.columns);
    chunk_.clear();
  }
}

std::vector<double> TrajectoryBuilder::LastRow() const {
  std::vector<double> row(run_.table->columns());
  if (!chunk_.empty()) {
    std::ranges::copy(std::span(chunk_).last(row.size()), row.begin());
    return row;
  }
  std::ranges::transform(run_.columns, row.begin(), [](const auto& column) {
    return column.back();
  });
  return row;
}

void TrajectoryBuilder::ReplaceLastRow(std::span<const double> columns) {
  ORRERY_CHECK(columns.size() == run_.table->columns());
  if (!chunk_.empty()) {
    std::ranges::copy(columns, std::span(chunk_).last(columns.size()).begin());
    return;
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    run_.columns[c].back() = columns[c];
  }
}

Trajectory TrajectoryBuilder::Build() const {
  internal::Recording copy = run_;
  FlushChunk(copy.columns);
  return Trajectory(std::move(copy));
}

Trajectory TrajectoryBuilder::Take() {
  FlushChunk(run_.columns);
  internal::Recording finished = std::exchange(run_, {.table = run_.table});
  Reset();
  return Trajectory(std::move(finished));
}

void TrajectoryBuilder::FlushChunk(
    std::vector<internal::Column>& columns) const {
  const std::size_t width = run_.table->columns();
  columns.resize(width);
  const std::size_t rows = width == 0 ? 0 : chunk_.size() / width;
  for (std::size_t c = 0; c < width; ++c) {
    internal::Column& column = columns[c];
    const std::size_t before = column.size();
    column.resize(before + rows);
    const double* next = chunk_.data() + c;
    for (double& value : std::span(column).subspan(before)) {
      value = *next;
      next += width;
    }
  }
}

void TrajectoryBuilder::Reset() {
  const auto& signals = run_.table->signals();
  chunk_.clear();
  const bool has_constants =
      std::ranges::any_of(signals, [](const SignalInfo& signal) {
        return signal.column == SignalInfo::kNone;
      });
  if (has_constants) {
    run_.constants.resize(signals.size());
    std::ranges::transform(
        signals, run_.constants.begin(), &SignalInfo::constant);
  }
}

}  // namespace orrery
