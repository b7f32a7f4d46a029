#include "orrery/sdk/fmu/fmu_block.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "orrery/base/diagnostic.h"
#include "orrery/fmi/exchange/exchange_equations.h"
#include "orrery/fmi/parts/coupled_equations.h"
#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery {
namespace {

// The equations of an FMU that `make` gives. Inputs have start values in place
// of defaults: they are to be connected, but at the top of a model.
template <typename Make>
std::shared_ptr<const FlatModel> EquationsAt(const std::string& path,
                                             const Make& make) {
  Diagnostics findings;
  auto flat = std::make_shared<FlatModel>(make(LoadFmu(path, findings)));
  for (Variable& variable : flat->variables) {
    if (variable.is_input) {
      variable.start = std::exchange(variable.binding, Expr());
    }
  }
  flat->warnings = findings.list();
  return flat;
}

}  // namespace

FmuBlock::FmuBlock(const std::string& path,
                   const Arguments& settings,
                   const std::vector<ParameterText>& texts)
    : FlatBlock(EquationsAt(path, [&](const fmi::Fmu& fmu) {
        return fmi::EquationsOf(fmu, texts);
      })) {
  SetAll(settings);
}

FmuBlock::FmuBlock(const std::string& path,
                   const Arguments& settings,
                   const CoSimulation& use,
                   const std::vector<ParameterText>& texts)
    : FlatBlock(EquationsAt(path, [&](const fmi::Fmu& fmu) {
        return fmi::CoupledEquationsOf(
            fmu,
            texts,
            use.step ? std::optional(use.step->value) : std::nullopt);
      })) {
  SetAll(settings);
}

void FmuBlock::SetAll(const Arguments& settings) {
  for (const Setting& setting : settings) {
    SetValue((*this)[setting.name], setting.value);
  }
}

}  // namespace orrery
