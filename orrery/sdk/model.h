#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/file_set.h"
#include "orrery/base/setting.h"
#include "orrery/base/source_file.h"
#include "orrery/compile/compile.h"
#include "orrery/compile/dependencies.h"
#include "orrery/program/program.h"

namespace orrery {

class Block;
struct FlatModel;

/// A model as it was written, brought to its flat form: what `Compile` takes. A
/// handle to immutable data, cheap to copy.
class Model {
 public:
  /// What stands behind the handle; for the inside of the library.
  struct Content;

  explicit Model(std::shared_ptr<Content> content);

  [[nodiscard]] const std::string& name() const noexcept;

  /// What was found that is no error.
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const noexcept;

  [[nodiscard]] Content& content() const noexcept { return *content_; }

 private:
  friend std::shared_ptr<const FlatModel> FlatModelOf(const Model& model);

  std::shared_ptr<Content> content_;
};

/// Reads the model in the file at `path`: Modelica (`.mo`) or a netlist of
/// causal blocks (`.cbd`). A file of a package that is a folder, its
/// `package.mo` or one within, comes with all of the package.
///
/// @param class_name dotted; needed where a Modelica file has several models.
/// @param settings values of parameters. Only those that shape the equations
///     (sizes of arrays, conditions of parts) matter here; give all of them to
///     the run as well.
/// @param files where it is read from, and the tables that it reads itself.
/// @param varied the names of parameters that runs give other values:
///     assertions on these are left to the runs.
/// @throws Error kIo if the file cannot be read, kInvalidArgument for another
///     ending, kInvalidModel with all that is wrong.
[[nodiscard]] Model LoadFile(const std::string& path,
                             const std::string& class_name = {},
                             std::span<const Setting> settings = {},
                             const FileSet& files = {},
                             std::span<const std::string> varied = {});

/// The model in a text in Modelica that is there already, as one that stands in
/// a C++ source is. The rest as LoadFile.
/// @throws Error kInvalidModel with all that is wrong.
[[nodiscard]] Model LoadText(std::shared_ptr<const SourceFile> text,
                             const std::string& class_name = {},
                             std::span<const Setting> settings = {},
                             const FileSet& files = {});

/// The model that a block or a diagram, written in C++, stands for. Traces the
/// block: no other thread may use it meanwhile. The result is independent of
/// it.
/// @throws Error kInvalidModel with all that is wrong.
[[nodiscard]] Model MakeModel(Block& top);

/// What a model consists of, for a block that is made of it, so that models of
/// any kind meet in one diagram:
///
///     auto& filter = d.Add<FlatBlock>(
///         "filter", FlatModelOf(LoadFile("filter.cbd")));
///
/// Not while the model is being compiled; nor is a block that is made of it
/// traced then.
[[nodiscard]] std::shared_ptr<const FlatModel> FlatModelOf(const Model& model);

/// Compiles a model. One compilation at a time for one model.
/// @param settings as `LoadFile` takes; they come before the model's own. A
///     model that they change the equations of is read again from its text.
/// @param until a condition, as in `tank.level > 0.8 and time > 3`, over the
///     names of the model: a run ends, completed, where it comes to hold. Empty
///     for none.
/// @throws Error kInvalidModel with all that is wrong.
[[nodiscard]] std::shared_ptr<const Program> Compile(
    const Model& model,
    std::span<const Setting> settings = {},
    const std::string& until = {});

/// The sorted equations, one a line; algebraic loops in brackets with the
/// unknowns they are solved for.
[[nodiscard]] std::string EquationsAsText(const Program& program);

/// Likewise, as a LaTeX `align*` environment.
[[nodiscard]] std::string EquationsAsLatex(const Program& program);

/// Which unknown of a model depends on which, before any equation is solved.
/// One call at a time for one model, and none while it is compiled.
/// @throws Error kInvalidModel with all that is wrong.
[[nodiscard]] Dependencies FindDependencies(const Model& model);

}  // namespace orrery
