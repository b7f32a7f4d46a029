#include "orrery/sdk/model/model.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/cbd/load.h"
#include "orrery/codegen/native_code.h"
#include "orrery/compile/compile.h"
#include "orrery/compile/listing.h"
#include "orrery/fmi/exchange/exchange_equations.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/parts/joined_blocks.h"
#include "orrery/fmi/sizes.h"
#include "orrery/model/block.h"
#include "orrery/model/flat_model.h"
#include "orrery/model/lower.h"
#include "orrery/modelica/condition.h"
#include "orrery/modelica/library_texts/package_folder.h"
#include "orrery/modelica/load.h"
#include "orrery/results/output_file.h"
#include "orrery/sdk/model/model_of_runs.h"
#include "orrery/sdk/model/setting_parts.h"

namespace orrery {

namespace internal = sdk::internal;

struct Model::Content {
  FlatModel flat;
  Diagnostics diagnostics;
  // Its source, if it is text in Modelica.
  std::vector<std::shared_ptr<const SourceFile>> texts;
  std::string class_name;
  std::vector<Setting> settings;
  FileSet files;
  std::vector<std::string> varied = {};
  std::vector<ParameterText> strings = {};  // Texts of Strings.
  std::optional<fmi::Fmu> fmu = {};         // Its source, if it is one.
  // A compilation adds formulas to the graph.
  std::unique_ptr<std::mutex> compiling = std::make_unique<std::mutex>();
};

namespace {

void RefuseTexts(const FlatModel& flat, std::span<const Setting> settings) {
  for (const Setting& setting : settings) {
    internal::RefuseText(flat, setting.name, "set '" + setting.name + "'");
  }
}

// The settings that decide sizes of an FMU's arrays.
std::vector<ParameterText> SizesIn(const fmi::Fmu& fmu,
                                   std::span<const Setting> settings) {
  std::vector<ParameterText> sizes;
  for (const Setting& setting : settings) {
    if (fmi::IsStructural(fmu, setting.name)) {
      sizes.push_back(
          {.name = setting.name, .value = ShortestText(setting.value)});
    }
  }
  return sizes;
}

// Flattens the content's source.
void Flatten(Model::Content& content) {
  if (content.fmu) {
    content.flat = fmi::EquationsOf(
        *content.fmu, content.strings, SizesIn(*content.fmu, content.settings));
    return;
  }
  auto flat = modelica::Flatten(content.texts,
                                content.class_name,
                                content.diagnostics,
                                {.numbers = content.settings,
                                 .texts = content.strings,
                                 .varied = content.varied},
                                content.files);
  content.diagnostics.ThrowIfErrors();
  ORRERY_CHECK(flat.has_value());
  fmi::JoinBlocks(*flat, content.files, content.diagnostics);
  content.diagnostics.ThrowIfErrors();
  RefuseTexts(*flat, content.settings);
  content.flat = std::move(*flat);
}

// True if this setting may change the structure of a model in a text: it sets a
// structural parameter, or one of a component that exists only with it.
bool MayReshape(const FlatModel& flat, const Setting& setting) {
  const Variable* const variable = internal::VariableOf(flat, setting.name);
  return variable == nullptr || variable->is_structural;
}

// Blocks in C++ are made once: their structural parameters are fixed.
void RefuseToReshape(const FlatModel& flat, std::span<const Setting> settings) {
  for (const Setting& setting : settings) {
    const Variable* const variable = internal::VariableOf(flat, setting.name);
    if (variable != nullptr && variable->is_structural) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot set '" + setting.name +
                      "': its value shaped the equations; give it where the "
                      "block is made");
    }
  }
}

// Adds the condition that ends a run to a copy of the model.
FlatModel WithEnd(const FlatModel& flat,
                  const std::string& until,
                  Diagnostics& diagnostics) {
  FlatModel result = flat;
  const auto text = std::make_shared<const SourceFile>("until", until);
  const Expr condition = modelica::ParseCondition(flat, text, diagnostics);
  if (diagnostics.has_errors()) {  // The error is the caller's, not the
                                   // model's.
    throw Error(ErrorCode::kInvalidArgument, diagnostics.list());
  }
  result.terminations.push_back(
      {.condition = condition,
       .message = {.parts = {{.text = until, .value = {}}}},
       .span = {},
       .path = {}});
  return result;
}

std::shared_ptr<const Program> CompileContent(const Model::Content& content,
                                              const std::string& until,
                                              PassWatch* watch = nullptr) {
  const std::scoped_lock lock(*content.compiling);
  Diagnostics diagnostics = content.diagnostics;
  auto program =
      until.empty()
          ? Compile(content.flat, diagnostics, LoopForm::kKept, watch)
          : Compile(WithEnd(content.flat, until, diagnostics), diagnostics);
  diagnostics.ThrowIfErrors();
  program->native = MakeNativeCode(program->tape);
  return program;
}

Model LoadNetlist(const std::string& path, const FileSet& files) {
  auto content = std::make_shared<Model::Content>();
  content->flat = LoadCbd(files.Read(path), files, content->diagnostics);
  content->diagnostics.ThrowIfErrors();
  return Model(std::move(content));
}

Model LoadExchange(const std::string& path,
                   std::span<const Setting> settings,
                   const FileSet& files,
                   std::span<const ParameterText> strings) {
  auto content = std::make_shared<Model::Content>();
  content->fmu = fmi::ReadFmu(files.Read(path), content->diagnostics);
  content->settings.assign(settings.begin(), settings.end());
  content->strings.assign(strings.begin(), strings.end());
  Flatten(*content);
  return Model(std::move(content));
}

