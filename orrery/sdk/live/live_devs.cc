#include "orrery/sdk/live/live_devs.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/text/pattern.h"
#include "orrery/sdk/classes/number_ports.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

double SecondsAt(Duration time) {
  return time == devs::kPassive ? std::numeric_limits<double>::infinity()
                                : Seconds(time).value;
}

std::vector<std::string> NamesOfPorts(const devs::Coupled& root,
                                      devs::PortDirection direction) {
  std::vector<std::string> names;
  for (const devs::Port* port = root.first_port(); port != nullptr;
       port = port->next()) {
    if (port->direction() == direction) {
      names.emplace_back(port->name());
    }
  }
  return names;
}

// True if a pattern may match fields of the messages at a port.
bool IsOfFields(const std::string& pattern,
                const std::vector<std::string>& ports) {
  return std::ranges::any_of(ports, [&](const std::string& port) {
    return pattern.starts_with(port + ".");
  });
}

}  // namespace

// Records the outputs of the outermost model.
class LiveDevs::Exits final : public devs::Observer {
 public:
  Exits(const devs::Coupled& root, std::span<const std::string> shown)
      : root_(root), shown_(shown.begin(), shown.end()) {}

  void OnOutput(Duration time,
                const devs::Model& /*model*/,
                const devs::Bag& y) override {
    const std::size_t first = rows_.size();
    for (const devs::Port* port = root_.first_port(); port != nullptr;
         port = port->next()) {
      if (port->direction() != devs::PortDirection::kOut) {
        continue;
      }
      record_.Clear();
      y.Describe(*port, record_);
      for (const Record::Field& field : record_.fields()) {
        if (IsShown(field.name)) {
          AddTo(first, SecondsAt(time), field);
        }
        last_[field.name] = field.value;
      }
    }
  }

  [[nodiscard]] std::vector<LiveRow> TakeRows() {
    return std::exchange(rows_, {});
  }

  [[nodiscard]] bool IsShown(const std::string& name) const {
    return shown_.empty() ||
           std::ranges::any_of(shown_, [&](const std::string& pattern) {
             return FitsPattern(pattern, name);
           });
  }

  /// By name.
  [[nodiscard]] const std::map<std::string, Record::Value>& last() const {
    return last_;
  }

 private:
  // A repeated name belongs to the next message at its port.
  void AddTo(std::size_t row, double time, const Record::Field& field) {
    while (row < rows_.size() &&
           std::ranges::find(rows_[row].values,
                             field.name,
                             &Record::Field::name) != rows_[row].values.end()) {
      ++row;
    }
    if (row == rows_.size()) {
      rows_.push_back({.time = time, .values = {}});
    }
    rows_[row].values.push_back(field);
  }

  const devs::Coupled& root_;
  std::vector<std::string> shown_;  // Patterns.
  Record record_;
  std::vector<LiveRow> rows_;
  std::map<std::string, Record::Value> last_;
};

LiveDevs::LiveDevs(DevsRun& run, std::span<const std::string> shown)
    : run_(run), model_(run.root().Path()) {
  const auto outputs = NamesOfPorts(run.root(), devs::PortDirection::kOut);
  names_ = outputs;
  if (!shown.empty()) {
    std::vector<std::string> of_ports;
    std::ranges::copy_if(
        shown, std::back_inserter(of_ports), [&](const std::string& pattern) {
          return !IsOfFields(pattern, outputs);
        });
    names_ = internal::NamesThatFit(of_ports, outputs, model_);
  }
  exits_ = std::make_unique<Exits>(run.root(), shown);
  run_.simulator().Observe(*exits_, run.root());
  CarryOutTo(Duration::zero());
}

LiveDevs::~LiveDevs() {
  run_.simulator().Ignore(*exits_);
}

double LiveDevs::t() const noexcept {
  return SecondsAt(run_.simulator().now());
}

double LiveDevs::stop() const noexcept {
  return SecondsAt(run_.stop().value_or(devs::kPassive));
}

double LiveDevs::next_time() const {
  return SecondsAt(std::min(run_.simulator().next_time(),
                            run_.stop().value_or(devs::kPassive)));
}

