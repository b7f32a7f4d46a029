#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/source_file.h"

namespace orrery {

enum class Severity : std::uint8_t { kError, kWarning, kNote };

/// "error", "warning" or "note".
[[nodiscard]] std::string_view NameOf(Severity severity) noexcept;

/// One finding about a text or a model, for its author. Plain data.
///
/// Rendered as
///
///     pump.mo:14:9: error: no variable 'presure' in model Pump
///        14 |   flow = presure / resistance;
///           |          ^~~~~~~ did you mean 'pressure'?
///
/// and without a source as `error: Controlled.gain.u: not connected; ...`.
struct Diagnostic {
  Severity severity = Severity::kError;
  std::string message;    ///< What is wrong, with names and values.
  std::string hint;       ///< What would mend it; may be empty.
  std::string path;       ///< The component's full name; may be empty.
  std::string file;       ///< Empty where no text stands behind the finding.
  int line = 0;           ///< From 1; 0 without a source or for a whole file.
  int column = 0;         ///< From 1, in bytes.
  int length = 0;         ///< Of what the caret underlines, in bytes.
  std::string excerpt;    ///< The line itself; of a long one what is near.
  int excerpt_begin = 0;  ///< The bytes of the line that stand before it.

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// A finding at `span`; at a whole file or nowhere if the span says no more.
[[nodiscard]] Diagnostic MakeDiagnostic(Severity severity,
                                        const SourceSpan& span,
                                        std::string message,
                                        std::string hint = {});

/// As shown above, ending in a newline. So that any file can be shown on a
/// terminal, control characters and broken UTF-8 become '?', characters that
/// are invisible or change the direction of writing are named (`<U+202E>`), and
/// a long line is cut around the caret.
[[nodiscard]] std::string Render(const Diagnostic& diagnostic);
[[nodiscard]] std::string Render(std::span<const Diagnostic> diagnostics);

/// Collects the findings of one pass, so that several are reported at once.
class Diagnostics {
 public:
  /// Errors beyond this number are counted, not kept.
  static constexpr std::size_t kMaxErrors = 20;

  void Add(Diagnostic diagnostic);
  void Error(const SourceSpan& span,
             std::string message,
             std::string hint = {});
  void Warning(const SourceSpan& span,
               std::string message,
               std::string hint = {});

  [[nodiscard]] bool has_errors() const noexcept { return errors_ > 0; }

  /// All errors, kept or not.
  [[nodiscard]] std::size_t error_count() const noexcept { return errors_; }

  /// What was kept, in the order added.
  [[nodiscard]] const std::vector<Diagnostic>& list() const noexcept {
    return list_;
  }

  /// Throws Error kInvalidModel with all that was kept if one is an error; a
  /// note tells of those that were not.
  void ThrowIfErrors() const;

 private:
  std::vector<Diagnostic> list_;
  std::size_t errors_ = 0;
};

}  // namespace orrery
