#include "orrery/modelica/classes/stand_ins.h"

#include <algorithm>
#include <array>
#include <string>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/modelica/library_texts/standard_library.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::array<std::string_view, 28> kStandIns = {
    "Modelica.Blocks.Tables.Internal.getNextTimeEvent",
    "Modelica.Blocks.Tables.Internal.getTable1DAbscissaUmax",
    "Modelica.Blocks.Tables.Internal.getTable1DAbscissaUmin",
    "Modelica.Blocks.Tables.Internal.getTable1DValue",
    "Modelica.Blocks.Tables.Internal.getTable1DValueNoDer",
    "Modelica.Blocks.Tables.Internal.getTable1DValueNoDer2",
    "Modelica.Blocks.Tables.Internal.getTable2DAbscissaUmax",
    "Modelica.Blocks.Tables.Internal.getTable2DAbscissaUmin",
    "Modelica.Blocks.Tables.Internal.getTable2DValue",
    "Modelica.Blocks.Tables.Internal.getTable2DValueNoDer",
    "Modelica.Blocks.Tables.Internal.getTable2DValueNoDer2",
    "Modelica.Blocks.Tables.Internal.getTimeTableTmax",
    "Modelica.Blocks.Tables.Internal.getTimeTableTmin",
    "Modelica.Blocks.Tables.Internal.getTimeTableValue",
    "Modelica.Blocks.Tables.Internal.getTimeTableValueNoDer",
    "Modelica.Blocks.Tables.Internal.getTimeTableValueNoDer2",
    "Modelica.Blocks.Types.ExternalCombiTable1D",
    "Modelica.Blocks.Types.ExternalCombiTable2D",
    "Modelica.Blocks.Types.ExternalCombiTimeTable",
    "Modelica.Fluid.Utilities.checkBoundary",
    "Modelica.Math.FastFourierTransform.Internal.rawRealFFT",
    "Modelica.Math.Random.Generators.Xorshift1024star.random",
    "Modelica.Math.Random.Generators.Xorshift128plus.random",
    "Modelica.Math.Random.Generators.Xorshift64star.random",
    "Modelica.Math.Random.Utilities.automaticGlobalSeed",
    "Modelica.Math.Random.Utilities.impureRandom",
    "Modelica.Math.Random.Utilities.initialStateWithXorshift64star",
    "Modelica.Math.Random.Utilities.initializeImpureRandom"};

}  // namespace

std::span<const std::string_view> StandIns() noexcept {
  return kStandIns;
}

bool HasStandIn(std::string_view full_name) {
  return std::ranges::find(kStandIns, full_name) != kStandIns.end();
}

const LibraryText& BuiltInTextWith(std::string_view full_name) {
  const LibraryText* best = nullptr;
  for (const LibraryText& text : StandardLibrary()) {
    const bool holds = full_name == text.name ||
                       full_name.starts_with(std::string(text.name) + ".");
    if (holds && (best == nullptr || text.name.size() > best->name.size())) {
      best = &text;
    }
  }
  ORRERY_CHECK(best != nullptr);
  return *best;
}

const ast::ClassDefinition* NestedIn(const ast::ClassDefinition& definition,
                                     std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot != std::string_view::npos) {
    return NestedIn(*NestedIn(definition, name.substr(0, dot)),
                    name.substr(dot + 1));
  }
  for (const ast::Element& element :
       std::get<ast::LongClass>(definition.node).elements) {
    const auto* const nested =
        std::get_if<const ast::ClassDefinition*>(&element.node);
    if (nested != nullptr && (*nested)->name.text == name) {
      return *nested;
    }
  }
  return nullptr;
}

}  // namespace orrery::modelica::internal
