#include "orrery/sdk/internal/factor_text.h"

#include <algorithm>
#include <memory>

#include "orrery/base/error.h"
#include "orrery/model/flat_model.h"
#include "orrery/sdk/internal/setting_text.h"
#include "orrery/sdk/model.h"
#include "orrery/sdk/setting_text.h"
#include "orrery/sdk/subject.h"

namespace orrery {
namespace {

// What the model of a run says of its quantities; read when it is asked first.
class QuantityNotes {
 public:
  QuantityNotes(const RunDocument& run, std::span<const ParameterText> labels)
      : run_(run), labels_(labels) {}

  std::shared_ptr<const Enumeration> EnumerationOf(const std::string& called) {
    const std::string& name = Meant(called);
    if (IsCode(run_)) {
      return nullptr;
    }
    const Variable* const variable = Find(name);
    return variable == nullptr ? nullptr : variable->notes->enumeration;
  }

  std::string UnitOf(const std::string& called) {
    const std::string& name = Meant(called);
    if (IsCode(run_)) {
      return LoadSubject(run_)->KindOfVaried(name).unit;
    }
    const Variable* const variable = Find(name);
    if (variable == nullptr) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot vary '" + name + "' in a unit: model " + flat_->name +
                      " has no such quantity" +
                      Clause(Suggest(name, internal::NamesIn(*flat_))));
    }
    return variable->notes->unit;
  }

 private:
  [[nodiscard]] const std::string& Meant(const std::string& called) const {
    const auto label =
        std::ranges::find(labels_, called, &ParameterText::value);
    return label == labels_.end() ? called : label->name;
  }

  const Variable* Find(const std::string& name) {
    if (flat_ == nullptr) {
      flat_ = FlatModelOf(LoadFile(
          run_.file,
          run_.class_name,
          SettingsOf(run_.settings, run_.file, run_.class_name, run_.files),
          run_.files));
    }
    internal::RefuseText(*flat_, name, "vary '" + name + "'");
    return internal::VariableOf(*flat_, name);
  }

  const RunDocument& run_;
  std::span<const ParameterText> labels_;
  std::shared_ptr<const FlatModel> flat_;
};

}  // namespace

std::vector<Factor> internal::FactorsOf(std::span<const std::string> vary,
                                        const RunDocument& run,
                                        std::span<const ParameterText> labels) {
  QuantityNotes notes(run, labels);
  return ParseFactors(
      "--vary",
      vary,
      [&](const std::string& name) { return notes.EnumerationOf(name); },
      [&](const std::string& name) { return notes.UnitOf(name); });
}

}  // namespace orrery
