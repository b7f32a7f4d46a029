#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/store/experiment_record.h"

namespace orrery {

/// A file that a series is made from, under its name in the document. Plain
/// data.
struct JobFile {
  std::string name;
  std::string bytes;

  friend bool operator==(const JobFile&, const JobFile&) = default;
};

/// A job for workers on other machines: runs with all that they need. Plain
/// data.
struct ClusterJob {
  std::string version;   ///< The version of Orrery; only the same version gives
                         ///< the same bits.
  std::string type;      ///< The type of the document: `sweep`, ...
  std::string document;  ///< JSON
  std::vector<JobFile> files;
  // For a series only; empty for a job whose runs are requested one by one:
  std::int64_t runs = 0;           ///< Number of runs of the series.
  std::vector<RunColumn> columns;  ///< The columns of its table.

  friend bool operator==(const ClusterJob&, const ClusterJob&) = default;
};

}  // namespace orrery
