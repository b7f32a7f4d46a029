#include "orrery/process/record/event_graph.h"

namespace orrery::process::internal {

void RefuseEventRow(std::size_t row, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot make a graph of events of these rows: of row " +
                  std::to_string(row) + ", " + why +
                  "; take the rows of EventGraph::Flat, all and in order");
}

}  // namespace orrery::process::internal
