#pragma once

#include <memory>
#include <string>

#include "orrery/modelica/values/lowering_context.h"

/// Files that a model names.
namespace orrery::modelica::internal {

/// The file or folder that modelica://Library/... or file://... means.
std::string ResourceNamed(LoweringContext& context,
                          std::string name,
                          const ast::Span& span);

/// The file of this name, which is relative to the folder of the model's text,
/// else to the current one.
std::shared_ptr<const SourceFile> FindFile(LoweringContext& context,
                                           const std::string& name);

}  // namespace orrery::modelica::internal
