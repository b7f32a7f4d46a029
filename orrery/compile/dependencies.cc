#include "orrery/compile/dependencies.h"

#include <algorithm>
#include <span>

#include "orrery/compile/dependency_report.h"

namespace orrery {

namespace compile::internal {
namespace {

/// Returns the names of each scalar, its own first, then its aliases.
std::vector<std::vector<std::string>> NamesOf(const System& system) {
  std::vector<std::vector<std::string>> names(system.scalars.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (i >= system.aliases.size() || system.aliases[i].scalar == i) {
      names[i].insert(names[i].begin(), system.NameOf(i));
    } else {
      names[system.aliases[i].scalar].push_back(system.NameOf(i));
    }
  }
  return names;
}

}  // namespace

Dependencies DependenciesOf(const System& system,
                            const MatchedProblem& matched) {
  const SortProblem& problem = matched.problem;
  const Incidence components = FindComponents(matched);
  const auto names = NamesOf(system);
  std::vector<std::uint32_t> place_of_column(problem.unknowns.size());
  std::vector<std::uint32_t> rows;  // By place in the order of evaluation.
  Dependencies result;
  for (std::size_t i = 0; i < components.num_rows(); ++i) {
    const std::span<const std::uint32_t> members = components.own(i);
    std::vector<std::uint32_t> loop;
    for (const std::uint32_t row : members) {
      loop.push_back(static_cast<std::uint32_t>(rows.size()));
      place_of_column[matched.matching.column_of_row[row]] = loop.back();
      rows.push_back(row);
    }
    if (loop.size() > 1) {
      result.loops.push_back(std::move(loop));
    }
  }
  for (const std::uint32_t row : rows) {
    const std::uint32_t own = matched.matching.column_of_row[row];
    Dependencies::Unknown unknown{
        .names = names[problem.unknowns[own]],
        .equation = system.TextOf(problem.equations[row]),
        .needs = {}};
    for (const std::uint32_t column : matched.incidence.row(row)) {
      if (column != own) {
        unknown.needs.push_back(place_of_column[column]);
      }
    }
    std::ranges::sort(unknown.needs);
    result.unknowns.push_back(std::move(unknown));
  }
  return result;
}

}  // namespace compile::internal

std::vector<std::vector<std::uint32_t>> ClosureOf(
    const Dependencies& dependencies) {
  const std::size_t n = dependencies.unknowns.size();
  std::vector<std::vector<std::uint32_t>> closure(n);
  std::vector<bool> is_met(n);
  const auto collect = [&](std::span<const std::uint32_t> members) {
    std::vector<std::uint32_t> all;
    const auto meet = [&](std::uint32_t place) {
      if (!is_met[place]) {
        is_met[place] = true;
        all.push_back(place);
      }
    };
    for (const std::uint32_t member : members) {
      for (const std::uint32_t need : dependencies.unknowns[member].needs) {
        meet(need);
        std::ranges::for_each(closure[need], meet);
      }
    }
    for (const std::uint32_t place : all) {
      is_met[place] = false;
    }
    std::ranges::sort(all);
    for (const std::uint32_t member : members) {
      closure[member] = all;
    }
  };
  auto loop = dependencies.loops.begin();
  for (std::uint32_t place = 0; place < n;) {
    if (loop != dependencies.loops.end() && loop->front() == place) {
      collect(*loop);
      place = loop->back() + 1;
      ++loop;
    } else {
      collect({&place, 1});
      ++place;
    }
  }
  return closure;
}

}  // namespace orrery
