#pragma once

#include <optional>
#include <string>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"

namespace orrery::lsp {

/// A change of the text that a finding proposes.
struct Mend {
  std::string title;
  SourceSpan replaced;
  std::string text;
};

/// The change that the hint of a finding at `span` means: another name ("did
/// you mean 'v'?"), or something to add ("add ';'", "write 'equation' before
/// it"). None for a hint that needs a decision.
[[nodiscard]] std::optional<Mend> MendOf(const std::string& message,
                                         const std::string& hint,
                                         const SourceSpan& span);

}  // namespace orrery::lsp
