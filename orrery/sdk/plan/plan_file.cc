#include "orrery/sdk/plan/plan_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/units.h"
#include "orrery/sdk/plan/json_text.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

using internal::JsonValue;
using Kind = JsonValue::Kind;
using Part = process::PlanProblem::Part;

// The place of a value; for an object or array, that of its opening bracket.
SourceSpan SpotOf(const JsonValue& value) {
  SourceSpan span = value.span;
  if (value.kind == Kind::kObject || value.kind == Kind::kArray) {
    span.end = span.begin + 1;
  }
  return span;
}

class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  PlanFile Read(const JsonValue& root) {
    PlanFile file;
    if (!Expect(root, Kind::kObject, "a plan")) {
      return file;
    }
    CheckNames(
        root,
        std::array<std::string, 4>{"start", "stop", "without", "activities"});
    file.start = TimeIn(root, "start");
    file.stop = TimeIn(root, "stop");
    const JsonValue* const activities = root.Find("activities");
    if (activities == nullptr) {
      diagnostics_.Error(SpotOf(root),
                         "the plan has no 'activities'",
                         "give a list of them, even an empty one");
    } else if (Expect(*activities, Kind::kArray, "'activities'")) {
      for (const JsonValue& activity : activities->elements) {
        file.plan.directives.push_back(ReadDirective(activity));
        file.times.push_back(TimeSpotOf(activity));
        sources_.push_back(&activity);
      }
    }
    return file;
  }

  // Reads the activities to be left out.
  std::vector<std::string> ReadWithout(const JsonValue& root) {
    std::vector<std::string> names;
    const JsonValue* const without = root.Find("without");
    if (without != nullptr && Expect(*without, Kind::kArray, "'without'")) {
      for (const JsonValue& name : without->elements) {
        if (Expect(name, Kind::kText, "an activity to be left out")) {
          names.push_back(name.text);
        }
      }
    }
    return names;
  }

  // Reports a problem at its place in the file. Missing members have already
  // been reported by the reader.
  void Tell(const process::PlanProblem& problem) {
    const JsonValue& source = *sources_[problem.directive];
    const JsonValue* place = nullptr;
    bool is_name = false;
    switch (problem.part) {
      case Part::kId:
        place = source.Find("id");
        if (place != nullptr && place->kind != Kind::kText) {
          return;
        }
        break;
      case Part::kType:
        place = source.Find("type");
        if (place == nullptr || place->kind != Kind::kText) {
          return;
        }
        break;
      case Part::kAnchor:
        place = source.Find("after");
        place = place == nullptr ? source.Find("with") : place;
        break;
      case Part::kStart:
        place = source.Find("offset");
        place = place == nullptr ? source.Find("start") : place;
        break;
      case Part::kArgumentName:
        is_name = true;
        [[fallthrough]];
      case Part::kArgumentValue:
        place = ArgumentsOf(source)[problem.argument];
        break;
    }
    const SourceSpan spot = place == nullptr ? SpotOf(source)
                            : is_name        ? place->name_span
                                             : SpotOf(*place);
    diagnostics_.Error(spot, problem.message, problem.hint);
  }

 private:
  static SourceSpan TimeSpotOf(const JsonValue& activity) {
    for (const char* const name : {"start", "offset", "after", "with"}) {
      if (const JsonValue* const place = activity.Find(name)) {
        return SpotOf(*place);
      }
    }
    return SpotOf(activity);
  }

  bool Expect(const JsonValue& value, Kind kind, const std::string& what) {
    if (value.kind == kind) {
      return true;
    }
    diagnostics_.Error(SpotOf(value),
                       what + " is " + std::string(NameOf(kind)) + ", not " +
                           std::string(NameOf(value.kind)));
    return false;
  }

  void CheckNames(const JsonValue& object,
                  const std::span<const std::string>& known) {
    for (const JsonValue& element : object.elements) {
      if (std::ranges::find(known, element.name) == known.end()) {
        diagnostics_.Error(element.name_span,
                           "unknown key '" + element.name + "'",
                           Suggest(element.name, known));
      }
    }
  }

  std::optional<Duration> TimeIn(const JsonValue& object, const char* name) {
    const JsonValue* const value = object.Find(name);
    if (value == nullptr) {
      return std::nullopt;
    }
    if (value->kind == Kind::kNumber || value->kind == Kind::kText) {
      if (const auto time = ParseDuration(value->text)) {
        return time;
      }
    }
    diagnostics_.Error(SpotOf(*value),
                       "'" + std::string(name) + "' is no time",
                       "give seconds below 9.2e9, or a text with a unit: "
                       "\"90 min\"");
    return std::nullopt;
  }

  std::string TextIn(const JsonValue& object, const char* name) {
    const JsonValue* const value = object.Find(name);
    return value != nullptr &&
                   Expect(*value, Kind::kText, "'" + std::string(name) + "'")
               ? value->text
               : "";
  }

  process::Directive ReadDirective(const JsonValue& source) {
    process::Directive directive;
    directive.id = "#" + std::to_string(sources_.size() + 1);
    if (!Expect(source, Kind::kObject, "an activity")) {
      return directive;
    }
    CheckNames(
        source,
        std::array<std::string, 7>{
            "id", "type", "start", "after", "with", "offset", "arguments"});
    if (source.Find("id") != nullptr) {
      directive.id = TextIn(source, "id");
    }
    directive.type = TextIn(source, "type");
    if (source.Find("type") == nullptr) {
      diagnostics_.Error(SpotOf(source), "the activity has no 'type'");
    }
    ReadStart(source, directive);
    ReadArguments(source, directive);
    return directive;
  }

  void ReadArguments(const JsonValue& source, process::Directive& directive) {
    const JsonValue* const object = source.Find("arguments");
    if (object == nullptr || !Expect(*object, Kind::kObject, "'arguments'")) {
      return;
    }
    for (const JsonValue& argument : object->elements) {
      if (!IsScalar(argument)) {
        diagnostics_.Error(SpotOf(argument),
                           "an argument is a number, a truth or a text, not " +
                               std::string(NameOf(argument.kind)));
      }
    }
    for (const JsonValue* argument : ArgumentsOf(source)) {
      directive.arguments.push_back(
          {.name = argument->name, .value = argument->text});
    }
  }

  void ReadStart(const JsonValue& source, process::Directive& directive) {
    std::vector<const JsonValue*> ways;
    for (const char* name : {"start", "after", "with"}) {
      if (const JsonValue* const way = source.Find(name)) {
        ways.push_back(way);
      }
    }
    if (ways.size() != 1) {
      diagnostics_.Error(
          ways.empty() ? SpotOf(source) : ways[1]->name_span,
          ways.empty() ? "the activity does not say when it begins"
                       : "the activity says twice when it begins",
          "give one of 'start' (a time), 'after' and 'with' (the id of another "
          "activity)");
    }
    const JsonValue* const offset = source.Find("offset");
    if (!ways.empty() && ways[0]->name == "start") {
      directive.start = TimeIn(source, "start").value_or(Duration::zero());
      if (offset != nullptr) {
        diagnostics_.Error(offset->name_span,
                           "'offset' belongs to 'after' or 'with'",
                           "add it to 'start'");
      }
      return;
    }
    directive.start = TimeIn(source, "offset").value_or(Duration::zero());
    if (ways.empty()) {
      return;
    }
    const bool is_end = ways[0]->name == "after";
    const std::string id = TextIn(source, is_end ? "after" : "with");
    if (ways[0]->kind == Kind::kText) {
      directive.anchor = {.id = id,
                          .point = is_end ? process::Anchor::Point::kEnd
                                          : process::Anchor::Point::kStart};
    }
  }

  // The arguments of a directive, in order.
  static std::vector<const JsonValue*> ArgumentsOf(const JsonValue& source) {
    std::vector<const JsonValue*> arguments;
    const JsonValue* const object = source.Find("arguments");
    if (object != nullptr) {
      for (const JsonValue& element : object->elements) {
        if (IsScalar(element) && object->Find(element.name) == &element) {
          arguments.push_back(&element);
        }
      }
    }
    return arguments;
  }

  static bool IsScalar(const JsonValue& value) {
    return value.kind == Kind::kNumber || value.kind == Kind::kTruth ||
           value.kind == Kind::kText;
  }

  Diagnostics& diagnostics_;
  std::vector<const JsonValue*> sources_;  // By directive.
};

}  // namespace

