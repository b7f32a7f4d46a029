#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery {

/// The places in XML or HTML where other characters have a meaning.
enum class XmlPlace : std::uint8_t {
  kText,       ///< Between tags: `&`, `<` and `>` are escaped.
  kAttribute,  ///< Between double quotes: these, too.
};

/// `text` as characters of XML.
[[nodiscard]] std::string EscapeXml(std::string_view text, XmlPlace place);

}  // namespace orrery
