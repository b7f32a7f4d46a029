#include "orrery/experiment/sensitivity/factor_groups.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "orrery/base/error.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

[[noreturn]] void RefuseGroup(std::string_view source,
                              const std::string& text,
                              const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot take " + std::string(source) + " '" + text + "': " + why);
}

std::string WithoutBlanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  const std::size_t end = text.find_last_not_of(' ');
  return begin == std::string_view::npos
             ? ""
             : std::string(text.substr(begin, end - begin + 1));
}

// The group of each factor, by number, so far.
class Grouping {
 public:
  explicit Grouping(std::span<const Factor> factors)
      : factors_(factors), group_of_(factors.size()) {}

  [[nodiscard]] std::optional<std::size_t> Find(const std::string& name) const {
    const auto found = std::ranges::find(factors_, name, &Factor::name);
    return found == factors_.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(
                                         found - factors_.begin()));
  }

  void Add(std::string_view source, const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = WithoutBlanks(text.substr(0, equals));
    if (equals == std::string::npos || name.empty()) {
      RefuseGroup(source, text, "give NAME=FACTOR,FACTOR, as in spring=k,c");
    }
    if (std::ranges::find(names_, name) != names_.end()) {
      RefuseGroup(source, text, "there is a group '" + name + "' already");
    }
    names_.push_back(name);
    std::string_view rest = text;
    rest.remove_prefix(equals + 1);
    while (true) {
      const std::size_t comma = rest.find(',');
      AddFactor(source, text, WithoutBlanks(rest.substr(0, comma)));
      if (comma == std::string_view::npos) {
        return;
      }
      rest.remove_prefix(comma + 1);
    }
  }

  // Puts two factors that correlate into one group.
  void Join(const Correlation& correlation) {
    const auto a = Find(correlation.first);
    const auto b = Find(correlation.second);
    if (!a || !b) {
      return;  // Refused when correlations are read.
    }
    if (group_of_[*a] && group_of_[*b] && group_of_[*a] != group_of_[*b]) {
      Merge(*group_of_[*a], *group_of_[*b], correlation);
      return;
    }
    const auto its = group_of_[*a] ? group_of_[*a] : group_of_[*b];
    const std::size_t group = its.value_or(names_.size());
    if (!its) {
      names_.emplace_back();  // To be named after its factors.
    }
    group_of_[*a] = group;
    group_of_[*b] = group;
  }

  [[nodiscard]] std::vector<FactorGroup> Finish() const {
    std::vector<FactorGroup> groups;
    std::vector<std::optional<std::size_t>> place(names_.size());
    for (std::size_t k = 0; k < factors_.size(); ++k) {
      const auto group = group_of_[k];
      if (group && place[*group]) {
        groups[*place[*group]].factors.push_back(k);
        continue;
      }
      if (group) {
        place[*group] = groups.size();
      }
      groups.push_back(
          {.name = group ? names_[*group] : factors_[k].name, .factors = {k}});
    }
    for (FactorGroup& group : groups) {
      if (group.name.empty()) {
        for (const std::size_t k : group.factors) {
          group.name += (group.name.empty() ? "" : "+") + factors_[k].name;
        }
      }
    }
    return groups;
  }

 private:
  void AddFactor(std::string_view source,
                 const std::string& text,
                 const std::string& name) {
    const auto factor = Find(name);
    if (!factor) {
      std::vector<std::string> known;
      for (const Factor& its : factors_) {
        known.push_back(its.name);
      }
      RefuseGroup(
          source,
          text,
          "'" + name + "' does not vary" + Clause(Suggest(name, known)));
    }
    if (group_of_[*factor]) {
      RefuseGroup(source,
                  text,
                  "'" + name + "' is in group '" + names_[*group_of_[*factor]] +
                      "' already");
    }
    group_of_[*factor] = names_.size() - 1;
  }

  // Merges two groups that correlate; at most one may have a name from the
  // user.
  void Merge(std::size_t a, std::size_t b, const Correlation& correlation) {
    if (!names_[a].empty() && !names_[b].empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot tell the effects of the groups '" + names_[a] +
                      "' and '" + names_[b] + "' apart: " + correlation.first +
                      " and " + correlation.second +
                      " correlate; make one group of both");
    }
    const std::size_t kept = names_[a].empty() ? b : a;
    const std::size_t gone = kept == a ? b : a;
    for (auto& group : group_of_) {
      group = group == gone ? kept : group;
    }
  }

  std::span<const Factor> factors_;
  std::vector<std::optional<std::size_t>> group_of_;  // By factor.
  std::vector<std::string> names_;                    // By group.
};

}  // namespace

std::vector<std::size_t> internal::GroupNumbers(
    std::span<const FactorGroup> groups, std::size_t factors) {
  std::vector<std::size_t> numbers(factors);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const std::size_t k : groups[group].factors) {
      numbers[k] = group;
    }
  }
  return numbers;
}

std::vector<FactorGroup> GroupsOf(std::span<const Factor> factors,
                                  std::string_view source,
                                  std::span<const std::string> texts,
                                  std::span<const Correlation> correlations) {
  Grouping grouping(factors);
  for (const std::string& text : texts) {
    grouping.Add(source, text);
  }
  for (const Correlation& correlation : correlations) {
    grouping.Join(correlation);
  }
  return grouping.Finish();
}

}  // namespace orrery
