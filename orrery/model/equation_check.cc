#include "orrery/model/equation_check.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace orrery::model::internal {
namespace {

bool IsUnknown(QuantityKind kind) noexcept {
  switch (kind) {
    case QuantityKind::kOutput:
    case QuantityKind::kState:
    case QuantityKind::kLocal:
    case QuantityKind::kEvent:
      return true;
    default:
      return false;
  }
}

std::string Counted(std::int64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

// @returns false if it has reported something.
bool CheckQuantity(const EquationCheck& check,
                   std::size_t quantity,
                   Diagnostics& diagnostics) {
  const Block& block = check.block;
  const Declaration& declaration = block.quantities()[quantity];
  const StatedEquations& progress = check.stated[quantity];
  const std::string path = block.path() + "." + declaration.name;
  const std::int64_t wanted = NumElements(declaration.shape);
  const bool is_state = declaration.kind == QuantityKind::kState;
  // Equations without fixed causality may determine what Der and Set do not.
  const bool may_be_implicit =
      check.num_implicit > 0 && (!is_state || progress.is_differentiated);
  if (progress.set == wanted || (progress.set < wanted && may_be_implicit)) {
    return true;
  }
  const EquationNotation& notation = check.notation;
  const std::string subject = is_state ? "the derivative" : "the value";
  const std::string form = EquationNotation::For(
      is_state ? notation.derivative : notation.value, declaration.name);
  const std::string place(notation.place);
  Diagnostic finding{.path = path};
  if (progress.set == 0) {
    finding.message = subject + " is never given";
    finding.hint = "state it in " + place + ": " + form;
  } else if (wanted == 1) {
    finding.message = subject + " is given " + Counted(progress.set, "time");
    finding.hint = "keep one of the equations " + form;
  } else if (progress.set < wanted) {
    finding.message = subject + " is given for " +
                      std::to_string(progress.set) + " of its " +
                      Counted(wanted, "element");
    finding.hint = "state the missing ones in " + place;
  } else {
    finding.message = subject + " is given " + Counted(progress.set, "time") +
                      " for its " + Counted(wanted, "element");
    finding.hint = "give it once for each";
  }
  AddFinding(diagnostics,
             progress.set > wanted ? progress.last : check.place,
             std::move(finding));
  if (progress.set > wanted && progress.first.file != nullptr) {
    AddFinding(diagnostics,
               progress.first,
               {.severity = Severity::kNote,
                .message = "it is given here as well",
                .path = path});
  }
  return false;
}

}  // namespace

void AddFinding(Diagnostics& diagnostics,
                const SourceSpan& place,
                Diagnostic finding) {
  Diagnostic result = MakeDiagnostic(finding.severity,
                                     place,
                                     std::move(finding.message),
                                     std::move(finding.hint));
  result.path = std::move(finding.path);
  diagnostics.Add(std::move(result));
}

void CheckEquations(const EquationCheck& check, Diagnostics& diagnostics) {
  const Block& block = check.block;
  const std::span<const Declaration> quantities = block.quantities();
  std::int64_t unknowns = 0;
  std::int64_t equations = check.num_implicit;
  bool is_counted = check.num_implicit > 0;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    if (!IsUnknown(quantities[i].kind)) {
      continue;
    }
    is_counted = CheckQuantity(check, i, diagnostics) && is_counted;
    unknowns += NumElements(quantities[i].shape);
    equations += check.stated[i].set;
  }
  if (is_counted && equations != unknowns) {
    std::string names;
    for (const Declaration& quantity : quantities) {
      if (IsUnknown(quantity.kind)) {
        names += (names.empty() ? "" : ", ") + quantity.name;
      }
    }
    const std::string place(check.notation.place);
    AddFinding(
        diagnostics,
        check.place,
        {.message = "the block has " + Counted(equations, "equation") +
                    " for " + Counted(unknowns, "unknown") + " (" + names + ")",
         .hint = equations < unknowns ? "state the missing ones in " + place
                                      : "remove those that are too many",
         .path = block.path()});
  }
}

}  // namespace orrery::model::internal
