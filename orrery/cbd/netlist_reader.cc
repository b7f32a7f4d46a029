#include "orrery/cbd/netlist_reader.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "orrery/base/error.h"

namespace orrery::cbd::internal {

namespace {

/// The path of `file`, as it is written in the netlist at `path`.
std::string PathBeside(const std::string& path, const std::string& file) {
  const std::filesystem::path folder =
      std::filesystem::path(path).parent_path();
  return (folder / file).lexically_normal().string();
}

/// "1", "1 and 2", or "1, 2 and 7".
std::string Listed(std::span<const std::uint64_t> numbers) {
  constexpr std::size_t kMostShown = 8;
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i == kMostShown) {
      return text + ", ...";
    }
    const bool is_last = i + 1 == numbers.size();
    text += (i == 0 ? "" : is_last ? " and " : ", ");
    text += std::to_string(numbers[i]);
  }
  return text;
}

std::string Count(std::size_t count, const std::string& noun) {
  return (count == 0 ? "no" : std::to_string(count)) + " " + noun +
         (count == 1 ? "" : "s");
}

/// An input that reads output 12 of netlist 7, as in "write 7.12".
std::string HowToRead(const NetlistBlock& netlist) {
  const std::vector<std::uint64_t>& outputs = netlist.netlist->outputs;
  if (outputs.empty()) {
    return "mark an output of " + netlist.file + " by a block O";
  }
  return "write " + std::to_string(netlist.number) + "." +
         std::to_string(outputs.front()) + "; its outputs are " +
         Listed(outputs);
}

}  // namespace

std::shared_ptr<const Netlist> NetlistReader::Read(
    const std::shared_ptr<const SourceFile>& source) {
  open_.push_back(
      std::filesystem::path(source->name()).lexically_normal().string());
  auto netlist = std::make_shared<Netlist>();
  netlist->blocks = ParseNetlist(source, diagnostics_);
  for (std::size_t i = 0; i < netlist->blocks.size(); ++i) {
    NetlistBlock& block = netlist->blocks[i];
    netlist->places.emplace(block.number, i);
    netlist->num_blocks += 1;
    if (block.type == NetlistBlockType::kInput) {
      netlist->inputs.push_back(block.number);
    } else if (block.type == NetlistBlockType::kOutput) {
      netlist->outputs.push_back(block.number);
    } else if (block.type == NetlistBlockType::kNetlist) {
      ReadPart(PathBeside(source->name(), block.file), block);
      netlist->num_blocks += block.netlist ? block.netlist->num_blocks : 0;
    }
    if (netlist->num_blocks > kMaxBlocks) {
      diagnostics_.Error(block.span,
                         "the netlist has more than 10,000,000 blocks with "
                         "those of the netlists in it",
                         "use fewer of them");
      block.netlist = nullptr;
      netlist->blocks.resize(i + 1);
      break;
    }
  }
  std::ranges::sort(netlist->inputs);
  std::ranges::sort(netlist->outputs);
  CheckInputs(*netlist);
  open_.pop_back();
  return netlist;
}

void NetlistReader::ReadPart(const std::string& path, NetlistBlock& block) {
  if (!CheckNesting(path, block)) {
    return;
  }
  auto found = read_.find(path);
  if (found == read_.end()) {
    std::shared_ptr<const SourceFile> text;
    try {
      text = files_.Read(path);
    } catch (const Error& error) {
      diagnostics_.Error(block.file_span, error.what());
      return;
    }
    found = read_.emplace(path, Read(text)).first;
  }
  block.netlist = found->second;
  CheckPorts(block);
}

bool NetlistReader::CheckNesting(const std::string& path,
                                 const NetlistBlock& block) {
  const auto outer = std::ranges::find(open_, path);
  if (outer != open_.end()) {
    std::string chain;
    for (auto name = outer; name != open_.end(); ++name) {
      chain += *name + " -> ";
    }
    diagnostics_.Error(block.file_span,
                       "a netlist cannot contain itself: " + chain + path,
                       "name another file");
    return false;
  }
  if (open_.size() >= kMaxDepth) {
    diagnostics_.Error(block.file_span,
                       "netlists are nested more than 1,000 deep here",
                       "use fewer levels");
    return false;
  }
  return true;
}

void NetlistReader::CheckPorts(const NetlistBlock& block) {
  const std::vector<std::uint64_t>& inputs = block.netlist->inputs;
  if (block.inputs.size() == inputs.size()) {
    return;
  }
  diagnostics_.Error(
      block.span,
      block.file + " has " + Count(inputs.size(), "input") +
          (inputs.empty()
               ? ""
               : " (" + std::string(inputs.size() == 1 ? "block " : "blocks ") +
                     Listed(inputs) + ")") +
          ", but is given " + std::to_string(block.inputs.size()),
      "give one block for each U of the netlist, by ascending numbers");
}

void NetlistReader::CheckInputs(const Netlist& netlist) {
  for (const NetlistBlock& block : netlist.blocks) {
    for (const NetlistBlock::Input& input : block.inputs) {
      CheckInput(netlist, input);
    }
  }
}

void NetlistReader::CheckInput(const Netlist& netlist,
                               const NetlistBlock::Input& input) {
  const auto place = netlist.places.find(input.block);
  if (place == netlist.places.end()) {
    return;  // The parser has reported it as missing or wrong.
  }
  const NetlistBlock& source = netlist.blocks[place->second];
  const std::string number = std::to_string(source.number);
  if (source.type != NetlistBlockType::kNetlist) {
    if (input.output) {
      diagnostics_.Error(
          input.span,
          "block " + number + " is no netlist, so that it has one signal only",
          "write " + number);
    }
    return;
  }
  if (!source.netlist) {
    return;
  }
  const std::vector<std::uint64_t>& outputs = source.netlist->outputs;
  if (!input.output && outputs.size() != 1) {
    diagnostics_.Error(input.span,
                       "netlist " + number + " has " +
                           Count(outputs.size(), "output") +
                           ", so that its number says none",
                       HowToRead(source));
  } else if (input.output &&
             !std::ranges::binary_search(outputs, *input.output)) {
    diagnostics_.Error(input.span,
                       "block " + std::to_string(*input.output) + " of " +
                           source.file + " is no output",
                       HowToRead(source));
  }
}

}  // namespace orrery::cbd::internal
