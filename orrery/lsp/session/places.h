#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/positions.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

/// A place that a request names.
struct Place {
  std::shared_ptr<const modelica::Document> document;
  std::uint32_t offset = 0;
};

[[nodiscard]] inline Positions PositionsIn(const Session& session,
                                           std::string_view text) {
  return {text, session.encoding};
}

/// The document that a request names.
/// @throws RequestError for a URI of no file.
[[nodiscard]] std::shared_ptr<const modelica::Document> DocumentOf(
    Session& session, const Json& params);

/// The document that a request names or, without one, that with the class.
/// @throws RequestError if there is none.
[[nodiscard]] std::shared_ptr<const modelica::Document> DocumentWith(
    Session& session, const Json& params, const std::string& class_name);

/// The place that a request names. It is where its user is now.
[[nodiscard]] Place PlaceOf(Session& session, const Json& params);

[[nodiscard]] std::uint32_t OffsetIn(const Positions& positions,
                                     const Json& position);
[[nodiscard]] Json AsJson(const Positions::Position& position);
[[nodiscard]] Json RangeOf(const Positions& positions,
                           const modelica::ast::Span& span);
[[nodiscard]] Json LocationOf(const Session& session, const SourceSpan& span);
[[nodiscard]] Json LocationsOf(const Session& session,
                               const std::vector<SourceSpan>& spans);

/// The URI of a file. A text of the built-in library is written to a file, so
/// that an editor can show it.
[[nodiscard]] std::string UriOfFile(const Session& session,
                                    const SourceFile& file);

}  // namespace orrery::lsp
