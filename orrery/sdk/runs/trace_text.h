#pragma once

#include <deque>
#include <functional>
#include <ostream>
#include <span>
#include <streambuf>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orrery/devs/simulation/observer.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/simulation/trace.h"

namespace orrery::sdk::internal {

/// The text of a trace of a run, as it comes.
class TraceText {
 public:
  /// @param write is given the text, a part of it at a time: whole lines, after
  ///     that of the header. What it throws ends the run.
  TraceText(devs::Trace::Format format,
            std::function<void(std::string_view)> write);
  TraceText(const TraceText&) = delete;
  TraceText& operator=(const TraceText&) = delete;
  ~TraceText() = default;

  /// Traces the atomic models whose paths fit one of the patterns, each once.
  /// @throws Error kInvalidArgument if a pattern fits none.
  void Observe(devs::Simulator& run, std::span<const std::string> patterns);

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(std::function<void(std::string_view)> write)
        : write_(std::move(write)) {}

   protected:
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int_type overflow(int_type byte) override;

   private:
    std::function<void(std::string_view)> write_;
  };

  // Passes on the models that fit a pattern and none of those before.
  class Filter : public devs::Observer {
   public:
    Filter(devs::Trace& trace, std::span<const std::string> before)
        : trace_(trace), before_(before.begin(), before.end()) {}

    void OnOutput(Duration time,
                  const devs::Model& model,
                  const devs::Bag& y) override;
    void OnInput(Duration time,
                 const devs::Model& model,
                 const devs::Bag& x) override;
    void OnTransition(Duration time,
                      const devs::Model& model,
                      devs::Transition transition,
                      const void* state) override;

   private:
    bool Passes(const devs::Model& model);

    devs::Trace& trace_;
    std::vector<std::string> before_;
    std::unordered_map<const devs::Model*, bool> passes_;
  };

  Buffer buffer_;
  std::ostream out_;
  devs::Trace trace_;
  std::deque<Filter> filters_;
};

}  // namespace orrery::sdk::internal
