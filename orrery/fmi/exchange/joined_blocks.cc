#include "orrery/fmi/exchange/joined_blocks.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/fmi/exchange/exchange_equations.h"
#include "orrery/fmi/fmu.h"
#include "orrery/model/join_part.h"

namespace orrery::fmi {
namespace {

// A file with values of its texts, which make its equations.
using Source = std::vector<std::string>;

Source SourceOf(const ForeignBlock& block) {
  Source source = {block.file};
  for (const ParameterText& text : block.texts) {
    source.push_back(text.name);
    source.push_back(text.value);
  }
  return source;
}

// Reports a kind of use by which no equations come.
bool IsOfEquations(const ForeignBlock& block, Diagnostics& diagnostics) {
  if (block.kind.empty() || block.kind == "ModelExchange") {
    return true;
  }
  const bool is_other = block.kind == "CoSimulation";
  diagnostics.Error(
      block.span,
      is_other ? "cannot use " + block.file +
                     " by Co-Simulation as a part of a model"
               : "cannot use " + block.file + " as '" + block.kind + "'",
      is_other ? "use one by Model Exchange, or run it by itself: orrery run " +
                     block.file + " --as cs"
               : "the kind is \"ModelExchange\"");
  return false;
}

std::optional<FlatModel> Read(const ForeignBlock& block,
                              const FileSet& files,
                              Diagnostics& diagnostics) {
  try {
    return EquationsOf(ReadFmu(files.Read(block.file), diagnostics),
                       block.texts);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) {
      throw;
    }
    diagnostics.Error(block.span, error.what());
    return std::nullopt;
  }
}

}  // namespace

void JoinBlocks(FlatModel& flat,
                const FileSet& files,
                Diagnostics& diagnostics) {
  std::map<Source, std::optional<FlatModel>> parts;
  for (const ForeignBlock& block : std::exchange(flat.foreign_blocks, {})) {
    const auto [found, is_new] = parts.try_emplace(SourceOf(block));
    if (is_new && IsOfEquations(block, diagnostics)) {
      found->second = Read(block, files, diagnostics);
    }
    if (found->second) {
      JoinPart(*found->second, block, flat, diagnostics);
    }
  }
}

}  // namespace orrery::fmi
