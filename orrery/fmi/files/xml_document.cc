#include "orrery/fmi/files/xml_document.h"

#include <expat.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <set>
#include <type_traits>

#include "orrery/base/error.h"

namespace orrery::fmi {

/// Builds the tree from what expat finds.
class XmlReader {
 public:
  XmlReader(XmlDocument& document, Diagnostics& diagnostics)
      : document_(document),
        diagnostics_(diagnostics),
        parser_(XML_ParserCreate(nullptr)) {
    ORRERY_CHECK(parser_ != nullptr);
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), OnStart, OnEnd);
    XML_SetStartDoctypeDeclHandler(parser_.get(), OnDoctype);
  }

  /// @returns false, with an error, for a text that is not well-formed.
  [[nodiscard]] bool Read() {
    const std::string_view text = document_.file_->text();
    // Sizes of parts have 31 bits.
    constexpr std::size_t kPart = std::size_t{1} << 24U;
    for (std::size_t begin = 0;; begin += kPart) {
      const std::string_view part =
          text.substr(std::min(begin, text.size()), kPart);
      const bool is_last = begin + part.size() >= text.size();
      if (XML_Parse(parser_.get(),
                    part.data(),
                    static_cast<int>(part.size()),
                    is_last ? XML_TRUE : XML_FALSE) != XML_STATUS_OK) {
        TellFailure();
        return false;
      }
      if (is_last) {
        return true;
      }
    }
  }

 private:
  struct FreeParser {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  static void OnStart(void* reader, const char* name, const char** attributes) {
    static_cast<XmlReader*>(reader)->Start(name, attributes);
  }

  static void OnEnd(void* reader, const char* /*name*/) {
    static_cast<XmlReader*>(reader)->End();
  }

  static void OnDoctype(void* reader,
                        const char* /*name*/,
                        const char* /*system*/,
                        const char* /*public_id*/,
                        int /*has_internal_subset*/) {
    static_cast<XmlReader*>(reader)->Stop(
        "a DOCTYPE is not allowed in a description of FMI");
  }

  void Start(const char* name, const char** attributes) {
    if (open_.size() >= XmlDocument::kMaxDepth) {
      Stop("elements stand within each other more than 256 levels deep");
      return;
    }
    XmlElement element{.name = Interned(name),
                       .attributes = Kept(attributes),
                       .children = {},
                       .begin = Place(),
                       .end = Place()};
    element.end +=
        static_cast<std::uint32_t>(XML_GetCurrentByteCount(parser_.get()));
    if (open_.empty()) {
      document_.root_ = std::move(element);
      open_.push_back(&document_.root_);
      return;
    }
    open_.back()->children.push_back(std::move(element));
    open_.push_back(&open_.back()->children.back());
  }

  void End() { open_.pop_back(); }

  void Stop(const char* why) {
    if (stopped_ == nullptr) {
      stopped_ = why;
      stopped_at_ = Place();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  void TellFailure() {
    const std::uint32_t at = stopped_ != nullptr ? stopped_at_ : Place();
    diagnostics_.Error({.file = document_.file_, .begin = at, .end = at + 1},
                       stopped_ != nullptr ? stopped_ : WhyNotWellFormed());
  }

  [[nodiscard]] std::string WhyNotWellFormed() const {
    const XML_Error error = XML_GetErrorCode(parser_.get());
    std::string why =
        std::string("this is not well-formed XML: ") + XML_ErrorString(error);
    if (!open_.empty() &&
        (error == XML_ERROR_TAG_MISMATCH || error == XML_ERROR_NO_ELEMENTS ||
         error == XML_ERROR_UNCLOSED_TOKEN)) {
      const SourceFile::Position begin =
          document_.file_->PositionOf(open_.back()->begin);
      why += "; <" + std::string(open_.back()->name) + "> of line " +
             std::to_string(begin.line) + " is open";
    }
    return why;
  }

  [[nodiscard]] std::uint32_t Place() const {
    return static_cast<std::uint32_t>(
        std::max<XML_Index>(XML_GetCurrentByteIndex(parser_.get()), 0));
  }

  std::string_view Copied(std::string_view text) {
    if (text.empty()) {
      return {};
    }
    char* const copy =
        static_cast<char*>(document_.memory_.allocate(text.size(), 1));
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }

  // Names come again and again.
  std::string_view Interned(std::string_view name) {
    const auto found = names_.find(name);
    return found != names_.end() ? *found : *names_.insert(Copied(name)).first;
  }

  std::span<const XmlAttribute> Kept(const char** attributes) {
    std::size_t count = 0;
    while (attributes[2 * count] != nullptr) {
      ++count;
    }
    if (count == 0) {
      return {};
    }
    auto* const kept = static_cast<XmlAttribute*>(document_.memory_.allocate(
        count * sizeof(XmlAttribute), alignof(XmlAttribute)));
    for (std::size_t i = 0; i < count; ++i) {
      new (kept + i) XmlAttribute{.name = Interned(attributes[2 * i]),
                                  .value = Copied(attributes[2 * i + 1])};
    }
    return {kept, count};
  }

  XmlDocument& document_;
  Diagnostics& diagnostics_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, FreeParser> parser_;
  // The open elements. Only the last child of each grows further, so that these
  // stay where they are.
  std::vector<XmlElement*> open_;
  std::set<std::string_view> names_;
  const char* stopped_ = nullptr;
  std::uint32_t stopped_at_ = 0;
};

std::optional<std::string_view> XmlElement::Find(
    std::string_view attribute) const noexcept {
  const auto found =
      std::ranges::find(attributes, attribute, &XmlAttribute::name);
  return found == attributes.end() ? std::nullopt : std::optional(found->value);
}

const XmlElement* XmlElement::Child(
    std::string_view child_name) const noexcept {
  const auto found = std::ranges::find(children, child_name, &XmlElement::name);
  return found == children.end() ? nullptr : &*found;
}

std::unique_ptr<const XmlDocument> XmlDocument::Parse(
    std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics) {
  // NOLINTNEXTLINE(modernize-make-unique): its constructor is private.
  std::unique_ptr<XmlDocument> document(new XmlDocument(std::move(file)));
  if (!XmlReader(*document, diagnostics).Read()) {
    return nullptr;
  }
  return document;
}

SourceSpan XmlDocument::PlaceOf(const XmlElement& element) const {
  return {.file = file_, .begin = element.begin, .end = element.end};
}

SourceSpan XmlDocument::PlaceOf(const XmlElement& element,
                                std::string_view attribute) const {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::string_view text = file_->text();
  const std::size_t end = std::min<std::size_t>(element.end, text.size());
  // Goes from value to value, as a name may stand in one.
  std::size_t at = std::min(text.find_first_of(kBlanks, element.begin), end);
  while (at < end) {
    const std::size_t begin = text.find_first_not_of(kBlanks, at);
    const std::size_t quote = text.find_first_of("\"'", at);
    if (begin >= end || quote >= end) {
      break;
    }
    const std::size_t close = text.find(text[quote], quote + 1);
    if (close >= end) {
      break;
    }
    const std::size_t name_end = text.find_first_of(" \t\r\n=", begin);
    if (text.substr(begin, name_end - begin) == attribute) {
      return {.file = file_,
              .begin = static_cast<std::uint32_t>(begin),
              .end = static_cast<std::uint32_t>(close + 1)};
    }
    at = close + 1;
  }
  return PlaceOf(element);
}

}  // namespace orrery::fmi
