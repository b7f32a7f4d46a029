#include "orrery/sim/saved_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/files/byte_stream.h"
#include "orrery/base/files/state_stream.h"
#include "orrery/program/serial.h"

namespace orrery {
namespace {

constexpr std::string_view kMagic = "orrery run state";
constexpr std::uint32_t kVersion = 1;

// Equations with code of others have no bytes; their names and sizes have.
std::string BytesOfEquations(const Program& program) {
  try {
    return BytesOf(program);
  } catch (const Error&) {
    std::string names = program.name;
    for (const ProgramVariable& variable : program.variables) {
      names += '\n' + variable.name;
    }
    return names;
  }
}

void Transfer(StateStream& stream, std::optional<double>& number) {
  if (stream.Has(number)) {
    stream.Number(*number);
  }
}

void Transfer(StateStream& stream, std::optional<Seconds>& time) {
  std::optional<double> number =
      time ? std::optional(time->value) : std::nullopt;
  Transfer(stream, number);
  time = number ? std::optional(Seconds(*number)) : std::nullopt;
}

void Transfer(StateStream& stream, ProgramMark& mark) {
  stream.Text(mark.name);
  std::size_t count = mark.states.size();
  stream.Count(count, sizeof(std::uint64_t));
  mark.states.resize(count);
  for (std::string& state : mark.states) {
    stream.Text(state);
  }
  stream.Number(mark.num_variables);
  stream.Number(mark.memory_size);
  stream.Number(mark.checksum);
}

void Transfer(StateStream& stream, SimulationOptions& options) {
  for (std::optional<Seconds>* const time : {&options.start,
                                             &options.stop,
                                             &options.step,
                                             &options.interval,
                                             &options.max_step}) {
    Transfer(stream, *time);
  }
  Transfer(stream, options.tolerance);
  Transfer(stream, options.absolute_tolerance);
  stream.Choice(options.method, Method::kIda);
  stream.Number(options.max_steps);
  stream.Number(options.max_consecutive_events);
  stream.Truth(options.sliding);
  std::size_t count = options.settings.size();
  stream.Count(count, sizeof(std::uint64_t) + sizeof(double));
  options.settings.resize(count);
  for (Setting& setting : options.settings) {
    stream.Text(setting.name);
    stream.Number(setting.value);
  }
}

void Transfer(StateStream& stream, SavedRun& saved) {
  Transfer(stream, saved.program);
  stream.Number(saved.t);
  Transfer(stream, saved.options);
  stream.Text(saved.state);
}

[[noreturn]] void RefuseBytes(const std::string& why) {
  throw Error(ErrorCode::kInvalidModel, "cannot read a saved run: " + why);
}

std::string NumberOf(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// The first name that one list has and the other has not, or has elsewhere.
std::optional<std::string> FirstDifference(
    const std::vector<std::string>& one,
    const std::vector<std::string>& other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (i >= other.size() || one[i] != other[i]) {
      return one[i];
    }
  }
  return std::nullopt;
}

std::string WhatDiffers(const ProgramMark& saved, const ProgramMark& now) {
  if (saved.name != now.name) {
    return fmt::format("it is one of {}", saved.name);
  }
  if (saved.states != now.states) {
    const auto gone = FirstDifference(saved.states, now.states);
    const auto added = FirstDifference(now.states, saved.states);
    return fmt::format("it has {}{}, and the model has {}{} now",
                       NumberOf(saved.states.size(), "state"),
                       gone ? " with '" + *gone + "'" : "",
                       NumberOf(now.states.size(), "state"),
                       added ? " with '" + *added + "'" : "");
  }
  if (saved.num_variables != now.num_variables) {
    return fmt::format("it has {}, and the model has {} now",
                       NumberOf(saved.num_variables, "variable"),
                       now.num_variables);
  }
  return "equations or values of the model have changed since";
}

}  // namespace

ProgramMark MarkOf(const Program& program) {
  ProgramMark mark{.name = program.name,
                   .states = {},
                   .num_variables = program.variables.size(),
                   .memory_size = program.initial_memory.size(),
                   .checksum = ChecksumOf(BytesOfEquations(program))};
  for (std::size_t i = 0; i < program.state_slots.size(); ++i) {
    mark.states.push_back(StateName(program, i));
  }
  return mark;
}

std::string BytesOf(const SavedRun& saved) {
  StateStream out;
  SavedRun copy = saved;
  Transfer(out, copy);
  ByteWriter file;
  std::string magic(kMagic);
  file.Text(magic);
  file.Number(kVersion);
  file.Number(ChecksumOf(out.bytes()));
  return file.bytes() + out.bytes();
}

SavedRun SavedRunFromBytes(std::string_view bytes) {
  ByteWriter begin;
  begin.Text(std::string(kMagic));
  if (!bytes.starts_with(begin.bytes())) {
    RefuseBytes(
        "it begins otherwise; such files are written by `orrery run "
        "--save-state FILE`");
  }
  ByteReader in(bytes.substr(begin.bytes().size()));
  std::uint32_t version = 0;
  std::uint64_t checksum = 0;
  in.Number(version);
  if (version != kVersion) {
    RefuseBytes(
        fmt::format("it is of version {} of such files, and this "
                    "Orrery reads version {}; save it anew",
                    version,
                    kVersion));
  }
  in.Number(checksum);
  if (ChecksumOf(in.rest()) != checksum) {
    RefuseBytes("it is damaged or cut off");
  }
  StateStream stream(in.rest());
  SavedRun saved;
  Transfer(stream, saved);
  stream.Expect(stream.rest().empty(), "more at its end");
  return saved;
}

void CheckProgram(const SavedRun& saved, const Program& program) {
  const ProgramMark now = MarkOf(program);
  if (saved.program == now) {
    return;
  }
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("cannot continue a run of {} from the saved one: {}; save it "
                  "anew from this model, or take the model of that time",
                  program.name,
                  WhatDiffers(saved.program, now)));
}

SimulationOptions OptionsToContinue(const SavedRun& saved,
                                    const SimulationOptions& given) {
  SimulationOptions options = saved.options;
  options.code = given.code;
  options.attendant = given.attendant;
  options.inputs = given.inputs;
  options.output_times = given.output_times;
  options.step_times = given.step_times;
  options.record = given.record;
  options.record_protected = given.record_protected;
  if (given.interval) {
    options.interval = given.interval;
  }
  return options;
}

}  // namespace orrery
