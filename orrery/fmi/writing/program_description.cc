#include "orrery/fmi/writing/program_description.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/base/units.h"
#include "orrery/fmi/runtime/exported_model.h"
#include "orrery/fmi/writing/unit_description.h"
#include "orrery/program/slot_dependencies.h"
#include "orrery/sim/operating_point.h"
#include "orrery/sim/simulation.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::fmi {
namespace {

// What an indicator means: the relation, or the event that it makes.
std::string MeaningOf(const WatchedRelation& relation) {
  constexpr std::size_t kMost = 80;
  return "0 where " +
         (relation.event.empty() ? ToText(relation.formula, kMost)
                                 : relation.event) +
         " changes";
}

class Describer {
 public:
  Describer(const std::shared_ptr<const Program>& program,
            FmiVersion version,
            bool with_exchange,
            const std::vector<Setting>& settings)
      : program_(*program), with_exchange_(with_exchange) {
    its_.version = version;
    SimulationOptions options;
    options.settings = settings;
    options.code = CodeChoice::kInterpreted;
    Simulator start(program, options);
    if (start.has_ended() && !start.Result().summary.completed()) {
      throw Error(ErrorCode::kInvalidModel, start.Result().summary.message);
    }
    memory_ = start.context().memory;
    for (std::size_t i = 0; i < program_.state_slots.size(); ++i) {
      nominal_.emplace(program_.state_slots[i], program_.nominal[i]);
    }
    for (const ParameterBinding& binding : program_.parameter_bindings) {
      bound_.insert(binding.variable);
    }
    if (!program_.limit_section) {
      for (const Limits& limits : program_.limits) {
        limits_.emplace(limits.variable, &limits);
      }
    }
  }

  Description All() {
    its_.model_name = program_.name;
    its_.description = program_.description;
    its_.has_structured_names = program_.element_names.empty();
    its_.log_categories = {
        {"logStatusError", "Failures of calls"},
        {"logEvents", "What the model says when it ends the run"}};
    DescribeExperiment();
    its_.variables.push_back(
        {.name = "time",
         .description = "Simulation time",
         .reference = static_cast<std::uint32_t>(program_.references.size()),
         .causality = Causality::kIndependent});
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      if (!program_.variables[v].is_protected || IsIntegrated(v)) {
        AddVariable(v);
      }
    }
    LinkDerivatives();
    ListUnknowns();
    if (with_exchange_) {
      AddIndicators();
    }
    return std::move(its_);
  }

 private:
  void DescribeExperiment() {
    const auto given = [](double value) {
      return std::isnan(value) ? std::nullopt : std::optional(value);
    };
    const Program::Experiment& experiment = program_.experiment;
    its_.experiment.start = given(experiment.start).value_or(0);
    its_.experiment.stop =
        given(experiment.stop).value_or(*its_.experiment.start + 1);
    its_.experiment.tolerance = given(experiment.tolerance);
    its_.experiment.step = given(experiment.interval);
  }

  // True for states and derivatives, which who integrates has to know.
  [[nodiscard]] bool IsIntegrated(std::size_t v) const {
    const VariableKind kind = program_.variables[v].kind;
    return with_exchange_ &&
           (kind == VariableKind::kState || kind == VariableKind::kDerivative);
  }

  // FMI 3.0 has variables for them.
  void AddIndicators() {
    const std::size_t count = program_.events.relations.size();
    its_.num_event_indicators = count;
    for (std::size_t k = 0; k < count && its_.version == FmiVersion::k3; ++k) {
      its_.structure.event_indicators.push_back(
          {.variable = static_cast<VariableIndex>(its_.variables.size())});
      its_.variables.push_back(
          {.name = "'event indicator'[" + std::to_string(k + 1) + "]",
           .description = MeaningOf(program_.events.relations[k]),
           .reference =
               static_cast<std::uint32_t>(program_.references.size() + 1 + k),
           .causality = Causality::kLocal,
           .variability = Variability::kContinuous,
           .initial = Initial::kCalculated});
    }
  }

