#include "orrery/sdk/internal/factor_text.h"

#include <memory>

#include "orrery/model/flat_model.h"
#include "orrery/sdk/internal/setting_text.h"
#include "orrery/sdk/model.h"
#include "orrery/sdk/setting_text.h"

namespace orrery {

std::vector<Factor> internal::FactorsOf(std::span<const std::string> vary,
                                        const RunDocument& run) {
  std::shared_ptr<const FlatModel> flat;
  const auto find_enumeration =
      [&](const std::string& name) -> std::shared_ptr<const Enumeration> {
    if (IsCode(run)) {
      return nullptr;
    }
    if (flat == nullptr) {
      flat = FlatModelOf(LoadFile(
          run.file,
          run.class_name,
          SettingsOf(run.settings, run.file, run.class_name, run.files),
          run.files));
    }
    RefuseText(*flat, name, "vary '" + name + "'");
    const Variable* const variable = VariableOf(*flat, name);
    return variable == nullptr ? nullptr : variable->notes->enumeration;
  };
  return ParseFactors("--vary", vary, find_enumeration);
}

}  // namespace orrery
