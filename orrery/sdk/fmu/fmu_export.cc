#include "orrery/sdk/fmu/fmu_export.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/results/output_file.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/fmu/class_export.h"
#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery {
namespace {

void WriteTo(const std::string& path, const std::string& bytes) {
  OutputFile file(path);
  file.Write(bytes);
  file.Commit();
}

// Tells the parameters that cannot be set in the FMU any more.
std::optional<Diagnostic> NoteOfConstants(const CompiledModel& model) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> names;
  for (const ProgramVariable& its : model.program->variables) {
    if (its.kind == VariableKind::kParameter && its.is_structural &&
        !its.is_final && !its.is_protected) {
      names.push_back(its.name);
    }
  }
  names.insert(names.end(), model.texts.begin(), model.texts.end());
  if (names.empty()) {
    return std::nullopt;
  }
  std::string listed;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    listed += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMost) {
    listed += " and " + std::to_string(names.size() - kMost) + " others";
  }
  return Diagnostic{
      .severity = Severity::kNote,
      .message =
          "in the FMU, these cannot be set any more, as they shape the "
          "equations or are Strings: " +
          listed + "; --set gives them others when the FMU is written"};
}

void CheckPath(const std::string& path) {
  if (!IsFmu(path)) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "cannot write '" + path + "': an FMU has a name that ends with .fmu");
  }
  OutputFile::Check(path);
}

// The FMU of a plug-in, whose code for FMUs is beside it.
std::string BytesOfClass(const RunDocument& document, fmi::FmiVersion version) {
  if (document.kind == "me") {
    throw Error(ErrorCode::kUnsupported,
                "cannot export " + document.file +
                    " for Model Exchange: models of discrete events have no "
                    "equations; take Co-Simulation, by --as cs");
  }
  const std::filesystem::path plugin(document.file);
  const std::filesystem::path code =
      plugin.parent_path() /
      (plugin.stem().string() + "_fmu" + plugin.extension().string());
  if (!std::filesystem::exists(code)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot export " + document.file + ": its code for FMUs, " +
                    code.string() +
                    ", is not there; orrery_add_fmu in CMake makes it");
  }
  return ExportClassFmu(LoadPlugin(document.file),
                        document.settings,
                        version,
                        std::string(SourceFile::Read(code.string())->text()));
}

}  // namespace

fmi::FmiVersion FmiVersionOf(const std::string& name) {
  if (name == "2" || name == "2.0") {
    return fmi::FmiVersion::k2;
  }
  if (name == "3" || name == "3.0") {
    return fmi::FmiVersion::k3;
  }
  throw Error(
      ErrorCode::kInvalidArgument,
      "cannot write an FMU of FMI '" + name + "': the versions are 2 and 3");
}

fmi::Elementary ElementaryOf(const std::string& name) {
  if (name == "same") {
    return fmi::Elementary::kSame;
  }
  if (name == "libm") {
    return fmi::Elementary::kLibm;
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot write an FMU with the elementary functions '" + name +
                  "': there are same (those of orrery run) and libm (those of "
                  "the C library)");
}

fmi::ExportedUse ExportedUseOf(const std::string& name,
                               const std::string& what) {
  if (name.empty()) {
    return fmi::ExportedUse::kAny;
  }
  if (name == "me") {
    return fmi::ExportedUse::kModelExchange;
  }
  if (name == "cs") {
    return fmi::ExportedUse::kCoSimulation;
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot export " + what + " as '" + name +
                  "': the kinds of use are cs (Co-Simulation) and me (Model "
                  "Exchange)");
}

std::vector<Diagnostic> WriteFmu(const CompiledModel& model,
                                 fmi::ExportOptions options,
                                 const std::string& path) {
  CheckPath(path);
  options.settings = model.settings;
  WriteTo(path, fmi::ExportFmu(model.program, options));
  std::vector<Diagnostic> told = model.warnings;
  if (auto note = NoteOfConstants(model)) {
    told.insert(told.begin(), std::move(*note));
  }
  return told;
}

std::vector<Diagnostic> ExportFmu(const RunDocument& document,
                                  const FmuForm& form,
                                  const std::string& path) {
  CheckPath(path);
  const fmi::ExportedUse use = ExportedUseOf(document.kind, document.file);
  if (IsFmu(document.file)) {
    throw Error(ErrorCode::kUnsupported,
                "cannot export " + document.file + ": it is an FMU already");
  }
  if (IsCode(document)) {
    if (!document.class_name.empty() || document.options.step ||
        document.options.tolerance) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot export " + document.file +
                      " with a class, a step or a tolerance: it is one model, "
                      "of discrete events; leave them out");
    }
    if (form.elementary != fmi::Elementary::kSame) {
      throw Error(ErrorCode::kUnsupported,
                  "cannot export " + document.file +
                      " with the elementary functions libm: its code is built "
                      "with those of Orrery");
    }
    WriteTo(path, BytesOfClass(document, form.version));
    return {};
  }
  const CompiledModel model = CompileModel(document);
  fmi::ExportOptions options{.version = form.version,
                             .use = use,
                             .elementary = form.elementary,
                             .method = document.options.method,
                             .tolerance = document.options.tolerance};
  if (document.options.step) {
    options.step = document.options.step->value;
  }
  return WriteFmu(model, options, path);
}

}  // namespace orrery
