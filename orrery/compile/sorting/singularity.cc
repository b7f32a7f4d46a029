#include "orrery/compile/sorting/singularity.h"

#include <algorithm>
#include <string>
#include <utility>

#include "orrery/compile/sorting/source_equations.h"
#include "orrery/compile/sorting/ungrounded_nodes.h"

namespace orrery::compile::internal {
namespace {

constexpr std::size_t kMaxListed = 6;

std::string Count(std::size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

// "a, b and c", or "a, b, c and 4 more".
std::string Join(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kMaxListed);
  const bool is_cut = shown < names.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == shown && !is_cut;
    text += (i == 0 ? "" : is_last ? " and " : ", ") + names[i];
  }
  return is_cut
             ? text + " and " + std::to_string(names.size() - shown) + " more"
             : text;
}

// "the state x is", "the states x and y are".
std::string Are(const std::string& noun,
                const std::vector<std::string>& names) {
  return names.size() == 1 ? "the " + noun + " " + names[0] + " is"
                           : "the " + noun + "s " + Join(names) + " are";
}

using Line = UnreducedSystem::Line;

class SingularityReport {
 public:
  SingularityReport(System& system,
                    const SortProblem& problem,
                    Diagnostics& diagnostics)
      : system_(system),
        problem_(problem),
        diagnostics_(diagnostics),
        view_(system, problem),
        written_(view_.written()),
        unknowns_(CountUnknowns(written_.system())) {}

  // Where a model has more equations than unknowns, findings end with as many
  // equations as are to be removed: what lacks equations then may lack them
  // because of these, up to the difference.
  void Run(std::vector<Part> over, std::vector<Part> under) {
    std::erase_if(under, [this](const Part& part) {
      return ReportFloating(part) || ReportOpenInputs(part);
    });
    const bool is_of_higher_index =
        !problem_.is_of_start && written_.IsRegularOnceDifferentiated();
    std::stable_partition(over.begin(), over.end(), [this](const Part& part) {
      return part.columns.empty() && !SaysNothing(part);
    });
    const std::size_t surplus =
        problem_.is_of_start || written_.num_equations() <= unknowns_.all
            ? 0
            : written_.num_equations() - unknowns_.all;
    std::size_t told = 0;
    for (const Part& part : over) {
      if (SaysNothing(part)) {
        ReportRedundant(part);
      } else if (surplus == 0 || told < surplus) {
        ReportOver(part, is_of_higher_index);
        told += part.rows.size() - part.columns.size();
      }
    }
    std::size_t lacking =
        surplus > 0 && told >= surplus ? told - surplus : under.size();
    for (const Part& part : under) {
      if (lacking == 0) {
        break;
      }
      --lacking;
      if (!has_constraints_) {
        ReportUnder(part);
      }
    }
  }

  // Reports potentials whose equations stay true if all of them rise by the
  // same.
  void ReportFloating(const std::vector<std::uint32_t>& potentials) {
    const std::uint32_t first = potentials.front();
    const auto links = written_.Connect(view_.AllNamesOf(first));
    std::vector<std::string> names;
    names.reserve(potentials.size());
    for (const std::uint32_t scalar : potentials) {
      names.push_back(system_.NameOf(view_.NearestName(scalar)));
    }
    Add(Severity::kError,
        links.numbers.empty()
            ? Origin{.span = &view_.VariableOf(first).notes->span, .path = {}}
            : written_.LineOf(links.numbers.front()).origin,
        Are("potential", names) + " determined only up to a constant",
        names.size() == 1 ? "connect it to a ground"
                          : "connect one of them to a ground");
  }

 private:
  // Findings ------------------------------------------------------------------

  void Add(Severity severity,
           const Origin& origin,
           std::string message,
           std::string hint = {}) {
    Diagnostic finding = MakeDiagnostic(
        severity, *origin.span, std::move(message), std::move(hint));
    finding.path = origin.path;
    diagnostics_.Add(std::move(finding));
  }

