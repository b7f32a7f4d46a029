// Jobs from a generator, a processor that serves one at a time, and a
// transducer that measures both from outside.
// Zeigler, Praehofer & Kim, "Theory of Modeling and Simulation", 2000, ch. 4.
// `gpt --set processing=3s --trace jobs.csv`.

#include <chrono>

#include "orrery/cli/main.h"
#include "orrery/devs/library.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;

class Gpt : public devs::Coupled {
 public:
  devs::Out<devs::Job> solved{this, "solved"};
  devs::Out<devs::Report> report{this, "report"};

  explicit Gpt(orrery::Parameters& p) : Coupled("gpt") {
    auto& generator = Add<devs::Generator<>>(
        "generator", p.Get("period", 1s, "Time between jobs"));
    auto& processor = Add<devs::Processor<>>(
        "processor", p.Get("processing", 1s, "Time to work on a job"));
    auto& transducer = Add<devs::Transducer<>>(
        "transducer", p.Get("observation", 5s, "When it reports"));
    Couple(generator.out, processor.in);
    Couple(generator.out, transducer.arrived);
    Couple(processor.out, transducer.solved);
    Couple(transducer.done, generator.stop);
    Couple(processor.out, solved);
    Couple(transducer.report, report);
  }
};

}  // namespace

ORRERY_MAIN(Gpt);
