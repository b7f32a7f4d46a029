#include "orrery/process/plan/resolved_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/plan/activity.h"

namespace orrery::process::internal {

namespace {

using Part = PlanProblem::Part;

// The sum; none if it overflows.
std::optional<Duration> Sum(Duration a, Duration b) {
  Duration::rep sum = 0;
  return __builtin_add_overflow(a.count(), b.count(), &sum)
             ? std::nullopt
             : std::optional(Duration(sum));
}

class PlanResolver {
 public:
  PlanResolver(const Plan& plan,
               const Model& model,
               std::vector<PlanProblem>& problems)
      : directives_(plan.directives), problems_(problems) {
    for (const Member* member : MembersOf(model)) {
      if (const auto* activity = dynamic_cast<const Activity*>(member)) {
        activities_[activity->Path()] = activity;
      }
    }
  }

  ResolvedPlan Make(Duration start) {
    plan_.entries.resize(directives_.size());
    FindIds();
    for (std::size_t i = 0; i < directives_.size(); ++i) {
      at_ = i;
      FindActivity();
    }
    Resolve();
    std::ranges::stable_sort(problems_, {}, &PlanProblem::directive);
    if (problems_.empty()) {
      Arrange(start);
    }
    return std::move(plan_);
  }

 private:
  // The time at which a directive begins. With a root: the delay after the end
  // of that.
  struct When {
    std::optional<std::size_t> root;
    Duration offset{};
  };

  enum class Visit : std::uint8_t { kNot, kOpen, kDone, kBad };

  void Report(Part part, std::string message, std::string hint = {}) {
    problems_.push_back({.directive = at_,
                         .part = part,
                         .message = std::move(message),
                         .hint = std::move(hint)});
  }

  void FindIds() {
    for (std::size_t i = 0; i < directives_.size(); ++i) {
      at_ = i;
      const std::string& id = directives_[i].id;
      if (id.empty()) {
        Report(Part::kId, "an activity has no id", "give each one of its own");
      } else if (const auto [first, is_new] = ids_.emplace(id, i); !is_new) {
        Report(Part::kId,
               "id '" + id + "' comes twice",
               "rename one of the activities");
      }
    }
  }

  void FindActivity() {
    const Directive& directive = directives_[at_];
    const auto found = activities_.find(directive.type);
    if (found == activities_.end()) {
      std::vector<std::string> known;
      for (const auto& [path, activity] : activities_) {
        known.push_back(path);
      }
      Report(Part::kType,
             "the model has no type of activities '" + directive.type + "'",
             known.empty() ? "it has none at all"
                           : Suggest(directive.type, known));
      return;
    }
    ResolvedPlan::Entry& entry = plan_.entries[at_];
    entry.id = directive.id;
    entry.name = found->first;
    entry.activity = found->second;
    entry.arguments = directive.arguments;
    CheckArguments(entry);
  }

  void CheckArguments(ResolvedPlan::Entry& entry) {
    const std::size_t problems_before = problems_.size();
    try {
      Parameters arguments(entry.arguments, OnRefusal::kCollect);
      const auto fail = [&](const std::string& why) {
        if (arguments.refusals().empty()) {
          Report(Part::kType, "cannot make '" + entry.name + "': " + why);
        }
      };
      try {
        entry.activity->Check(arguments);
        ReportUnknown(entry, arguments);
      } catch (const std::exception& error) {
        fail(error.what());
      } catch (...) {
        fail("it throws what is no std::exception");
      }
      ReportRefusals(entry, arguments);
      if (problems_.size() == problems_before) {
        entry.attributes.push_back({.name = "directive", .value = entry.id});
        entry.attributes.insert(entry.attributes.end(),
                                arguments.values().begin(),
                                arguments.values().end());
      }
    } catch (const Error& error) {  // A duplicate type.
      Report(Part::kType, error.what());
    }
  }

  void ReportUnknown(const ResolvedPlan::Entry& entry,
                     const Parameters& arguments) {
    std::vector<std::string> known;
    for (const ParameterInfo& info : arguments.declared()) {
      known.push_back(info.name);
    }
    for (std::size_t i = 0; i < entry.arguments.size(); ++i) {
      const std::string& name = entry.arguments[i].name;
      if (std::ranges::find(known, name) == known.end()) {
        Report(Part::kArgumentName,
               "'" + entry.name + "' has no argument '" + name + "'",
               known.empty() ? "it takes none" : Suggest(name, known));
        problems_.back().argument = i;
      }
    }
  }

