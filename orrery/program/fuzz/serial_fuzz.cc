#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "orrery/base/error.h"
#include "orrery/program/program.h"
#include "orrery/program/serial.h"
#include "orrery/program/serial_content.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

/// Any bytes are a program, whose places are all within its memory and which is
/// restored from its own bytes, or get an error. The header with its checksum
/// is left out: no changed bytes would have the right one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string content(data, data + size);
  orrery::ByteReader in(content);
  std::shared_ptr<const orrery::Program> program;
  try {
    program = orrery::program::internal::ReadContent(in);
  } catch (const orrery::Error& error) {
    ORRERY_CHECK(error.code() == orrery::ErrorCode::kInvalidModel);
    return 0;
  }
  const std::size_t memory = program->tape->memory_size();
  ORRERY_CHECK(program->initial_memory.size() == memory);
  for (const std::uint32_t slot : program->state_slots) {
    ORRERY_CHECK(slot < memory);
  }
  const std::string bytes = BytesOf(*program);
  ORRERY_CHECK(BytesOf(*orrery::ProgramFromBytes(bytes)) == bytes);
  return 0;
}
