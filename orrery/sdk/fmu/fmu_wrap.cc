#include "orrery/sdk/fmu/fmu_wrap.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/fmi/exchange/block_text.h"
#include "orrery/results/output_file.h"
#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

// A text that is there may be replaced only if it was written here.
void CheckTarget(const fs::path& target) {
  if (target.extension() != ".mo") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot write '" + target.string() +
                    "': a text in Modelica has a name that ends with .mo");
  }
  std::error_code none;
  if (fs::exists(target, none) &&
      SourceFile::Read(target.string())->text().find("written by orrery fmu") ==
          std::string_view::npos) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot write '" + target.string() +
                    "': it is there, and is another text; name a file by "
                    "--output");
  }
}

// A kind of use by which FMUs are parts of models; none for an empty text.
std::optional<fmi::InterfaceKind> KindNamed(const std::string& path,
                                            const std::string& as) {
  if (as.empty()) {
    return std::nullopt;
  }
  if (as != "me" && as != "cs") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot wrap " + path + " as '" + as +
                    "': the kind is me (Model Exchange) or cs "
                    "(Co-Simulation)");
  }
  return as == "cs" ? fmi::InterfaceKind::kCoSimulation
                    : fmi::InterfaceKind::kModelExchange;
}

}  // namespace

std::string WrapFmu(const std::string& path,
                    const std::string& output,
                    const std::string& as,
                    Diagnostics& findings) {
  const std::optional<fmi::InterfaceKind> kind = KindNamed(path, as);
  fs::path target =
      output.empty() ? fs::path(path).replace_extension() : fs::path(output);
  if (output.empty()) {
    target.replace_filename(fmi::AsIdentifier(target.filename().string()) +
                            ".mo");
  }
  CheckTarget(target);
  const fmi::Fmu fmu = LoadFmu(path, findings);
  std::error_code none;
  const fs::path folder = fs::absolute(target, none).parent_path();
  const std::string text = fmi::BlockText(
      fmu,
      {.block = fmi::AsIdentifier(target.stem().string()),
       .file = fs::proximate(path, folder, none).generic_string(),
       .kind = kind});
  OutputFile file(target.string());
  file.Write(text);
  file.Commit();
  return target.string();
}

}  // namespace orrery
