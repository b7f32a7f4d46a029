#include "orrery/sdk/fmu/fmu_export.h"

#include "orrery/base/error.h"
#include "orrery/results/output_file.h"
#include "orrery/sdk/experiments/analysis_document.h"
#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery {

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

std::vector<Diagnostic> ExportFmu(const RunDocument& document,
                                  fmi::FmiVersion version,
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
  if (IsFmu(document.file) || IsCode(document)) {
    throw Error(ErrorCode::kUnsupported,
                "cannot export " + document.file +
                    ": models of equations alone can be FMUs, in Modelica or "
                    "as a block diagram");
  }
  OutputFile::Check(path);
  const CompiledModel model = CompileModel(document);
  fmi::ExportOptions options{
      .version = version,
      .use = document.kind.empty()   ? fmi::ExportedUse::kAny
             : document.kind == "me" ? fmi::ExportedUse::kModelExchange
                                     : fmi::ExportedUse::kCoSimulation,
      .method = document.options.method,
      .tolerance = document.options.tolerance,
      .settings = model.settings};
  if (document.options.step) {
    options.step = document.options.step->value;
  }
  const std::string bytes = fmi::ExportFmu(model.program, options);
  OutputFile file(path);
  file.Write(bytes);
  file.Commit();
  return model.warnings;
}

}  // namespace orrery
