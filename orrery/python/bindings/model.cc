#include "orrery/python/bindings/model.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/base/error.h"
#include "orrery/base/nearest_file.h"
#include "orrery/base/source_file.h"
#include "orrery/base/units.h"
#include "orrery/base/values/enumeration.h"
#include "orrery/base/values/parameters.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/library_texts/libraries.h"
#include "orrery/python/bindings/beside.h"
#include "orrery/python/bindings/documents.h"
#include "orrery/python/bindings/errors.h"
#include "orrery/python/bindings/fmu.h"
#include "orrery/python/bindings/watch.h"
#include "orrery/sdk/model/class_place.h"
#include "orrery/sdk/model/setting_text.h"
#include "orrery/sim/simulation.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;

std::vector<ParameterText> ParametersOf(const Texts& texts) {
  std::vector<ParameterText> parameters;
  for (const auto& [name, value] : texts) {
    parameters.push_back({.name = name, .value = value});
  }
  return parameters;
}

std::shared_ptr<EquationModel> Load(const std::string& file,
                                    const std::string& class_name,
                                    const Texts& texts,
                                    const FileSet& files) {
  const std::vector<ParameterText> given = ParametersOf(texts);
  const std::vector<Setting> settings =
      SettingsOf(given, file, class_name, files);
  return std::make_shared<EquationModel>(
      LoadFile(file,
               class_name,
               settings,
               files,
               {},
               StringsIn(given, file, class_name, files)),
      file,
      class_name,
      files);
}

// Load(), which Ctrl-C ends. With the GIL.
std::shared_ptr<EquationModel> LoadWatched(const std::string& file,
                                           const std::string& class_name,
                                           const Texts& texts,
                                           const FileSet& files) {
  std::shared_ptr<EquationModel> model;
  DoWatched([&](const Watch& /*watch*/) {
    model = Load(file, class_name, texts, files);
  });
  return model;
}

std::shared_ptr<EquationModel> LoadFromDisk(const std::string& file,
                                            const std::string& class_name,
                                            const Texts& texts) {
  return LoadWatched(file, class_name, texts, {});
}

std::shared_ptr<EquationModel> LoadFromText(const std::string& text,
                                            const std::string& name,
                                            const std::string& class_name,
                                            const Texts& texts) {
  FileSet files;
  files.Add(std::make_shared<const SourceFile>(name, text));
  return LoadWatched(name, class_name, texts, files);
}

// The file that has the class with that dotted name: in this folder, or in one
// of `path`, which is written as MODELICAPATH is.
std::optional<std::string> FileOfClassIn(const std::string& path,
                                         const std::string& name) {
  std::vector<std::string> folders = modelica::FoldersIn(path);
  folders.insert(folders.begin(), ".");
  return FileOfClass(name, folders);
}

// The files of the model, by name, as it was read from them.
py::list SourcesAsBytes(const EquationModel& model) {
  py::list sources;
  for (const auto& [name, text] : SourcesOf(model.files())) {
    sources.append(py::make_tuple(name, py::bytes(text)));
  }
  return sources;
}

std::shared_ptr<EquationModel> LoadFromSources(const Sources& sources,
                                               const std::string& file,
                                               const std::string& class_name,
                                               const Texts& texts) {
  return LoadWatched(file, class_name, texts, FilesFrom(sources));
}

// The numbers that texts stand for, by the names of scalars.
py::dict Read(const EquationModel& model, const Texts& texts) {
  py::dict settings;
  for (const Setting& setting :
       SettingsOf(ParametersOf(texts), model.model())) {
    settings[py::str(setting.name)] = setting.value;
  }
  return settings;
}

const char* NameOf(VariableKind kind) {
  switch (kind) {
    case VariableKind::kConstant:
      return "constant";
    case VariableKind::kParameter:
      return "parameter";
    case VariableKind::kState:
      return "state";
    case VariableKind::kDerivative:
      return "derivative";
    case VariableKind::kAlgebraic:
      return "algebraic";
    case VariableKind::kDiscrete:
      return "discrete";
    case VariableKind::kInput:
      return "input";
  }
  return "algebraic";
}