Model LoadTexts(std::vector<std::shared_ptr<const SourceFile>> texts,
                const std::string& class_name,
                std::span<const Setting> settings,
                const FileSet& files,
                std::span<const std::string> varied,
                std::span<const ParameterText> strings = {}) {
  auto content = std::make_shared<Model::Content>();
  content->texts = std::move(texts);
  content->class_name = class_name;
  content->settings.assign(settings.begin(), settings.end());
  content->files = files;
  content->varied.assign(varied.begin(), varied.end());
  content->strings.assign(strings.begin(), strings.end());
  Flatten(*content);
  content->diagnostics.ThrowIfErrors();
  return Model(std::move(content));
}

// Refuses files that are no model of equations by their names, or have no such
// class.
void CheckName(const std::string& path, const std::string& class_name) {
  const std::string ending = FormatEnding(path);
  if (ending == ".so") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot load " + path +
                    " as a model of equations: it is a plug-in, whose model is "
                    "a class, which can be run and checked");
  }
  if (ending.empty() && std::filesystem::is_directory(path)) {
    const bool is_package =
        std::filesystem::exists(std::filesystem::path(path) / "package.mo");
    throw Error(ErrorCode::kInvalidArgument,
                "cannot load " + path + ": it is a folder" +
                    (is_package ? "; of a package that is one, name its "
                                  "package.mo"
                                : " without a package.mo, and so no package; "
                                  "name a file in it"));
  }
  if (ending == ".ssp" || ending == ".ssd") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot load " + path +
                    ": it is a system of FMUs, which 'orrery run' and 'orrery "
                    "check' take; for other commands name one of its FMUs");
  }
  if (ending != ".mo" && ending != ".cbd" && ending != ".fmu") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot load " + path +
                    ": the ending of its name says no kind of model; name it "
                    ".mo (Modelica), .cbd (netlist of causal blocks) or .fmu");
  }
  if (ending != ".mo" && !class_name.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot load class '" + class_name + "' from " + path + ": " +
                    (ending == ".cbd" ? "a netlist" : "an FMU") +
                    " has no classes; leave out the class");
  }
}

}  // namespace

Model::Model(std::shared_ptr<Content> content) : content_(std::move(content)) {}

std::shared_ptr<const FlatModel> FlatModelOf(const Model& model) {
  return {model.content_, &model.content_->flat};
}

const std::string& Model::name() const noexcept {
  return content_->flat.name;
}

const std::vector<Diagnostic>& Model::warnings() const noexcept {
  return content_->diagnostics.list();
}

Model LoadFile(const std::string& path,
               const std::string& class_name,
               std::span<const Setting> settings,
               const FileSet& files,
               std::span<const std::string> varied,
               std::span<const ParameterText> texts) {
  CheckName(path, class_name);
  const std::string ending = FormatEnding(path);
  if (ending == ".fmu") {
    return LoadExchange(path, settings, files, texts);
  }
  if (ending != ".mo") {
    return LoadNetlist(path, files);
  }
  // Reads files of a package that is a folder when they are needed.
  return LoadTexts(class_name.empty() ? modelica::ReadTexts(path, files)
                                      : std::vector{files.Read(path)},
                   class_name,
                   settings,
                   files,
                   varied,
                   texts);
}

Model LoadText(std::shared_ptr<const SourceFile> text,
               const std::string& class_name,
               std::span<const Setting> settings,
               const FileSet& files) {
  return LoadTexts({std::move(text)}, class_name, settings, files, {});
}

Model MakeModel(Block& top) {
  auto content = std::make_shared<Model::Content>();
  content->flat = Lower(top);
  for (const Diagnostic& warning : content->flat.warnings) {
    content->diagnostics.Add(warning);
  }
  fmi::JoinBlocks(content->flat, content->files, content->diagnostics);
  content->diagnostics.ThrowIfErrors();
  return Model(std::move(content));
}

std::shared_ptr<const Program> Compile(const Model& model,
                                       std::span<const Setting> settings,
                                       const std::string& until) {
  return internal::CompileForRun(model, settings, {}, until);
}

std::shared_ptr<const Program> Compile(const Model& model, PassWatch& watch) {
  return CompileContent(model.content(), {}, &watch);
}

std::shared_ptr<const Program> internal::CompileForRun(
    const Model& model,
    std::span<const Setting> settings,
    std::span<const ParameterText> texts,
    const std::string& until) {
  const Model::Content& content = model.content();
  RefuseTexts(content.flat, settings);
  const bool has_source = !content.texts.empty() || content.fmu.has_value();
  const bool may_reshape =
      !texts.empty() ||
      (has_source && std::ranges::any_of(settings, [&](const Setting& setting) {
         return MayReshape(content.flat, setting);
       }));
  if (!has_source) {
    RefuseToReshape(content.flat, settings);
  }
  if (!may_reshape) {
    return CompileContent(content, until);
  }
  Model::Content reshaped{.texts = content.texts,
                          .class_name = content.class_name,
                          .settings = content.settings,
                          .files = content.files,
                          .varied = content.varied,
                          .strings = content.strings,
                          .fmu = content.fmu};
  reshaped.settings.insert(
      reshaped.settings.end(), settings.begin(), settings.end());
  reshaped.strings.insert(reshaped.strings.end(), texts.begin(), texts.end());
  Flatten(reshaped);
  return CompileContent(reshaped, until);
}

std::string EquationsAsText(const Program& program) {
  return ListEquations(program);
}

std::string EquationsAsLatex(const Program& program) {
  return ListEquationsAsLatex(program);
}

Dependencies FindDependencies(const Model& model) {
  const Model::Content& content = model.content();
  const std::scoped_lock lock(*content.compiling);
  Diagnostics diagnostics = content.diagnostics;
  Dependencies result = FindDependencies(content.flat, diagnostics);
  diagnostics.ThrowIfErrors();
  return result;
}

}  // namespace orrery
