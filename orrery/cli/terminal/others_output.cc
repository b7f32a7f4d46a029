#include "orrery/cli/terminal/others_output.h"

#include <unistd.h>

#include <cstdio>

#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery::cli {

OthersOutput::OthersOutput() : output_(dup(STDOUT_FILENO)) {
  std::fflush(stdout);
  if (output_ >= 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
}

OthersOutput::~OthersOutput() {
  std::fflush(stdout);
  if (output_ >= 0) {
    dup2(output_, STDOUT_FILENO);
    close(output_);
  }
}

std::unique_ptr<OthersOutput> OutputOf(const std::string& file) {
  return IsFmu(file) ? std::make_unique<OthersOutput>() : nullptr;
}

}  // namespace orrery::cli
