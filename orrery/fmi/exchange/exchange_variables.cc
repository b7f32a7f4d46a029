#include "orrery/fmi/exchange/exchange_variables.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "orrery/base/units.h"

namespace orrery::fmi {
namespace {

orrery::ValueType TypeOf(const Variable& variable) {
  if (IsFloat(variable.type)) {
    return orrery::ValueType::kReal;
  }
  return variable.type == ValueType::kBoolean ? orrery::ValueType::kBoolean
                                              : orrery::ValueType::kInteger;
}

Shape ShapeOf(const Variable& variable) {
  Shape shape;
  for (const Dimension& dimension : variable.dimensions) {
    shape.push_back(static_cast<std::int64_t>(dimension.size));
  }
  return shape;
}

// The items of the variable's enumeration, if they are numbered from 1.
std::shared_ptr<const Enumeration> EnumerationOf(const Description& its,
                                                 const Variable& variable) {
  if (variable.type != ValueType::kEnumeration || !variable.declared_type) {
    return nullptr;
  }
  const TypeDefinition& type = its.types[*variable.declared_type];
  Enumeration enumeration{.names = {type.name}, .literals = {}};
  for (const EnumerationItem& item : type.items) {
    enumeration.literals.push_back(item.name);
    if (item.value != static_cast<std::int64_t>(enumeration.literals.size())) {
      return nullptr;
    }
  }
  return std::make_shared<const Enumeration>(std::move(enumeration));
}

// The unit if it can be read; a unit of an FMU may have any name.
std::string ReadableUnit(const std::string& unit) {
  return !unit.empty() && std::holds_alternative<orrery::Unit>(ParseUnit(unit))
             ? unit
             : std::string();
}

// True for a parameter that is a text or bytes.
bool IsText(const Variable& variable) {
  return (variable.type == ValueType::kString ||
          variable.type == ValueType::kBinary) &&
         variable.causality == Causality::kParameter;
}

// The kind of a variable in the equations.
enum class Role : std::uint8_t {
  kNone,
  kParameter,
  kFixedParameter,  // Has the value of the description.
  kContinuousInput,
  kDiscreteInput,
  kExactState,  // Its start can be set.
  kState,
  kContinuous,
  kDiscrete,
  kExactDiscrete  // Its start can be set.
};

/// Declares the variables of an FMU.
class Declaring {
 public:
  Declaring(const Description& description,
            const ExchangeLayout& layout,
            FlatModel& flat)
      : its_(description),
        layout_(layout),
        flat_(flat),
        graph_(*flat.graph),
        symbols_(its_.variables.size()),
        roles_(its_.variables.size()) {}

  std::vector<Expr> Run() {
    FindRoles();
    for (VariableIndex i = 0; i < roles_.size(); ++i) {
      if (roles_[i] != Role::kNone) {
        Declare(i);
        Play(roles_[i], flat_.variables.back());
        if (its_.variables[i].causality == Causality::kStructuralParameter) {
          flat_.variables.back().is_structural = true;
          flat_.variables.back().is_final = false;
        }
      } else if (IsText(its_.variables[i])) {
        flat_.texts.push_back(its_.variables[i].name);
      }
    }
    return std::move(symbols_);
  }

 private:
  void FindRoles() {
    const auto assign = [this](std::span<const VariableIndex> variables,
                               Role role) {
      for (const VariableIndex i : variables) {
        roles_[i] = role;
      }
    };
    assign(layout_.parameters.variables(), Role::kParameter);
    assign(layout_.constants, Role::kFixedParameter);
    assign(layout_.continuous_inputs.variables(), Role::kContinuousInput);
    assign(layout_.discrete_inputs.variables(), Role::kDiscreteInput);
    for (const ResultGroup& group : layout_.results) {
      assign(group.row.variables(),
             layout_.is_stepped ? Role::kDiscrete : Role::kContinuous);
    }
    assign(layout_.discrete.variables(), Role::kDiscrete);
    for (std::size_t k = 0; k < layout_.are_starts_exact.size(); ++k) {
      roles_[layout_.states.variables()[k]] =
          layout_.is_stepped                 ? Role::kExactDiscrete
          : layout_.are_starts_exact[k] != 0 ? Role::kExactState
                                             : Role::kState;
    }
    for (const auto& [variable, state] : layout_.derivatives) {
      const VariableIndex of = layout_.states.variables()[state];
      if (its_.variables[variable].name !=
          "der(" + its_.variables[of].name + ")") {
        roles_[variable] = Role::kContinuous;
      }
    }
    assign(layout_.triggered_clocks, Role::kDiscreteInput);
    assign(layout_.told_clocks, Role::kDiscrete);
    for (const auto& [alias, of] : layout_.aliases) {
      const bool is_continuous =
          its_.variables[of].variability == Variability::kContinuous &&
          (!layout_.is_stepped ||
           its_.variables[of].causality == Causality::kInput);
      roles_[alias] = is_continuous ? Role::kContinuous : Role::kDiscrete;
    }
  }