bool LiveDevs::has_ended() const noexcept {
  const devs::Simulator& run = run_.simulator();
  const bool is_over = run_.stop() ? run.now() >= *run_.stop()
                                   : run.next_time() == devs::kPassive;
  return is_over || !failure_.empty();
}

// The times of events are whole nanoseconds; a time in seconds close to one of
// them means this one.
void LiveDevs::Advance(double t) {
  const devs::Simulator& run = run_.simulator();
  const Duration next =
      std::min(run.next_time(), run_.stop().value_or(devs::kPassive));
  CarryOutTo(t >= next_time() ? next
                              : std::clamp(ToDuration(t), run.now(), next));
}

void LiveDevs::CarryOutTo(Duration t) {
  try {
    run_.simulator().RunUntil(t);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidModel) {
      throw;
    }
    failure_ = error.what();
  }
}

void LiveDevs::Change(std::span<const Setting> settings) {
  if (!failure_.empty()) {
    return;
  }
  for (const Setting& setting : settings) {
    const std::string why =
        internal::WhyNoMessage(InputOf(setting.name), setting.value);
    if (!why.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot set '" + setting.name + "' to " +
                      ShortestText(setting.value) + ": " + why);
    }
  }
  devs::Simulator& run = run_.simulator();
  for (const Setting& setting : settings) {
    internal::InjectNumber(
        run, InputOf(setting.name), setting.value, run.now());
  }
  CarryOutTo(run.now());
}

const devs::Port& LiveDevs::InputOf(const std::string& name) const {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot set '" + name + "': " + why);
  };
  const devs::Port* const port = run_.root().FindPort(name);
  if (port == nullptr) {
    const auto inputs = NamesOfPorts(run_.root(), devs::PortDirection::kIn);
    const auto parameters = run_.parameters().declared();
    refuse(std::ranges::find(parameters, name, &ParameterInfo::name) !=
                   parameters.end()
               ? "the model is made with this parameter; set it before the run"
               : "model " + model_ + " has no such input" +
                     Clause(Suggest(name, inputs)));
  }
  if (port->direction() == devs::PortDirection::kOut) {
    refuse("it is an output of model " + model_ + "; set an input");
  }
  if (!internal::TakesNumbers(*port)) {
    refuse(
        "the messages at this input are no numbers; let the model make "
        "them of numbers");
  }
  return *port;
}

std::vector<LiveRow> LiveDevs::TakeRows() {
  return exits_->TakeRows();
}

std::vector<Record::Field> LiveDevs::Values(
    std::span<const std::string> names) const {
  const auto& last = exits_->last();
  std::vector<Record::Field> values;
  if (names.empty()) {
    for (const auto& [name, value] : last) {
      if (exits_->IsShown(name)) {
        values.push_back({.name = name, .value = value});
      }
    }
    return values;
  }
  const auto outputs = NamesOfPorts(run_.root(), devs::PortDirection::kOut);
  for (const std::string& name : names) {
    const auto found = last.find(name);
    if (found != last.end()) {
      values.push_back({.name = name, .value = found->second});
    } else if (std::ranges::find(outputs, name) != outputs.end()) {
      values.push_back({.name = name, .value = {}});  // No message yet.
    } else {
      std::vector<std::string> known = outputs;
      for (const auto& entry : last) {
        known.push_back(entry.first);
      }
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot show '" + name +
                      "': nothing of this name has left "
                      "model " +
                      model_ + Clause(Suggest(name, known)));
    }
  }
  return values;
}

DevsRunResult LiveDevs::Finish() {
  NoteEnd();
  return run_.Finish(failure_.empty() ? RunEnd::kCompleted : RunEnd::kFailed,
                     failure_);
}

DevsRunResult LiveDevs::Interrupt(const std::string& why) {
  NoteEnd();
  if (!failure_.empty()) {
    return run_.Finish(RunEnd::kFailed, failure_);
  }
  return run_.Finish(
      RunEnd::kInterrupted,
      why.empty() ? "interrupted at t = " + ToText(run_.simulator().now())
                  : why);
}

}  // namespace orrery
