#include "orrery/analysis/linearize.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "orrery/analysis/dependent_states.h"
#include "orrery/analysis/quantities.h"
#include "orrery/base/error.h"
#include "orrery/symbolic/print/print.h"

namespace orrery {

namespace internal = analysis::internal;

namespace {

using internal::Quantity;

// 400 MB of each matrix at most.
constexpr std::size_t kMaxEntries = 50'000'000;

std::vector<Quantity> InputsFor(const Program& program,
                                const LinearizeOptions& options) {
  if (options.inputs.empty()) {
    return internal::InputsOf(program);
  }
  std::vector<Quantity> inputs =
      internal::FindQuantities(program, options.inputs, "linearize");
  const auto wrong = std::ranges::find_if(inputs, [&](const Quantity& input) {
    return std::ranges::find(program.input_slots, input.at.slot) ==
           program.input_slots.end();
  });
  if (wrong != inputs.end()) {
    const std::string hint = program.input_names.empty()
                                 ? "it has none: declare 'input Real'"
                                 : Suggest(wrong->name, program.input_names);
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot linearize: '{}' is no input of the model{}",
                            wrong->name,
                            Clause(hint)));
  }
  return inputs;
}

std::vector<Quantity> OutputsFor(const Program& program,
                                 const LinearizeOptions& options) {
  return options.outputs.empty()
             ? internal::OutputsOf(program)
             : internal::FindQuantities(program, options.outputs, "linearize");
}

// The residuals of the constraints between states.
std::vector<Quantity> ResidualsOf(const Program& program) {
  std::vector<Quantity> residuals;
  for (const StateConstraint& constraint : program.constraints.constraints) {
    residuals.push_back({.scalar = {},
                         .name = ToText(constraint.equation.target) + " - (" +
                                 ToText(constraint.equation.value) + ")",
                         .at = {.slot = constraint.residual_slot}});
  }
  return residuals;
}

// Fills columns of two matrices with the derivatives along quantities.
class ColumnWriter {
 public:
  ColumnWriter(OperatingPoint& point,
               std::span<const Quantity> states,
               std::span<const Quantity> outputs)
      : point_(point), states_(states), outputs_(outputs) {}

  void Write(std::span<const Quantity> along, Matrix& top, Matrix& bottom) {
    top = Matrix(states_.size(), along.size());
    bottom = Matrix(outputs_.size(), along.size());
    for (std::size_t j = 0; j < along.size(); ++j) {
      if (!point_.Differentiate(along[j].at.slot)) {
        throw point_.ExplainFailure();
      }
      const auto sign = static_cast<double>(along[j].at.sign);
      for (std::size_t i = 0; i < states_.size(); ++i) {
        const Reference at = point_.program().derivatives_at[i];
        top(i, j) = Checked(sign * point_.Tangent(at),
                            "der(" + states_[i].name + ")",
                            along[j]);
      }
      for (std::size_t i = 0; i < outputs_.size(); ++i) {
        bottom(i, j) = Checked(
            sign * point_.Tangent(outputs_[i].at), outputs_[i].name, along[j]);
      }
    }
  }

 private:
  [[nodiscard]] double Checked(double value,
                               const std::string& of,
                               const Quantity& along) const {
    if (!std::isfinite(value)) {
      throw Error(
          ErrorCode::kInvalidModel,
          fmt::format("cannot linearize: the derivative of '{}' by '{}' is {} "
                      "at {} = {:.6g}; choose another operating point",
                      of,
                      along.name,
                      value,
                      along.name,
                      point_.Value(along.at)));
    }
    return value;
  }

  OperatingPoint& point_;
  std::span<const Quantity> states_;
  std::span<const Quantity> outputs_;
};

void FindOpaque(const Tape& tape,
                std::span<const Tape::Instruction> code,
                std::vector<std::string>& names) {
  for (const Tape::Instruction& i : code) {
    if (i.op == TapeOp::kOpaque) {
      const std::string& name = tape.opaque(i.b).name;
      if (tape.opaque(i.b).tangent == nullptr &&
          std::ranges::find(names, name) == names.end()) {
        names.push_back(name);
      }
    }
  }
}

// The opaque functions that the equations call.
std::vector<std::string> OpaqueFunctions(const Program& program) {
  std::vector<std::string> names;
  const Tape& tape = *program.tape;
  for (const Schedule* schedule : {&program.derivatives, &program.outputs}) {
    for (const ScheduleStep& step : *schedule) {
      const std::size_t section =
          step.kind == ScheduleStep::Kind::kSection
              ? step.index
              : program.blocks[step.index].residual_section;
      FindOpaque(tape, tape.CodeOf(section), names);
    }
  }
  for (std::size_t k = 0; k < tape.num_functions(); ++k) {
    FindOpaque(tape, tape.FunctionCode(k), names);
  }
  return names;
}

std::vector<Diagnostic> WarningsFor(const Program& program) {
  std::vector<Diagnostic> warnings;
  for (const std::string& name : OpaqueFunctions(program)) {
    warnings.push_back(MakeDiagnostic(
        Severity::kWarning,
        {},
        fmt::format("the derivatives of '{}' are central differences, with "
                    "some ten digits: it cannot be looked into",
                    name)));
  }
  if (auto warning = internal::WarnOfTicks(program, "the linear system")) {
    warnings.push_back(std::move(*warning));
  }
  return warnings;
}

std::vector<NamedValue> ValuesOf(const OperatingPoint& point,
                                 std::span<const Quantity> quantities) {
  std::vector<NamedValue> values;
  for (const Quantity& quantity : quantities) {
    values.push_back(
        internal::ValueOf(point.program(), quantity, point.Value(quantity.at)));
  }
  return values;
}

}  // namespace

LinearSystem Linearize(OperatingPoint& point, const LinearizeOptions& options) {
  const Program& program = point.program();
  const std::vector<Quantity> states = internal::StatesOf(program);
  const std::vector<Quantity> inputs = InputsFor(program, options);
  const std::vector<Quantity> outputs = OutputsFor(program, options);
  if ((states.size() + outputs.size()) * (states.size() + inputs.size()) >
      kMaxEntries) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("cannot linearize: dense matrices of {} states, {} "
                            "inputs and {} outputs do not fit in memory",
                            states.size(),
                            inputs.size(),
                            outputs.size()));
  }
  if (!point.Evaluate()) {
    throw point.ExplainFailure();
  }
  for (const Quantity& output : outputs) {
    if (!std::isfinite(point.Value(output.at))) {
      throw point.ExplainFailure(output.scalar);
    }
  }
  LinearSystem system{
      .time = point.Value({.slot = program.time_slot}),
      .states = ValuesOf(point, states),
      .inputs = ValuesOf(point, inputs),
      .outputs = ValuesOf(point, outputs),
      .warnings = WarningsFor(program),
  };
  ColumnWriter writer(point, states, outputs);
  writer.Write(states, system.a, system.c);
  writer.Write(inputs, system.b, system.d);
  if (const auto residuals = ResidualsOf(program); !residuals.empty()) {
    Matrix none;
    Matrix slopes;
    ColumnWriter(point, {}, residuals).Write(states, none, slopes);
    internal::LeaveOutDependentStates(program, slopes, system);
  }
  return system;
}

}  // namespace orrery
