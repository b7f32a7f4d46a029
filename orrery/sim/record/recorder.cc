#include "orrery/sim/record/recorder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orrery/base/error.h"

namespace orrery::sim::internal {

Recorder::Recorder(const Program& program,
                   std::shared_ptr<const RecordLayout> layout)
    : program_(program),
      layout_(std::move(layout)),
      slopes_(layout_->sloped_columns.size()),
      row_(layout_->table->columns()),
      kept_(row_.size()),
      builder_(layout_->table) {}

void Recorder::LetVary(std::span<const double> before,
                       std::span<const double> after) {
  ORRERY_CHECK(tangents_ == nullptr);
  std::vector<std::size_t> signals;
  RecordLayout changed = *layout_;
  std::erase_if(changed.constants, [&](const RecordLayout::Constant& constant) {
    if (before[constant.slot] == after[constant.slot]) {
      return false;
    }
    builder_.SetConstant(constant.signal, before[constant.slot]);
    signals.push_back(constant.signal);
    varied_slots_.push_back(constant.slot);
    return true;
  });
  builder_.LetVary(signals);
  news_.reset();
  row_.resize(row_.size() + signals.size());
  kept_.resize(row_.size());
  layout_ = std::make_shared<const RecordLayout>(std::move(changed));
}

void Recorder::Clear() {
  static_cast<void>(builder_.Take());
  news_.reset();
  has_kept_ = false;
}

void Recorder::Keep(std::span<const double> memory) {
  Fill(memory, kept_);
  has_kept_ = true;
}

void Recorder::Fill(std::span<const double> memory,
                    std::span<double> row) const {
  double* next = row.data();
  for (const std::uint32_t slot : layout_->column_slots) {
    *next++ = memory[slot];
  }
  for (std::size_t j = 0; tangents_ != nullptr && j < tangents_->size(); ++j) {
    for (const std::uint32_t slot : layout_->column_slots) {
      *next++ = tangents_->Of(j, {.slot = slot});
    }
    *next++ = tangents_->Of(j, {.slot = program_.time_slot});
  }
  next = std::ranges::copy(slopes_, next).out;
  for (const std::uint32_t slot : varied_slots_) {
    *next++ = memory[slot];
  }
}

std::optional<NamedScalar> Recorder::FirstNotFinite(
    std::span<const double> memory) const {
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    const ProgramVariable& variable = program_.variables[v];
    const auto count = static_cast<std::size_t>(NumElements(variable.shape));
    for (std::size_t i = 0; i < count; ++i) {
      const NamedScalar scalar{.variable = v, .element = i};
      const std::uint32_t slot = ReferenceOf(program_, scalar).slot;
      if (!std::isfinite(memory[slot]) &&
          Contains(program_.varying_slots, slot)) {
        return scalar;
      }
    }
  }
  return std::nullopt;
}

void Recorder::SetConstants(std::span<const double> memory) {
  for (const RecordLayout::Constant& constant : layout_->constants) {
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

NewRows Recorder::TakeNewRows(std::span<const double> memory) {
  if (news_) {
    return {.rows = news_->Take(), .are_all = false};
  }
  NewRows all{.rows = Recorded(memory), .are_all = true};
  news_.emplace(all.rows.table());
  return all;
}

Trajectory Recorder::Take(std::span<const double> memory) {
  SetConstants(memory);
  return builder_.Take();
}

}  // namespace orrery::sim::internal
