#include "orrery/program/serial.h"

#include <cstdint>

#include "orrery/base/error.h"
#include "orrery/base/files/byte_stream.h"
#include "orrery/program/serial_content.h"
#include "orrery/program/serial_equations.h"
#include "orrery/program/serial_events.h"
#include "orrery/program/serial_fields.h"
#include "orrery/program/serial_variables.h"
#include "orrery/symbolic/graph_bytes.h"
#include "orrery/symbolic/tape/tape_bytes.h"

namespace orrery {

namespace program::internal {
namespace {

template <typename Stream>
void StatesAndInputs(FieldStream<Stream>& fields) {
  Program& p = fields.program();
  fields.Slots(p.state_slots);
  fields.All(p.derivatives_at);
  fields.stream().Numbers(p.nominal);
  fields.stream().Numbers(p.is_position);
  fields.stream().Expect(p.derivatives_at.size() == p.state_slots.size() &&
                             p.nominal.size() == p.state_slots.size() &&
                             p.is_position.size() == p.state_slots.size(),
                         "states without derivatives");
  if (fields.Has(p.degree_of_motion)) {
    fields.stream().Number(*p.degree_of_motion);
  }
  fields.Slots(p.input_slots);
  fields.All(p.input_names);
  fields.stream().Numbers(p.input_has_default);
  fields.stream().Expect(p.input_names.size() == p.input_slots.size() &&
                             p.input_has_default.size() == p.input_slots.size(),
                         "inputs without names");
}

template <typename Stream>
void People(FieldStream<Stream>& fields) {
  Program& p = fields.program();
  fields.All(p.section_equations);
  fields.All(p.aliases);
  p.warnings.clear();
  fields.stream().Number(p.num_equations);
  fields.stream().Number(p.experiment.start);
  fields.stream().Number(p.experiment.stop);
  fields.stream().Number(p.experiment.interval);
  fields.stream().Number(p.experiment.tolerance);
}

// All but the tape and the graph.
template <typename Stream>
void AllFields(Stream& stream, Program& program) {
  FieldStream<Stream> fields(stream, program);
  stream.Text(program.name);
  stream.Text(program.description);
  Variables(fields);
  stream.Numbers(program.initial_memory);
  stream.Expect(program.initial_memory.size() == program.tape->memory_size(),
                "memory of another size");
  fields.Slot(program.time_slot);
  StatesAndInputs(fields);
  fields.All(program.blocks);
  Starts(fields);
  Schedules(fields);
  Events(fields);
  Delays(fields);
  TangentsOf(fields, program.tangent);
  TangentsOf(fields, program.time_tangent);
  Pattern(fields, program.jacobian_pattern);
  Pattern(fields, program.implicit_pattern);
  People(fields);
}

}  // namespace

std::shared_ptr<const Program> ReadContent(ByteReader& in) {
  auto program = std::make_shared<Program>();
  program->tape = TapeBytes::Read(in);
  program->graph = GraphBytes::Read(in);
  AllFields(in, *program);
  in.Expect(in.rest().empty(), "more at its end");
  return program;
}

}  // namespace program::internal

namespace internal = program::internal;

namespace {

constexpr std::string_view kMagic = "orrery program\n";
constexpr std::uint32_t kVersion = 3;

void ExpectNoJitter(const Program& program) {
  for (const Tick& tick : program.events.ticks) {
    if (tick.times.jitter != nullptr) {
      throw Error(ErrorCode::kUnsupported,
                  "clock " + tick.name +
                      " has jitter, which is code of the model's author");
    }
  }
}

}  // namespace

std::string BytesOf(const Program& program) {
  ExpectNoJitter(program);
  ByteWriter content;
  TapeBytes::Write(content, *program.tape);
  GraphBytes::Write(content, *program.graph);
  Program copy = program;
  internal::AllFields(content, copy);

  ByteWriter header;
  header.Text(std::string(kMagic));
  header.Number(kVersion);
  header.Number(ChecksumOf(content.bytes()));
  return header.bytes() + content.bytes();
}

std::shared_ptr<const Program> ProgramFromBytes(std::string_view bytes) {
  ByteReader in(bytes);
  std::string magic;
  in.Text(magic);
  in.Expect(magic == kMagic, "another beginning");
  std::uint32_t version = 0;
  in.Number(version);
  if (version != kVersion) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot read a compiled model: it has format " +
                    std::to_string(version) + ", and this is format " +
                    std::to_string(kVersion) +
                    "; compile the model by this version");
  }
  std::uint64_t sum = 0;
  in.Number(sum);
  in.Expect(sum == ChecksumOf(in.rest()), "another checksum");
  return internal::ReadContent(in);
}

}  // namespace orrery
