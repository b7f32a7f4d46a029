#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/compile/compile.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/load.h"

namespace orrery {

/// The program of the only model in a Modelica text.
/// @throws std::runtime_error with what is wrong with it.
[[nodiscard]] inline std::shared_ptr<const Program> CompileText(
    const std::string& text) {
  Diagnostics diagnostics;
  const auto flat = modelica::Flatten(
      std::make_shared<SourceFile>("test.mo", text), "", diagnostics);
  auto program = flat ? Compile(*flat, diagnostics) : nullptr;
  if (program == nullptr) {
    throw std::runtime_error(Render(diagnostics.list()));
  }
  return program;
}

}  // namespace orrery