  void AddNotes(const std::vector<Line>& lines, const std::string& what) {
    for (std::size_t i = 0; i < std::min(lines.size(), kMaxListed); ++i) {
      Add(Severity::kNote, lines[i].origin, what + ": " + lines[i].text);
    }
    if (lines.size() > kMaxListed) {
      diagnostics_.Add(
          {.severity = Severity::kNote,
           .message = "and " + Count(lines.size() - kMaxListed, "equation") +
                      " more"});
    }
  }

  // Takes out the line where a finding is placed: the last of the first `count`
  // lines, preferably one outside of components, which the author can change.
  static Line TakeMain(std::vector<Line>& lines, std::size_t count) {
    std::size_t main = count - 1;
    for (std::size_t i = count; i-- > 0;) {
      if (lines[i].origin.path.empty()) {
        main = i;
        break;
      }
    }
    Line line = std::move(lines[main]);
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(main));
    return line;
  }

  [[nodiscard]] std::string Head(const std::string& verdict) const {
    return (problem_.is_of_start ? "the start of the model is "
                                 : "the model is ") +
           verdict + ": ";
  }

  struct Unknowns {
    std::size_t all = 0;
    std::size_t made_up = 0;  // Each has a made-up equation, too.
  };

  [[nodiscard]] static Unknowns CountUnknowns(const System& written) {
    Unknowns count;
    for (std::uint32_t i = 0; i < written.scalars.size(); ++i) {
      const Scalar& scalar = written.scalars[i];
      const bool counts = scalar.variable != kNone &&
                          scalar.derivative_of == kNone &&
                          scalar.pre_of == kNone && !written.IsHeld(i);
      count.all += counts ? 1U : 0U;
      count.made_up +=
          counts && written.model.variables[scalar.variable].is_made_up ? 1U
                                                                        : 0U;
    }
    return count;
  }

  // "; 3 equations and 4 unknowns in all", unless the part is all there is.
  [[nodiscard]] std::string InAll(std::size_t equations,
                                  std::size_t unknowns) const {
    if (problem_.is_of_start) {
      return "";
    }
    const auto [all, made_up] = unknowns_;
    return equations == written_.num_equations() && unknowns == all
               ? ""
               : "; " + Count(written_.num_equations() - made_up, "equation") +
                     " and " + Count(all - made_up, "unknown") + " in all";
  }

  // Too many equations --------------------------------------------------------

  void ReportOver(const Part& part, bool is_of_higher_index) {
    PartExtent extent = view_.ExtentOf(part);
    if (is_of_higher_index && !extent.states.empty()) {
      ReportConstraint(part, extent);
    } else if (extent.unknowns.empty()) {
      ReportNoUnknown(extent);
    } else {
      ReportTooMany(part, extent);
    }
  }

  // True for an equation whose sides have become the same by aliases.
  [[nodiscard]] bool SaysNothing(const Part& part) const {
    if (!part.columns.empty()) {
      return false;
    }
    const ScalarEquation& row = problem_.equations[part.rows[0]];
    const bool is_same =
        row.left == row.right ||
        (row.left.is_constant() && row.right.is_constant(row.left.value()));
    return is_same && row.number != kNone;
  }

  void ReportRedundant(const Part& part) {
    if (num_floating_ > 0) {
      --num_floating_;  // One sum of flows is redundant there.
      return;
    }
    PartExtent extent = view_.ExtentOf(part);
    const Line main = TakeMain(extent.lines, 1);
    Add(Severity::kError,
        main.origin,
        Head("under-determined") + main.text + " says nothing" +
            (extent.lines.empty() ? "" : " new") + InAll(0, 0),
        "write another equation in its place, or remove it");
    AddNotes(extent.lines, "it follows from this one");
  }

  void ReportTooMany(const Part& part, PartExtent& extent) {
    const std::size_t count = extent.lines.size();
    const Line main =
        TakeMain(extent.lines, problem_.is_of_start ? part.rows.size() : count);
    const std::string names = Join(view_.NamesOf(extent.unknowns));
    const std::string unknowns =
        count > extent.unknowns.size()
            ? Count(extent.unknowns.size(), "unknown") + " (" + names + ")"
            : names + ", of which others determine some already";
    Add(Severity::kError,
        main.origin,
        Head("over-determined") + Count(count, "equation") + " for " +
            unknowns + ", among them " + main.text +
            InAll(count, extent.unknowns.size()),
        count > extent.unknowns.size()
            ? HintToRemove(count - extent.unknowns.size())
            : "");
    AddNotes(extent.lines, "another of them");
  }

