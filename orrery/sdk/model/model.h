#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/files/file_set.h"
#include "orrery/base/source_file.h"
#include "orrery/base/values/parameters.h"
#include "orrery/base/values/setting.h"
#include "orrery/compile/compile.h"
#include "orrery/compile/dependencies.h"
#include "orrery/program/program.h"

namespace orrery {

class Block;
struct FlatModel;

/// A model in its flat form, the argument of `Compile`. A handle to immutable
/// data, cheap to copy.
class Model {
 public:
  /// The data behind the handle; for internal use.
  struct Content;

  explicit Model(std::shared_ptr<Content> content);

  [[nodiscard]] const std::string& name() const noexcept;

  /// The findings that are no errors.
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const noexcept;

  [[nodiscard]] Content& content() const noexcept { return *content_; }

 private:
  friend std::shared_ptr<const FlatModel> FlatModelOf(const Model& model);

  std::shared_ptr<Content> content_;
};

/// Reads the model in the file at `path`: Modelica (`.mo`), a netlist of causal
/// blocks (`.cbd`) or an FMU for Model Exchange (`.fmu`), whose code is loaded.
/// A file of a package that is a folder, its `package.mo` or one within, is
/// read with the whole package.
///
/// @param class_name dotted; needed if a Modelica file has several models.
/// @param settings values of parameters. Only structural parameters (sizes of
///     arrays, conditions of components) matter here; give all of them to the
///     run as well.
/// @param files source of the file, and of the tables that the model reads.
/// @param texts values of parameters that are Strings.
/// @throws Error kIo if the file cannot be read, kInvalidArgument for another
///     ending or an FMU for other uses, kInvalidModel with all that is wrong,
///     kUnsupported if the code of an FMU cannot be loaded.
[[nodiscard]] Model LoadFile(const std::string& path,
                             const std::string& class_name = {},
                             std::span<const Setting> settings = {},
                             const FileSet& files = {},
                             std::span<const std::string> varied = {},
                             std::span<const ParameterText> texts = {});

/// Reads the model in a text in Modelica, for example one in a C++ source. The
/// rest as LoadFile.
/// @throws Error kInvalidModel with all errors.
[[nodiscard]] Model LoadText(std::shared_ptr<const SourceFile> text,
                             const std::string& class_name = {},
                             std::span<const Setting> settings = {},
                             const FileSet& files = {});

/// Makes the model of a block or a diagram written in C++. Traces the block: no
/// other thread may use it meanwhile. The result is independent of the block.
/// @throws Error kInvalidModel with all errors.
[[nodiscard]] Model MakeModel(Block& top);

/// Returns the flat form of a model, for a block that is made of it. Models of
/// any kind can so be parts of one diagram:
///
///     auto& filter = d.Add<FlatBlock>(
///         "filter", FlatModelOf(LoadFile("filter.cbd")));
///
/// Must not be called while the model is compiled; a block that is made of it
/// must not be traced then either.
[[nodiscard]] std::shared_ptr<const FlatModel> FlatModelOf(const Model& model);

/// Compiles a model; of several compilations of one model at once, each waits
/// for the one before.
/// @param settings as for `LoadFile`; they take precedence over the model's
///     own. If they change its structure, the model is read again from its
///     text.
/// @param until a condition, as in `tank.level > 0.8 and time > 3`, over the
///     names of the model. The run completes as soon as it holds. Empty for
///     none.
/// @throws Error kInvalidModel with all errors.
[[nodiscard]] std::shared_ptr<const Program> Compile(
    const Model& model,
    std::span<const Setting> settings = {},
    const std::string& until = {});

/// Compiles a model as it is written; `watch` follows the passes.
/// @throws Error kInvalidModel with all that is wrong.
[[nodiscard]] std::shared_ptr<const Program> Compile(const Model& model,
                                                     PassWatch& watch);

/// The sorted equations, one a line; algebraic loops in brackets with the
/// unknowns they are solved for.
[[nodiscard]] std::string EquationsAsText(const Program& program);

/// Likewise, as a LaTeX `align*` environment.
[[nodiscard]] std::string EquationsAsLatex(const Program& program);

/// Returns the dependencies between the unknowns of a model, before any
/// equation is solved. Waits for compilations of the model in other threads.
/// @throws Error kInvalidModel with all errors.
[[nodiscard]] Dependencies FindDependencies(const Model& model);

}  // namespace orrery
