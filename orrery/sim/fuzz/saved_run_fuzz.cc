#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/sim/saved_run.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// Models with a part of each kind of state.
constexpr const char* kModels[] = {
    "  Real h(start = 1, fixed = true);\n"
    "  Real v(start = 0, fixed = true);\n"
    "  discrete Real d(start = 0, fixed = true);\n"
    "equation\n"
    "  der(h) = v;\n"
    "  der(v) = -9.81 - 0.01*v*abs(v);\n"
    "  when h <= 0 then\n"
    "    reinit(v, -0.8*pre(v));\n"
    "  end when;\n"
    "  when sample(0, 0.1) then\n"
    "    d = pre(d) + h;\n"
    "  end when;\n",
    "  parameter Real a = 2;\n"
    "  Real x(start = 1, fixed = true);\n"
    "  Real z(start = 1);\n"
    "equation\n"
    "  der(x) = z - delay(x, 0.15);\n"
    "  z + exp(0.3*z) = a*x + sin(time);\n",
    "  Real x(start = 0.6, fixed = true);\n"
    "  Real y(start = -0.8);\n"
    "  Real u(start = 0, fixed = true);\n"
    "  Real w;\n"
    "  Real F;\n"
    "equation\n"
    "  der(x) = u;\n"
    "  der(y) = w;\n"
    "  der(u) = -F*x;\n"
    "  der(w) = -F*y - 9.81;\n"
    "  x^2 + y^2 = 1;\n"};

struct Subject {
  std::shared_ptr<const Program> program;
  SimulationOptions options;
  std::string state;  // At 0.37 s.
};

std::vector<Subject> MakeSubjects() {
  std::vector<Subject> subjects;
  for (const char* const body : kModels) {
    for (const auto& [method, step] : {std::pair(Method::kAuto, 0.0),
                                       std::pair(Method::kRosenbrock, 0.0),
                                       std::pair(Method::kTrapezoid, 0.01)}) {
      Subject subject{.program = CompileBody(body),
                      .options = {.method = method, .max_steps = 2000}};
      if (step > 0) {
        subject.options.step = Seconds(step);
      }
      Simulator run(subject.program, subject.options);
      run.AdvanceTo(Seconds(0.37));
      subject.state = run.Save();
      subjects.push_back(std::move(subject));
    }
  }
  return subjects;
}

// Takes a state, and gives the one that the run has then.
void Take(const Subject& subject, const std::string& state) {
  Simulator run(subject.program, subject.options);
  try {
    run.Restore(state);
    if (!run.has_ended()) {
      static_cast<void>(run.Save());
    }
  } catch (const Error& error) {
    ORRERY_CHECK(error.code() != ErrorCode::kInternal);
  }
}

}  // namespace
}  // namespace orrery

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

/// Any bytes are a state that a run takes, or get an error. The first byte
/// chooses the model. Then the bytes are a state, or tell which bytes of a good
/// one are others: three each, a place and a value. Files have checksums
/// besides: no changed bytes get so far.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const std::vector<orrery::Subject> subjects = orrery::MakeSubjects();
  if (size < 2) {
    return 0;
  }
  const orrery::Subject& subject = subjects[data[0] % subjects.size()];
  const std::string bytes(data + 2, data + size);
  if (data[1] == 0) {
    orrery::Take(subject, bytes);
    return 0;
  }
  std::string state = subject.state;
  for (std::size_t i = 0; i + 2 < bytes.size(); i += 3) {
    const std::size_t place = static_cast<std::uint8_t>(bytes[i]) * 256U +
                              static_cast<std::uint8_t>(bytes[i + 1]);
    state[place % state.size()] = bytes[i + 2];
  }
  orrery::Take(subject, state);
  try {
    static_cast<void>(orrery::SavedRunFromBytes(bytes));
  } catch (const orrery::Error& error) {
    ORRERY_CHECK(error.code() == orrery::ErrorCode::kInvalidModel);
  }
  return 0;
}
