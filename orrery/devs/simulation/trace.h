#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <unordered_map>

#include "orrery/base/values/record.h"
#include "orrery/devs/simulation/observer.h"

namespace orrery::devs {

/// Writes states and messages of models to a stream, one value a line.
class Trace : public Observer {
 public:
  enum class Format : std::uint8_t {
    /// Lines `time,model,event,name,value`, after a header of these names.
    kCsv,
    /// Objects with the same members, one a line.
    kJsonLines,
  };

  struct Content {
    bool states = true;
    bool outputs = true;
    bool inputs = false;
  };

  /// @param out must outlive it.
  Trace(std::ostream& out, Format format, Content content);
  Trace(std::ostream& out, Format format);

  void OnOutput(Duration time, const Model& model, const Bag& y) override;
  void OnInput(Duration time, const Model& model, const Bag& x) override;
  void OnTransition(Duration time,
                    const Model& model,
                    Transition transition,
                    const void* state) override;

 private:
  void WriteBag(Duration time,
                const Model& model,
                PortDirection direction,
                const Bag& bag);
  void WriteFields(Duration time, const Model& model, std::string_view event);

  const std::string& PathOf(const Model& model);
  const std::string& TextOf(Duration time);

  std::ostream& out_;
  Format format_;
  Content content_;
  Record record_;
  std::string line_;
  std::unordered_map<const Model*, std::string> paths_;
  Duration time_{};
  std::string time_text_;
};

}  // namespace orrery::devs
