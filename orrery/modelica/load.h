#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/file_set.h"
#include "orrery/base/setting.h"
#include "orrery/base/source_file.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/class_ast.h"

namespace orrery::modelica {

/// Flattens class `class_name` (dotted, from the top) of the texts: looks up
/// names, applies modifications, makes all instances, and lowers equations to
/// formulas (specification 3.6, chapters 3 to 12).
///
/// An empty name means the only model there is, or else the only one with an
/// experiment annotation; if that is not one model, the error lists them. Of
/// several texts those in the first count, if it has any.
///
/// Where the value of a parameter decides what there is (the size of an array,
/// the condition of an if-equation or of a component), the one in `settings`
/// stands in place of the model's and becomes the parameter's binding. All
/// other settings, and names that are none, are left to the run.
///
/// Tables that the model reads from files (`tableOnFile`) come from `files`, by
/// the name of the file beside the model's text, else as it is written.
///
/// Assertions that depend on what is in `varied`, the names of parameters that
/// runs give other values, are left to these runs. All others on parameters
/// hold for the values above, or are errors.
///
/// Never throws on bad models: errors go to `diagnostics`, several at once, and
/// the result is empty if there was one. Warnings are also in the result. What
/// is not supported yet is an error that names the construct and its place.
/// Time and memory are near linear in the size of the result, and bounded:
/// arrays of 1e8 numbers, 4e6 components, 200 levels of them.
[[nodiscard]] std::optional<FlatModel> Flatten(
    const std::vector<const ast::StoredDefinition*>& definitions,
    const std::string& class_name,
    Diagnostics& diagnostics,
    std::span<const Setting> settings = {},
    const FileSet& files = {},
    std::span<const std::string> varied = {});

/// Parses and flattens one text.
[[nodiscard]] std::optional<FlatModel> Flatten(
    std::shared_ptr<const SourceFile> text,
    const std::string& class_name,
    Diagnostics& diagnostics,
    std::span<const Setting> settings = {},
    const FileSet& files = {},
    std::span<const std::string> varied = {});

/// Parses and flattens several texts together.
[[nodiscard]] std::optional<FlatModel> Flatten(
    const std::vector<std::shared_ptr<const SourceFile>>& texts,
    const std::string& class_name,
    Diagnostics& diagnostics,
    std::span<const Setting> settings = {},
    const FileSet& files = {},
    std::span<const std::string> varied = {});

}  // namespace orrery::modelica
