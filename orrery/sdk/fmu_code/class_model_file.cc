#include "orrery/sdk/fmu_code/class_model_file.h"

#include <cstddef>
#include <variant>

#include "orrery/base/files/byte_stream.h"

namespace orrery::sdk::internal {
namespace {

template <typename Stream>
void Fields(Stream& stream, ClassVariable& variable) {
  stream.Text(variable.name);
  stream.Choice(variable.role, ClassVariable::Role::kResult);
  stream.Choice(variable.type, orrery::ValueType::kBoolean);
  stream.Truth(variable.is_text);
  const auto* const held = std::get_if<std::string>(&variable.start);
  std::string text = held == nullptr ? "" : *held;
  double number = NumberOf(variable.start);
  stream.Text(text);
  stream.Number(number);
  variable.start =
      variable.is_text ? Record::Value(text) : Record::Value(number);
}

template <typename Stream>
void Fields(Stream& stream, ClassModelFile& file) {
  stream.Text(file.token);
  std::size_t count = file.settings.size();
  stream.Count(count, 16);
  file.settings.resize(count);
  for (ParameterText& setting : file.settings) {
    stream.Text(setting.name);
    stream.Text(setting.value);
  }
  count = file.variables.size();
  stream.Count(count, 27);
  file.variables.resize(count);
  for (ClassVariable& variable : file.variables) {
    Fields(stream, variable);
  }
}

}  // namespace

std::string BytesOf(const ClassModelFile& file) {
  ByteWriter out;
  ClassModelFile copy = file;
  Fields(out, copy);
  return out.bytes();
}

ClassModelFile ClassModelFromBytes(std::string_view bytes) {
  ByteReader in(bytes);
  ClassModelFile file;
  Fields(in, file);
  in.Expect(in.rest().empty(), "more at its end");
  return file;
}

}  // namespace orrery::sdk::internal
