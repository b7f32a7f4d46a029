#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/fmi/runtime/component.h"
#include "orrery/sdk/fmu_code/class_model_file.h"
#include "orrery/sdk/fmu_code/class_run.h"

namespace orrery::sdk::internal {

/// An instance of an FMU of a DEVS model or a model of tasks. Parameters are
/// set before the start; inputs are messages, which are sent when the next step
/// begins.
class ClassComponent final : public fmi::Component {
 public:
  ClassComponent(ClassModel model, ClassModelFile file);

  void Reset() override;

  /// @throws Error kUnsupported for a start other than 0.
  void Setup(double start,
             std::optional<double> stop,
             std::optional<double> tolerance) override;
  void Start() override;
  [[nodiscard]] double Get(std::uint32_t reference,
                           fmi::NumberType type) override;
  void Set(std::uint32_t reference,
           fmi::NumberType type,
           double value) override;
  [[nodiscard]] std::string GetText(std::uint32_t reference) override;
  void SetText(std::uint32_t reference, const std::string& text) override;
  StepEnd DoStep(double t, double step) override;
  [[nodiscard]] std::string Save() override;
  void Restore(std::string_view state) override;

 private:
  [[nodiscard]] const ClassVariable& VariableAt(std::uint32_t reference) const;
  void SetParameter(const ClassVariable& variable, std::string text);
  [[nodiscard]] Record::Value ValueOf(const ClassVariable& variable);
  ClassRun& Run();
  void SendMessages();

  ClassModel model_;
  ClassModelFile file_;
  std::map<std::string, std::string> given_;  // Parameters, by name.
  std::map<std::string, double> inputs_;      // Numbers and counts, by name.
  std::map<std::string, double> sent_;        // Counts, by name.
  std::unique_ptr<ClassRun> run_;
  bool is_started_ = false;
  double t_ = 0;  // s
};

}  // namespace orrery::sdk::internal