  void ReportRefusals(const ResolvedPlan::Entry& entry,
                      const Parameters& arguments) {
    for (const ParameterRefusal& refusal : arguments.refusals()) {
      const auto found = std::ranges::find(
          entry.arguments, refusal.name, &ParameterText::name);
      Report(Part::kArgumentValue, refusal.message, refusal.hint);
      problems_.back().argument =
          static_cast<std::size_t>(found - entry.arguments.begin());
    }
  }

  void Resolve() {
    when_.resize(directives_.size());
    visits_.resize(directives_.size());
    for (std::size_t i = 0; i < directives_.size(); ++i) {
      FollowAnchors(i);
    }
  }

  // Follows anchors from a directive to the first that is known or has none;
  // then places all directives on the way back.
  void FollowAnchors(std::size_t from) {
    std::vector<std::size_t> way;
    std::size_t i = from;
    while (visits_[i] == Visit::kNot) {
      visits_[i] = Visit::kOpen;
      way.push_back(i);
      const std::optional<std::size_t> next = AnchorOf(i);
      if (!next) {
        break;
      }
      i = *next;
      if (visits_[i] == Visit::kOpen) {
        ReportCircle({std::ranges::find(way, i), way.end()});
      }
    }
    for (std::size_t k = way.size(); k-- > 0;) {
      at_ = way[k];
      if (visits_[at_] == Visit::kOpen) {
        visits_[at_] = Place() ? Visit::kDone : Visit::kBad;
      }
    }
  }

  // The directive that this one is anchored to, if it exists.
  std::optional<std::size_t> AnchorOf(std::size_t i) {
    const std::optional<Anchor>& anchor = directives_[i].anchor;
    if (!anchor) {
      return std::nullopt;
    }
    const auto found = ids_.find(anchor->id);
    if (found != ids_.end()) {
      return found->second;
    }
    std::vector<std::string> known;
    for (const auto& [id, number] : ids_) {
      known.push_back(id);
    }
    at_ = i;
    Report(Part::kAnchor,
           "there is no activity with id '" + anchor->id + "'",
           Suggest(anchor->id, known));
    visits_[i] = Visit::kBad;
    return std::nullopt;
  }

  void ReportCircle(std::vector<std::size_t> circle) {
    std::rotate(circle.begin(), std::ranges::min_element(circle), circle.end());
    std::string text;
    for (const std::size_t i : circle) {
      text += "'" + directives_[i].id + "' waits for '" +
              directives_[i].anchor->id + "', ";
      visits_[i] = Visit::kBad;
    }
    text.resize(text.size() - 2);
    at_ = circle.front();
    Report(Part::kAnchor,
           "anchors go round in a circle: " + text,
           "give one of them a time of its own");
  }

  // @returns true if the time at which the directive begins is known.
  bool Place() {
    const Directive& directive = directives_[at_];
    When& when = when_[at_];
    if (!directive.anchor) {
      when.offset = directive.start;
      return true;
    }
    const std::size_t anchor = ids_.at(directive.anchor->id);
    if (visits_[anchor] == Visit::kBad) {
      return false;  // Its error was reported already.
    }
    when = directive.anchor->point == Anchor::Point::kEnd ? When{.root = anchor}
                                                          : when_[anchor];
    const auto sum = Sum(when.offset, directive.start);
    if (!sum) {
      Report(Part::kStart,
             "it begins beyond the end of time",
             "give times below 9.2e9 s");
      return false;
    }
    when.offset = *sum;
    if (when.root && when.offset < Duration::zero()) {
      Report(Part::kStart,
             "cannot begin " + ToText(-when.offset) + " before the end of '" +
                 directives_[*when.root].id +
                 "': when that is comes out only then",
             "give 0 s or more, or refer to a start");
      return false;
    }
    return true;
  }

  // Activities that begin before the run get neither a time nor a root.
  void Arrange(Duration start) {
    for (std::size_t i = 0; i < directives_.size(); ++i) {
      const When& when = when_[i];
      ResolvedPlan::Entry& entry = plan_.entries[i];
      if (when.root) {
        entry.root = static_cast<std::uint32_t>(*when.root);
        entry.delay = when.offset;
        plan_.entries[*when.root].followers.push_back(
            static_cast<std::uint32_t>(i));
      } else if (when.offset >= start) {
        entry.at = when.offset;
      }
    }
  }

