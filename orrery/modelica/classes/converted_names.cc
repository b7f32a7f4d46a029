#include <filesystem>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/classes/class_tree.h"
#include "orrery/syntax/annotations.h"
#include "orrery/syntax/unparse.h"

/// Names of an older version of a library, in the texts that use it. They are
/// converted by the rules of the library that is there (specification 3.6,
/// section 18.8.2).
namespace orrery::modelica::internal {
namespace {

// The limit for conversions by way of other versions.
constexpr std::size_t kMaxVersions = 100;

std::string OldNameOf(const ClassTree::Found& found) {
  return std::string(found.old_name.empty() ? found.node->name
                                            : found.old_name);
}

// True if `value` is that text, or an array with it.
bool NamesVersion(const ast::Expression* value, std::string_view version) {
  if (value == nullptr) {
    return false;
  }
  if (const auto* const text = std::get_if<ast::StringLiteral>(&value->node)) {
    return MainVersion(text->raw) == MainVersion(version);
  }
  const auto* const array = std::get_if<ast::ArrayConstructor>(&value->node);
  bool is_there = false;
  if (array != nullptr) {
    for (const ast::Expression* const element : array->elements) {
      is_there = is_there || NamesVersion(element, version);
    }
  }
  return is_there;
}

// The part of a library's annotation about texts for one of its versions.
struct Origin {
  bool is_compatible = false;
  const ast::ClassModification* from = nullptr;  // Null if there is nothing.
};

Origin OriginOf(const ClassNode& library, std::string_view version) {
  Origin origin;
  const ast::Modification* const said =
      ArgumentIn(library.definition->description.annotation, "conversion");
  if (said == nullptr || said->arguments == nullptr) {
    return origin;
  }
  for (const ast::Argument& argument : said->arguments->arguments) {
    const auto* const part =
        std::get_if<ast::ElementModification>(&argument.node);
    if (part == nullptr || part->modification == nullptr) {
      continue;
    }
    const std::string_view name = part->name.parts.front().text;
    const ast::ClassModification* const inner = part->modification->arguments;
    if (name == "noneFromVersion") {
      origin.is_compatible = origin.is_compatible ||
                             NamesVersion(part->modification->value, version);
    } else if (name == "from" &&
               NamesVersion(ValueIn(inner, "version"), version)) {
      origin.from = inner;
    }
  }
  return origin;
}

}  // namespace

// Remembers the versions of libraries that a top-level class asks for by its
// annotation `uses` (section 18.9.3).
void ClassTree::TakeUses(const ast::ClassDefinition& definition,
                         const std::shared_ptr<const SourceFile>& file) {
  const ast::Modification* const uses =
      ArgumentIn(definition.description.annotation, "uses");
  if (uses == nullptr || uses->arguments == nullptr) {
    return;
  }
  for (const ast::Argument& argument : uses->arguments->arguments) {
    const auto* const used =
        std::get_if<ast::ElementModification>(&argument.node);
    if (used == nullptr || used->modification == nullptr) {
      continue;
    }
    const std::string version =
        TextIn(used->modification->arguments, "version");
    if (!version.empty()) {
      std::string library(used->name.parts.front().text);
      folders_.Prefer(library, version);
      uses_[&definition].uses.push_back(
          {.library = std::move(library),
           .version = version,
           .where = ast::In(file, used->name.span)});
    }
  }
}

// The conversions for names in a scope; null if there are none.
const TextConversions* ClassTree::ConversionsIn(const Scope* scope) {
  if (uses_.empty()) {
    return nullptr;
  }
  const ast::ClassDefinition* top = nullptr;
  for (const Scope* at = scope; at != nullptr; at = at->enclosing) {
    top = at->text != nullptr ? at->text : top;
  }
  const auto found = uses_.find(top);
  if (found == uses_.end()) {
    return nullptr;
  }
  TextConversions& text = found->second;
  std::erase_if(text.uses, [&](const TextConversions::Use& use) {
    const Member* const library = root_->Find(use.library);
    const bool is_read = library != nullptr && library->nested != nullptr &&
                         library->nested->definition != nullptr;
    LibraryConversion* const conversion =
        is_read ? ConversionFor(use, *library->nested) : nullptr;
    if (conversion != nullptr) {
      text.active.push_back(conversion);
    }
    return is_read;
  });
  return text.active.empty() ? nullptr : &text;
}

// @returns null if texts for that version need no conversion, or there is none.
LibraryConversion* ClassTree::ConversionFor(const TextConversions::Use& use,
                                            const ClassNode& library) {
  const std::string version =
      TextIn(library.definition->description.annotation, "version");
  if (version.empty() || MainVersion(version) == MainVersion(use.version)) {
    return nullptr;
  }
  const auto [found, is_new] =
      conversions_.try_emplace({use.library, use.version});
  if (!is_new) {
    return found->second.get();
  }
  const Origin origin = OriginOf(library, use.version);
  if (origin.is_compatible) {
    return nullptr;
  }
  auto conversion = std::make_unique<LibraryConversion>();
  conversion->library = use.library;
  conversion->version = version;
  conversion->written_for = use.version;
  if (ReadConversion(library, *conversion)) {
    found->second = std::move(conversion);
    has_conversions_ = true;
    return found->second.get();
  }
  diagnostics_.Warning(
      use.where,
      "this text uses " + use.library + " " + use.version + "; " + use.library +
          " " + version + " is taken",
      "that has no conversion for texts of version " + use.version);
  return nullptr;
}

// Reads the rules, over other versions if need be.
// @returns false if the library does not say how texts are converted.
bool ClassTree::ReadConversion(const ClassNode& library,
                               LibraryConversion& conversion) {
  std::string version = conversion.written_for;
  for (std::size_t i = 0; i < kMaxVersions; ++i) {
    const Origin origin = OriginOf(library, version);
    const bool is_there =
        MainVersion(version) == MainVersion(conversion.version);
    if (origin.is_compatible || is_there) {
      return true;
    }
    if (origin.from == nullptr ||
        !ReadRules(library, *origin.from, conversion)) {
      return false;
    }
    version = TextIn(origin.from, "to");
    if (version.empty()) {
      return true;
    }
  }
  return false;
}

bool ClassTree::ReadRules(const ClassNode& library,
                          const ast::ClassModification& from,
                          LibraryConversion& conversion) {
  const ast::Expression* const change = ValueIn(&from, "change");
  const auto* const rules =
      change == nullptr ? nullptr
                        : std::get_if<ast::ArrayConstructor>(&change->node);
  if (rules != nullptr) {
    for (const ast::Expression* const rule : rules->elements) {
      if (const auto* const call = std::get_if<ast::Call>(&rule->node)) {
        conversion.rules.Add(*call);
      }
    }
    return true;
  }
  const std::string script = TextIn(&from, "script");
  const std::string scheme = "modelica://" + library.name + "/";
  if (!script.starts_with(scheme) || library.scope->file == nullptr) {
    return false;
  }
  const std::filesystem::path package(library.scope->file->name());
  const std::string path =
      (package.parent_path() / script.substr(scheme.size())).string();
  if (!folders_.files().Contains(path)) {
    return false;
  }
  const auto file = folders_.files().Read(path);
  const std::string error = conversion.rules.AddScript(*file);
  if (!error.empty()) {
    diagnostics_.Warning({.file = file}, "cannot read this script: " + error);
  }
  return error.empty();
}

// The element of a class, by its old name if a text needs a conversion.
// @param conversions may be null.
ClassTree::Found ClassTree::FindElement(const Scope* scope,
                                        const TextConversions* conversions,
                                        const Found& around,
                                        std::string_view name) {
  if (conversions == nullptr) {
    return FindIn(around.node, name);
  }
  const std::string old = OldNameOf(around) + "." + std::string(name);
  Found found = FindRenamed(*conversions, old);
  if (found.parts > 0) {
    return found;
  }
  found = FindIn(around.node, name);
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
      const Found inherited =
          FindRenamed(*conversions, base + "." + std::string(name));
      if (inherited.parts > 0) {
        return inherited;
      }
    }
  }
  const std::string_view renamed =
      NewNameOf(scope, *around.node, name, around.old_name);
  return renamed == name ? found : FindIn(around.node, renamed);
}

