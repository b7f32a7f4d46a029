#include "orrery/sdk/saved_run_file.h"

#include <string_view>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/results/output_file.h"

namespace orrery {

SavedRun ReadSavedRun(const std::string& path) {
  const auto file = SourceFile::Read(path);
  try {
    return SavedRunFromBytes(file->text());
  } catch (const Error& error) {
    throw Error(error.code(), path + ": " + error.what());
  }
}

void WriteSavedRun(const std::string& path, const SavedRun& saved) {
  OutputFile file(path);
  file.Write(BytesOf(saved));
  file.Commit();
}

}  // namespace orrery
