#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/files/file_set.h"
#include "orrery/base/source_file.h"
#include "orrery/base/values/parameters.h"
#include "orrery/base/values/setting.h"
#include "orrery/model/flat_model.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica {

/// Values in place of a model's own.
struct GivenValues {
  std::span<const Setting> numbers = {};
  /// Values of Strings, without quotes.
  std::span<const ParameterText> texts = {};
  /// Names of parameters that runs give other values.
  std::span<const std::string> varied = {};
};

/// Flattens class `class_name` (dotted, from the top) of the texts: looks up
/// names, applies modifications, makes all instances, and lowers equations to
/// formulas (specification 3.6, chapters 3 to 12).
///
/// An empty name selects the only model, or else the only model with an
/// experiment annotation; if there is no single one, the error lists the
/// candidates. Models of the first text take precedence.
///
/// If a parameter determines the structure (the size of an array, the condition
/// of an if-equation or of a component), its number in `given` replaces the
/// model's and becomes the parameter's binding. All other numbers, and unknown
/// names, are left to the run. Texts become bindings, too.
///
/// Tables that the model reads from files (`tableOnFile`) come from `files`, by
/// the file's name relative to the model's text, else by the name as written.
///
/// Assertions that depend on what is varied are left to these runs. All others
/// on parameters hold for the values above, or are errors.
///
/// Never throws on bad models: errors go to `diagnostics`, several at once, and
/// the result is empty if there was one. Warnings are also in the result. An
/// unsupported construct is an error that names the construct and its place.
/// Time and memory are near linear in the size of the result, and bounded:
/// arrays of 1e8 numbers, 4e6 components, 200 levels of them.
[[nodiscard]] std::optional<FlatModel> Flatten(
    const std::vector<const ast::StoredDefinition*>& definitions,
    const std::string& class_name,
    Diagnostics& diagnostics,
    const GivenValues& given = {},
    const FileSet& files = {});

/// Parses and flattens one text.
[[nodiscard]] std::optional<FlatModel> Flatten(
    std::shared_ptr<const SourceFile> text,
    const std::string& class_name,
    Diagnostics& diagnostics,
    const GivenValues& given = {},
    const FileSet& files = {});

/// Parses and flattens several texts together.
[[nodiscard]] std::optional<FlatModel> Flatten(
    const std::vector<std::shared_ptr<const SourceFile>>& texts,
    const std::string& class_name,
    Diagnostics& diagnostics,
    const GivenValues& given = {},
    const FileSet& files = {});

}  // namespace orrery::modelica