  void AddVariable(std::size_t v) {
    const ProgramVariable& its = program_.variables[v];
    const auto count = static_cast<std::size_t>(NumElements(its.shape));
    for (std::size_t i = 0; i < count; ++i) {
      const NamedScalar scalar{.variable = v, .element = i};
      Variable variable{.name = NameOf(program_, scalar),
                        .description = its.notes->description.str(),
                        .reference = ReferenceNumber(program_, scalar)};
      DescribeType(its, variable);
      Classify(scalar, variable);
      AddRange(scalar, variable);
      indices_.emplace(variable.name,
                       static_cast<VariableIndex>(its_.variables.size()));
      its_.variables.push_back(std::move(variable));
    }
  }

  void DescribeType(const ProgramVariable& its, Variable& variable) {
    switch (its.type) {
      case orrery::ValueType::kReal:
        variable.type = ValueType::kFloat64;
        AddUnits(
            its.notes->unit.str(), its.notes->display_unit.str(), variable);
        break;
      case orrery::ValueType::kBoolean:
        variable.type = ValueType::kBoolean;
        break;
      case orrery::ValueType::kInteger:
        variable.type = its_.version == FmiVersion::k2 ? ValueType::kInt32
                                                       : ValueType::kInt64;
        if (its.notes->enumeration != nullptr) {
          variable.type = ValueType::kEnumeration;
          variable.declared_type = TypeNumber(*its.notes->enumeration);
        }
        break;
    }
  }

  std::uint32_t TypeNumber(const Enumeration& enumeration) {
    const std::string& name = enumeration.names.front();
    const auto [known, is_new] =
        types_.try_emplace(name, static_cast<std::uint32_t>(its_.types.size()));
    if (is_new) {
      TypeDefinition type{.name = name, .type = ValueType::kEnumeration};
      for (const std::string& literal : enumeration.literals) {
        type.items.push_back(
            {.name = literal,
             .value = static_cast<std::int64_t>(type.items.size()) + 1});
      }
      its_.types.push_back(std::move(type));
    }
    return known->second;
  }

  void AddUnits(const std::string& name,
                const std::string& display,
                Variable& variable) {
    if (name.empty()) {
      return;
    }
    variable.unit = name;
    const auto [known, is_new] = units_.try_emplace(name, its_.units.size());
    if (is_new) {
      its_.units.push_back(UnitCalled(name));
    }
    if (display.empty() || display == name) {
      return;
    }
    Unit& unit = its_.units[known->second];
    if (std::ranges::find(unit.display_units, display, &DisplayUnit::name) ==
        unit.display_units.end()) {
      const auto convert = ConversionBetween(name, display);
      if (!convert) {
        return;
      }
      const double offset = (*convert)(0);
      unit.display_units.push_back({.name = display,
                                    .factor = (*convert)(1) - offset,
                                    .offset = offset});
    }
    variable.display_unit = display;
  }

  void Classify(NamedScalar scalar, Variable& variable) {
    const ProgramVariable& its = program_.variables[scalar.variable];
    const bool is_real = its.type == orrery::ValueType::kReal;
    const Reference at = ReferenceOf(program_, scalar);
    const double value = static_cast<double>(at.sign) * memory_[at.slot];
    variable.causality = its.is_output ? Causality::kOutput : Causality::kLocal;
    variable.variability =
        is_real ? Variability::kContinuous : Variability::kDiscrete;
    variable.initial = Initial::kCalculated;
    switch (its.kind) {
      case VariableKind::kConstant:
        return MakeConstant(value, variable);
      case VariableKind::kParameter:
        return ClassifyParameter(scalar, value, variable);
      case VariableKind::kInput:
        variable.causality = Causality::kInput;
        variable.initial = Initial::kNone;
        return PutStart(value, variable);
      case VariableKind::kDiscrete:
        variable.variability = Variability::kDiscrete;
        break;
      case VariableKind::kState:
        if (const auto nominal = nominal_.find(at.slot);
            nominal != nominal_.end() && nominal->second != 1) {
          variable.nominal = nominal->second;
        }
        break;
      default:
        return;
    }
    const StartValue* const start = FindStart(program_, at.slot);
    if (start != nullptr && !its.is_final) {
      // An event at the start may change what is discrete.
      const bool is_exact = start->role == StartValue::Role::kHolds &&
                            its.kind != VariableKind::kDiscrete;
      variable.initial = is_exact ? Initial::kExact : Initial::kApprox;
      PutStart(static_cast<double>(at.sign) * memory_[start->slot], variable);
    }
  }

