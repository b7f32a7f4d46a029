#include "orrery/fmi/runtime/exported_model.h"

#include <algorithm>
#include <cstddef>

#include "orrery/base/files/byte_stream.h"
#include "orrery/program/serial.h"

namespace orrery::fmi {
namespace {

template <typename Stream>
void Fields(Stream& stream, ExportedModel& model, std::string& program) {
  stream.Text(model.token);
  stream.Choice(model.method, Method::kIda);
  stream.Number(model.step);
  bool has_tolerance = model.tolerance.has_value();
  double tolerance = model.tolerance.value_or(0);
  stream.Truth(has_tolerance);
  stream.Number(tolerance);
  if (has_tolerance) {
    model.tolerance = tolerance;
  }
  std::size_t count = model.settings.size();
  stream.Count(count, 12);
  model.settings.resize(count);
  for (auto& [reference, value] : model.settings) {
    stream.Number(reference);
    stream.Number(value);
  }
  stream.Text(program);
}

}  // namespace

std::string BytesOf(const ExportedModel& model) {
  ByteWriter out;
  ExportedModel copy = model;
  std::string program = BytesOf(*model.program);
  Fields(out, copy, program);
  return out.bytes();
}

ExportedModel ModelFromBytes(std::string_view bytes) {
  ByteReader in(bytes);
  ExportedModel model;
  std::string program;
  Fields(in, model, program);
  in.Expect(in.rest().empty(), "more at its end");
  model.program = ProgramFromBytes(program);
  for (const auto& [reference, value] : model.settings) {
    in.Expect(reference < model.program->references.size(), "a number outside");
  }
  return model;
}

std::uint32_t ReferenceNumber(const Program& program,
                              NamedScalar scalar) noexcept {
  return static_cast<std::uint32_t>(
      program.variables[scalar.variable].first_reference + scalar.element);
}

NamedScalar ScalarOf(const Program& program, std::uint32_t reference) {
  // Variables without elements share the place of the next one.
  const auto next = std::ranges::upper_bound(program.variables,
                                             std::size_t{reference},
                                             {},
                                             &ProgramVariable::first_reference);
  const auto variable =
      static_cast<std::size_t>(next - program.variables.begin()) - 1;
  return {.variable = variable,
          .element = reference - program.variables[variable].first_reference};
}

}  // namespace orrery::fmi
