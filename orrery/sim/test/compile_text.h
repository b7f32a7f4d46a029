#pragma once

#include <memory>
#include <string>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/compile/compile.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/load.h"

namespace orrery {

/// The program of the only model in a Modelica text.
/// @throws Error kInvalidModel with the model's errors.
[[nodiscard]] inline std::shared_ptr<Program> CompileText(
    const std::string& text) {
  Diagnostics diagnostics;
  const auto flat = modelica::Flatten(
      std::make_shared<SourceFile>("test.mo", text), "", diagnostics);
  auto program = flat ? Compile(*flat, diagnostics) : nullptr;
  if (program == nullptr) {
    throw Error(ErrorCode::kInvalidModel, diagnostics.list());
  }
  return program;
}

/// The program of a model with these declarations and equations.
[[nodiscard]] inline std::shared_ptr<Program> CompileBody(
    const std::string& body) {
  return CompileText("model A\n" + body + "end A;\n");
}

/// The message of the Error that `call` throws, or "no error".
template <typename Call>
[[nodiscard]] std::string MessageOf(const Call& call) {
  try {
    static_cast<void>(call());
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace orrery
