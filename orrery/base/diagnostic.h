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
  std::string message;    ///< The problem, with names and values.
  std::string hint;       ///< A remedy; may be empty.
  std::string path;       ///< The component's full name; may be empty.
  std::string file;       ///< Empty if there is no text.
  int line = 0;           ///< From 1; 0 without a source or for a whole file.
  int column = 0;         ///< From 1, in bytes.
  int length = 0;         ///< Bytes that the caret underlines.
  std::string excerpt;    ///< The line; of a long line the part nearby.
  int excerpt_begin = 0;  ///< The bytes of the line before the excerpt.

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// Makes a finding at `span`, or at a whole file or nowhere if the span is less
/// specific.
[[nodiscard]] Diagnostic MakeDiagnostic(Severity severity,
                                        const SourceSpan& span,
                                        std::string message,
                                        std::string hint = {});

/// Renders a diagnostic as shown above, ending in a newline. Any file can be
/// shown on a terminal: control characters and broken UTF-8 become '?',
/// characters that are invisible or change the direction of writing are named
/// (`<U+202E>`), and a long line is cut around the caret.
[[nodiscard]] std::string Render(const Diagnostic& diagnostic);
[[nodiscard]] std::string Render(std::span<const Diagnostic> diagnostics);

/// Collects the findings of one pass, so that several are reported at once.
class Diagnostics {
 public:
  /// Limit of stored errors; further ones are only counted.
  static constexpr std::size_t kMaxErrors = 20;

  void Add(Diagnostic diagnostic);
  void Error(const SourceSpan& span,
             std::string message,
             std::string hint = {});
  void Warning(const SourceSpan& span,
               std::string message,
               std::string hint = {});

  [[nodiscard]] bool has_errors() const noexcept { return errors_ > 0; }

  /// All errors, stored or not.
  [[nodiscard]] std::size_t error_count() const noexcept { return errors_; }

  /// The stored findings, in order.
  [[nodiscard]] const std::vector<Diagnostic>& list() const noexcept {
    return list_;
  }

  /// Throws Error kInvalidModel with all stored findings if one is an error. A
  /// note gives the number of the others.
  void ThrowIfErrors() const;

 private:
  std::vector<Diagnostic> list_;
  std::size_t errors_ = 0;
};

}  // namespace orrery
