#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "orrery/base/error.h"
#include "orrery/cbd/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

/// Any text is a sound model or gets an error, which can be shown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const auto source = std::make_shared<const orrery::SourceFile>(
      "fuzz.cbd", std::string(data, data + size));
  const orrery::FileSet files(orrery::FileSet::Others::kNowhere);
  orrery::Diagnostics diagnostics;
  const orrery::FlatModel flat = orrery::LoadCbd(source, files, diagnostics);
  ORRERY_CHECK(diagnostics.has_errors() != diagnostics.list().empty());
  ORRERY_CHECK(diagnostics.has_errors() || !flat.variables.empty());
  ORRERY_CHECK(diagnostics.has_errors() == !Render(diagnostics.list()).empty());
  for (const orrery::Equation& equation : flat.equations) {
    ORRERY_CHECK(equation.left && equation.right);
  }
  return 0;
}
