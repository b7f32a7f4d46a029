#include "orrery/sdk/fmu/fmu_export.h"

#include <filesystem>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/results/output_file.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/experiments/analysis_document.h"
#include "orrery/sdk/fmu/class_export.h"
#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery {
namespace {

void WriteTo(const std::string& path, const std::string& bytes) {
  OutputFile file(path);
  file.Write(bytes);
  file.Commit();
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

std::vector<Diagnostic> ExportFmu(const RunDocument& document,
                                  const FmuForm& form,
                                  const std::string& path) {
  if (!IsFmu(path)) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "cannot write '" + path + "': an FMU has a name that ends with .fmu");
  }
  if (!document.kind.empty() && document.kind != "cs" &&
      document.kind != "me") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot export " + document.file + " as '" + document.kind +
                    "': the kinds of use are cs (Co-Simulation) and me (Model "
                    "Exchange)");
  }
  if (IsFmu(document.file)) {
    throw Error(ErrorCode::kUnsupported,
                "cannot export " + document.file + ": it is an FMU already");
  }
  OutputFile::Check(path);
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
  fmi::ExportOptions options{
      .version = form.version,
      .use = document.kind.empty()   ? fmi::ExportedUse::kAny
             : document.kind == "me" ? fmi::ExportedUse::kModelExchange
                                     : fmi::ExportedUse::kCoSimulation,
      .elementary = form.elementary,
      .method = document.options.method,
      .tolerance = document.options.tolerance,
      .settings = model.settings};
  if (document.options.step) {
    options.step = document.options.step->value;
  }
  WriteTo(path, fmi::ExportFmu(model.program, options));
  return model.warnings;
}

}  // namespace orrery