const char* NameOf(ValueType type) {
  switch (type) {
    case ValueType::kReal:
      return "Real";
    case ValueType::kInteger:
      return "Integer";
    case ValueType::kBoolean:
      return "Boolean";
  }
  return "Real";
}

// The memory of a run before its start, with the values of all parameters and
// the start values that the model gives. NaN stands where one cannot be found.
std::vector<double> MemoryOf(const Program& program) {
  std::vector<double> memory = program.initial_memory;
  const auto run = [&](std::size_t section) {
    static_cast<void>(program.tape->Run(section, memory.data()));
  };
  for (const ParameterBinding& binding : program.parameter_bindings) {
    run(binding.section);
  }
  for (const ParameterBinding& binding : program.start_bindings) {
    run(binding.section);
  }
  if (program.limit_section) {
    run(*program.limit_section);
  }
  return memory;
}

py::dict VariableAsDict(const ProgramVariable& variable) {
  py::dict its;
  its["name"] = variable.name;
  its["kind"] = NameOf(variable.kind);
  its["type"] = NameOf(variable.type);
  its["unit"] = variable.notes->unit.str();
  its["description"] = variable.notes->description.str();
  its["shape"] = py::tuple(py::cast(
      std::vector<std::int64_t>(variable.shape.begin(), variable.shape.end())));
  its["is_output"] = variable.is_output;
  its["is_protected"] = variable.is_protected;
  its["is_structural"] = variable.is_structural;
  its["is_final"] = variable.is_final;
  std::vector<std::string> literals;
  if (variable.notes->enumeration) {
    its["enumeration"] = variable.notes->enumeration->names.front();
    literals = variable.notes->enumeration->literals;
  }
  its["literals"] = literals;
  return its;
}

// Row-major values of a variable: what it has before a run, or its start value.
std::vector<double> ValuesOf(const Program& program,
                             const ProgramVariable& variable,
                             std::span<const double> memory) {
  const bool is_held = variable.kind == VariableKind::kConstant ||
                       variable.kind == VariableKind::kParameter ||
                       variable.kind == VariableKind::kInput;
  std::vector<double> values;
  const auto count = static_cast<std::size_t>(NumElements(variable.shape));
  for (std::size_t i = 0; i < count; ++i) {
    const Reference at = program.references[variable.first_reference + i];
    const StartValue* const start =
        is_held ? nullptr : FindStart(program, at.slot);
    values.push_back(is_held || start != nullptr
                         ? static_cast<double>(at.sign) *
                               memory[start == nullptr ? at.slot : start->slot]
                         : std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

std::vector<double> BoundOf(const Limits::Bound& bound,
                            std::size_t count,
                            std::span<const double> memory) {
  std::vector<double> values;
  for (std::size_t i = 0; bound.slot != Limits::kNone && i < count; ++i) {
    values.push_back(memory[bound.slot + i * bound.stride]);
  }
  return values;
}

// All variables of the program, in the order of declaration.
py::list VariablesOf(const Program& program) {
  const std::vector<double> memory = MemoryOf(program);
  std::vector<const Limits*> limits(program.variables.size());
  for (const Limits& its : program.limits) {
    limits[its.variable] = &its;
  }
  py::list variables;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const ProgramVariable& variable = program.variables[i];
    py::dict its = VariableAsDict(variable);
    const std::vector<double> values = ValuesOf(program, variable, memory);
    its["values"] = values;
    if (limits[i] != nullptr) {
      its["min"] = BoundOf(limits[i]->min, values.size(), memory);
      its["max"] = BoundOf(limits[i]->max, values.size(), memory);
    }
    variables.append(its);
  }
  return variables;
}

std::vector<std::string> RecordedNames(EquationModel& model) {
  const auto table = RecordedSignals(*ProgramOf(model));
  std::vector<std::string> names;
  for (const SignalInfo& signal : table->signals()) {
    names.push_back(signal.name);
  }
  return names;
}

double SecondsOf(const std::string& text) {
  const auto seconds = ParseSeconds(text);
  if (!seconds) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot read '" + text +
                    "' as a time: give seconds, or a number with a unit of "
                    "time as in '2 min'");
  }
  return *seconds;
}

