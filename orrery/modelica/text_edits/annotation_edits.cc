#include "orrery/modelica/text_edits/annotation_edits.h"

#include "orrery/modelica/text_edits/modifier_edits.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {

void SetClassAnnotation(const ClassText& text,
                        const ast::ClassDefinition& of,
                        const std::vector<std::string>& path,
                        const std::optional<std::string>& value,
                        std::vector<TextEdit>& edits) {
  if (of.description.annotation != nullptr) {
    SetArgument(*of.description.annotation, path, value, edits);
    return;
  }
  if (!value) {
    return;
  }
  const std::uint32_t at = text.EndOfBody(of);
  const std::string line = "annotation(" + NestedArgument(path, *value) + ");";
  edits.push_back({.span = {.begin = at, .end = at},
                   .text = text.IsFirstInLine(at)
                               ? "  " + line + text.line_end() +
                                     text.IndentAt(of.span.begin)
                               : line + " "});
}

bool NamesUse(const ast::ClassDefinition& of, std::string_view library) {
  const ast::Modification* const uses =
      ArgumentIn(of.description.annotation, "uses");
  return uses != nullptr && ArgumentIn(uses->arguments, library) != nullptr;
}

void AddUse(const ClassText& text,
            const ast::ClassDefinition& of,
            const std::string& library,
            const std::string& version,
            std::vector<TextEdit>& edits) {
  if (!NamesUse(of, library)) {
    SetClassAnnotation(
        text, of, {"uses", library, "version"}, "\"" + version + "\"", edits);
  }
}

}  // namespace orrery::modelica::internal
