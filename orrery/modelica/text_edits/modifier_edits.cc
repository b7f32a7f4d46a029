#include "orrery/modelica/text_edits/modifier_edits.h"

#include <cstdint>
#include <span>

namespace orrery::modelica::internal {
namespace {

using Path = std::span<const std::string>;

// Where a value is written: `Real k = 1`, `R(k=1)`, `annotation(Dialog(...))`.
enum class ArgumentPlace : std::uint8_t {
  kDeclaration,
  kModifier,
  kAnnotation
};

std::string Joined(Path path) {
  std::string text;
  for (const std::string& part : path) {
    text += (text.empty() ? "" : ".") + part;
  }
  return text;
}

// "a.b=1" or, in annotations, which have no dotted names, "a(b=1)".
std::string ArgumentText(Path path,
                         const std::string& text,
                         ArgumentPlace place) {
  if (place != ArgumentPlace::kAnnotation) {
    return Joined(path) + "=" + text;
  }
  return NestedArgument({path.begin(), path.end()}, text);
}

// The number of an argument whose name is the beginning of the path, the
// longest one; the number of arguments if there is none.
std::size_t FindLongest(const ast::ClassModification& arguments,
                        Path path,
                        std::size_t& used) {
  used = 0;
  std::size_t best = arguments.arguments.size();
  for (std::size_t i = 0; i < arguments.arguments.size(); ++i) {
    const auto* const said =
        std::get_if<ast::ElementModification>(&arguments.arguments[i].node);
    if (said == nullptr) {
      continue;
    }
    const std::size_t size = said->name.parts.size();
    if (size > used && size <= path.size() &&
        ast::ToString(said->name) == Joined(path.first(size))) {
      best = i;
      used = size;
    }
  }
  return best;
}

bool IsOnly(const ast::ClassModification& arguments, Path path);

// True if a modification, which may be null, has no content beside the path.
bool HasOnly(const ast::Modification* modification, Path path) {
  if (path.empty()) {
    return modification == nullptr || modification->arguments == nullptr;
  }
  return modification != nullptr && modification->value == nullptr &&
         modification->arguments != nullptr &&
         IsOnly(*modification->arguments, path);
}

// True if the arguments would be left without any content.
bool IsOnly(const ast::ClassModification& arguments, Path path) {
  std::size_t used = 0;
  const std::size_t at = FindLongest(arguments, path, used);
  if (arguments.arguments.size() != 1 || at != 0) {
    return false;
  }
  return HasOnly(std::get<ast::ElementModification>(arguments.arguments[0].node)
                     .modification,
                 path.subspan(used));
}

void SetPath(const ast::Modification* modification,
             std::uint32_t name_end,
             Path path,
             const std::optional<std::string>& text,
             ArgumentPlace place,
             std::vector<TextEdit>& edits);

void SetIn(const ast::ClassModification& arguments,
           Path path,
           const std::optional<std::string>& text,
           ArgumentPlace place,
           std::vector<TextEdit>& edits) {
  std::size_t used = 0;
  const std::size_t at = FindLongest(arguments, path, used);
  if (at == arguments.arguments.size()) {
    if (text) {
      AddArgument(arguments, ArgumentText(path, *text, place), edits);
    }
    return;
  }
  const auto& said =
      std::get<ast::ElementModification>(arguments.arguments[at].node);
  const Path rest = path.subspan(used);
  const ast::Modification* const its = said.modification;
  if (!text && HasOnly(its, rest)) {
    RemoveArgument(arguments, at, edits);
  } else {
    SetPath(its, said.name.span.end, rest, text, place, edits);
  }
}

void SetValue(const ast::Modification* modification,
              std::uint32_t name_end,
              const std::optional<std::string>& text,
              ArgumentPlace place,
              std::vector<TextEdit>& edits) {
  const std::uint32_t end =
      modification == nullptr ? name_end : modification->span.end;
  const bool has_value =
      modification != nullptr && modification->value != nullptr;
  if (text && has_value) {
    edits.push_back({.span = modification->value->span, .text = *text});
  } else if (text) {
    edits.push_back(
        {.span = {.begin = end, .end = end},
         .text = (place == ArgumentPlace::kDeclaration ? " = " : "=") + *text});
  } else if (has_value) {
    const std::uint32_t begin = modification->arguments == nullptr
                                    ? name_end
                                    : modification->arguments->span.end;
    edits.push_back({.span = {.begin = begin, .end = end}, .text = ""});
  }
}

void SetPath(const ast::Modification* modification,
             std::uint32_t name_end,
             Path path,
             const std::optional<std::string>& text,
             ArgumentPlace place,
             std::vector<TextEdit>& edits) {
  if (path.empty()) {
    SetValue(modification, name_end, text, place, edits);
    return;
  }
  const ArgumentPlace inner =
      place == ArgumentPlace::kAnnotation ? place : ArgumentPlace::kModifier;
  const ast::ClassModification* const arguments =
      modification == nullptr ? nullptr : modification->arguments;
  if (arguments == nullptr) {
    if (text) {
      edits.push_back({.span = {.begin = name_end, .end = name_end},
                       .text = "(" + ArgumentText(path, *text, inner) + ")"});
    }
    return;
  }
  if (!text && IsOnly(*arguments, path)) {
    edits.push_back({.span = arguments->span, .text = ""});
    return;
  }
  SetIn(*arguments, path, text, inner, edits);
}

}  // namespace

std::string NestedArgument(const std::vector<std::string>& path,
                           const std::string& text) {
  std::string argument = path.back() + "=" + text;
  for (std::size_t i = path.size() - 1; i-- > 0;) {
    argument = path[i] + "(" + argument + ")";
  }
  return argument;
}

void AddArgument(const ast::ClassModification& arguments,
                 const std::string& text,
                 std::vector<TextEdit>& edits) {
  const bool is_first = arguments.arguments.empty();
  const std::uint32_t at =
      is_first ? arguments.span.begin + 1 : arguments.arguments.back().span.end;
  edits.push_back({.span = {.begin = at, .end = at},
                   .text = (is_first ? "" : ", ") + text});
}

void RemoveArgument(const ast::ClassModification& arguments,
                    std::size_t i,
                    std::vector<TextEdit>& edits) {
  const auto& list = arguments.arguments;
  const std::uint32_t begin = i > 0 ? list[i - 1].span.end : list[i].span.begin;
  const std::uint32_t end = i > 0 ? list[i].span.end : list[i + 1].span.begin;
  edits.push_back({.span = {.begin = begin, .end = end}, .text = ""});
}

void AddAnnotation(const ast::ClassModification* annotation,
                   std::uint32_t at,
                   const std::string& argument,
                   std::vector<TextEdit>& edits) {
  if (annotation != nullptr) {
    AddArgument(*annotation, argument, edits);
  } else {
    edits.push_back({.span = {.begin = at, .end = at},
                     .text = " annotation(" + argument + ")"});
  }
}

void SetModifier(const ast::Modification* modification,
                 std::uint32_t name_end,
                 const std::vector<std::string>& path,
                 const std::optional<std::string>& text,
                 std::vector<TextEdit>& edits) {
  SetPath(
      modification, name_end, path, text, ArgumentPlace::kDeclaration, edits);
}

void SetArgument(const ast::ClassModification& arguments,
                 const std::vector<std::string>& path,
                 const std::optional<std::string>& text,
                 std::vector<TextEdit>& edits) {
  if (!text && IsOnly(arguments, path)) {
    edits.push_back({.span = {.begin = arguments.span.begin + 1,
                              .end = arguments.span.end - 1},
                     .text = ""});
    return;
  }
  SetIn(arguments, path, text, ArgumentPlace::kAnnotation, edits);
}

}  // namespace orrery::modelica::internal
