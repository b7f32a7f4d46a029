#include "orrery/sdk/runs/trace_file.h"

#include <string_view>

#include "orrery/base/error.h"
#include "orrery/results/output_file.h"

namespace orrery::sdk::internal {
namespace {

devs::Trace::Format FormatOf(const std::string& path) {
  const std::string ending = FormatEnding(path);
  if (ending == ".csv") {
    return devs::Trace::Format::kCsv;
  }
  if (ending == ".jsonl") {
    return devs::Trace::Format::kJsonLines;
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot write a trace to " + path +
                  ": the ending of its name says no format; known endings: "
                  ".csv, .jsonl");
}

}  // namespace

TraceFile::TraceFile(const std::string& path)
    : file_(path), text_(FormatOf(path), [this](std::string_view text) {
        file_.Write(text);
      }) {}

void TraceFile::Check(const std::string& path) {
  static_cast<void>(FormatOf(path));
  OutputFile::Check(path);
}

}  // namespace orrery::sdk::internal
