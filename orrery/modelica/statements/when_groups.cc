#include "orrery/modelica/statements/when_groups.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "orrery/base/containers/disjoint_sets.h"
#include "orrery/modelica/statements/relations.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

class WhenGrouping {
 public:
  explicit WhenGrouping(const AssignedSymbols& symbols) : symbols_(symbols) {}

  void Add(Statement& statement, bool is_when) {
    const std::span one(&statement, 1);
    const std::size_t member = sets_.Add();
    bool is_common = !is_when && !IsCondition(statement);
    auto& mentioned = mentioned_.emplace_back();
    const auto mention = [&](std::uint32_t id) {
      if (symbols_.all.contains(id) && mentioned.insert(id).second) {
        const auto [first, is_new] = first_of_.try_emplace(id, member);
        if (!is_new) {
          sets_.Merge(first->second, member);
        }
        is_common = is_common || symbols_.reports.contains(id);
      }
    };
    for (const Expr target : TargetsOf(one)) {
      mention(target.id());
    }
    const std::vector<Expr> formulas = FormulasOf(one);
    for (const std::uint32_t id : Reachable(formulas)) {
      mention(id);
      is_common = is_common || formulas[0].graph().At(id).op() == Op::kCall;
    }
    if (is_common) {
      sets_.Merge(common_.value_or(member), member);
      common_ = member;
    }
  }

  [[nodiscard]] std::size_t SetOf(std::size_t member) {
    return sets_.Find(member);
  }

  [[nodiscard]] const std::unordered_set<std::uint32_t>& MentionedBy(
      std::size_t member) const {
    return mentioned_[member];
  }

 private:
  // True if the statement computes the condition of a when-statement.
  [[nodiscard]] bool IsCondition(const Statement& statement) const {
    const auto* const assignment = std::get_if<Assignment>(&statement.step);
    return assignment != nullptr &&
           symbols_.conditions.contains(assignment->target.id());
  }

  const AssignedSymbols& symbols_;
  DisjointSets sets_;  // Sets of statements.
  std::vector<std::unordered_set<std::uint32_t>> mentioned_;
  std::unordered_map<std::uint32_t, std::size_t> first_of_;  // By symbol.
  std::optional<std::size_t> common_;  // One of the group with all others.
};

}  // namespace

std::vector<StatementGroup> GroupWhens(Statements body,
                                       std::span<const std::size_t> whens,
                                       const AssignedSymbols& symbols) {
  WhenGrouping grouping(symbols);
  const auto is_when = [&](std::size_t i) {
    return std::ranges::binary_search(whens, i);
  };
  for (std::size_t i = 0; i < body.size(); ++i) {
    grouping.Add(body[i], is_when(i));
  }
  std::vector<StatementGroup> groups;
  std::unordered_map<std::size_t, std::size_t> group_of;  // By set.
  for (std::size_t i = 0; i < body.size(); ++i) {
    const auto [found, is_new] =
        group_of.try_emplace(grouping.SetOf(i), groups.size());
    if (is_new) {
      groups.emplace_back();
    }
    StatementGroup& group = groups[found->second];
    if (is_when(i)) {
      group.whens.push_back(group.body.size());
    }
    group.body.push_back(std::move(body[i]));
    group.variables.insert(grouping.MentionedBy(i).begin(),
                           grouping.MentionedBy(i).end());
  }
  return groups;
}

}  // namespace orrery::modelica::internal
