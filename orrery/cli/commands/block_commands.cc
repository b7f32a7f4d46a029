#include "orrery/cli/commands/block_commands.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/cli/request/requests.h"
#include "orrery/sdk/blocks/block_list.h"

namespace orrery::cli {
namespace {

using modelica::LibraryBlock;
using modelica::LibraryDescription;
using modelica::LibraryField;

void ListAll() {
  for (const BlockEntry& block : ListBlocks()) {
    fmt::print("{:<12} {:<8} {}\n", block.name, block.language, block.meaning);
  }
  const std::vector<LibraryBlock> library = modelica::ListLibrary();
  std::string_view package;
  for (const LibraryBlock& block : library) {
    const std::string_view name = block.name;
    const std::string_view last = LastPart(name);
    const std::string_view around =
        name.substr(0, name.size() - last.size() - 1);
    if (around != package) {
      package = around;
      fmt::print("\n{}  (Modelica)\n", package);
    }
    fmt::print("  {:<22} {}\n", last, block.meaning);
  }
}

std::string FieldValue(const LibraryField& field) {
  std::string text = field.value.empty() ? "" : "= " + field.value;
  if (!field.guess.empty()) {
    text = "to be given, e.g. " + field.guess;
  }
  if (!field.condition.empty()) {
    text += (text.empty() ? "if " : "  if ") + field.condition;
  }
  return text;
}

void PrintFields(const char* title, const std::vector<LibraryField>& fields) {
  if (fields.empty()) {
    return;
  }
  std::vector<std::string> names;
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  for (const LibraryField& field : fields) {
    names.push_back(field.name +
                    (field.unit.empty() ? "" : " [" + field.unit + "]"));
    name_width = std::max(name_width, names.back().size());
    value_width = std::max(value_width, FieldValue(field).size());
  }
  constexpr std::size_t kWidest = 32;
  value_width = std::min(value_width, kWidest);
  fmt::print("{}\n", title);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::string line = fmt::format("  {:<{}}  {:<{}}  {}",
                                   names[i],
                                   name_width,
                                   FieldValue(fields[i]),
                                   value_width,
                                   fields[i].meaning);
    if (!fields[i].type.empty()) {
      line += " (" + std::string(LastPart(fields[i].type)) + ")";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

void PrintDescription(const LibraryDescription& block) {
  fmt::print("{}  (Modelica)\n  {}\n", block.name, block.meaning);
  if (!block.inputs.empty() || !block.outputs.empty()) {
    const std::string package = modelica::CppPackageOf(block.name);
    fmt::print("  in C++: blocks::{0}::{1} of orrery/sdk/blocks/{0}.h\n",
               package,
               LastPart(block.name));
  }
  PrintFields("parameters", block.parameters);
  PrintFields("inputs", block.inputs);
  PrintFields("outputs", block.outputs);
  PrintFields("parts", block.parts);
  if (!block.equations.empty()) {
    fmt::print("equations\n");
  }
  for (const std::string& equation : block.equations) {
    std::size_t begin = 0;
    while (begin < equation.size()) {
      const std::size_t end =
          std::min(equation.find('\n', begin), equation.size());
      fmt::print("  {}\n", equation.substr(begin, end - begin));
      begin = end + 1;
    }
  }
}

// Prints the blocks with this full name or last part. Returns true if there are
// any.
bool PrintFromLibrary(const std::string& name,
                      std::vector<std::string>& known) {
  bool is_found = false;
  for (const LibraryBlock& block : modelica::ListLibrary()) {
    known.push_back(block.name);
    known.emplace_back(LastPart(block.name));
    if (block.name != name && LastPart(block.name) != name) {
      continue;
    }
    if (const auto described = modelica::DescribeLibraryBlock(block.name)) {
      PrintDescription(*described);
      is_found = true;
    }
  }
  return is_found;
}

}  // namespace

int Blocks(const std::string& name) {
  if (name.empty()) {
    ListAll();
    return kSuccess;
  }
  std::vector<std::string> known;
  bool is_found = false;
  for (const BlockEntry& block : ListBlocks()) {
    known.emplace_back(block.name);
    if (block.name == name) {
      fmt::print("{}  ({})\n  {}\n  {}\n  {}\n",
                 block.name,
                 block.language,
                 block.meaning,
                 block.form,
                 block.equation);
      is_found = true;
    }
  }
  is_found = PrintFromLibrary(name, known) || is_found;
  if (!is_found) {
    const std::string hint = Suggest(name, known);
    throw Error(ErrorCode::kInvalidArgument,
                "cannot show block '" + name + "': there is none; " +
                    (hint.empty() ? "'orrery blocks' lists all" : hint));
  }
  return kSuccess;
}

}  // namespace orrery::cli