  std::span<const Directive> directives_;
  std::vector<PlanProblem>& problems_;
  std::map<std::string, const Activity*> activities_;
  std::map<std::string, std::size_t> ids_;
  std::vector<When> when_;
  std::vector<Visit> visits_;
  ResolvedPlan plan_;
  std::size_t at_ = 0;  // The directive being checked.
};

}  // namespace

ResolvedPlan ResolvePlan(const Plan& plan,
                         const Model& model,
                         Duration start,
                         std::vector<PlanProblem>& problems) {
  return PlanResolver(plan, model, problems).Make(start);
}

ResolvedPlan ResolvePlan(const Plan& plan, const Model& model, Duration start) {
  std::vector<PlanProblem> problems;
  ResolvedPlan resolved = ResolvePlan(plan, model, start, problems);
  std::vector<Diagnostic> diagnostics;
  diagnostics.reserve(problems.size());
  for (PlanProblem& problem : problems) {
    diagnostics.push_back(
        {.message = std::move(problem.message),
         .hint = std::move(problem.hint),
         .path = "plan." + plan.directives[problem.directive].id});
  }
  if (!diagnostics.empty()) {
    throw Error(ErrorCode::kInvalidArgument, std::move(diagnostics));
  }
  return resolved;
}

bool IsSame(const ResolvedPlan& before,
            const ResolvedPlan::Entry& was,
            const ResolvedPlan& after,
            const ResolvedPlan::Entry& is) {
  const auto root_of = [](const ResolvedPlan& plan,
                          const ResolvedPlan::Entry& entry) {
    return entry.root ? plan.entries[*entry.root].id : "";
  };
  const auto same_values = [](const Record::Field& a, const Record::Field& b) {
    return a.name == b.name && a.value == b.value;
  };
  return was.name == is.name && was.at == is.at && was.delay == is.delay &&
         root_of(before, was) == root_of(after, is) &&
         std::ranges::equal(was.attributes, is.attributes, same_values);
}

namespace {

// The earliest time at which an activity begins; none if it never does.
std::optional<Duration> SoonestOf(const ResolvedPlan& plan,
                                  const ResolvedPlan::Entry& entry) {
  std::optional<Duration> delay = Duration::zero();
  const ResolvedPlan::Entry* at = &entry;
  for (; at->root && delay; at = &plan.entries[*at->root]) {
    delay = Sum(*delay, at->delay);
  }
  return at->at && delay ? Sum(*at->at, *delay) : std::nullopt;
}

// An activity that both plans have.
struct Kept {
  const ResolvedPlan::Entry* entry = nullptr;
  std::size_t place = 0;  // Its place in the old plan.
};

// The earliest time at which activities may begin together that now come in
// another order: two whose times are known, or one after others that changed
// sides with another one.
Duration FirstReordered(const ResolvedPlan& after, std::span<const Kept> kept) {
  Duration first = Duration::max();
  const auto change = [&](std::optional<Duration> at) {
    first = std::min(first, at.value_or(Duration::max()));
  };
  std::map<Duration, std::size_t> last_at;
  std::size_t last = 0;
  for (const Kept& one : kept) {
    if (!one.entry->at) {
      change(one.place < last ? SoonestOf(after, *one.entry) : std::nullopt);
    } else if (auto& last_then = last_at[*one.entry->at];
               one.place <
               std::exchange(last_then, std::max(last_then, one.place))) {
      change(one.entry->at);
    }
    last = std::max(last, one.place);
  }
  std::size_t next = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = kept.size(); i-- > 0;) {
    if (!kept[i].entry->at && kept[i].place > next) {
      change(SoonestOf(after, *kept[i].entry));
    }
    next = std::min(next, kept[i].place);
  }
  return first;
}

}  // namespace

Duration FirstChange(const ResolvedPlan& before, const ResolvedPlan& after) {
  std::map<std::string, const ResolvedPlan::Entry*> old;
  for (const ResolvedPlan::Entry& entry : before.entries) {
    old[entry.id] = &entry;
  }
  std::vector<Kept> kept;
  Duration first = Duration::max();
  const auto change = [&first](std::optional<Duration> at) {
    first = std::min(first, at.value_or(Duration::max()));
  };
  for (const ResolvedPlan::Entry& entry : after.entries) {
    const auto found = old.find(entry.id);
    if (found == old.end()) {
      change(SoonestOf(after, entry));
      continue;
    }
    if (!IsSame(before, *found->second, after, entry)) {
      change(SoonestOf(before, *found->second));
      change(SoonestOf(after, entry));
    } else {
      const auto place =
          static_cast<std::size_t>(found->second - before.entries.data());
      kept.push_back({.entry = &entry, .place = place});
    }
    old.erase(found);
  }
  for (const auto& [id, entry] : old) {
    change(SoonestOf(before, *entry));
  }
  return std::min(first, FirstReordered(after, kept));
}

}  // namespace orrery::process::internal
