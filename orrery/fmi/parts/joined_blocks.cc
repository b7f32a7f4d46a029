#include "orrery/fmi/parts/joined_blocks.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/fmi/exchange/exchange_equations.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/parts/coupled_equations.h"
#include "orrery/model/join_part.h"

namespace orrery::fmi {
namespace {

// Kinds of use, as an annotation says them.
constexpr std::string_view kExchangeWord = "ModelExchange";
constexpr std::string_view kSteppedWord = "CoSimulation";

// A file with a kind of use, a step and values of its texts, which make its
// equations.
using Source = std::vector<std::string>;

Source SourceOf(const ForeignBlock& block) {
  Source source = {
      block.file,
      block.kind,
      block.communication ? ShortestText(*block.communication) : ""};
  for (const ParameterText& text : block.texts) {
    source.push_back(text.name);
    source.push_back(text.value);
  }
  return source;
}

// Reports a kind of use by which there are no parts of models.
bool HasKnownKind(const ForeignBlock& block, Diagnostics& diagnostics) {
  if (block.kind.empty() || block.kind == kExchangeWord ||
      block.kind == kSteppedWord) {
    return true;
  }
  diagnostics.Error(block.span,
                    "cannot use " + block.file + " as '" + block.kind + "'",
                    "the kind is \"ModelExchange\" or \"CoSimulation\"");
  return false;
}

// The kind of use of a block: Model Exchange if the FMU is made for it and the
// block does not say otherwise.
bool IsStepped(const ForeignBlock& block, const Fmu& fmu) {
  return block.kind.empty()
             ? fmu.description->Find(InterfaceKind::kModelExchange) == nullptr
             : block.kind == kSteppedWord;
}

FlatModel FlatOf(const ForeignBlock& block, const Fmu& fmu) {
  if (IsStepped(block, fmu)) {
    return CoupledEquationsOf(fmu, block.texts, block.communication);
  }
  if (block.communication) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot use " + block.file +
                    " by Model Exchange with a communication step: it has "
                    "none; leave it out, or say kind = \"CoSimulation\"");
  }
  return EquationsOf(fmu, block.texts);
}

std::optional<FlatModel> Read(const ForeignBlock& block,
                              const FileSet& files,
                              Diagnostics& diagnostics) {
  try {
    return FlatOf(block, ReadFmu(files.Read(block.file), diagnostics));
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
    if (is_new && HasKnownKind(block, diagnostics)) {
      found->second = Read(block, files, diagnostics);
    }
    if (found->second) {
      JoinPart(*found->second, block, flat, diagnostics);
    }
  }
}

}  // namespace orrery::fmi
