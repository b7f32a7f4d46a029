#include <cstdint>
#include <string>
#include <utility>

#include "orrery/model/block.h"
#include "orrery/model/equation_set.h"

namespace orrery {
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

/// Adds a finding, at its place in a text if there is one.
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

}  // namespace

std::string EquationNotation::For(std::string_view form,
                                  std::string_view name) {
  std::string text(form);
  const std::size_t mark = text.find('%');
  return mark == std::string::npos ? text : text.replace(mark, 1, name);
}

void EquationSet::Report(std::string message, Diagnostics& diagnostics) const {
  AddFinding(diagnostics,
             place_,
             {.message = std::move(message), .path = block_.path()});
}

void EquationSet::Check(Diagnostics& diagnostics) const {
  const std::span<const Declaration> quantities = block_.quantities();
  std::int64_t unknowns = 0;
  std::int64_t equations = num_implicit_;
  bool is_counted = num_implicit_ > 0;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    if (!IsUnknown(quantities[i].kind)) {
      continue;
    }
    is_counted = CheckQuantity(i, diagnostics) && is_counted;
    unknowns += NumElements(quantities[i].shape);
    equations += progress_[i].set;
  }
  if (is_counted && equations != unknowns) {
    std::string names;
    for (const Declaration& quantity : quantities) {
      if (IsUnknown(quantity.kind)) {
        names += (names.empty() ? "" : ", ") + quantity.name;
      }
    }
    const std::string place(block_.notation().place);
    AddFinding(
        diagnostics,
        place_,
        {.message = "the block has " + Counted(equations, "equation") +
                    " for " + Counted(unknowns, "unknown") + " (" + names + ")",
         .hint = equations < unknowns ? "state the missing ones in " + place
                                      : "remove those that are too many",
         .path = block_.path()});
  }
}

bool EquationSet::CheckQuantity(std::size_t quantity,
                                Diagnostics& diagnostics) const {
  const Declaration& declaration = block_.quantities()[quantity];
  const Progress& progress = progress_[quantity];
  const std::int64_t wanted = NumElements(declaration.shape);
  const bool is_state = declaration.kind == QuantityKind::kState;
  // Equations without fixed causality may determine what Der and Set do not.
  const bool may_be_implicit =
      num_implicit_ > 0 && (!is_state || progress.is_differentiated);
  if (progress.set == wanted || (progress.set < wanted && may_be_implicit)) {
    return true;
  }
  const EquationNotation& notation = block_.notation();
  const std::string subject = is_state ? "the derivative" : "the value";
  const std::string form = EquationNotation::For(
      is_state ? notation.derivative : notation.value, declaration.name);
  const std::string place(notation.place);
  Diagnostic finding{.path = PathOf(quantity)};
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
             progress.set > wanted ? progress.last : place_,
             std::move(finding));
  if (progress.set > wanted && progress.first.file != nullptr) {
    AddFinding(diagnostics,
               progress.first,
               {.severity = Severity::kNote,
                .message = "it is given here as well",
                .path = PathOf(quantity)});
  }
  return false;
}

}  // namespace orrery
