#include "orrery/modelica/classes/converted_names.h"

#include "orrery/modelica/classes/class_tree.h"
#include "orrery/syntax/annotations.h"
#include "orrery/syntax/unparse.h"

namespace orrery::modelica::internal {
namespace {

// The limit for names that become others in turn.
constexpr std::size_t kMaxRenamings = 100;

std::string OldNameOf(const FoundName& found) {
  return std::string(found.old_name.empty() ? found.node->name
                                            : found.old_name);
}

}  // namespace

// @param conversions may be null.
FoundName ConvertedNames::FindElement(const Scope* scope,
                                      const TextConversions* conversions,
                                      const FoundName& around,
                                      std::string_view name) {
  if (conversions == nullptr) {
    return tree_.FindIn(around.node, name);
  }
  const std::string old = OldNameOf(around) + "." + std::string(name);
  FoundName found = FindRenamed(*conversions, old);
  if (found.parts > 0) {
    return found;
  }
  found = tree_.FindIn(around.node, name);
  if (found.parts > 0) {
    if (!around.old_name.empty() && found.member == nullptr) {
      found.old_name = *old_names_.insert(old).first;
    }
    return found;
  }
  for (const Part& part : around.node->parts) {
    if (part.base != nullptr) {
      const std::string base(part.old_base.empty() ? part.base->name
                                                   : part.old_base);
      const FoundName inherited =
          FindRenamed(*conversions, base + "." + std::string(name));
      if (inherited.parts > 0) {
        return inherited;
      }
    }
  }
  const std::string_view renamed =
      conversions_.NewNameOf(scope, *around.node, name, around.old_name);
  return renamed == name ? found : tree_.FindIn(around.node, renamed);
}

FoundName ConvertedNames::FindRest(const Scope* scope,
                                   FoundName found,
                                   const ast::List<ast::Identifier>& parts) {
  const TextConversions* const conversions = conversions_.In(scope);
  while (found.parts < parts.size() && found.member == nullptr &&
         found.literal.empty()) {
    FoundName next =
        FindElement(scope, conversions, found, parts[found.parts].text);
    const bool is_broken = next.is_broken;
    std::size_t used = found.parts + 1;
    if (next.parts == 0 && conversions != nullptr) {
      // A rule may name a class of a package that is no more.
      std::string old =
          OldNameOf(found) + "." + std::string(parts[found.parts].text);
      for (; used < parts.size() && next.parts == 0; ++used) {
        old += "." + std::string(parts[used].text);
        next = FindRenamed(*conversions, old);
      }
    }
    if (next.parts == 0) {
      found.is_broken = is_broken;
      return found;
    }
    next.parts = used;
    found = next;
  }
  return found;
}

// Finds the class that rules put in the place of another.
FoundName ConvertedNames::FindRenamed(const TextConversions& conversions,
                                      const std::string& old) {
  for (LibraryConversion* const conversion : conversions.active) {
    const ConvertedClass* rule = conversion->rules.Find(old);
    // A new name may be the old one of a later conversion.
    for (std::size_t i = 0;
         rule != nullptr && !rule->new_name.empty() && i < kMaxRenamings;
         ++i) {
      FoundName found = FindNew(rule->new_name);
      if (found.parts > 0) {
        conversion->names.insert(old);
        found.old_name = *old_names_.insert(old).first;
        return found;
      }
      rule = conversion->rules.Find(rule->new_name);
    }
  }
  return {};
}

FoundName ConvertedNames::FindCase(const Member& member) {
  const ast::Modification* const said = member.declaration->modification;
  if (said == nullptr || said->arguments == nullptr ||
      conversions_.has_no_uses()) {
    return {};
  }
  const ast::Name& type = member.clause->type;
  const std::string_view first = type.parts.front().text;
  const FoundName around = tree_.FindSimple(member.scope, first);
  if (around.parts == 0) {
    tree_.FindInFolders(first, around);  // This reads the library.
  }
  if (conversions_.In(member.scope) == nullptr) {
    return {};
  }
  const FoundName found = tree_.Find(member.scope, type.parts, type.is_global);
  if (found.node == nullptr || found.parts + 1 < type.parts.size()) {
    return {};
  }
  std::string old = OldNameOf(found);
  if (found.parts < type.parts.size()) {
    old += "." + std::string(type.parts.back().text);
  }
  for (const LibraryConversion* const conversion :
       conversions_.In(member.scope)->active) {
    const ConvertedClass* const rule = conversion->rules.Find(old);
    if (rule == nullptr) {
      continue;
    }
    for (const ConvertedClass::Case& when : rule->cases) {
      const ast::Expression* const value =
          ValueIn(said->arguments, when.element);
      FoundName other = value != nullptr && Unparse(*value) == when.text
                            ? FindNew(when.new_name)
                            : FoundName();
      if (other.parts > 0) {
        other.old_name = *old_names_.insert(old).first;
        return other;
      }
    }
  }
  return {};
}

// The class, the component or the literal of that full name.
FoundName ConvertedNames::FindNew(std::string_view dotted) {
  const auto find_top = [&](std::string_view name) {
    const FoundName found = tree_.FindIn(tree_.global()->node, name);
    return found.parts > 0 ? found : tree_.FindInFolders(name, found);
  };
  const std::size_t dot = dotted.rfind('.');
  if (dot == std::string_view::npos) {
    return find_top(dotted);
  }
  const std::string_view package = dotted.substr(0, dot);
  find_top(dotted.substr(0, dotted.find('.')));  // This reads the library.
  ClassNode* const around = tree_.FindGlobal(package);
  if (around == nullptr) {
    return {};
  }
  const std::string_view name = dotted.substr(dot + 1);
  return tree_.HasLiteral(around, name)
             ? FoundName{.node = around, .parts = 1, .literal = name}
             : tree_.FindIn(around, name);
}

}  // namespace orrery::modelica::internal
