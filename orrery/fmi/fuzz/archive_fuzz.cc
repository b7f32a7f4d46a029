#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "orrery/base/error.h"
#include "orrery/fmi/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

/// Any bytes are an archive whose entries stay in their folder and can be read,
/// or get an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  try {
    const orrery::fmi::Archive archive(
        std::make_shared<const orrery::SourceFile>(
            "fuzz.fmu", std::string(data, data + size)));
    for (const auto& file : archive.files()) {
      ORRERY_CHECK(!file.name.starts_with('/') &&
                   ("/" + file.name + "/").find("/../") == std::string::npos);
      try {
        ORRERY_CHECK(archive.Read(file).size() == file.size);
      } catch (const orrery::Error& error) {
        ORRERY_CHECK(error.code() == orrery::ErrorCode::kInvalidModel);
      }
    }
  } catch (const orrery::Error& error) {
    ORRERY_CHECK(error.code() == orrery::ErrorCode::kInvalidModel);
  }
  return 0;
}
