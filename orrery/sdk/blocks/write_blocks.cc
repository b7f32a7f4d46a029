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

#include <algorithm>
#include <array>
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
#include "orrery/base/text/parse.h"
#include "orrery/modelica/library.h"

namespace orrery {
namespace {

using modelica::LibraryBlock;
using modelica::LibraryDescription;
using modelica::LibraryEnumeration;
using modelica::LibraryField;

constexpr std::string_view kTypes = "types";

constexpr std::array<std::string_view, 20> kReserved = {
    "and",     "auto",   "bool",   "case",  "char",   "class",   "const",
    "default", "delete", "double", "float", "int",    "long",    "new",
    "not",     "or",     "signed", "xor",   "switch", "operator"};

[[noreturn]] void Fail(const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, "cannot write blocks: " + message);
}

std::string NameIn(const std::string& name) {
  return std::string(LastPart(name));
}

// Puts a text on one line of a comment.
std::string Comment(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (text.ends_with('\\') || text.ends_with(' ')) {
    text.pop_back();
  }
  return text;
}

// "Gain [1]".
std::string MeaningOf(const LibraryField& field) {
  std::string text = field.meaning;
  if (!field.unit.empty()) {
    text += (text.empty() ? "[" : " [") + field.unit + "]";
  }
  return Comment(text);
}

// "Gain [1]; otherwise 2".
std::string MeaningWithDefaultOf(const LibraryField& field) {
  std::string text = MeaningOf(field);
  const std::string separator = text.empty() ? "" : "; ";
  if (!field.value.empty()) {
    text += separator + "otherwise " + field.value;
  } else if (!field.guess.empty()) {
    text += separator + "to be given, such as " + field.guess;
  }
  return Comment(text);
}

std::string NameOf(const LibraryField& field) {
  return field.name.substr(0, field.name.find('['));
}

bool IsEnumeration(const LibraryField& field) {
  return field.value_type.find('.') != std::string::npos;
}

// Returns the C++ type of the argument for a parameter.
std::string TypeOf(const LibraryField& field) {
  const std::map<std::string, std::string> scalars = {
      {"Real", "double"},
      {"Integer", "std::int64_t"},
      {"Boolean", "bool"},
      {"String", "std::string"}};
  const auto scalar = scalars.find(field.value_type);
  if (IsEnumeration(field) && field.num_dimensions == 0) {
    return "Given<blocks::" + NameIn(field.value_type) + ">";
  }
  if (scalar == scalars.end() || field.num_dimensions > 2 ||
      (field.num_dimensions == 2 && field.value_type != "Real") ||
      (field.num_dimensions > 0 && field.value_type == "String")) {
    Fail("no type for the parameter " + field.name + " of type " +
         (field.value_type.empty() ? field.type : field.value_type));
  }
  switch (field.num_dimensions) {
    case 0:
      return "Given<" + scalar->second + ">";
    case 1:
      return "std::vector<" + scalar->second + ">";
    default:
      return "std::vector<std::vector<" + scalar->second + ">>";
  }
}

/// Writes the class of one block.
class ClassWriter {
 public:
  explicit ClassWriter(const LibraryDescription& block)
      : block_(block), name_(NameIn(block.name)) {}

  void Write(std::string& header, std::string& source);

 private:
  // Returns the name of a member in C++.
  [[nodiscard]] std::string Member(const std::string& name) const {
    const bool is_taken =
        name == name_ || std::ranges::find(kReserved, name) != kReserved.end();
    return is_taken ? name + "_" : name;
  }

  void WriteArguments(std::string& header) const;
  void AddPort(const LibraryField& field, const char* kind);
  void AddMember(const std::string& name,
                 const std::string& kind,
                 const std::string& meaning);

