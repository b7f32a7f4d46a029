#include "orrery/model/join_part.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/units.h"
#include "orrery/model/internal/flat_import.h"
#include "orrery/model/names.h"

namespace orrery {

namespace internal = model::internal;

namespace {

bool IsSet(const Variable& variable) {
  return variable.variability <= Variability::kParameter;
}

std::string_view TypeText(ValueType type) {
  switch (type) {
    case ValueType::kBoolean:
      return "Boolean";
    case ValueType::kInteger:
      return "Integer";
    default:
      return "Real";
  }
}

// `Integer[3]`; an empty shape is not told.
std::string KindText(Expr symbol) {
  return std::string(TypeText(symbol.type())) +
         (symbol.shape().empty() ? "" : internal::ShapeText(symbol.shape()));
}

// True if both are units, of other quantities or of another size.
bool Differ(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || a == b) {
    return false;
  }
  const auto one = ParseUnit(a);
  const auto other = ParseUnit(b);
  const auto* const unit = std::get_if<Unit>(&one);
  const auto* const others = std::get_if<Unit>(&other);
  return unit != nullptr && others != nullptr &&
         (unit->factor != others->factor || unit->offset != others->offset ||
          unit->dimension != others->dimension);
}

/// Joins one part.
class Joining {
 public:
  Joining(const FlatModel& part,
          const ForeignBlock& block,
          FlatModel& into,
          Diagnostics& diagnostics)
      : part_(part), block_(block), into_(into), diagnostics_(diagnostics) {}

  void Run() {
    FindPorts();
    internal::FlatImport import(part_, block_.path, into_, known_);
    std::vector<Variable> others;
    for (std::size_t i = 0; i < part_.variables.size(); ++i) {
      const Variable& from = part_.variables[i];
      if (known_[i]) {
        Merge(import.VariableOf(from), *own_[i]);
      } else {
        others.push_back(AsLocal(import.VariableOf(from)));
      }
    }
    const auto place = EndOfComponent();
    into_.variables.insert(place,
                           std::make_move_iterator(others.begin()),
                           std::make_move_iterator(others.end()));
    import.AddRest();
  }

 private:
  // Finds the variables of `into` by those of the part.
  void FindPorts() {
    std::unordered_map<std::string_view, std::size_t> number_of;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < part_.variables.size(); ++i) {
      const Variable& variable = part_.variables[i];
      const std::string& name = part_.graph->NameOf(variable.symbol);
      number_of.emplace(name, i);
      if (!variable.is_made_up) {
        names.push_back(name);
      }
    }
    std::unordered_map<std::uint32_t, Variable*> variable_of;
    for (Variable& variable : into_.variables) {
      variable_of.emplace(variable.symbol.id(), &variable);
    }
    known_.resize(part_.variables.size());
    own_.resize(part_.variables.size());
    for (const ForeignBlock::Port& port : block_.ports) {
      Variable& own = *variable_of.at(port.symbol.id());
      const auto found = number_of.find(port.name);
      if (found == number_of.end()) {
        Report(own,
               block_.file + " has no variable '" + port.name + "'",
               Suggest(port.name, names));
        continue;
      }
      const Variable& from = part_.variables[found->second];
      if (Fits(port.name, from, own)) {
        known_[found->second] = port.symbol;
        own_[found->second] = &own;
      }
    }
  }

  // Reports what is wrong with a variable of the component. Several components
  // may be declared by one text.
  void Report(const Variable& own, std::string message, std::string hint) {
    Diagnostic diagnostic = MakeDiagnostic(
        Severity::kError, own.notes->span, std::move(message), std::move(hint));
    diagnostic.path = block_.path.str();
    diagnostics_.Add(std::move(diagnostic));
  }

  // Reports why a variable of the part cannot be one with its own.
  bool Fits(const std::string& name,
            const Variable& from,
            const Variable& own) {
    const auto fail = [&](const std::string& why, const std::string& hint) {
      Report(own, "'" + name + "' of " + block_.file + why, hint);
      return false;
    };
    const std::string its = KindText(from.symbol);
    if (its != KindText(own.symbol)) {
      return fail(" is " + its + ", not " + KindText(own.symbol),
                  "declare it as it is there");
    }
    const SharedText& unit = from.notes->unit;
    if (Differ(unit, own.notes->unit)) {
      return fail(std::string(" has the unit '") + unit.str() + "', not '" +
                      own.notes->unit.str() + "'",
                  "give it that unit");
    }
    if (IsSet(from)) {
      return !from.is_final && IsSet(own)
                 ? true
                 : fail(from.is_final ? " cannot be set: it is constant"
                                      : " is a parameter",
                        from.is_final ? "leave it out"
                                      : "declare it as a parameter");
    }
    if (!from.is_input && (IsSet(own) || own.is_input)) {
      return fail(std::string(" is computed by it, and so is no ") +
                      (own.is_input ? "input" : "parameter"),
                  "declare it as an output");
    }
    return true;
  }

  // Gives a variable of the component what its declaration leaves open.
  static void Merge(Variable from, Variable& own) {
    const auto fill = [](Expr& its, Expr with) {
      its = its ? its : with;
    };
    fill(own.min, from.min);
    fill(own.max, from.max);
    fill(own.nominal, from.nominal);
    if (own.notes->unit.empty() && !from.notes->unit.empty()) {
      own.notes.Edit().unit = from.notes->unit;
    }
    if (IsSet(from) || (from.is_input && own.causality == Causality::kInput)) {
      fill(own.binding, from.binding);
    }
    if (IsSet(from) || IsSet(own)) {
      return;
    }
    if (from.variability == Variability::kDiscrete) {
      own.variability = Variability::kDiscrete;
    }
    if (from.is_input) {
      return;
    }
    fill(own.start, from.start);
    own.fixed = own.fixed ? own.fixed : from.fixed;
    own.is_final = own.is_final || from.is_final;
    own.state_select = std::max(own.state_select, from.state_select);
  }

  // A variable as one of a component.
  static Variable AsLocal(Variable variable) {
    variable.causality = Causality::kLocal;
    if (variable.is_input && variable.binding) {
      variable.variability = Variability::kParameter;
      variable.is_input = false;
    }
    return variable;
  }

  // The place behind the variables of the component.
  [[nodiscard]] std::vector<Variable>::iterator EndOfComponent() const {
    const std::string prefix =
        block_.path.empty() ? "" : block_.path.str() + ".";
    const auto last = std::find_if(
        into_.variables.rbegin(),
        into_.variables.rend(),
        [&](const Variable& variable) {
          return into_.graph->NameOf(variable.symbol).starts_with(prefix);
        });
    return last.base();
  }

  const FlatModel& part_;
  const ForeignBlock& block_;
  FlatModel& into_;
  Diagnostics& diagnostics_;
  std::vector<Expr> known_;     // By variable of the part.
  std::vector<Variable*> own_;  // Likewise.
};

}  // namespace

void JoinPart(const FlatModel& part,
              const ForeignBlock& block,
              FlatModel& into,
              Diagnostics& diagnostics) {
  Joining(part, block, into, diagnostics).Run();
}

}  // namespace orrery
