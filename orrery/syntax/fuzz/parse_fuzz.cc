#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/syntax/parser.h"
#include "orrery/syntax/unparse.h"

namespace {

std::string Printed(const std::string& text, bool& is_right) {
  orrery::Diagnostics diagnostics;
  const auto tree = orrery::modelica::Parse(
      std::make_shared<const orrery::SourceFile>("fuzz.mo", text), diagnostics);
  is_right = !diagnostics.has_errors();
  std::ignore = orrery::Render(diagnostics.list());
  return orrery::modelica::Unparse(*tree);
}

}  // namespace

// Any bytes parse without a crash, and what parses without an error is the
// same after it was printed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bool is_right = false;
  const std::string printed = Printed(std::string(data, data + size), is_right);
  if (is_right && (Printed(printed, is_right) != printed || !is_right)) {
    std::abort();
  }
  return 0;
}
