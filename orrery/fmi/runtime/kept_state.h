#pragma once

#include <cstddef>
#include <string>

namespace orrery::fmi {

// States that importers keep: bytes behind a pointer, as both versions of FMI
// have them. All throw Error kInvalidArgument for null where a state is wanted.

/// Makes `*state` a state with these bytes, or a new one if it is null.
void KeepState(std::string bytes, void** state);

[[nodiscard]] const std::string& KeptState(const void* state);

/// Frees `*state`, if it is not null, which it is then.
void FreeState(void** state) noexcept;

/// The number of bytes of a serialised state.
[[nodiscard]] std::size_t SizeOfState(const void* state);

/// Serialises a state, with a checksum.
/// @throws Error kInvalidArgument for fewer than `SizeOfState` bytes.
void WriteState(const void* state, void* bytes, std::size_t size);

/// The bytes of a serialised state.
/// @throws Error kInvalidModel if they are damaged.
[[nodiscard]] std::string ReadState(const void* bytes, std::size_t size);

}  // namespace orrery::fmi
