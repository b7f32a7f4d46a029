#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "orrery/base/error.h"
#include "orrery/fmi/system/system_description.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace {

// The part of a text that is file `name`: the description stands first, then
// the parameters (.ssv), then the mapping (.ssm), with a line between them.
std::string PartOf(std::string_view text, std::string_view name) {
  constexpr std::string_view kBetween = "\n----\n";
  const int number = name.ends_with(".ssd")   ? 0
                     : name.ends_with(".ssv") ? 1
                     : name.ends_with(".ssm") ? 2
                                              : 3;
  for (int i = 0; i < number; ++i) {
    const std::size_t end = text.find(kBetween);
    if (end == std::string_view::npos) {
      return {};
    }
    text.remove_prefix(end + kBetween.size());
  }
  return std::string(text.substr(0, text.find(kBetween)));
}

}  // namespace

/// Any texts are a system whose connections join its components, or get an
/// error, which can be shown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string text(data, data + size);
  const auto read = [&text](const std::string& name) {
    return std::make_shared<const orrery::SourceFile>(name, PartOf(text, name));
  };
  orrery::Diagnostics diagnostics;
  try {
    const orrery::fmi::SystemDescription system =
        orrery::fmi::ReadSystemFile(read("fuzz.ssd"), {}, read, diagnostics);
    ORRERY_CHECK(!diagnostics.has_errors());
    for (const auto& connection : system.connections) {
      ORRERY_CHECK(connection.from < system.components.size() &&
                   connection.to < system.components.size() &&
                   !connection.changes.empty());
    }
    for (const auto& component : system.components) {
      ORRERY_CHECK(component.file != nullptr);
    }
  } catch (const orrery::Error& error) {
    ORRERY_CHECK(error.code() == orrery::ErrorCode::kInvalidModel);
  }
  ORRERY_CHECK(diagnostics.list().empty() ==
               Render(diagnostics.list()).empty());
  return 0;
}
