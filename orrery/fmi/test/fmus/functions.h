#pragma once

#include <cstddef>
#include <cstdint>

// Declares a function of an FMU, and begins to define it.
#define API(Type, Name, ...) \
  Type Name(__VA_ARGS__);    \
  Type Name(__VA_ARGS__)

// Access to variables of a type that the FMU of FMI 3.0 does not have: an
// error.
#define NO_ACCESS(Name, Type) \
  API(int,                    \
      fmi3Get##Name,          \
      void*,                  \
      const std::uint32_t*,   \
      std::size_t,            \
      Type*,                  \
      std::size_t) {          \
    return 3;                 \
  }                           \
  API(int,                    \
      fmi3Set##Name,          \
      void*,                  \
      const std::uint32_t*,   \
      std::size_t,            \
      const Type*,            \
      std::size_t) {          \
    return 3;                 \
  }
