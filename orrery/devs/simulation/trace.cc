#include "orrery/devs/simulation/trace.h"

#include <ostream>

#include "orrery/base/duration.h"
#include "orrery/base/values/record_text.h"
#include "orrery/devs/modeling/atomic.h"

namespace orrery::devs {

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

void Observer::OnRestore(Duration /*time*/) {}

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
  if (transition == Transition::kStart) {
    paths_.erase(&model);
  }
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
  const bool is_json = format_ == Format::kJsonLines;
  const std::string& path = PathOf(model);
  for (const Record::Field& field : record_.fields()) {
    line_ += is_json ? R"({"time":)" : "";
    line_ += TextOf(time);
    line_ += is_json ? R"(,"model":)" : ",";
    line_ += path;
    line_ += is_json ? R"(,"event":")" : ",";
    line_ += event;
    line_ += is_json ? R"(","name":)" : ",";
    is_json ? AppendJson(line_, field.name) : AppendCsv(line_, field.name);
    line_ += is_json ? R"(,"value":)" : ",";
    is_json ? AppendJsonValue(line_, field.value)
            : AppendCsvValue(line_, field.value);
    line_ += is_json ? "}\n" : "\n";
  }
  record_.Clear();
  out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
}

// The path as it is written. Stored by address, which a new model may share
// with one that was removed.
const std::string& Trace::PathOf(const Model& model) {
  std::string& path = paths_[&model];
  if (path.empty()) {
    const std::string text = model.Path();
    format_ == Format::kJsonLines ? AppendJson(path, text)
                                  : AppendCsv(path, text);
  }
  return path;
}

const std::string& Trace::TextOf(Duration time) {
  if (time_text_.empty() || time != time_) {
    time_ = time;
    time_text_ = SecondsText(time);
  }
  return time_text_;
}

}  // namespace orrery::devs
