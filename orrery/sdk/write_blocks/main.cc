// Writes the classes in C++ for the blocks of the Modelica library.
//
//     orrery_write_blocks FOLDER NAME...
//
// Writes one header and one source for each NAME: `types`, or a package in
// lower case with underscores: `math_boolean` for Modelica.Blocks.MathBoolean,
// `more_math` for Orrery.Blocks.Math. Fails if a package of the library is not
// named.
//
//     orrery_write_blocks FILE
//
// Writes a list of all classes, for tests: ORRERY_BLOCK(math::Gain,
// "Modelica...").

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/library.h"
#include "orrery/sdk/write_blocks/class_writer.h"

namespace orrery {
namespace {

using sdk::internal::ClassWriter;
using sdk::internal::FailToWrite;
using sdk::internal::IsEnumeration;
using sdk::internal::NameIn;
using sdk::internal::OneLine;

using modelica::LibraryBlock;
using modelica::LibraryDescription;
using modelica::LibraryEnumeration;
using modelica::LibraryField;

constexpr std::string_view kTypes = "types";

/// A header and its source.
struct Texts {
  std::string header;
  std::string source;
};

void WriteEnumeration(const LibraryEnumeration& type, Texts& texts) {
  const std::string name = NameIn(type.name);
  texts.header += "/// " + OneLine(type.meaning) + "\n///\n/// " + type.name +
                  "\nenum class " + name + " : std::uint8_t {\n";
  texts.source += "std::string_view ModelicaName(" + name +
                  " value) noexcept {\n  switch (value) {\n";
  for (const LibraryBlock& literal : type.literals) {
    texts.header +=
        "  k" + literal.name + ",  ///< " + OneLine(literal.meaning) + "\n";
    texts.source += "    case " + name + "::k" + literal.name +
                    ":\n      return \"" + type.name + "." + literal.name +
                    "\";\n";
  }
  texts.header +=
      "};\n\n/// The full name of a value.\n[[nodiscard]] "
      "std::string_view ModelicaName(" +
      name + " value) noexcept;\n\n";
  texts.source += "  }\n  return {};\n}\n\n";
}

// Returns the descriptions of all blocks, without those that have no ports.
std::vector<LibraryDescription> DescribeAll() {
  std::vector<LibraryDescription> blocks;
  for (const LibraryBlock& listed : modelica::ListLibrary()) {
    auto block = modelica::DescribeLibraryBlock(listed.name);
    ORRERY_CHECK(block.has_value());
    if (!block->inputs.empty() || !block->outputs.empty()) {
      blocks.push_back(std::move(*block));
    }
  }
  return blocks;
}

// All texts, by package.
std::map<std::string, Texts> WriteAll() {
  std::map<std::string, Texts> packages;
  std::set<std::string> classes;
  std::set<std::string> enumerations;
  for (const LibraryDescription& block : DescribeAll()) {
    const std::string package = modelica::CppPackageOf(block.name);
    if (!classes.insert(package + "." + NameIn(block.name)).second) {
      FailToWrite("two blocks would be " + package + "::" + NameIn(block.name) +
                  "; one is " + block.name);
    }
    for (const LibraryField& field : block.parameters) {
      if (IsEnumeration(field)) {
        enumerations.insert(field.value_type);
      }
    }
    Texts& texts = packages[package];
    ClassWriter(block).Write(texts.header, texts.source);
  }
  Texts& types = packages[std::string(kTypes)];
  for (const std::string& name : enumerations) {
    const auto type = modelica::DescribeLibraryEnumeration(name);
    if (!type) {
      FailToWrite("there is no enumeration " + name);
    }
    WriteEnumeration(*type, types);
  }
  return packages;
}

// Leaves a file that has the text: what is compiled from it is not old then.
void WriteFile(const std::string& path, const std::string& text) {
  std::ifstream old(path, std::ios::binary);
  if (old && std::string(std::istreambuf_iterator<char>(old), {}) == text) {
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    throw Error(ErrorCode::kIo, "cannot write " + path);
  }
}

void WritePackage(const std::string& folder,
                  const std::string& name,
                  const Texts& texts) {
  const bool is_types = name == kTypes;
  const std::string space =
      is_types ? "orrery::blocks" : "orrery::blocks::" + name;
  const std::string note =
      "// Made from the Modelica library by orrery_write_blocks.\n"
      "// NOLINTBEGIN: members have the names that they have there.\n";
  const std::string end = "}  // namespace " + space + "\n// NOLINTEND\n";
  WriteFile(folder + "/" + name + ".h",
            note + "#pragma once\n\n#include <cstdint>\n" +
                (is_types ? "#include <string_view>\n\n"
                          : "#include <string>\n#include <vector>\n\n"
                            "#include \"orrery/modelica/modelica_block.h\"\n"
                            "#include \"orrery/sdk/blocks/types.h\"\n"
                            "#include \"orrery/sdk/blocks/given.h\"\n\n") +
                "namespace " + space + " {\n\n" + texts.header + end);
  WriteFile(folder + "/" + name + ".cc",
            note + "#include \"orrery/sdk/blocks/" + name + ".h\"\n\n" +
                (is_types ? ""
                          : "#include "
                            "\"orrery/sdk/blocks/block_arguments.h\"\n\n") +
                "namespace " + space + " {\n\n" + texts.source + end);
}

void WriteList(const std::string& path) {
  std::string text;
  for (const LibraryDescription& block : DescribeAll()) {
    text += "ORRERY_BLOCK(" + modelica::CppPackageOf(block.name) +
            "::" + NameIn(block.name) + ", \"" + block.name + "\")\n";
  }
  WriteFile(path, text);
}

void WriteHandles(std::span<const std::string> arguments) {
  const std::string& folder = arguments.front();
  const std::set<std::string> names(arguments.begin() + 1, arguments.end());
  const std::map<std::string, Texts> packages = WriteAll();
  for (const auto& [name, texts] : packages) {
    if (!names.contains(name)) {
      FailToWrite("the library has a package that is not asked for: " + name +
                  "; list it in orrery/sdk/CMakeLists.txt");
    }
    WritePackage(folder, name, texts);
  }
  for (const std::string& name : names) {
    if (!packages.contains(name)) {
      FailToWrite("the library has no package " + name);
    }
  }
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 1) {
      orrery::WriteList(arguments.front());
    } else if (!arguments.empty()) {
      orrery::WriteHandles(arguments);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
