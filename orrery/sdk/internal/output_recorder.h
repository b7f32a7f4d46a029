#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/base/record.h"
#include "orrery/base/time.h"
#include "orrery/devs/coupled.h"
#include "orrery/devs/observer.h"
#include "orrery/devs/simulator.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/simulation.h"

namespace orrery::internal {

/// The number that a value is: of a truth 0 or 1, of a duration its seconds, of
/// one that is not there NaN; none of a text.
[[nodiscard]] std::optional<double> NumberIn(const Record::Value& value);

/// Follows what leaves a run by the outputs of its outermost model, as signals:
/// one for each number in the messages of a port, called `port` or
/// `port.field`. Of several messages in a microstep the last one counts.
class OutputRecorder : public devs::Observer {
 public:
  struct Output {
    std::string name;
    double value = std::numeric_limits<double>::quiet_NaN();
    std::optional<Duration> time;  ///< Of the last message; none: none came.
  };

  enum class Memory : bool { kLastValues, kAllValues };

  /// Ports of numbers are signals before a message comes.
  /// @param run must outlive it, as must `root`, its outermost model.
  OutputRecorder(devs::Simulator& run,
                 const devs::Coupled& root,
                 Memory memory);

  void OnOutput(Duration time,
                const devs::Model& model,
                const devs::Bag& y) override;

  /// By port, and of one port as they came first.
  [[nodiscard]] std::vector<Output> Outputs() const;

  /// The outputs over time, held between messages, from 0 s to `end`; NaN
  /// before the first one.
  [[nodiscard]] Trajectory Build(Duration end) const;

  /// The rows since this was called last; all at the first call, and again
  /// where there are other signals by now.
  [[nodiscard]] NewRows TakeNewRows();

 private:
  struct Change {
    std::size_t row = 0;
    std::size_t signal = 0;
    double value = 0;
  };

  // How far rows have been given, and how the signals stood there.
  struct Given {
    std::size_t rows = 0;
    std::size_t changes = 0;
    std::shared_ptr<const SignalTable> table;  // Null: none were.
    std::vector<int> column_of;                // By output.
    std::vector<double> values;                // By column.
  };

  [[nodiscard]] Given FromStart() const;
  void AppendRows(Given& given, TrajectoryBuilder& builder) const;

  template <typename Function>
  void ForEachExit(Function function) const;
  void Take(Duration time, const devs::Port& port, const Record::Field& field);
  std::size_t SignalOf(const devs::Port& exit, const std::string& name);

  const devs::Coupled& root_;
  Memory memory_;
  Record record_;
  std::vector<Output> outputs_;
  std::vector<std::uint32_t> port_of_;  // Of each output, its index.
  std::unordered_map<std::string, std::size_t> signal_of_;
  std::vector<double> times_;  // Of the rows: a row a microstep.
  std::vector<Change> changes_;
  Given given_;
};

}  // namespace orrery::internal
