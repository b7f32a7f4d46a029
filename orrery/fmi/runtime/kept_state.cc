#include "orrery/fmi/runtime/kept_state.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/files/byte_stream.h"

namespace orrery::fmi {

void KeepState(std::string bytes, void** state) {
  if (state == nullptr) {
    throw Error(ErrorCode::kInvalidArgument, "no place for a state is given");
  }
  if (*state == nullptr) {
    *state = std::make_unique<std::string>(std::move(bytes)).release();
  } else {
    *static_cast<std::string*>(*state) = std::move(bytes);
  }
}

const std::string& KeptState(const void* state) {
  if (state == nullptr) {
    throw Error(ErrorCode::kInvalidArgument, "no state is given");
  }
  return *static_cast<const std::string*>(state);
}

void FreeState(void** state) noexcept {
  if (state != nullptr) {
    delete static_cast<std::string*>(std::exchange(*state, nullptr));
  }
}

std::size_t SizeOfState(const void* state) {
  return sizeof(std::uint64_t) + KeptState(state).size();
}

void WriteState(const void* state, void* bytes, std::size_t size) {
  const std::string& its = KeptState(state);
  if (bytes == nullptr || size < SizeOfState(state)) {
    throw Error(ErrorCode::kInvalidArgument,
                "the state has " + std::to_string(SizeOfState(state)) +
                    " bytes, and there is room for " + std::to_string(size));
  }
  const std::uint64_t checksum = ChecksumOf(its);
  std::memcpy(bytes, &checksum, sizeof(checksum));
  std::memcpy(
      static_cast<char*>(bytes) + sizeof(checksum), its.data(), its.size());
}

std::string ReadState(const void* bytes, std::size_t size) {
  std::uint64_t checksum = 0;
  if (bytes == nullptr || size < sizeof(checksum)) {
    throw Error(ErrorCode::kInvalidModel, "a serialised state ends too early");
  }
  std::memcpy(&checksum, bytes, sizeof(checksum));
  std::string state(static_cast<const char*>(bytes) + sizeof(checksum),
                    size - sizeof(checksum));
  if (ChecksumOf(state) != checksum) {
    throw Error(ErrorCode::kInvalidModel,
                "a serialised state is damaged or cut off");
  }
  return state;
}

}  // namespace orrery::fmi
