#include "orrery/modelica/dialog/fitting_classes.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "orrery/modelica/classes/class_tree.h"

namespace orrery::modelica {
namespace {

constexpr std::size_t kAllClasses = std::numeric_limits<std::size_t>::max();

// The part of a library in which a class stands: "Modelica.Media." for one of
// its interfaces, "Parts." for Parts.Pump; empty for a class at the top.
std::string_view NeighbourhoodOf(std::string_view name) {
  const std::size_t first = name.find('.');
  if (first == std::string_view::npos) {
    return {};
  }
  const std::size_t second = name.find('.', first + 1);
  const std::size_t third =
      second == std::string_view::npos ? second : name.find('.', second + 1);
  return name.substr(0, (third == std::string_view::npos ? first : second) + 1);
}

// Classes in models are theirs: others look them up in packages only.
bool IsInPackages(const ClassIndex& index, std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) {
    return true;
  }
  const ClassEntry* const around = index.Find(name.substr(0, dot));
  return around != nullptr && around->kind == ast::ClassKind::kPackage;
}

bool IsAnyModel(ast::ClassKind kind) {
  return kind == ast::ClassKind::kModel || kind == ast::ClassKind::kBlock ||
         kind == ast::ClassKind::kClass;
}

}  // namespace

std::vector<const ClassEntry*> FittingClasses(
    Workspace& workspace,
    const ClassIndex& index,
    const Document& document,
    const std::vector<std::string>& folders,
    const std::string& constraint) {
  internal::ClassTree& tree = workspace.TreeOf(document);
  internal::ClassNode* const base = tree.FindGlobal(constraint);
  if (base == nullptr || !tree.Expand(base)) {
    return {};
  }
  const ast::ClassKind kind = base->kind();
  const std::string_view near = NeighbourhoodOf(constraint);
  std::vector<const ClassEntry*> found;
  for (const ClassEntry* const entry : index.Search("", kAllClasses)) {
    const bool has_kind =
        entry->kind == kind || (IsAnyModel(kind) && IsAnyModel(entry->kind));
    const bool is_near =
        (!near.empty() && entry->name.starts_with(near)) ||
        std::ranges::any_of(folders, [entry](const std::string& folder) {
          return entry->path.starts_with(folder + "/");
        });
    if (!has_kind || entry->is_partial || !is_near ||
        !IsInPackages(index, entry->name)) {
      continue;
    }
    internal::ClassNode* const node = tree.FindGlobal(entry->name);
    if (node != nullptr && tree.Extends(node, base)) {
      found.push_back(entry);
    }
  }
  std::ranges::sort(found, {}, &ClassEntry::name);
  return found;
}

}  // namespace orrery::modelica