  void MakeConstant(double value, Variable& variable) {
    variable.causality = variable.causality == Causality::kOutput
                             ? Causality::kOutput
                             : Causality::kLocal;
    variable.variability = Variability::kConstant;
    variable.initial = Initial::kExact;
    PutStart(value, variable);
  }

  void ClassifyParameter(NamedScalar scalar, double value, Variable& variable) {
    const ProgramVariable& its = program_.variables[scalar.variable];
    if (its.is_final && !its.is_structural &&
        bound_.contains(scalar.variable)) {
      variable.causality = Causality::kCalculatedParameter;
      variable.variability = Variability::kTunable;
      return;
    }
    if (its.is_final || its.is_structural) {
      variable.causality = Causality::kLocal;
      return MakeConstant(value, variable);
    }
    variable.causality = Causality::kParameter;
    variable.variability = Variability::kTunable;
    variable.initial = Initial::kExact;
    PutStart(value, variable);
  }

  static void PutStart(double value, Variable& variable) {
    if (variable.type == ValueType::kFloat64) {
      variable.start = std::vector<double>{value};
    } else {
      variable.start =
          std::vector<std::int64_t>{static_cast<std::int64_t>(value)};
    }
  }

  void AddRange(NamedScalar scalar, Variable& variable) {
    const auto found = limits_.find(scalar.variable);
    if (found == limits_.end() || variable.type == ValueType::kBoolean) {
      return;
    }
    const auto bound = [&](const Limits::Bound& its) -> std::optional<Number> {
      if (its.slot == Limits::kNone) {
        return std::nullopt;
      }
      const double value =
          memory_[its.slot +
                  its.stride * static_cast<std::uint32_t>(scalar.element)];
      if (!std::isfinite(value)) {
        return std::nullopt;
      }
      return variable.type == ValueType::kFloat64
                 ? Number(value)
                 : Number(static_cast<std::int64_t>(value));
    };
    variable.min = bound(found->second->min);
    variable.max = bound(found->second->max);
  }

  // Names the derivatives of states, in the order of the states.
  void LinkDerivatives() {
    for (std::size_t i = 0; i < program_.state_slots.size(); ++i) {
      const std::string state = StateName(program_, i);
      const auto its = indices_.find(state);
      const auto derivative = indices_.find("der(" + state + ")");
      if (its != indices_.end() && derivative != indices_.end()) {
        its_.variables[derivative->second].derivative_of = its->second;
        its_.structure.derivatives.push_back({.variable = derivative->second});
      }
    }
  }

  // The dependencies of a quantity; none: it depends on all.
  [[nodiscard]] std::optional<std::vector<VariableIndex>> DependenciesOf(
      VariableIndex index) const {
    const Variable& variable = its_.variables[index];
    if (!dependencies_) {
      return std::nullopt;
    }
    std::vector<VariableIndex> list;
    for (const std::uint32_t known :
         dependencies_->At(program_.references[variable.reference])) {
      if (!knowns_[known]) {
        return std::nullopt;  // A state that the model protects.
      }
      list.push_back(*knowns_[known]);
    }
    std::ranges::sort(list);
    return list;
  }

  // The variables of states and inputs, by number in SlotDependencies.
  void FindKnowns() {
    dependencies_ = SlotDependencies::Of(program_);
    const auto add = [this](const std::string& name) {
      const auto found = indices_.find(name);
      knowns_.push_back(found == indices_.end() ? std::nullopt
                                                : std::optional(found->second));
    };
    for (const std::string& name : StateNames(program_)) {
      add(name);
    }
    for (const std::string& name : program_.input_names) {
      add(name);
    }
  }

