#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica {

/// The limit for the nesting of classes, statements, modifications and
/// expressions, all together. Chains such as a + b + c do not count.
inline constexpr std::size_t kMaxNesting = 1000;

/// Parses a Modelica 3.6 text (stored-definition) in linear time.
///
/// Never throws on bad input: findings go to `diagnostics`, in source order,
/// and the tree contains the parts that could be parsed. It is complete, and
/// fit for further use, only if no error was added.
[[nodiscard]] std::unique_ptr<const ast::StoredDefinition> Parse(
    std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics);

/// One expression alone, as in `--set k=2*pi`. The tree is in the memory of
/// the result.
struct ParsedExpression {
  std::shared_ptr<const SourceFile> file;
  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory;
  const ast::Expression* expression = nullptr;  ///< Never null.
};

[[nodiscard]] ParsedExpression ParseExpression(
    std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics);

}  // namespace orrery::modelica