  [[nodiscard]] std::string HintToRemove(std::size_t excess) const {
    if (excess == 1) {
      return problem_.is_of_start
                 ? "remove one of them: an initial equation or a fixed = true"
                 : "remove one of them";
    }
    return "remove " + std::to_string(excess) + " of them" +
           (problem_.is_of_start ? ": initial equations or fixed = true" : "");
  }

  void ReportNoUnknown(PartExtent& extent) {
    const Line main = TakeMain(extent.lines, 1);
    const auto names = view_.NamesOf(extent.states);
    Add(Severity::kError,
        main.origin,
        Head("over-determined") +
            (names.empty()
                 ? "no unknown is in " + main.text
                 : Are("state", names) + " bound by " + main.text +
                       ", and other equations determine " +
                       (names.size() == 1 ? "it" : "them") + " already") +
            InAll(0, 0),
        HintFor(main));
    AddNotes(extent.lines, "together with");
  }

  [[nodiscard]] std::string HintFor(const Line& line) const {
    const auto& variables = system_.model.variables;
    if (line.number != kNone) {
      const ScalarEquation& equation = written_.At(line.number);
      const auto found =
          std::ranges::find_if(variables, [&](const Variable& variable) {
            return variable.variability == Variability::kParameter &&
                   (variable.symbol == equation.left ||
                    variable.symbol == equation.right);
          });
      if (found != variables.end()) {
        return "give " + system_.graph.NameOf(found->symbol) +
               " its value where it is declared";
      }
    }
    return "remove the equation";
  }

  void ReportConstraint(const Part& part, PartExtent& extent) {
    has_constraints_ = true;
    // A line that names a state is the most helpful.
    const auto names_state = [this](const Line& line) {
      if (line.number == kNone) {  // No equation of the model itself.
        return false;
      }
      const auto scalars = written_.ScalarsIn(line.number);
      return std::ranges::any_of(scalars, [this](std::uint32_t scalar) {
        return view_.IsState(scalar);
      });
    };
    const auto own =
        extent.lines.begin() + static_cast<std::ptrdiff_t>(std::min(
                                   part.rows.size(), extent.lines.size()));
    const auto end =
        std::stable_partition(extent.lines.begin(), own, names_state);
    const Line main =
        TakeMain(extent.lines,
                 std::max<std::size_t>(
                     1, static_cast<std::size_t>(end - extent.lines.begin())));
    const auto names = view_.NamesOf(extent.states);
    const bool has_signals =
        std::ranges::any_of(part.rows, [this](std::uint32_t row) {
          return HasSignals(system_, problem_.equations[row]);
        });
    Add(Severity::kError,
        main.origin,
        Are("state", names) + " bound by " + main.text +
            ": the model is of a higher index",
        (has_signals
             ? "how an input or a delayed value goes on is not known: "
             : "no state follows from the others by it at all times: write its "
               "derivative in its place, or ") +
            (names.size() == 1 ? "leave out der(" + names[0] + ")"
                               : "compute one of the states from the others "
                                 "without der()"));
    AddNotes(extent.lines, "together with");
  }

  // Too few equations ---------------------------------------------------------

  bool ReportFloating(const Part& part) {
    if (part.columns.size() != part.rows.size() + 1) {
      return false;
    }
    std::vector<std::uint32_t> unknowns;
    for (const std::uint32_t column : part.columns) {
      unknowns.push_back(problem_.unknowns[column]);
    }
    std::vector<ScalarEquation> equations;
    for (const std::uint32_t row : part.rows) {
      equations.push_back(problem_.equations[row]);
    }
    const auto floating = FindFloating(system_, equations, unknowns);
    if (floating.empty()) {
      return false;
    }
    ++num_floating_;
    ReportFloating(floating);
    return true;
  }

