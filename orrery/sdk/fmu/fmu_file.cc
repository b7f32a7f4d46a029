#include "orrery/sdk/fmu/fmu_file.h"

#include "orrery/results/output_file.h"

namespace orrery {

bool IsFmu(std::string_view path) {
  return FormatEnding(std::string(path)) == ".fmu";
}

bool IsFmuSystem(std::string_view path) {
  const std::string ending = FormatEnding(std::string(path));
  return ending == ".ssp" || ending == ".ssd";
}

fmi::Fmu LoadFmu(const std::string& path,
                 Diagnostics& diagnostics,
                 const FileSet& files) {
  return fmi::ReadFmu(files.Read(path), diagnostics);
}

}  // namespace orrery
