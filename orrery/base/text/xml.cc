#include "orrery/base/text/xml.h"

namespace orrery {

std::string EscapeXml(std::string_view text, XmlPlace place) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += place == XmlPlace::kAttribute ? "&quot;" : "\"";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace orrery
