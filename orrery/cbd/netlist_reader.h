#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/files/file_set.h"
#include "orrery/base/source_file.h"
#include "orrery/cbd/netlist.h"

namespace orrery::cbd::internal {

/// Reads a netlist and those that are blocks of it, each file once, and checks
/// how they fit together.
class NetlistReader {
 public:
  /// More blocks than this, counted with those of all netlists in a netlist,
  /// are refused.
  static constexpr double kMaxBlocks = 1e7;
  /// Netlists nest at most so deep.
  static constexpr std::size_t kMaxDepth = 1000;

  NetlistReader(const FileSet& files, Diagnostics& diagnostics)
      : files_(files), diagnostics_(diagnostics) {}

  /// The netlist in `source`; after errors, the part that could be read.
  [[nodiscard]] std::shared_ptr<const Netlist> Read(
      const std::shared_ptr<const SourceFile>& source);

 private:
  void ReadPart(const std::string& path, NetlistBlock& block);
  bool CheckNesting(const std::string& path, const NetlistBlock& block);
  void CheckInputs(const Netlist& netlist);
  void CheckInput(const Netlist& netlist, const NetlistBlock::Input& input);
  void CheckPorts(const NetlistBlock& block);

  const FileSet& files_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::shared_ptr<const Netlist>> read_;  // By path.
  std::vector<std::string> open_;  // Paths of those being read, the top first.
};

}  // namespace orrery::cbd::internal
