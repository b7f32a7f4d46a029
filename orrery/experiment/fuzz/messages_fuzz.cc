#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "orrery/base/error.h"
#include "orrery/experiment/cluster/job_messages.h"
#include "orrery/experiment/cluster/run_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

/// Any bytes from the network are a message or not. A message that was read is
/// written and read again without change.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  namespace messages = orrery::experiment::internal;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto definition = messages::DefinitionFrom(bytes, "0.1.0")) {
    ORRERY_CHECK(messages::DefinitionFrom(ToMessage(*definition), "0.1.0") ==
                 definition);
  }
  if (const auto task = messages::TaskFrom(bytes)) {
    ORRERY_CHECK(messages::TaskFrom(ToMessage(*task)) == task);
  }
  if (const auto report = messages::ReportFrom(bytes)) {
    const auto again = messages::ReportFrom(ToMessage(*report));
    ORRERY_CHECK(again && again->batch.status == report->batch.status &&
                 again->batch.failures == report->batch.failures &&
                 again->part == report->part);
  }
  if (const auto run = messages::SubjectRunFrom(bytes)) {
    const std::string written = messages::ToBytes(*run);
    const auto again = messages::SubjectRunFrom(written);
    ORRERY_CHECK(again && messages::ToBytes(*again) == written);
  }
  return 0;
}