  const LibraryDescription& block_;
  std::string name_;
  std::string members_;
  std::string initializers_;
  std::string methods_;
  std::string definitions_;
};

void ClassWriter::WriteArguments(std::string& header) const {
  header += "  /// Arguments given where the block is made.\n";
  header += "  struct Arguments {\n";
  for (const LibraryField& field : block_.parameters) {
    const std::string meaning = MeaningWithDefaultOf(field);
    if (!meaning.empty()) {
      header += "    /// " + meaning + "\n";
    }
    header += "    " + TypeOf(field) + " " + Member(NameOf(field)) + "{};\n";
  }
  header += "  };\n\n";
}

void ClassWriter::AddMember(const std::string& name,
                            const std::string& kind,
                            const std::string& meaning) {
  if (!meaning.empty()) {
    members_ += "  /// " + meaning + "\n";
  }
  members_ += "  " + kind + " " + Member(name) + ";\n";
  initializers_ += ",\n      " + Member(name) + "((*this)[\"" + name + "\"])";
}

void ClassWriter::AddPort(const LibraryField& field, const char* kind) {
  const std::string name = NameOf(field);
  if (field.condition.empty()) {
    AddMember(name, kind, MeaningOf(field));
    return;
  }
  methods_ += "  /// " + MeaningOf(field) + "\n";
  methods_ += "  /// @throws Error kInvalidArgument unless " +
              Comment(field.condition) + ".\n";
  methods_ +=
      "  [[nodiscard]] " + std::string(kind) + " " + Member(name) + "();\n\n";
  definitions_ += "Block::" + std::string(kind) + " " + name_ +
                  "::" + Member(name) + "() {\n  return " + kind +
                  "(sdk::internal::ConditionalPort(*this, \"" + name +
                  "\", \"" + Comment(field.condition) + "\"));\n}\n\n";
}

void ClassWriter::Write(std::string& header, std::string& source) {
  for (const LibraryField& field : block_.inputs) {
    AddPort(field, "Input");
  }
  for (const LibraryField& field : block_.outputs) {
    AddPort(field, "Output");
  }
  std::string arguments;
  for (const LibraryField& field : block_.parameters) {
    const std::string name = NameOf(field);
    arguments += "\n              .Add(\"" + name + "\", arguments." +
                 Member(name) + ")";
    if (field.num_dimensions == 0 && field.value_type != "String" &&
        field.condition.empty()) {
      AddMember(name, "Parameter", MeaningOf(field));
    }
  }
  header += "/// " + Comment(block_.meaning) + "\n///\n/// " + block_.name +
            "\nclass " + name_ + " : public ModelicaBlock {\n public:\n";
  WriteArguments(header);
  header += "  " + name_ + "();\n";
  header += "  explicit " + name_ + "(const Arguments& arguments);\n\n";
  header += methods_ + members_ + "};\n\n";
  source += name_ + "::" + name_ + "() : " + name_ + "(Arguments{}) {}\n\n";
  source += name_ + "::" + name_ + "(" +
            (block_.parameters.empty() ? "const Arguments& /*arguments*/"
                                       : "const Arguments& arguments") +
            ")\n    : ModelicaBlock(\n          \"" + block_.name +
            "\",\n          sdk::internal::BlockArguments()" + arguments +
            ".Take())" + initializers_ + " {}\n\n" + definitions_;
}

/// A header and its source.
struct Texts {
  std::string header;
  std::string source;
};

void WriteEnumeration(const LibraryEnumeration& type, Texts& texts) {
  const std::string name = NameIn(type.name);
  texts.header += "/// " + Comment(type.meaning) + "\n///\n/// " + type.name +
                  "\nenum class " + name + " : std::uint8_t {\n";
  texts.source += "std::string_view ModelicaName(" + name +
                  " value) noexcept {\n  switch (value) {\n";
  for (const LibraryBlock& literal : type.literals) {
    texts.header +=
        "  k" + literal.name + ",  ///< " + Comment(literal.meaning) + "\n";
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
      Fail("two blocks would be " + package + "::" + NameIn(block.name) +
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
      Fail("there is no enumeration " + name);
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
      Fail("the library has a package that is not asked for: " + name +
           "; list it in orrery/sdk/CMakeLists.txt");
    }
    WritePackage(folder, name, texts);
  }
  for (const std::string& name : names) {
    if (!packages.contains(name)) {
      Fail("the library has no package " + name);
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
