#include "orrery/modelica/external/modelica_utilities.h"

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace {

std::string Formatted(const char* format, std::va_list values) {
  std::va_list again;
  va_copy(again, values);
  const int length = std::vsnprintf(nullptr, 0, format, values);
  std::string text(static_cast<std::size_t>(std::max(length, 0)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

void Tell(const char* kind, const std::string& text) {
  std::fputs((kind + text + "\n").c_str(), stderr);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming, cert-dcl50-cpp)
void ModelicaMessage(const char* text) {
  Tell("", text);
}

void ModelicaVFormatMessage(const char* text, std::va_list values) {
  Tell("", Formatted(text, values));
}

void ModelicaFormatMessage(const char* text, ...) {
  std::va_list values;
  va_start(values, text);
  ModelicaVFormatMessage(text, values);
  va_end(values);
}

void ModelicaWarning(const char* text) {
  Tell("warning: ", text);
}

void ModelicaVFormatWarning(const char* text, std::va_list values) {
  Tell("warning: ", Formatted(text, values));
}

void ModelicaFormatWarning(const char* text, ...) {
  std::va_list values;
  va_start(values, text);
  ModelicaVFormatWarning(text, values);
  va_end(values);
}

void ModelicaError(const char* text) {
  throw std::runtime_error(text);
}

void ModelicaVFormatError(const char* text, std::va_list values) {
  throw std::runtime_error(Formatted(text, values));
}

void ModelicaFormatError(const char* text, ...) {
  std::va_list values;
  va_start(values, text);
  const std::string formatted = Formatted(text, values);
  va_end(values);
  throw std::runtime_error(formatted);
}

char* ModelicaAllocateStringWithErrorReturn(std::size_t length) {
  return static_cast<char*>(std::calloc(length + 1, 1));
}

char* ModelicaAllocateString(std::size_t length) {
  char* const room = ModelicaAllocateStringWithErrorReturn(length);
  if (room == nullptr) {
    ModelicaError("there is no memory for a String");
  }
  return room;
}

char* ModelicaDuplicateStringWithErrorReturn(const char* text) {
  char* const room = ModelicaAllocateStringWithErrorReturn(std::strlen(text));
  return room == nullptr ? nullptr : std::strcpy(room, text);
}

char* ModelicaDuplicateString(const char* text) {
  return std::strcpy(ModelicaAllocateString(std::strlen(text)), text);
}

// NOLINTEND(readability-identifier-naming, cert-dcl50-cpp)
