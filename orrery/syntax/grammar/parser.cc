#include "orrery/syntax/parser.h"

#include <limits>

#include "orrery/syntax/grammar/class_parser.h"

namespace orrery::modelica {

std::unique_ptr<const ast::StoredDefinition> Parse(
    std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics) {
  auto result = std::make_unique<ast::StoredDefinition>();
  result->file = std::move(file);
  result->memory = std::make_unique<std::pmr::monotonic_buffer_resource>();
  if (result->file->text().size() >=
      std::numeric_limits<std::uint32_t>::max()) {
    diagnostics.Error({result->file, 0, 0}, "the text is larger than 4 GiB");
    return result;
  }
  internal::ClassParser(result->file, diagnostics, *result->memory)
      .ParseStoredDefinition(*result);
  return result;
}

ParsedExpression ParseExpression(std::shared_ptr<const SourceFile> file,
                                 Diagnostics& diagnostics) {
  ParsedExpression result = {
      .file = std::move(file),
      .memory = std::make_unique<std::pmr::monotonic_buffer_resource>()};
  result.expression =
      internal::ClassParser(result.file, diagnostics, *result.memory)
          .ParseWholeExpression();
  return result;
}

}  // namespace orrery::modelica