// Finds the class that rules put in the place of another.
ClassTree::Found ClassTree::FindRenamed(const TextConversions& conversions,
                                        const std::string& old) {
  for (LibraryConversion* const conversion : conversions.active) {
    const ConvertedClass* rule = conversion->rules.Find(old);
    // A new name may be the old one of a later conversion.
    for (std::size_t i = 0;
         rule != nullptr && !rule->new_name.empty() && i < kMaxVersions;
         ++i) {
      Found found = FindNew(rule->new_name);
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

// The class that a rule gives a component because of one of its modifiers.
ClassTree::Found ClassTree::FindCase(const Member& member) {
  const ast::Modification* const said = member.declaration->modification;
  if (said == nullptr || said->arguments == nullptr || uses_.empty()) {
    return {};
  }
  const ast::Name& type = member.clause->type;
  const std::string_view first = type.parts.front().text;
  const Found around = FindSimple(member.scope, first);
  if (around.parts == 0) {
    FindInFolders(first, around);  // This reads the library.
  }
  if (ConversionsIn(member.scope) == nullptr) {
    return {};
  }
  const Found found = Find(member.scope, type.parts, type.is_global);
  if (found.node == nullptr || found.parts + 1 < type.parts.size()) {
    return {};
  }
  std::string old = OldNameOf(found);
  if (found.parts < type.parts.size()) {
    old += "." + std::string(type.parts.back().text);
  }
  for (const LibraryConversion* const conversion :
       ConversionsIn(member.scope)->active) {
    const ConvertedClass* const rule = conversion->rules.Find(old);
    if (rule == nullptr) {
      continue;
    }
    for (const ConvertedClass::Case& when : rule->cases) {
      const ast::Expression* const value =
          ValueIn(said->arguments, when.element);
      Found other = value != nullptr && Unparse(*value) == when.text
                        ? FindNew(when.new_name)
                        : Found();
      if (other.parts > 0) {
        other.old_name = *old_names_.insert(old).first;
        return other;
      }
    }
  }
  return {};
}

// The class, the component or the literal of that full name.
ClassTree::Found ClassTree::FindNew(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  if (dot == std::string_view::npos) {
    return FindInFolders(dotted, FindIn(root_, dotted));
  }
  const std::string_view package = dotted.substr(0, dot);
  const std::string_view first = dotted.substr(0, dotted.find('.'));
  if (root_->Find(first) == nullptr) {
    AddFromFolders(first);
  }
  ClassNode* const around = FindGlobal(package);
  if (around == nullptr) {
    return {};
  }
  const std::string_view name = dotted.substr(dot + 1);
  return HasLiteral(around, name)
             ? Found{.node = around, .parts = 1, .literal = name}
             : FindIn(around, name);
}

// Reports what the rules say of a class that texts cannot be converted for.
// @returns false if they say nothing.
bool ClassTree::ReportMessage(Scope* scope,
                              const ast::Span& span,
                              const std::string& old_name) {
  const TextConversions* const conversions = ConversionsIn(scope);
  if (conversions == nullptr) {
    return false;
  }
  for (const LibraryConversion* const conversion : conversions->active) {
    const ConvertedClass* const rule = conversion->rules.Find(old_name);
    if (rule != nullptr && !rule->message.empty()) {
      diagnostics_.Error(At(scope, span),
                         "cannot convert '" + old_name + "' for " +
                             conversion->library + " " + conversion->version +
                             ": " + rule->message,
                         "this text uses " + conversion->library + " " +
                             conversion->written_for);
      return true;
    }
  }
  return false;
}

// The class that the rules put in the place of one that is not there, and that
// is not there either; empty if there is none.
std::string ClassTree::LostName(const Scope* scope, const std::string& old) {
  const TextConversions* const conversions = ConversionsIn(scope);
  if (conversions != nullptr) {
    for (const LibraryConversion* const conversion : conversions->active) {
      const ConvertedClass* const rule = conversion->rules.Find(old);
      if (rule != nullptr && !rule->new_name.empty()) {
        return rule->new_name;
      }
    }
  }
  return {};
}

std::vector<RuleOfClass> ClassTree::RulesFor(const Scope* scope,
                                             const ClassNode& node,
                                             std::string_view old_name) {
  std::vector<RuleOfClass> rules;
  const TextConversions* const conversions =
      has_conversions_ ? ConversionsIn(scope) : nullptr;
  if (conversions == nullptr) {
    return rules;
  }
  const auto add = [&](const std::string& name, bool is_of_base) {
    for (LibraryConversion* const conversion : conversions->active) {
      const ConvertedClass* rule = conversion->rules.Find(name);
      const bool is_new = rule == nullptr;
      if (is_new) {
        rule = conversion->rules.FindByNewName(name);
      }
      if (rule != nullptr) {
        rules.push_back({.rule = rule,
                         .conversion = conversion,
                         .old_name = name,
                         .is_of_other = is_of_base || is_new});
      }
    }
  };
  add(std::string(old_name.empty() ? node.name : old_name), false);
  for (const Part& part : node.parts) {
    if (part.base != nullptr) {
      add(std::string(part.old_base.empty() ? part.base->name : part.old_base),
          true);
    }
  }
  return rules;
}

std::string_view ClassTree::NewNameOf(const Scope* scope,
                                      ClassNode& node,
                                      std::string_view name,
                                      std::string_view old_name) {
  if (!has_conversions_ || node.Find(name) != nullptr) {
    return name;
  }
  for (const RuleOfClass& of : RulesFor(scope, node, old_name)) {
    for (const auto& [old, renamed] : of.rule->elements) {
      if (old == name && node.Find(renamed) != nullptr) {
        of.conversion->names.insert(of.old_name + "." + old);
        return renamed;
      }
    }
  }
  return name;
}

WrittenModification ClassTree::MakeModification(const std::string& arguments,
                                                const Scope& scope) {
  const auto file = std::make_shared<const SourceFile>(
      scope.file->name() + " (converted)",
      "model Converted = Old(" + arguments + ");\n");
  const std::size_t errors = diagnostics_.error_count();
  const auto* const text = std::get_if<ast::ShortClass>(
      &Parsed(file).classes.front().definition->node);
  Scope with_file = scope;
  with_file.file = file;
  return {.modification = diagnostics_.error_count() > errors || text == nullptr
                              ? nullptr
                              : text->modification,
          .scope = NewScope(std::move(with_file))};
}

void ClassTree::ReportConversions() {
  for (const auto& [use, conversion] : conversions_) {
    if (conversion != nullptr) {
      const std::size_t count = conversion->names.size();
      diagnostics_.Warning(
          {},
          conversion->library + " " + conversion->version +
              " is taken for a text written for " + conversion->written_for +
              ": " + std::to_string(count) +
              (count == 1 ? " name was converted" : " names were converted"));
    }
  }
}

}  // namespace orrery::modelica::internal
