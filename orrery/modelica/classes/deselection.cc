#include "orrery/modelica/classes/deselection.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "orrery/syntax/unparse.h"

namespace orrery::modelica::internal {
namespace {

using ListOfEquations = ast::List<ast::Equation>;

std::string EndText(const ast::ComponentReference& reference) {
  return Unparse(ast::Expression{.span = reference.span, .node = reference});
}

std::string_view FirstNameOf(const ast::ComponentReference& reference) {
  return reference.parts.front().name.text;
}

}  // namespace

Deselection::Deselection(const ast::ClassModification* modification) {
  if (modification == nullptr) {
    return;
  }
  for (const ast::Argument& argument : modification->arguments) {
    if (const auto* const component =
            std::get_if<ast::BreakElement>(&argument.node)) {
      breaks_.push_back({.span = argument.span,
                         .component = component->name.text,
                         .from = {},
                         .to = {}});
    } else if (const auto* const connect =
                   std::get_if<ast::BreakConnect>(&argument.node)) {
      breaks_.push_back({.span = argument.span,
                         .component = {},
                         .from = EndText(connect->from),
                         .to = EndText(connect->to)});
    }
  }
}

bool Deselection::LeavesOut(std::string_view component) {
  const auto found = std::ranges::find(breaks_, component, &Break::component);
  if (found == breaks_.end()) {
    return false;
  }
  found->is_used = true;
  return true;
}

// Connections of a component that is left out go with it.
bool Deselection::LeavesOut(const ast::Connect& connect) {
  const std::string from = EndText(connect.from);
  const std::string to = EndText(connect.to);
  bool leaves_out = false;
  for (Break& one : breaks_) {
    if (!one.component.empty()) {
      leaves_out = leaves_out || FirstNameOf(connect.from) == one.component ||
                   FirstNameOf(connect.to) == one.component;
    } else if ((one.from == from && one.to == to) ||
               (one.from == to && one.to == from)) {
      one.is_used = true;
      leaves_out = true;
    }
  }
  return leaves_out;
}

bool Deselection::AnyIn(const ListOfEquations& equations) {
  bool any = false;
  for (const ast::Equation& equation : equations) {
    if (const auto* const connect = std::get_if<ast::Connect>(&equation.node)) {
      any = LeavesOut(*connect) || any;
    } else if (const auto* const loop =
                   std::get_if<ast::For<ast::Equation>>(&equation.node)) {
      any = AnyIn(loop->body) || any;
    } else if (const auto* const choice =
                   std::get_if<ast::If<ast::Equation>>(&equation.node)) {
      for (const ast::Branch<ast::Equation>& branch : choice->branches) {
        any = AnyIn(branch.body) || any;
      }
    }
  }
  return any;
}

ListOfEquations Deselection::Without(const ListOfEquations& equations,
                                     SelectedSections& selected) {
  std::vector<ast::Equation> kept;
  for (const ast::Equation& equation : equations) {
    ast::Equation copy = equation;
    if (const auto* const connect = std::get_if<ast::Connect>(&equation.node)) {
      if (LeavesOut(*connect)) {
        continue;
      }
    } else if (auto* const loop =
                   std::get_if<ast::For<ast::Equation>>(&copy.node)) {
      loop->body = Without(loop->body, selected);
    } else if (auto* const choice =
                   std::get_if<ast::If<ast::Equation>>(&copy.node)) {
      std::vector<ast::Branch<ast::Equation>> branches(choice->branches.begin(),
                                                       choice->branches.end());
      for (ast::Branch<ast::Equation>& branch : branches) {
        branch.body = Without(branch.body, selected);
      }
      const auto& stored = selected.branches.emplace_back(std::move(branches));
      choice->branches = {stored.data(), stored.size()};
    }
    kept.push_back(std::move(copy));
  }
  const auto& stored = selected.equations.emplace_back(std::move(kept));
  return {stored.data(), stored.size()};
}

const ast::Section& Deselection::Without(const ast::Section& section,
                                         SelectedSections& selected) {
  const auto* const equations =
      std::get_if<ast::EquationSection>(&section.node);
  if (equations == nullptr || !AnyIn(equations->equations)) {
    return section;
  }
  ast::Section copy = section;
  std::get<ast::EquationSection>(copy.node).equations =
      Without(equations->equations, selected);
  return selected.sections.emplace_back(std::move(copy));
}

std::vector<Deselection::Useless> Deselection::FindUseless() const {
  std::vector<Useless> useless;
  for (const Break& one : breaks_) {
    if (!one.is_used) {
      useless.push_back(
          {.span = one.span,
           .what = one.component.empty()
                       ? "connection connect(" + one.from + ", " + one.to + ")"
                       : "component '" + std::string(one.component) + "'"});
    }
  }
  return useless;
}

}  // namespace orrery::modelica::internal
