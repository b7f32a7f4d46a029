#pragma once

#include <cstdarg>
#include <cstddef>

/// The functions that C code may call (specification 3.6, section 12.9.6):
/// declared here and as the text of ModelicaUtilities.h.
#define ORRERY_MODELICA_UTILITIES                                \
  void ModelicaMessage(const char* text);                        \
  void ModelicaFormatMessage(const char* text, ...);             \
  void ModelicaVFormatMessage(const char* text, va_list values); \
  void ModelicaWarning(const char* text);                        \
  void ModelicaFormatWarning(const char* text, ...);             \
  void ModelicaVFormatWarning(const char* text, va_list values); \
  void ModelicaError(const char* text);                          \
  void ModelicaFormatError(const char* text, ...);               \
  void ModelicaVFormatError(const char* text, va_list values);   \
  char* ModelicaAllocateString(size_t length);                   \
  char* ModelicaAllocateStringWithErrorReturn(size_t length);    \
  char* ModelicaDuplicateString(const char* text);               \
  char* ModelicaDuplicateStringWithErrorReturn(const char* text);

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
ORRERY_MODELICA_UTILITIES
}
// NOLINTEND(readability-identifier-naming)
