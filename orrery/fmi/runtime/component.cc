#include "orrery/fmi/runtime/component.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/base/text/number_text.h"

namespace orrery::fmi {

Component::Component(std::shared_ptr<const ExportedModel> model)
    : model_(std::move(model)) {
  Reset();
}

void Component::Reset() {
  run_.reset();
  given_.clear();
  changes_.clear();
  is_started_ = false;
  const double start = model_->program->experiment.start;
  start_ = std::isnan(start) ? 0 : start;
  stop_.reset();
  tolerance_.reset();
  for (const auto& [reference, value] : model_->settings) {
    given_[reference] = SettingOf(reference, value);
  }
}

void Component::Setup(double start,
                      std::optional<double> stop,
                      std::optional<double> tolerance) {
  run_.reset();
  start_ = start;
  stop_ = stop;
  tolerance_ = tolerance;
}

SimulationOptions Component::Options() const {
  const Program& program = *model_->program;
  SimulationOptions options;
  options.start = Seconds(start_);
  const double own = program.experiment.stop;
  const double stop =
      stop_.value_or(!std::isnan(own) && own > start_ ? own : start_ + 1);
  options.stop = Seconds(stop);
  options.tolerance = tolerance_ ? tolerance_ : model_->tolerance;
  options.method = model_->method;
  if (HasFixedStep(model_->method)) {
    options.step = Seconds(model_->step);
  }
  // Values are read from memory: rows are of no use.
  if (stop > start_) {
    options.interval = Seconds(stop - start_);
  }
  options.max_steps = std::numeric_limits<std::int64_t>::max();
  options.code = CodeChoice::kInterpreted;
  for (const ProgramVariable& variable : program.variables) {
    if (!variable.is_protected && variable.shape.empty()) {
      options.record = {variable.name};
      break;
    }
  }
  for (const auto& [reference, setting] : given_) {
    options.settings.push_back(setting);
  }
  return options;
}

// The run as it stands, with all that was set.
Simulator& Component::Run() {
  if (!run_) {
    run_.emplace(model_->program, Options());
    ThrowIfFailed();
  }
  if (!changes_.empty()) {
    std::vector<Setting> settings;
    for (auto& [reference, setting] : std::exchange(changes_, {})) {
      settings.push_back(setting);
    }
    run_->Set(settings);
    ThrowIfFailed();
  }
  return *run_;
}

void Component::ThrowIfFailed() {
  if (run_->has_ended()) {
    const Summary summary = run_->Result().summary;
    if (!summary.completed()) {
      throw Error(ErrorCode::kInvalidModel, summary.message);
    }
  }
}

void Component::Start() {
  Run();
  is_started_ = true;
}

void Component::CheckType(std::uint32_t reference, NumberType type) const {
  const Program& program = *model_->program;
  if (reference >= program.references.size()) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "no variable has the value reference " + std::to_string(reference));
  }
  const NamedScalar scalar = ScalarOf(program, reference);
  if (program.variables[scalar.variable].type != type) {
    throw Error(ErrorCode::kInvalidArgument,
                "variable " + NameOf(program, scalar) + ", value reference " +
                    std::to_string(reference) + ", is of another type");
  }
}

double Component::Get(std::uint32_t reference, NumberType type) {
  const Program& program = *model_->program;
  const Simulator& run = Run();
  if (reference == program.references.size() && type == NumberType::kReal) {
    return run.t();
  }
  CheckType(reference, type);
  const Reference at = program.references[reference];
  return static_cast<double>(at.sign) * run.context().memory[at.slot];
}

Setting Component::SettingOf(std::uint32_t reference, double value) const {
  const Program& program = *model_->program;
  return {.name = NameOf(program, ScalarOf(program, reference)),
          .value = value};
}

Setting Component::SettingOf(std::uint32_t reference,
                             NumberType type,
                             double value) const {
  CheckType(reference, type);
  return SettingOf(reference, value);
}

void Component::Set(std::uint32_t reference, NumberType type, double value) {
  Setting setting = SettingOf(reference, type, value);
  if (is_started_) {
    changes_[reference] = std::move(setting);
    return;
  }
  given_[reference] = std::move(setting);
  run_.reset();
}

Component::StepEnd Component::DoStep(double t, double step) {
  Simulator& run = Run();
  const double end = t + step;
  const double rounding =
      16 * std::numeric_limits<double>::epsilon() *
      std::max({std::abs(t), std::abs(run.t()), std::abs(end)});
  if (!(step >= 0) || std::abs(t - run.t()) > rounding) {
    throw Error(ErrorCode::kInvalidArgument,
                "a step of " + ShortestText(step) + " s from " +
                    ShortestText(t) + " s cannot be taken: the model is at " +
                    ShortestText(run.t()) + " s");
  }
  if (end > run.t() && run.AdvanceTo(Seconds(end))) {
    // Outputs are those after what takes place at this time.
    run.Set({});
  }
  ThrowIfFailed();
  return {.reached = run.t(), .is_terminated = run.has_ended()};
}

void Component::Transfer(StateStream& stream,
                         std::map<std::uint32_t, Setting>& settings) const {
  std::vector<std::pair<std::uint32_t, double>> values;
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

void Component::Transfer(StateStream& stream) {
  std::string token = model_->token;
  stream.Text(token);
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

std::string Component::Save() {
  StateStream stream;
  Transfer(stream);
  return stream.bytes();
}

void Component::Restore(std::string_view state) {
  StateStream stream(state);
  Transfer(stream);
  stream.Expect(stream.rest().empty(), "more at its end");
}

std::shared_ptr<const ExportedModel> LoadModel(const std::string& folder,
                                               std::string_view token) {
  const std::string path =
      folder + (folder.ends_with('/') ? "" : "/") + std::string(kModelFile);
  auto model = std::make_shared<const ExportedModel>(
      ModelFromBytes(SourceFile::Read(path)->text()));
  if (model->token != token) {
    throw Error(ErrorCode::kInvalidArgument,
                "the token is " + std::string(token) + ", and that of " + path +
                    " is " + model->token +
                    "; the FMU was unpacked over another one");
  }
  return model;
}

}  // namespace orrery::fmi