  void ListUnknowns() {
    FindKnowns();
    std::set<VariableIndex> initial;
    const auto add = [&](VariableIndex index) {
      const Initial how = its_.variables[index].initial;
      if (how == Initial::kApprox || how == Initial::kCalculated) {
        initial.insert(index);
      }
    };
    for (std::size_t i = 0; i < its_.variables.size(); ++i) {
      const auto index = static_cast<VariableIndex>(i);
      if (its_.variables[i].causality == Causality::kOutput) {
        its_.structure.outputs.push_back(
            {.variable = index, .dependencies = DependenciesOf(index)});
        add(index);
      } else if (its_.variables[i].causality ==
                 Causality::kCalculatedParameter) {
        add(index);
      }
    }
    for (Unknown& derivative : its_.structure.derivatives) {
      derivative.dependencies = DependenciesOf(derivative.variable);
      add(derivative.variable);
      add(*its_.variables[derivative.variable].derivative_of);
    }
    FindGiven();
    for (const VariableIndex index : initial) {
      its_.structure.initial_unknowns.push_back(
          {.variable = index, .dependencies = StartDependenciesOf(index)});
    }
  }

  // What is known when a run begins: inputs, and variables with exact starts.
  void FindGiven() {
    std::map<std::uint32_t, std::vector<VariableIndex>> known_of;  // By slot.
    for (std::size_t i = 0; i < its_.variables.size(); ++i) {
      const Variable& variable = its_.variables[i];
      const bool is_known = variable.causality == Causality::kInput ||
                            (variable.initial == Initial::kExact &&
                             variable.variability != Variability::kConstant);
      if (!is_known || variable.reference >= program_.references.size()) {
        continue;
      }
      const std::uint32_t at = program_.references[variable.reference].slot;
      const StartValue* const start = FindStart(program_, at);
      known_of[start == nullptr ? at : start->slot].push_back(
          static_cast<VariableIndex>(i));
    }
    std::vector<std::uint32_t> slots;
    for (const auto& [slot, known] : known_of) {
      slots.push_back(slot);
      given_.push_back(known);
    }
    start_dependencies_ = SlotDependencies::AtStart(program_, slots);
  }

  [[nodiscard]] std::optional<std::vector<VariableIndex>> StartDependenciesOf(
      VariableIndex index) const {
    if (!start_dependencies_) {
      return std::nullopt;
    }
    std::vector<VariableIndex> list;
    for (const std::uint32_t number : start_dependencies_->At(
             program_.references[its_.variables[index].reference])) {
      list.insert(list.end(), given_[number].begin(), given_[number].end());
    }
    std::ranges::sort(list);
    return list;
  }

  const Program& program_;
  bool with_exchange_;
  Description its_;
  std::vector<double> memory_;               // At the start.
  std::map<std::uint32_t, double> nominal_;  // By slot of a state.
  std::set<std::size_t> bound_;              // Variables with bindings.
  std::map<std::size_t, const Limits*> limits_;
  std::optional<SlotDependencies> dependencies_;
  std::vector<std::optional<VariableIndex>> knowns_;
  std::optional<SlotDependencies> start_dependencies_;
  std::vector<std::vector<VariableIndex>> given_;  // By number in them.
  std::map<std::string, std::uint32_t> types_;
  std::map<std::string, std::size_t> units_;
  std::map<std::string, VariableIndex> indices_;
};

}  // namespace

std::string WhyNoExchange(const Program& program) {
  if (!program.delays.empty()) {
    return "it depends on its past by '" +
           ToText(program.delays.front().formula, 60) + "'";
  }
  if (!program.constraints.constraints.empty()) {
    return "constraints bind its states, and its own solver keeps them";
  }
  return {};
}

Description DescriptionOf(const std::shared_ptr<const Program>& program,
                          FmiVersion version,
                          bool with_exchange,
                          const std::vector<Setting>& settings) {
  return Describer(program, version, with_exchange, settings).All();
}

}  // namespace orrery::fmi
