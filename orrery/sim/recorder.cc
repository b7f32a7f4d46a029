#include "orrery/sim/internal/recorder.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "orrery/base/all_finite.h"
#include "orrery/base/error.h"
#include "orrery/base/pattern.h"
#include "orrery/sim/internal/sensitivities.h"
#include "orrery/sim/sensitivity.h"
#include "orrery/sim/simulation.h"

namespace orrery {

std::shared_ptr<const SignalTable> RecordedSignals(
    const Program& program, const SimulationOptions& options) {
  return internal::Recorder(program, options.record, options.sensitivities)
      .Take(program.initial_memory)
      .table();
}

namespace internal {
namespace {

bool IsConstant(VariableKind kind) {
  return kind == VariableKind::kConstant || kind == VariableKind::kParameter;
}

std::size_t NumScalars(const ProgramVariable& variable) {
  return static_cast<std::size_t>(NumElements(variable.shape));
}

// Marks the patterns that fit.
bool IsWanted(const ProgramVariable& variable,
              std::string_view name,
              std::span<const std::string> patterns,
              std::vector<bool>& used) {
  if (patterns.empty()) {
    return !variable.is_protected;
  }
  bool wanted = false;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (FitsPattern(patterns[i], name)) {
      wanted = true;
      used[i] = true;
    }
  }
  return wanted;
}

void CheckPatterns(const Program& program,
                   std::span<const std::string> patterns,
                   const std::vector<bool>& used) {
  const auto unused = std::ranges::find(used, false);
  if (unused == used.end()) {
    return;
  }
  const std::string& pattern =
      patterns[static_cast<std::size_t>(unused - used.begin())];
  std::vector<std::string> known;
  for (const ProgramVariable& variable : program.variables) {
    known.push_back(variable.name);
  }
  const std::string hint = Suggest(pattern, known);
  throw Error(ErrorCode::kInvalidArgument,
              "cannot record '" + pattern + "': model " + program.name +
                  " has no such quantity" + (hint.empty() ? "" : "; " + hint));
}

std::string UnitOfRatio(const std::string& top, const std::string& bottom) {
  return bottom.empty() ? top : (top.empty() ? "1" : top) + "/(" + bottom + ")";
}

}  // namespace

std::vector<Recorder::SlotRange> Recorder::RangesOf(
    std::vector<std::uint32_t> slots) {
  std::ranges::sort(slots);
  std::vector<SlotRange> ranges;
  for (const std::uint32_t slot : slots) {
    if (ranges.empty() || slot > ranges.back().begin + ranges.back().count) {
      ranges.push_back({.begin = slot, .count = 1});
    } else {
      ranges.back().count = slot + 1 - ranges.back().begin;
    }
  }
  return ranges;
}

Recorder::Recorder(const Program& program,
                   std::span<const std::string> patterns,
                   std::span<const std::string> sensitivities)
    : program_(program),
      column_of_slot_(program.initial_memory.size(), SignalInfo::kNone),
      builder_(std::vector<SignalInfo>{}) {
  std::vector<SignalInfo> signals;
  std::vector<std::uint32_t> checked;
  std::vector<bool> used(patterns.size());
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const ProgramVariable& variable = program.variables[v];
    for (std::size_t i = 0; i < NumScalars(variable); ++i) {
      const NamedScalar scalar{.variable = v, .element = i};
      const std::string name = NameOf(program, scalar);
      const Reference at = ReferenceOf(program, scalar);
      const bool is_given = !std::isnan(program.initial_memory[at.slot]);
      if (!IsConstant(variable.kind) && is_given) {
        checked.push_back(at.slot);
      }
      if (!IsWanted(variable, name, patterns, used)) {
        continue;
      }
      SignalInfo& signal = signals.emplace_back();
      signal.name = name;
      signal.unit = variable.unit;
      signal.description = variable.description;
      signal.negated = at.sign < 0;
      if (IsConstant(variable.kind) || !is_given) {
        signal.variability = SignalVariability::kConstant;
        constants_.push_back(
            {.signal = signals.size() - 1, .slot = at.slot, .along = {}});
      } else {
        signal.variability = variable.kind == VariableKind::kDiscrete
                                 ? SignalVariability::kDiscrete
                                 : SignalVariability::kContinuous;
        signal.column = ColumnOf(at.slot);
      }
    }
  }
  CheckPatterns(program, patterns, used);
  checked_ = RangesOf(std::move(checked));
  LinkDerivatives(program, signals);
  AddSensitivities(program, sensitivities, signals);
  row_.resize(column_slots_.size() +
              sensitivities.size() * (column_slots_.size() + 1));
  kept_.resize(row_.size());
  column_of_slot_ = std::vector<int>();
  builder_ = TrajectoryBuilder(std::move(signals));
}

// Signals for how each one before, and the time of its row, moves with each of
// `names`.
void Recorder::AddSensitivities(const Program& program,
                                std::span<const std::string> names,
                                std::vector<SignalInfo>& signals) {
  if (names.empty()) {
    return;
  }
  const std::size_t num_signals = signals.size();
  const std::size_t num_constants = constants_.size();
  const NameTable table(program);
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::string& unit =
        program.variables[FindDirection(table, names[j]).variable].unit;
    const auto first_signal = static_cast<int>(signals.size());
    const auto first_column =
        static_cast<int>(column_slots_.size() + j * (column_slots_.size() + 1));
    for (std::size_t i = 0; i < num_signals; ++i) {
      SignalInfo signal = signals[i];
      signal.description.clear();
      signal.unit = UnitOfRatio(signal.unit, unit);
      signal.name = SensitivityName(signal.name, names[j]);
      if (signal.column != SignalInfo::kNone) {
        signal.column += first_column;
      }
      if (signal.derivative != SignalInfo::kNone) {
        signal.derivative += first_signal;
      }
      signals.push_back(std::move(signal));
    }
    signals.push_back(
        {.name = SensitivityName("time", names[j]),
         .unit = UnitOfRatio("s", unit),
         .variability = SignalVariability::kDiscrete,
         .column = first_column + static_cast<int>(column_slots_.size())});
    for (std::size_t i = 0; i < num_constants; ++i) {
      constants_.push_back({.signal = constants_[i].signal +
                                      static_cast<std::size_t>(first_signal),
                            .slot = constants_[i].slot,
                            .along = j});
    }
  }
}

