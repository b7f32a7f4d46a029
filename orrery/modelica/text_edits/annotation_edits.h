#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/text_edits/class_text.h"
#include "orrery/modelica/text_edits/edited_text.h"

namespace orrery::modelica::internal {

/// Adds the edits that set an argument of the annotation of a class of the
/// text, as {"Documentation", "info"}, or take it away without a value.
void SetClassAnnotation(const ClassText& text,
                        const ast::ClassDefinition& of,
                        const std::vector<std::string>& path,
                        const std::optional<std::string>& value,
                        std::vector<TextEdit>& edits);

/// True if the annotation of a class says `uses(Library(...))`.
[[nodiscard]] bool NamesUse(const ast::ClassDefinition& of,
                            std::string_view library);

/// Adds `uses(Library(version="..."))` to the annotation of a class, unless it
/// names that library already (specification 3.6, section 18.8.2).
void AddUse(const ClassText& text,
            const ast::ClassDefinition& of,
            const std::string& library,
            const std::string& version,
            std::vector<TextEdit>& edits);

}  // namespace orrery::modelica::internal
