#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/modelica/load.h"
#include "orrery/syntax/parser.h"
#include "orrery/syntax/unparse.h"

namespace {

// The text without comments and spaces that say nothing; empty if it has
// errors.
std::string Printed(const std::string& text) {
  orrery::Diagnostics diagnostics;
  const auto tree = orrery::modelica::Parse(
      std::make_shared<const orrery::SourceFile>("fuzz.mo", text), diagnostics);
  return diagnostics.has_errors() ? "" : orrery::modelica::Unparse(*tree);
}

// True if all numbers are small: models of a million components are legal, but
// take too long here.
bool IsSmall(const std::string& text) {
  std::size_t digits = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > 2) {
      return false;
    }
  }
  return true;
}

void Flatten(const std::string& text) {
  orrery::Diagnostics diagnostics;
  std::ignore = orrery::modelica::Flatten(
      std::make_shared<const orrery::SourceFile>("fuzz.mo", text),
      "",
      diagnostics);
  std::ignore = orrery::Render(diagnostics.list());
}

}  // namespace

// Any bytes parse without a crash. A text without errors is unchanged by
// printing and parsing; flattening it does not crash.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);

// Forbids external functions: arbitrary bytes could name any C code.
int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  return setenv("ORRERY_EXTERNAL", "off", 1);  // NOLINT(concurrency-mt-unsafe)
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string printed = Printed(std::string(data, data + size));
  if (!printed.empty() && IsSmall(printed)) {
    Flatten(printed);
  }
  return 0;
}
