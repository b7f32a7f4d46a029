#include "orrery/modelica/classes/version_conversions.h"

#include <filesystem>
#include <utility>
#include <variant>

#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

// The limit for conversions by way of other versions.
constexpr std::size_t kMostVersions = 100;

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

void VersionConversions::TakeUses(
    const ast::ClassDefinition& definition,
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

const TextConversions* VersionConversions::In(const Scope* scope) {
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
    const Member* const library = root_.Find(use.library);
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
LibraryConversion* VersionConversions::ConversionFor(
    const TextConversions::Use& use, const ClassNode& library) {
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
    are_there_ = true;
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
bool VersionConversions::ReadConversion(const ClassNode& library,
                                        LibraryConversion& conversion) {
  std::string version = conversion.written_for;
  for (std::size_t i = 0; i < kMostVersions; ++i) {
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

bool VersionConversions::ReadRules(const ClassNode& library,
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

bool VersionConversions::ReportMessage(const Scope* scope,
                                       const ast::Span& span,
                                       const std::string& old_name) {
  const TextConversions* const conversions = In(scope);
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

std::string VersionConversions::LostName(const Scope* scope,
                                         const std::string& old) {
  const TextConversions* const conversions = In(scope);
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

std::vector<RuleOfClass> VersionConversions::RulesFor(
    const Scope* scope, const ClassNode& node, std::string_view old_name) {
  std::vector<RuleOfClass> rules;
  const TextConversions* const conversions = are_there_ ? In(scope) : nullptr;
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

std::string_view VersionConversions::NewNameOf(const Scope* scope,
                                               ClassNode& node,
                                               std::string_view name,
                                               std::string_view old_name) {
  if (!are_there_ || node.Find(name) != nullptr) {
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

void VersionConversions::Report() {
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
