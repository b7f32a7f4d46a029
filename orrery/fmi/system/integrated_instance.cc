#include "orrery/fmi/system/integrated_instance.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/compile/compile.h"
#include "orrery/fmi/exchange/exchange_equations.h"
#include "orrery/fmi/settings.h"
#include "orrery/fmi/sizes.h"
#include "orrery/sim/simulation.h"

namespace orrery::fmi {
namespace {

/// An instance that this house's solver integrates.
class IntegratedInstance final : public Instance {
 public:
  IntegratedInstance(const Description& description,
                     std::shared_ptr<const Program> program,
                     const std::string& name)
      : description_(description),
        program_(std::move(program)),
        name_(name),
        names_(*program_),
        log_(description, name) {}

  void Set(const Variable& variable, const Values& values) override {
    const std::vector<double> numbers = std::visit(
        [](const auto& its) {
          using Its = typename std::remove_cvref_t<decltype(its)>::value_type;
          if constexpr (std::is_same_v<Its, std::string>) {
            return std::vector<double>();  // The equations have them.
          } else {
            return std::vector<double>(its.begin(), its.end());
          }
        },
        values);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      Change(variable, i, numbers[i]);
    }
  }

  void SetNumbers(const ReferenceGroup& group,
                  std::span<const double> row) override {
    ForEachNumber(
        group,
        [&](const Variable& variable, std::size_t element, std::size_t place) {
          Change(variable, element, row[place]);
        });
  }

  void GetNumbers(const ReferenceGroup& group, std::span<double> row) override {
    const Simulator& run = Run();
    ForEachNumber(
        group,
        [&](const Variable& variable, std::size_t element, std::size_t place) {
          row[place] = variable.causality == Causality::kIndependent
                           ? run.t()
                           : ValueOf(variable, element);
        });
  }

  void SetSizes() override {}

  void EnterInitialization(const RunTimes& times) override {
    times_ = times;
    run_.reset();
  }

  void ExitInitialization() override {
    Run();
    is_started_ = true;
  }

  StepEnd DoStep(double t, double step) override {
    Simulator& run = Run();
    const double end = t + step;
    if (end > run.t() && run.AdvanceTo(Seconds(end))) {
      // Outputs are those after what takes place at this time.
      run.Set({});
    }
    ThrowIfFailed();
    if (run.has_ended()) {
      log_.Add(CallStatus::kOk, "end", run.Result().summary.message);
      return {.reached = run.t(), .is_terminated = true};
    }
    return {.reached = end};
  }

  void Terminate() override {}

  [[nodiscard]] ContinuousCalls* continuous() override { return nullptr; }

  [[nodiscard]] StepEvents* step_events() override { return nullptr; }

  [[nodiscard]] ClockCalls* clocks() override { return nullptr; }

  [[nodiscard]] const MessageLog& log() const override { return log_; }

 private:
  // Calls `use` with each number of a group: its variable, its element, and its
  // place in a row.
  template <typename Use>
  void ForEachNumber(const ReferenceGroup& group, const Use& use) {
    std::size_t i = 0;
    for (const std::uint32_t reference : group.references) {
      const Variable& variable = VariableAt(group.type, reference);
      for (std::size_t element = 0; element < fmi::SizeOf(variable);
           ++element) {
        use(variable, element, group.places[i++]);
      }
    }
  }

  const Variable& VariableAt(ValueType type, std::uint32_t reference) {
    if (by_reference_.empty()) {
      for (const Variable& variable : description_.variables) {
        by_reference_.try_emplace({variable.type, variable.reference},
                                  &variable);
      }
    }
    return *by_reference_.at({type, reference});
  }

  [[nodiscard]] double ValueOf(const Variable& variable,
                               std::size_t element) const {
    const NamedScalar scalar =
        names_.Get(variable.name + Subscripts(variable, element));
    const Reference at = ReferenceOf(*program_, scalar);
    return static_cast<double>(at.sign) * run_->context().memory[at.slot];
  }

  // Notes a value for the start, or from the present time on.
  void Change(const Variable& variable, std::size_t element, double value) {
    const std::string name = variable.name + Subscripts(variable, element);
    if (!is_started_) {
      given_.insert_or_assign(name, value);
      run_.reset();
    } else {
      changes_.insert_or_assign(name, value);
    }
  }

  [[nodiscard]] static std::vector<Setting> SettingsOf(
      const std::map<std::string, double>& values) {
    std::vector<Setting> settings;
    settings.reserve(values.size());
    for (const auto& [name, value] : values) {
      settings.push_back({.name = name, .value = value});
    }
    return settings;
  }

  // The run as it stands, with all that was set.
  Simulator& Run() {
    if (!run_) {
      SimulationOptions options;
      options.start = Seconds(times_.start);
      options.stop = Seconds(times_.stop);
      options.tolerance = times_.tolerance;
      if (times_.stop > times_.start) {
        // Rows are of no use.
        options.interval = Seconds(times_.stop - times_.start);
      }
      options.max_steps = std::numeric_limits<std::int64_t>::max();
      options.settings = SettingsOf(given_);
      run_.emplace(program_, options);
      ThrowIfFailed();
    }
    if (!changes_.empty()) {
      run_->Set(SettingsOf(std::exchange(changes_, {})));
      ThrowIfFailed();
    }
    return *run_;
  }

  void ThrowIfFailed() const {
    if (run_->has_ended()) {
      const Summary summary = run_->Result().summary;
      if (!summary.completed()) {
        throw CallFailure("'" + name_ + "': " + summary.message,
                          CallStatus::kError);
      }
    }
  }

  const Description& description_;
  std::shared_ptr<const Program> program_;
  std::string name_;
  NameTable names_;
  MessageLog log_;
  RunTimes times_;
  bool is_started_ = false;
  std::map<std::string, double> given_;    // Before the start.
  std::map<std::string, double> changes_;  // Since the last step.
  std::optional<Simulator> run_;
  std::map<std::pair<ValueType, std::uint32_t>, const Variable*> by_reference_;
};

}  // namespace

IntegratedModel::IntegratedModel(const Fmu& fmu,
                                 std::span<const ParameterText> sizes,
                                 std::span<const ParameterText> texts)
    : description_(
          WithSizes(fmu, InterfaceKind::kModelExchange, sizes).description) {
  Diagnostics diagnostics;
  program_ = Compile(EquationsOf(fmu, texts, sizes), diagnostics);
  diagnostics.ThrowIfErrors();
}

std::unique_ptr<Instance> IntegratedModel::MakeInstance(
    const std::string& name) const {
  return std::make_unique<IntegratedInstance>(*description_, program_, name);
}

}  // namespace orrery::fmi