// The number of a text with a unit, in the unit of the quantity `name`; nothing
// for another text.
std::optional<double> NumberInUnit(const std::string& text,
                                   const std::string& name,
                                   const std::string& unit) {
  const std::optional<NumberWithUnit> number = SplitUnit(text);
  if (!number || number->unit.empty() ||
      std::holds_alternative<UnitError>(ParseUnit(number->unit))) {
    return std::nullopt;
  }
  if (const auto conversion = ConversionBetween(number->unit, unit)) {
    return (*conversion)(number->value);
  }
  throw Error(
      ErrorCode::kInvalidArgument,
      "cannot take '" + text + "' for '" + name + "': " +
          (unit.empty() ? "it has no unit; give a number alone"
                        : "it is in '" + unit + "', which '" +
                              std::string(number->unit) +
                              "' cannot be converted to; give a number in '" +
                              unit + "', or with another unit of its kind"));
}

void BindEquationModel(py::module_& m) {
  py::class_<EquationModel, std::shared_ptr<EquationModel>>(m, "EquationModel")
      .def_property_readonly(
          "name", [](const EquationModel& its) { return its.model().name(); })
      .def_property_readonly("file", &EquationModel::file)
      .def_property_readonly("class_name", &EquationModel::class_name)
      .def("sources", &SourcesAsBytes)
      .def("compile",
           [](EquationModel& its) { static_cast<void>(ProgramOf(its)); })
      .def("description",
           [](EquationModel& its) { return ProgramOf(its)->description; })
      .def("variables",
           [](EquationModel& its) { return VariablesOf(*ProgramOf(its)); })
      .def("recorded_names", &RecordedNames)
      .def("state_names",
           [](EquationModel& its) { return StateNames(*ProgramOf(its)); })
      .def("input_names",
           [](EquationModel& its) { return ProgramOf(its)->input_names; })
      .def("strings",
           [](const EquationModel& its) {
             return FlatModelOf(its.model())->texts;
           })
      .def("with_literals",
           [](EquationModel& its, const std::string& name) {
             return ProgramOf(its)->element_names.WithLiterals(name);
           })
      .def("read", &Read)
      .def("export_fmu", &ExportModel)
      .def(
          "warnings",
          [](EquationModel& its) { return ToPython(ProgramOf(its)->warnings); })
      .def("equations",
           [](EquationModel& its, bool is_latex) {
             const auto program = ProgramOf(its);
             return is_latex ? EquationsAsLatex(*program)
                             : EquationsAsText(*program);
           })
      .def("experiment", [](EquationModel& its) {
        const auto program = ProgramOf(its);
        return py::make_tuple(program->experiment.start,
                              program->experiment.stop,
                              program->experiment.interval,
                              program->experiment.tolerance);
      });
}

}  // namespace

std::shared_ptr<const Program> ProgramOf(EquationModel& model,
                                         const std::string& until) {
  std::shared_ptr<const Program> program;
  DoWatched(
      [&](const Watch& /*watch*/) { program = model.ProgramWith(until); });
  return program;
}

void BindModel(py::module_& m) {
  BindEquationModel(m);
  m.def("load", &LoadFromDisk);
  m.def("load_text", &LoadFromText);
  m.def("load_sources", &LoadFromSources);
  m.def("seconds", &SecondsOf);
  m.def("in_unit", &NumberInUnit);
  m.def("suggest",
        [](const std::string& name, const std::vector<std::string>& known) {
          return Suggest(name, known);
        });
  m.def("nearest",
        [](const std::string& name, const std::vector<std::string>& known) {
          return Nearest(name, known);
        });
  m.def("suggest_file", &SuggestFile);
  m.def("library_of", &LibraryOf);
  m.def("file_of_class", &FileOfClassIn);
}

}  // namespace orrery::python