  // Lets the last variable that was declared play a role.
  static void Play(Role role, orrery::Variable& variable) {
    switch (role) {
      case Role::kParameter:
      case Role::kFixedParameter:
        variable.variability = orrery::Variability::kParameter;
        variable.is_final = role == Role::kFixedParameter;
        variable.binding = std::exchange(variable.start, Expr());
        return;
      case Role::kContinuousInput:
      case Role::kDiscreteInput:
        variable.variability = role == Role::kContinuousInput
                                   ? orrery::Variability::kContinuous
                                   : orrery::Variability::kDiscrete;
        variable.causality = orrery::Causality::kInput;
        variable.is_input = true;
        variable.binding = std::exchange(variable.start, Expr());
        return;
      case Role::kExactState:
      case Role::kState:
        variable.fixed = role == Role::kExactState;
        variable.is_final = role == Role::kState;
        variable.state_select = StateSelect::kAlways;
        return;
      case Role::kExactDiscrete:
        variable.variability = orrery::Variability::kDiscrete;
        variable.fixed = true;
        return;
      default:
        variable.variability = role == Role::kContinuous
                                   ? orrery::Variability::kContinuous
                                   : orrery::Variability::kDiscrete;
        variable.is_final = true;
        variable.start = {};
    }
  }

  void Declare(VariableIndex i) {
    const Variable& declared = its_.variables[i];
    orrery::Variable& variable = flat_.variables.emplace_back();
    variable.symbol = graph_.Symbol({.name = declared.name,
                                     .type = TypeOf(declared),
                                     .shape = ShapeOf(declared)});
    symbols_[i] = variable.symbol;
    if (declared.causality == Causality::kOutput) {
      variable.causality = orrery::Causality::kOutput;
    }
    variable.start = StartFormula(declared);
    if (declared.type != ValueType::kBoolean) {
      variable.min = NumberFormula(declared, declared.min);
      variable.max = NumberFormula(declared, declared.max);
      AddTypeLimits(declared, variable);
    }
    if (declared.nominal) {
      variable.nominal = graph_.Constant(*declared.nominal);
    }
    VariableNotes& notes = variable.notes.Edit();
    notes.unit = ReadableUnit(declared.unit);
    if (!notes.unit.empty()) {
      notes.display_unit = ReadableUnit(declared.display_unit);
    }
    notes.description = declared.description;
    notes.enumeration = EnumerationOf(its_, declared);
  }

  // A value from outside has to fit the type in C.
  void AddTypeLimits(const Variable& declared, orrery::Variable& variable) {
    const auto limits = WholeLimits(its_, declared);
    if (!limits || (declared.causality != Causality::kParameter &&
                    declared.causality != Causality::kInput)) {
      return;
    }
    const orrery::ValueType type = TypeOf(declared);
    if (!variable.min) {
      variable.min = graph_.Constant(limits->first, type);
    }
    if (!variable.max) {
      variable.max = graph_.Constant(limits->second, type);
    }
  }

  Expr NumberFormula(const Variable& declared,
                     const std::optional<Number>& number) {
    return number ? graph_.Constant(AsDouble(*number), TypeOf(declared))
                  : Expr();
  }

  Expr StartFormula(const Variable& declared) {
    const std::vector<double> numbers = StartNumbers(declared);
    return declared.dimensions.empty()
               ? graph_.Constant(numbers.front(), TypeOf(declared))
               : graph_.ArrayConstant(
                     numbers, ShapeOf(declared), TypeOf(declared));
  }

  const Description& its_;
  const ExchangeLayout& layout_;
  FlatModel& flat_;
  ExprGraph& graph_;
  std::vector<Expr> symbols_;  // By variable.
  std::vector<Role> roles_;    // Likewise.
};

}  // namespace

std::vector<Expr> DeclareVariables(const Description& description,
                                   const ExchangeLayout& layout,
                                   FlatModel& flat) {
  return Declaring(description, layout, flat).Run();
}

std::string MeaningOfIndicator(const Description& its, std::size_t indicator) {
  const auto& indicators = its.structure.event_indicators;
  if (indicator >= indicators.size()) {
    return {};
  }
  const fmi::Variable& variable = its.variables[indicators[indicator].variable];
  return variable.description.empty() ? variable.name : variable.description;
}

}  // namespace orrery::fmi