PlanFile ReadPlan(const std::shared_ptr<const SourceFile>& source,
                  const process::Model& model) {
  Diagnostics found;
  const std::optional<JsonValue> root = internal::ParseJson(source, found);
  PlanFile file;
  std::vector<std::string> without;
  if (root) {
    Reader reader(found);
    file = reader.Read(*root);
    without = reader.ReadWithout(*root);
    for (const process::PlanProblem& problem :
         process::FindProblems(file.plan, model)) {
      reader.Tell(problem);
    }
  }
  std::vector<Diagnostic> in_order = found.list();
  std::ranges::stable_sort(in_order, [](const auto& a, const auto& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  Diagnostics sorted;
  for (Diagnostic& diagnostic : in_order) {
    sorted.Add(std::move(diagnostic));
  }
  sorted.ThrowIfErrors();
  LeaveOut(file, without);
  return file;
}

namespace {

using process::Anchor;
using process::Directive;

constexpr std::size_t kMaxShown = 20;

// The beginning of an activity.
struct Beginning {
  Duration time{};             // The earliest time.
  bool is_exact = true;        // If false, it waits for the end of another.
  std::string missed;          // The anchor that never ends; empty: none.
  bool is_before_run = false;  // Also if its anchor begins before the run.
};

Duration Sum(Duration a, Duration b) {
  Duration::rep sum = 0;
  if (__builtin_add_overflow(a.count(), b.count(), &sum)) {
    return b < Duration::zero() ? Duration::min() : Duration::max();
  }
  return Duration(sum);
}

class Beginnings {
 public:
  Beginnings(std::span<const Directive> directives, Duration start)
      : directives_(directives), start_(start), known_(directives.size()) {
    for (std::size_t i = 0; i < directives.size(); ++i) {
      numbers_[directives[i].id] = i;
    }
  }

  const Beginning& Of(std::size_t directive) {
    std::vector<std::size_t> way = {directive};
    while (!known_[way.back()] && directives_[way.back()].anchor) {
      way.push_back(numbers_.at(directives_[way.back()].anchor->id));
    }
    for (; !way.empty(); way.pop_back()) {
      if (!known_[way.back()]) {
        known_[way.back()] = Place(directives_[way.back()]);
      }
    }
    return *known_[directive];
  }

 private:
  [[nodiscard]] Beginning Place(const Directive& directive) const {
    Beginning beginning;
    if (!directive.anchor) {
      beginning.time = directive.start;
    } else {
      beginning = *known_[numbers_.at(directive.anchor->id)];
      beginning.time = Sum(beginning.time, directive.start);
      if (directive.anchor->point == Anchor::Point::kEnd) {
        beginning.is_exact = false;
        if (beginning.is_before_run) {
          beginning.missed = directive.anchor->id;
        }
      }
    }
    beginning.is_before_run = beginning.is_exact ? beginning.time < start_
                                                 : !beginning.missed.empty();
    return beginning;
  }

  std::span<const Directive> directives_;
  Duration start_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::optional<Beginning>> known_;
};

}  // namespace

void LeaveOut(PlanFile& file, std::span<const std::string> names) {
  const process::Plan rest = process::Without(file.plan, names);
  std::vector<SourceSpan> times;
  for (std::size_t i = 0; i < file.plan.directives.size(); ++i) {
    const Directive& directive = file.plan.directives[i];
    const std::size_t kept = times.size();
    if (kept < rest.directives.size() &&
        rest.directives[kept].id == directive.id) {
      times.push_back(file.times[i]);
      continue;
    }
    const bool is_named =
        std::ranges::find(names, directive.id) != names.end() ||
        std::ranges::find(names, directive.type) != names.end();
    if (!is_named) {
      file.left_out.push_back(MakeDiagnostic(
          Severity::kWarning,
          file.times[i],
          "activity '" + directive.id + "' is left out: '" +
              directive.anchor->id + "', which it comes after, is",
          "give it another time, or that one"));
    }
  }
  file.plan = rest;
  file.times = std::move(times);
}

std::vector<Diagnostic> FindLeftOut(const PlanFile& file,
                                    Duration start,
                                    std::optional<Duration> stop) {
  const std::span<const Directive> directives = file.plan.directives;
  Beginnings beginnings(directives, start);
  std::vector<Diagnostic> found = file.left_out;
  std::size_t count = found.size();
  found.resize(std::min(count, kMaxShown));
  for (std::size_t i = 0; i < directives.size(); ++i) {
    const Beginning& beginning = beginnings.Of(i);
    const std::string name = "activity '" + directives[i].id + "'";
    std::string why;
    std::string hint;
    if (!beginning.missed.empty()) {
      why = name + " is left out: '" + beginning.missed +
            "', which it comes after, is";
      hint = "give it another time, or that one";
    } else if (beginning.is_before_run) {
      why = name + " is left out: it begins at t = " + ToText(beginning.time) +
            ", before the run does";
      hint = "give it a time from " + ToText(start) + " on";
    } else if (stop && beginning.time > *stop) {
      why = name + " is left out: it begins at t = " + ToText(beginning.time) +
            (beginning.is_exact ? "" : " at the soonest") +
            ", after the end of the run";
      hint = "give it a time up to " + ToText(*stop) +
             ", or let the run go on to then";
    } else {
      continue;
    }
    if (++count <= kMaxShown) {
      found.push_back(MakeDiagnostic(
          Severity::kWarning, file.times[i], std::move(why), std::move(hint)));
    }
  }
  if (count > kMaxShown) {
    found.push_back(
        MakeDiagnostic(Severity::kWarning,
                       {},
                       std::to_string(count - kMaxShown) +
                           " more activities of the plan are left out",
                       "they are like those above"));
  }
  return found;
}

}  // namespace orrery
