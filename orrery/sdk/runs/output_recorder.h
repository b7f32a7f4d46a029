#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/simulation/observer.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/simulation.h"

namespace orrery::sdk::internal {

/// Records the outputs of the outermost model of a run as signals: one for each
/// number in the messages of a port, called `port` or `port.field`. Only the
/// last of several messages in a microstep counts.
class OutputRecorder : public devs::Observer {
 public:
  struct Output {
    std::string name;
    double value = std::numeric_limits<double>::quiet_NaN();
    std::optional<Duration> time;  ///< The time of the last message; nothing if
                                   ///< none came.
  };

  enum class Memory : bool { kLastValues, kAllValues };

  /// Ports of numbers are signals from the start.
  /// @param run must outlive it, as must `root`, its outermost model.
  OutputRecorder(devs::Simulator& run,
                 const devs::Coupled& root,
                 Memory memory);

  void OnOutput(Duration time,
                const devs::Model& model,
                const devs::Bag& y) override;

  /// By port, and within a port in the order of first messages.
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
  std::vector<std::uint32_t> port_of_;  // The index of the port of each output.
  std::unordered_map<std::string, std::size_t> signal_of_;
  std::vector<double> times_;  // By row: a row for each microstep.
  std::vector<Change> changes_;
  Given given_;
};

}  // namespace orrery::sdk::internal
