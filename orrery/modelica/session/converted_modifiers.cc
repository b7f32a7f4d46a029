#include "orrery/modelica/session/converted_modifiers.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/classes/version_conversions.h"
#include "orrery/modelica/library_texts/conversion.h"
#include "orrery/modelica/session/session.h"
#include "orrery/syntax/unparse.h"

namespace orrery::modelica::internal {
namespace {

using PartList = std::vector<std::pair<std::string_view, const Modifier*>>;

class Converter {
 public:
  Converter(Session& session, Modifier& modifier, const Context& where)
      : session_(session), modifier_(modifier), where_(where) {}

  void Apply(const RuleOfClass& of);
  void Rename(ClassNode& type, std::string_view old_name);

 private:
  void Apply(const RuleOfClass& of, const ConvertedClass::Modifiers& rule);
  [[nodiscard]] std::string ValueOf(std::string_view name,
                                    std::string_view otherwise) const;
  void AddText(const std::string& text, const Modifier* old);
  void AddPart(std::string_view name, const Modifier* part);
  const Modifier* Placed(const Modifier& part, const Modifier& old);
  [[nodiscard]] bool IsOld(const Modifier& part) const;

  Session& session_;
  Modifier& modifier_;
  Context where_;
};

// True if the text of a part may be written for another version.
bool Converter::IsOld(const Modifier& part) const {
  return part.context.scope != nullptr &&
         session_.tree.conversions().In(part.context.scope) != nullptr;
}

void Converter::Apply(const RuleOfClass& of) {
  for (const ConvertedClass::Case& when : of.rule->cases) {
    // The class that it chose needs it no longer.
    std::erase_if(modifier_.parts, [&](const auto& part) {
      return !of.is_of_other && part.first == when.element &&
             part.second->value != nullptr && IsOld(*part.second) &&
             Unparse(*part.second->value) == when.text;
    });
  }
  for (const ConvertedClass::Modifiers& rule : of.rule->modifiers) {
    Apply(of, rule);
  }
}

void Converter::Apply(const RuleOfClass& of,
                      const ConvertedClass::Modifiers& rule) {
  const auto names = [&](const auto& part) {
    return IsOld(*part.second) &&
           std::ranges::any_of(rule.old, [&](const auto& old) {
             return old.first == part.first;
           });
  };
  const auto first = std::ranges::find_if(modifier_.parts, names);
  const bool is_said = first != modifier_.parts.end();
  if (!is_said && (!rule.old.empty() || of.is_of_other)) {
    return;
  }
  const Modifier* const old = is_said ? first->second : nullptr;
  std::vector<std::string> texts;
  PartList renamed;
  for (const std::string& added : rule.added) {
    const std::size_t end = std::min(added.find('='), added.size());
    const std::string_view new_name(added.data(), end);
    std::string text = added;
    for (const auto& [name, otherwise] : rule.old) {
      const std::string place = "%" + name + "%";
      const Modifier* const same = modifier_.Find(name);
      if (same != nullptr && added.substr(end) == "=" + place &&
          added.find_first_of("(. ") >= end) {
        renamed.emplace_back(new_name, same);
        text.clear();
        break;
      }
      for (std::size_t at = text.find(place); at != std::string::npos;
           at = text.find(place, at)) {
        const std::string value = ValueOf(name, otherwise);
        text.replace(at, place.size(), value);
        at += value.size();
      }
    }
    if (!text.empty()) {
      texts.push_back(std::move(text));
    }
  }
  for (const auto& [name, otherwise] : rule.old) {
    if (is_said) {
      of.conversion->names.insert(of.old_name + "." + name);
    }
  }
  std::erase_if(modifier_.parts, names);
  for (const auto& [name, part] : renamed) {
    AddPart(name, part);
  }
  for (const std::string& text : texts) {
    AddText(text, old);
  }
}

std::string Converter::ValueOf(std::string_view name,
                               std::string_view otherwise) const {
  const Modifier* const said = modifier_.Find(name);
  return said == nullptr || said->value == nullptr
             ? "(" + std::string(otherwise) + ")"
             : "(" + Unparse(*said->value) + ")";
}

// Adds what a rule writes, in the place of a modifier that may be null.
void Converter::AddText(const std::string& text, const Modifier* old) {
  const Context context = old == nullptr ? where_ : old->context;
  const WrittenModification made =
      session_.tree.MakeModification(text, *context.scope);
  const Modifier* const whole = BuildModifier(
      session_, made.modification, {context.instance, made.scope});
  if (whole == nullptr) {
    return;
  }
  for (const auto& [name, part] : whole->parts) {
    AddPart(name, old == nullptr ? part : Placed(*part, *old));
  }
}

// `part` for those elements of an array that `old` is for.
const Modifier* Converter::Placed(const Modifier& part, const Modifier& old) {
  Modifier& copy = session_.modifiers.emplace_back(part);
  copy.is_each = old.is_each;
  copy.is_final = old.is_final;
  copy.at = old.at;
  copy.sizes = old.sizes;
  for (auto& [name, inner] : copy.parts) {
    inner = Placed(*inner, old);
  }
  return &copy;
}

void Converter::AddPart(std::string_view name, const Modifier* part) {
  for (auto& [known, own] : modifier_.parts) {
    if (known == name) {
      own = Merge(session_, own, part);
      return;
    }
  }
  modifier_.parts.emplace_back(name, part);
}

// Gives elements that have got other names these.
void Converter::Rename(ClassNode& type, std::string_view old_name) {
  const PartList parts = std::exchange(modifier_.parts, {});
  for (const auto& [name, part] : parts) {
    AddPart(part->context.scope == nullptr
                ? name
                : session_.tree.conversions().NewNameOf(
                      part->context.scope, type, name, old_name),
            part);
  }
}

}  // namespace

const Modifier* Converted(Session& session,
                          const Modifier* modifier,
                          ClassNode& type,
                          std::string_view old_name,
                          const Context& where) {
  if (!session.tree.conversions().are_there() ||
      type.built_in != BuiltIn::kNone) {
    return modifier;
  }
  std::vector<RuleOfClass> rules =
      session.tree.conversions().RulesFor(where.scope, type, old_name);
  for (std::size_t i = 0; modifier != nullptr && i < modifier->parts.size();
       ++i) {
    if (!rules.empty()) {
      break;
    }
    const Modifier& part = *modifier->parts[i].second;
    if (part.context.scope != nullptr && part.context.scope != where.scope) {
      rules = session.tree.conversions().RulesFor(
          part.context.scope, type, old_name);
      // Only the text that names the class adds modifiers to it.
      std::ranges::for_each(rules, [](auto& of) { of.is_of_other = true; });
    }
  }
  if (rules.empty()) {
    return modifier;
  }
  Modifier& converted = session.modifiers.emplace_back();
  if (modifier != nullptr) {
    converted = *modifier;
  } else {
    converted.context = where;
  }
  Converter converter(session, converted, where);
  for (const RuleOfClass& of : rules) {
    converter.Apply(of);
  }
  converter.Rename(type, old_name);
  return converted.parts.empty() && modifier == nullptr ? nullptr : &converted;
}

}  // namespace orrery::modelica::internal