int Recorder::ColumnOf(std::uint32_t slot) {
  int& column = column_of_slot_[slot];
  if (column == SignalInfo::kNone) {
    column = static_cast<int>(column_slots_.size());
    column_slots_.push_back(slot);
  }
  return column;
}

void Recorder::LinkDerivatives(const Program& program,
                               std::vector<SignalInfo>& signals) const {
  // By column and sign: the first signal that is there.
  std::vector<int> signal_at(2 * column_slots_.size(), SignalInfo::kNone);
  const auto key = [](int column, bool negated) {
    return 2 * static_cast<std::size_t>(column) + (negated ? 1 : 0);
  };
  for (std::size_t i = signals.size(); i-- > 0;) {
    if (signals[i].column != SignalInfo::kNone) {
      signal_at[key(signals[i].column, signals[i].negated)] =
          static_cast<int>(i);
    }
  }
  std::vector<const Reference*> derivative_of(column_slots_.size(), nullptr);
  for (std::size_t i = program.state_slots.size(); i-- > 0;) {
    const int column = column_of_slot_[program.state_slots[i]];
    if (column != SignalInfo::kNone) {
      derivative_of[static_cast<std::size_t>(column)] =
          &program.derivatives_at[i];
    }
  }
  for (SignalInfo& signal : signals) {
    const Reference* const derivative =
        signal.column == SignalInfo::kNone
            ? nullptr
            : derivative_of[static_cast<std::size_t>(signal.column)];
    if (derivative == nullptr) {
      continue;
    }
    const int column = column_of_slot_[derivative->slot];
    if (column != SignalInfo::kNone) {
      signal.derivative =
          signal_at[key(column, signal.negated != (derivative->sign < 0))];
    }
  }
}

void Recorder::LetVary(std::span<const double> before,
                       std::span<const double> after) {
  ORRERY_CHECK(tangents_ == nullptr);
  std::vector<std::size_t> signals;
  std::erase_if(constants_, [&](const Constant& constant) {
    if (before[constant.slot] == after[constant.slot]) {
      return false;
    }
    builder_.SetConstant(constant.signal, before[constant.slot]);
    signals.push_back(constant.signal);
    column_slots_.push_back(constant.slot);
    return true;
  });
  builder_.LetVary(signals);
  row_.resize(column_slots_.size());
  kept_.resize(column_slots_.size());
}

void Recorder::Append(double t, std::span<const double> memory) {
  Fill(memory, row_);
  builder_.Append(t, row_);
}

void Recorder::Fill(std::span<const double> memory,
                    std::span<double> row) const {
  double* next = row.data();
  for (const std::uint32_t slot : column_slots_) {
    *next++ = memory[slot];
  }
  for (std::size_t j = 0; tangents_ != nullptr && j < tangents_->size(); ++j) {
    for (const std::uint32_t slot : column_slots_) {
      *next++ = tangents_->Of(j, {.slot = slot});
    }
    *next++ = tangents_->Of(j, {.slot = program_.time_slot});
  }
}

bool Recorder::DiffersFromKept(std::span<const double> memory) {
  if (!has_kept_) {
    return true;
  }
  Fill(memory, row_);
  return row_ != kept_;
}

std::optional<NamedScalar> Recorder::FindNotFinite(
    std::span<const double> memory) const {
  const auto is_finite = [&](SlotRange slots) {
    return AllFinite(memory.subspan(slots.begin, slots.count));
  };
  if (std::ranges::all_of(checked_, is_finite)) {
    return std::nullopt;
  }
  const auto is_checked = [this](std::uint32_t slot) {
    return std::ranges::any_of(checked_, [slot](SlotRange slots) {
      return slot - slots.begin < slots.count;
    });
  };
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    const ProgramVariable& variable = program_.variables[v];
    for (std::size_t i = 0; i < NumScalars(variable); ++i) {
      const NamedScalar scalar{.variable = v, .element = i};
      const std::uint32_t slot = ReferenceOf(program_, scalar).slot;
      if (!std::isfinite(memory[slot]) && is_checked(slot)) {
        return scalar;
      }
    }
  }
  return std::nullopt;
}

void Recorder::SetConstants(std::span<const double> memory) {
  for (const Constant& constant : constants_) {
    const std::uint32_t slot = constant.slot;
    const bool is_value = !constant.along || tangents_ == nullptr;
    builder_.SetConstant(constant.signal,
                         is_value
                             ? memory[slot]
                             : tangents_->Of(*constant.along, {.slot = slot}));
  }
}

Trajectory Recorder::Recorded(std::span<const double> memory) {
  SetConstants(memory);
  return builder_.Build();
}

Trajectory Recorder::Take(std::span<const double> memory) {
  SetConstants(memory);
  return builder_.Take();
}

}  // namespace internal

}  // namespace orrery