  // Unknowns of the part that are inputs of components.
  std::vector<std::uint32_t> InputsOf(const Part& part) {
    const auto is_input = [this](std::uint32_t name) {
      return view_.VariableOf(name).is_input &&
             system_.scalars[name].derivative_of == kNone;
    };
    std::vector<std::uint32_t> inputs;
    for (const std::uint32_t column : part.columns) {
      const std::uint32_t unknown = problem_.unknowns[column];
      if (std::ranges::all_of(view_.AllNamesOf(unknown), is_input)) {
        inputs.push_back(unknown);
      }
    }
    return inputs;
  }

  // True if an equation of the part gives the unknown, as a value in its
  // declaration does.
  [[nodiscard]] bool IsGiven(const Part& part, std::uint32_t unknown) const {
    const Expr key = system_.scalars[unknown].key;
    return std::ranges::any_of(part.rows, [&](std::uint32_t row) {
      const ScalarEquation& equation = problem_.equations[row];
      return equation.left == key || equation.right == key;
    });
  }

  // Reports inputs of components that nothing gives a value.
  bool ReportOpenInputs(const Part& part) {
    std::vector<std::uint32_t> open = InputsOf(part);
    if (open.size() > part.columns.size() - part.rows.size()) {
      std::erase_if(
          open, [&](std::uint32_t unknown) { return IsGiven(part, unknown); });
    }
    for (const std::uint32_t unknown : open) {
      const std::uint32_t input = view_.NearestName(unknown);
      Add(Severity::kError,
          {.span = &view_.VariableOf(input).notes->span, .path = {}},
          "nothing gives the input " + system_.NameOf(input) + " a value",
          "connect an output to it, or give it a value where its part is "
          "declared");
    }
    return !open.empty();
  }

  void ReportUnder(const Part& part) {
    std::vector<std::uint32_t> unknowns;
    for (const std::uint32_t column : part.columns) {
      unknowns.push_back(view_.NearestName(problem_.unknowns[column]));
    }
    std::vector<Line> lines;
    std::string what;
    if (part.rows.empty()) {
      const auto& names = view_.AllNamesOf(problem_.unknowns[part.columns[0]]);
      const auto links = written_.Connect(names);
      what = (links.numbers.empty()
                  ? Join(view_.NamesOf(names)) + " is in no equation"
                  : "no equation determines " + Join(view_.NamesOf(names))) +
             InAll(links.numbers.size(), names.size());
      for (const std::uint32_t number : links.numbers) {
        lines.push_back(written_.LineOf(number));
      }
    } else {
      what = Count(part.rows.size(), "equation") + " for " +
             Count(unknowns.size(), "unknown") + " (" +
             Join(view_.NamesOf(unknowns)) + ")" +
             InAll(part.rows.size(), unknowns.size());
      for (const std::uint32_t row : part.rows) {
        lines.push_back(view_.LineOf(problem_.equations[row]));
      }
    }
    const std::size_t missing = part.columns.size() - part.rows.size();
    Add(Severity::kError,
        {.span = &view_.VariableOf(unknowns.front()).notes->span, .path = {}},
        Head("under-determined") + what,
        problem_.is_of_start ? "give one of them fixed = true, or add an "
                               "initial equation"
        : missing == 1       ? "add an equation"
                             : "add " + Count(missing, "equation"));
    AddNotes(lines,
             part.rows.empty()   ? "they are linked by"
             : lines.size() == 1 ? "the equation"
                                 : "one of the equations");
  }

  System& system_;
  const SortProblem& problem_;
  Diagnostics& diagnostics_;
  SourceEquations view_;
  UnreducedSystem& written_;
  const Unknowns unknowns_;  // Counts in the model as written.
  std::size_t num_floating_ = 0;
  bool has_constraints_ = false;
};

}  // namespace

void ReportFloating(System& system,
                    std::span<const std::uint32_t> potentials,
                    Diagnostics& diagnostics) {
  SingularityReport(system, {}, diagnostics)
      .ReportFloating({potentials.begin(), potentials.end()});
}

void ReportSingular(System& system,
                    const SortProblem& problem,
                    const Incidence& incidence,
                    const Matching& matching,
                    Diagnostics& diagnostics) {
  SingularityReport(system, problem, diagnostics)
      .Run(OverdeterminedParts(incidence, matching),
           UnderdeterminedParts(incidence, matching));
}

}  // namespace orrery::compile::internal
