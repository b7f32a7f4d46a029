// How instances of models of equations are saved and restored.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "orrery/fmi/runtime/program_component.h"

namespace orrery::fmi {

void ProgramComponent::Transfer(
    StateStream& stream, std::map<std::uint32_t, Setting>& settings) const {
  std::vector<std::pair<std::uint32_t, double>> values;
  values.reserve(settings.size());
  for (const auto& [reference, setting] : settings) {
    values.emplace_back(reference, setting.value);
  }
  std::size_t count = values.size();
  stream.Count(count, sizeof(std::uint32_t) + sizeof(double));
  values.resize(count);
  if (stream.reads()) {
    settings.clear();
  }
  for (auto& [reference, value] : values) {
    stream.Number(reference);
    stream.Number(value);
    stream.Expect(reference < model_->program->references.size(),
                  "no variable");
    if (stream.reads()) {
      settings[reference] = SettingOf(reference, value);
    }
  }
}

void ProgramComponent::Transfer(StateStream& stream) {
  std::string token = model_->token;
  stream.Text(token);
  Use use = use_;
  stream.Choice(use, Use::kModelExchange);
  stream.Expect(use == use_, "another kind of use");
  stream.Expect(token == model_->token, "the token of another FMU");
  const auto given = given_;
  const auto times = std::tuple(start_, stop_, tolerance_);
  stream.Number(start_);
  for (std::optional<double>* const number : {&stop_, &tolerance_}) {
    if (stream.Has(*number)) {
      stream.Number(**number);
    }
  }
  stream.Truth(is_started_);
  Transfer(stream, given_);
  Transfer(stream, changes_);
  if (use_ == Use::kModelExchange) {
    TransferPoint(stream);
    return;
  }
  bool runs = run_.has_value();
  stream.Truth(runs);
  std::string state = runs && !stream.reads() ? run_->Save() : "";
  stream.Text(state);
  if (!stream.reads()) {
    return;
  }
  const bool is_alike =
      given == given_ && times == std::tuple(start_, stop_, tolerance_);
  if (!runs || !is_alike) {
    run_.reset();
  }
  if (runs) {
    if (!run_) {
      run_.emplace(model_->program, Options());
    }
    run_->Restore(state);
  }
}

void ProgramComponent::TransferPoint(StateStream& stream) {
  Transfer(stream, set_);
  stream.Truth(has_event_);
  bool has_point = point_.has_value();
  stream.Truth(has_point);
  if (stream.reads()) {
    point_.reset();
    Moved();
  }
  if (!has_point) {
    return;
  }
  if (!point_) {
    auto changes = std::exchange(changes_, {});
    Point();
    changes_ = std::move(changes);
  }
  point_->Transfer(stream);
}

std::string ProgramComponent::Save() {
  StateStream stream;
  Transfer(stream);
  return stream.bytes();
}

void ProgramComponent::Restore(std::string_view state) {
  StateStream stream(state);
  Transfer(stream);
  stream.Expect(stream.rest().empty(), "more at its end");
}

}  // namespace orrery::fmi
