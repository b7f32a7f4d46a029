#include "orrery/devs/trace.h"

#include <charconv>
#include <cmath>
#include <ostream>

#include "orrery/base/duration.h"
#include "orrery/devs/atomic.h"

namespace orrery::devs {
namespace {

// A number of seconds, without its unit.
std::string NumberOf(Duration duration) {
  std::string text = ToText(duration);
  text.erase(text.size() - 2);
  return text;
}

std::string NumberOf(double value) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), value);
  return {std::begin(text), end.ptr};
}

std::string QuotedCsv(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + '"';
}

std::string QuotedJson(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20) {
      quoted += "\\u00";
      quoted += kHex[byte >> 4U];
      quoted += kHex[byte & 15U];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

struct CsvText {
  std::string operator()(std::monostate) const { return ""; }

  std::string operator()(bool value) const { return value ? "true" : "false"; }

  std::string operator()(std::int64_t value) const {
    return std::to_string(value);
  }

  std::string operator()(double value) const { return NumberOf(value); }

  std::string operator()(Duration value) const {
    return value == kPassive ? "inf" : NumberOf(value);
  }

  std::string operator()(const std::string& value) const {
    return QuotedCsv(value);
  }
};

// JSON has no infinity and no NaN.
struct JsonText : CsvText {
  using CsvText::operator();

  std::string operator()(std::monostate) const { return "null"; }

  std::string operator()(double value) const {
    return std::isfinite(value) ? NumberOf(value) : "null";
  }

  std::string operator()(Duration value) const {
    return value == kPassive ? "null" : NumberOf(value);
  }

  std::string operator()(const std::string& value) const {
    return QuotedJson(value);
  }
};

}  // namespace

std::string_view NameOf(Transition transition) noexcept {
  switch (transition) {
    case Transition::kStart:
      return "start";
    case Transition::kInternal:
      return "internal";
    case Transition::kExternal:
      return "external";
    case Transition::kConfluent:
      return "confluent";
  }
  return "";
}

void Observer::OnOutput(Duration /*time*/,
                        const Model& /*model*/,
                        const Bag& /*y*/) {}

void Observer::OnInput(Duration /*time*/,
                       const Model& /*model*/,
                       const Bag& /*x*/) {}

void Observer::OnTransition(Duration /*time*/,
                            const Model& /*model*/,
                            Transition /*transition*/,
                            const void* /*state*/) {}

Trace::Trace(std::ostream& out, Format format) : Trace(out, format, {}) {}

Trace::Trace(std::ostream& out, Format format, Content content)
    : out_(out), format_(format), content_(content) {
  if (format_ == Format::kCsv) {
    out_ << "time,model,event,name,value\n";
  }
}

void Trace::OnOutput(Duration time, const Model& model, const Bag& y) {
  if (content_.outputs) {
    WriteBag(time, model, PortDirection::kOut, y);
  }
}

void Trace::OnInput(Duration time, const Model& model, const Bag& x) {
  if (content_.inputs) {
    WriteBag(time, model, PortDirection::kIn, x);
  }
}

void Trace::OnTransition(Duration time,
                         const Model& model,
                         Transition transition,
                         const void* state) {
  if (!content_.states) {
    return;
  }
  model.ops()->describe(model, state, record_);
  if (record_.fields().empty()) {
    record_.Add("", std::optional<bool>());
  }
  WriteFields(time, model, NameOf(transition));
}

void Trace::WriteBag(Duration time,
                     const Model& model,
                     PortDirection direction,
                     const Bag& bag) {
  for (const Port* port = model.first_port(); port != nullptr;
       port = port->next()) {
    if (port->direction() == direction) {
      bag.Describe(*port, record_);
    }
  }
  WriteFields(
      time, model, direction == PortDirection::kIn ? "input" : "output");
}

void Trace::WriteFields(Duration time,
                        const Model& model,
                        std::string_view event) {
  line_.clear();
  const std::string at = NumberOf(time);
  const std::string path = model.Path();
  for (const Record::Field& field : record_.fields()) {
    if (format_ == Format::kCsv) {
      line_ += at + ',' + QuotedCsv(path) + ',';
      line_ += event;
      line_ += ',' + QuotedCsv(field.name) + ',' +
               std::visit(CsvText(), field.value) + '\n';
    } else {
      line_ += R"({"time":)" + at + R"(,"model":)" + QuotedJson(path) +
               R"(,"event":")";
      line_ += event;
      line_ += R"(","name":)" + QuotedJson(field.name) + R"(,"value":)" +
               std::visit(JsonText(), field.value) + "}\n";
    }
  }
  record_.Clear();
  out_ << line_;
}

}  // namespace orrery::devs
