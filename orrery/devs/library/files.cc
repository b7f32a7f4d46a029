#include "orrery/devs/library/files.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <system_error>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/text/parse.h"

namespace orrery::devs {
namespace {

std::string_view Trimmed(std::string_view text) {
  return Trim(text, " \t\r");
}

// The place of a line, for messages.
struct LineOfFile {
  std::string_view file;
  int line;
};

[[noreturn]] void Refuse(const LineOfFile& place, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot read " + std::string(place.file) + ", line " +
                  std::to_string(place.line) + ": " + why);
}

FileSource::Sample SampleIn(std::string_view line, const LineOfFile& place) {
  const auto comma = line.find(',');
  const auto time = ParseDecimal(Trimmed(line.substr(0, comma)));
  const auto value = comma == std::string_view::npos
                         ? std::nullopt
                         : ParseDecimal(Trimmed(line.substr(comma + 1)));
  if (!time || !value) {
    Refuse(place,
           "'" + std::string(line) +
               "' is not a time and a value; write it as 'time,value'");
  }
  if (!(*time >= 0) || *time > 9.2e9) {
    Refuse(place,
           "'" + std::string(line) +
               "' has a time that is not between 0 and 9.2e9 s; mend it");
  }
  return {.time = ToDuration(*time), .value = *value};
}

bool IsHeading(std::string_view line) {
  return !ParseDecimal(Trimmed(line.substr(0, line.find(','))));
}

}  // namespace

FileSource::FileSource(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  // A device may never end, and a pipe may never begin.
  if (std::filesystem::exists(status) &&
      !std::filesystem::is_regular_file(status)) {
    throw Error(ErrorCode::kIo,
                "cannot read " + path.string() +
                    ": it is a folder, a pipe or a device; write what comes "
                    "from it to a file, and name that");
  }
  std::ifstream file(path);
  if (!file) {
    throw Error(ErrorCode::kIo,
                "cannot read " + path.string() +
                    ": it cannot be opened; check its name and permissions");
  }
  Read(file, path.string());
}

FileSource::FileSource(std::istream& text, std::string_view name) {
  Read(text, name);
}

void FileSource::Read(std::istream& text, std::string_view name) {
  std::string buffer;
  for (int number = 1; std::getline(text, buffer); ++number) {
    const std::string_view line = Trimmed(buffer);
    if (line.empty() || (number == 1 && IsHeading(line))) {
      continue;
    }
    const LineOfFile place{name, number};
    const Sample sample = SampleIn(line, place);
    if (!samples_.empty() && sample.time < samples_.back().time) {
      Refuse(place,
             "its time, " + ToText(sample.time) + ", lies before " +
                 ToText(samples_.back().time) +
                 " of the line before; sort the lines by time");
    }
    samples_.push_back(sample);
  }
}

std::size_t FileSource::EndOfInstant(std::size_t first) const {
  std::size_t end = first;
  while (end < samples_.size() && samples_[end].time == samples_[first].time) {
    ++end;
  }
  return end;
}

Duration FileSource::TimeAdvance(const State& s) const {
  return s.next < samples_.size() ? samples_[s.next].time - s.clock : kPassive;
}

void FileSource::Output(const State& s, Bag& y) const {
  for (std::size_t i = s.next; i < EndOfInstant(s.next); ++i) {
    y.Send(out, samples_[i].value);
  }
}

void FileSource::Internal(State& s) const {
  s.clock = samples_[s.next].time;
  s.next = EndOfInstant(s.next);
}

void FileSink::External(State& s, Duration elapsed, const Bag& x) const {
  s.clock += elapsed;
  for (const double value : x[in]) {
    s.samples.push_back({s.clock, value});
  }
}

void FileSink::Describe(const State& s, Record& record) const {
  record.Add("count", s.samples.size());
}

void FileSink::Save(const State& s) const {
  std::ofstream file(path_);
  Write(s, file);
  file.close();
  if (!file) {
    throw Error(ErrorCode::kIo,
                "cannot write " + path_.string() +
                    ": it cannot be opened or is cut off; check the folder, "
                    "its permissions and the space on the disk");
  }
}

void FileSink::Write(const State& s, std::ostream& out) {
  out << "time,value\n";
  for (const auto& sample : s.samples) {
    out << SecondsText(sample.time) << ',' << ShortestText(sample.value)
        << '\n';
  }
}

}  // namespace orrery::devs
