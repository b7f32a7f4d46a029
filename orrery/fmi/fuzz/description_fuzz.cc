#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "orrery/base/error.h"
#include "orrery/fmi/description.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

/// Any text is a description whose references are all to variables, or gets an
/// error, which can be shown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const auto source = std::make_shared<const orrery::SourceFile>(
      "modelDescription.xml", std::string(data, data + size));
  orrery::Diagnostics diagnostics;
  const auto description = orrery::fmi::ReadDescription(source, diagnostics);
  ORRERY_CHECK(diagnostics.has_errors() == (description == nullptr));
  ORRERY_CHECK(diagnostics.list().empty() ==
               Render(diagnostics.list()).empty());
  if (description == nullptr) {
    return 0;
  }
  const std::size_t count = description->variables.size();
  for (const orrery::fmi::Variable& variable : description->variables) {
    ORRERY_CHECK(!variable.alias_of || *variable.alias_of < count);
    ORRERY_CHECK(!variable.derivative_of || *variable.derivative_of < count);
  }
  for (const auto* list : {&description->structure.outputs,
                           &description->structure.derivatives,
                           &description->structure.initial_unknowns}) {
    for (const orrery::fmi::Unknown& unknown : *list) {
      ORRERY_CHECK(unknown.variable < count);
    }
  }
  return 0;
}
