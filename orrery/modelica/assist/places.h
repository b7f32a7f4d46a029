#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

/// Where the name at `offset` is declared; none if it stands for nothing.
[[nodiscard]] std::optional<SourceSpan> DefinitionAt(Workspace& workspace,
                                                     const Document& document,
                                                     std::uint32_t offset);

/// Where the type of the component at `offset` is declared.
[[nodiscard]] std::optional<SourceSpan> TypeDefinitionAt(
    Workspace& workspace, const Document& document, std::uint32_t offset);

/// The places in this text where the name at `offset` is used or declared.
[[nodiscard]] std::vector<SourceSpan> HighlightsAt(Workspace& workspace,
                                                   const Document& document,
                                                   std::uint32_t offset);

/// The same for all open texts, for the files of the document's package and for
/// those of the package in which the name is declared.
[[nodiscard]] std::vector<SourceSpan> ReferencesTo(Workspace& workspace,
                                                   const Document& document,
                                                   std::uint32_t offset,
                                                   bool with_declaration);

/// A part of a text that becomes another one.
struct ReplacedSpan {
  SourceSpan span;
  std::string text;
};

/// A file or folder that gets another name.
struct MovedFile {
  std::string from;
  std::string to;
};

/// Changes by a new name: `spans` become `name`.
struct Renaming {
  std::vector<SourceSpan> spans;
  std::vector<MovedFile> files;
  /// The place in `package.order` that names a renamed class of a package.
  std::optional<SourceSpan> order;
};

/// The span of the name at `offset`, if it can be renamed.
/// @throws Error kInvalidArgument with the reason why it cannot be.
[[nodiscard]] ast::Span RenameableAt(Workspace& workspace,
                                     const Document& document,
                                     std::uint32_t offset);

/// @throws Error kInvalidArgument for a name that is none or is taken, and as
///     RenameableAt.
[[nodiscard]] Renaming Rename(Workspace& workspace,
                              const Document& document,
                              std::uint32_t offset,
                              const std::string& name);

}  // namespace orrery::modelica
