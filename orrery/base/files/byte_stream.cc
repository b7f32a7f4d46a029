#include "orrery/base/files/byte_stream.h"

#include "orrery/base/error.h"

namespace orrery {

void ByteReader::Truth(bool& value) {
  const char byte = *Take(1);
  Expect(byte == '\0' || byte == '\1', "a truth that is neither");
  value = byte == '\1';
}

void ByteReader::Text(std::string& text) {
  std::size_t size = 0;
  Count(size, 1);
  text.assign(Take(size), size);
}

void ByteReader::Count(std::size_t& count, std::size_t least) {
  std::uint64_t number = 0;
  Number(number);
  Expect(number <= rest_.size() / least, "more things than bytes");
  count = number;
}

void ByteReader::Expect(bool holds, const char* what) const {
  if (!holds) {
    throw Error(ErrorCode::kInvalidModel,
                std::string("cannot read a compiled model: it has ") + what +
                    ", " + std::to_string(rest_.size()) +
                    " bytes before its end; it is damaged");
  }
}

const char* ByteReader::Take(std::size_t size) {
  Expect(size <= rest_.size(), "an end too early");
  const char* const taken = rest_.data();
  rest_.remove_prefix(size);
  return taken;
}

std::uint64_t ChecksumOf(std::string_view bytes) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : bytes) {
    hash ^= static_cast<std::uint8_t>(byte);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace orrery
