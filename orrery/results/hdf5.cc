#include "orrery/results/hdf5.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/results/derivatives.h"
#include "orrery/results/hdf5_library.h"

namespace orrery {

namespace internal = results::internal;
using internal::Hdf5;

namespace {

constexpr const char* kFormat = "orrery trajectory 1";

// The flags of files, whose names in hdf5.h are calls of the library.
constexpr unsigned kReadOnly = 0;
constexpr unsigned kOverwrite = 2;

// The C library keeps state of its own and may be built without locks.
std::mutex& LibraryMutex() {
  static std::mutex mutex;
  return mutex;
}

// Keeps the library from printing errors while it lives.
class QuietErrors {
 public:
  QuietErrors() {
    Hdf5().H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    Hdf5().H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }

  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

  ~QuietErrors() { Hdf5().H5Eset_auto2(H5E_DEFAULT, function_, data_); }

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// The innermost reason of the library's last error.
std::string LibraryReason() {
  std::string reason;
  Hdf5().H5Ewalk2(
      H5E_DEFAULT,
      H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* error, void* out) -> herr_t {
        if (depth == 0 && error->desc != nullptr) {
          *static_cast<std::string*>(out) = error->desc;
        }
        return 0;
      },
      &reason);
  return reason.empty() ? "the HDF5 library gives no reason"
                        : "the HDF5 library says: " + reason;
}

// The action that failed, for messages: "write" or "read", and the path.
struct Task {
  const char* verb;
  const std::string& path;

  [[noreturn]] void Fail(const std::string& why) const {
    throw Error(ErrorCode::kIo,
                std::string("cannot ") + verb + " '" + path + "': " + why);
  }

  // Throws if `result` is an error of the library.
  void Check(std::int64_t result) const {
    if (result < 0) {
      Fail(LibraryReason());
    }
  }

  template <typename T>
  [[nodiscard]] T Checked(T result) const {
    Check(result);
    return result;
  }
};

// Owns an object of the library.
class Handle {
 public:
  Handle(const Task& task, hid_t id, herr_t (*close)(hid_t))
      : id_(task.Checked(id)), close_(close) {}

  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  ~Handle() {
    if (id_ >= 0) {
      close_(id_);
    }
  }

  [[nodiscard]] hid_t id() const { return id_; }

  // Closes it now, and throws if that fails.
  void Close(const Task& task) { task.Check(close_(std::exchange(id_, -1))); }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// '/' separates groups in HDF5; U+2215 looks like it.
constexpr std::string_view kSlash = "\u2215";

std::string LinkName(std::string name) {
  for (std::size_t i = 0; (i = name.find('/', i)) != std::string::npos;) {
    name.replace(i, 1, kSlash);
  }
  return name;
}

std::string SignalName(std::string link) {
  for (std::size_t i = 0; (i = link.find(kSlash, i)) != std::string::npos;) {
    link.replace(i, kSlash.size(), "/");
  }
  return link;
}

const char* NameOf(SignalVariability variability) {
  switch (variability) {
    case SignalVariability::kConstant:
      return "constant";
    case SignalVariability::kDiscrete:
      return "discrete";
    case SignalVariability::kContinuous:
      break;
  }
  return "continuous";
}

class Writer {
 public:
  Writer(const std::string& path, const Trajectory& run)
      : task_{"write", path},
        run_(run),
        creation_(task_,
                  Hdf5().H5Pcreate(*Hdf5().H5P_CLS_FILE_CREATE_ID_g),
                  Hdf5().H5Pclose),
        file_(task_, Create(path), Hdf5().H5Fclose) {}

  void Write(std::span<const std::size_t> signals) {
    WriteText(file_.id(), "format", kFormat);
    WriteValues("time", run_.time(), {.name = "time", .unit = "s"});
    for (const std::size_t index : signals) {
      WriteSignal(index);
    }
    file_.Close(task_);
  }

 private:
  // Creates a file that stores the order of creation of datasets.
  hid_t Create(const std::string& path) {
    task_.Check(Hdf5().H5Pset_link_creation_order(
        creation_.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    return Hdf5().H5Fcreate(
        path.c_str(), kOverwrite, creation_.id(), H5P_DEFAULT);
  }

  void WriteSignal(std::size_t index) {
    const SignalInfo& info = run_.signals()[index];
    const Signal signal = run_.signal(index);
    const std::string link = LinkName(info.name);
    if (info.column == SignalInfo::kNone) {
      const double value = run_.rows() == 0 ? info.constant : signal[0];
      WriteDataset(link, Hdf5().H5Screate(H5S_SCALAR), &value, info);
      return;
    }
    const auto [first, is_new] = links_.emplace(std::tuple(info.column,
                                                           info.negated,
                                                           info.unit,
                                                           info.description,
                                                           info.variability),
                                                link);
    if (is_new) {
      WriteValues(link, signal.values(), info);
    } else {
      task_.Check(Hdf5().H5Lcreate_hard(file_.id(),
                                        first->second.c_str(),
                                        file_.id(),
                                        link.c_str(),
                                        H5P_DEFAULT,
                                        H5P_DEFAULT));
    }
  }

  void WriteValues(const std::string& link,
                   std::span<const double> values,
                   const SignalInfo& info) {
    const hsize_t size = values.size();
    WriteDataset(
        link, Hdf5().H5Screate_simple(1, &size, nullptr), values.data(), info);
  }

  void WriteDataset(const std::string& link,
                    hid_t space_id,
                    const double* values,
                    const SignalInfo& info) {
    const Handle space(task_, space_id, Hdf5().H5Sclose);
    const Handle dataset(task_,
                         Hdf5().H5Dcreate2(file_.id(),
                                           link.c_str(),
                                           *Hdf5().H5T_IEEE_F64LE_g,
                                           space.id(),
                                           H5P_DEFAULT,
                                           H5P_DEFAULT,
                                           H5P_DEFAULT),
                         Hdf5().H5Dclose);
    task_.Check(Hdf5().H5Dwrite(dataset.id(),
                                *Hdf5().H5T_NATIVE_DOUBLE_g,
                                H5S_ALL,
                                H5S_ALL,
                                H5P_DEFAULT,
                                values));
    WriteText(dataset.id(), "unit", info.unit);
    WriteText(dataset.id(), "description", info.description);
    WriteText(dataset.id(), "variability", NameOf(info.variability));
  }

  // Writes a text of variable length, which h5py reads as `str`; others it
  // reads as `bytes`.
  void WriteText(hid_t object, const char* name, const std::string& text) {
    const Handle type(
        task_, Hdf5().H5Tcopy(*Hdf5().H5T_C_S1_g), Hdf5().H5Tclose);
    task_.Check(Hdf5().H5Tset_size(type.id(), H5T_VARIABLE));
    task_.Check(Hdf5().H5Tset_cset(type.id(), H5T_CSET_UTF8));
    const Handle space(task_, Hdf5().H5Screate(H5S_SCALAR), Hdf5().H5Sclose);
    const Handle attribute(
        task_,
        Hdf5().H5Acreate2(
            object, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
        Hdf5().H5Aclose);
    const char* const pointer = text.c_str();
    task_.Check(Hdf5().H5Awrite(attribute.id(), type.id(), &pointer));
  }

  Task task_;
  const Trajectory& run_;
  Handle creation_;
  Handle file_;
  std::map<std::tuple<int, bool, std::string, std::string, SignalVariability>,
           std::string>
      links_;  // The dataset of a column with its attributes.
};

class Reader {
 public:
  explicit Reader(const std::string& path)
      : task_{"read", path},
        file_(task_,
              Hdf5().H5Fopen(path.c_str(), kReadOnly, H5P_DEFAULT),
              Hdf5().H5Fclose),
        file_size_(std::filesystem::file_size(path)) {}

  Trajectory Read() {
    if (ReadText(file_.id(), "format") != kFormat) {
      task_.Fail("it is no trajectory that orrery wrote");
    }
    const std::vector<std::string> links = Links();
    const std::vector<double> time = ReadTime();
    for (const std::string& link : links) {
      if (link != "time") {
        ReadSignal(link, time.size());
      }
    }
    internal::LinkDerivatives(signals_);
    TrajectoryBuilder builder(std::move(signals_));
    builder.Reserve(time.size());
    std::vector<double> row(columns_.size());
    for (std::size_t i = 0; i < time.size(); ++i) {
      for (std::size_t c = 0; c < row.size(); ++c) {
        row[c] = columns_[c][i];
      }
      builder.Append(time[i], row);
    }
    return builder.Take();
  }

 private:
  // The links in the order of creation.
  std::vector<std::string> Links() {
    H5G_info_t info = {};
    task_.Check(Hdf5().H5Gget_info(file_.id(), &info));
    std::vector<std::string> links;
    for (hsize_t i = 0; i < info.nlinks; ++i) {
      char* const none = nullptr;
      const auto length = task_.Checked(NameByIndex(i, none, 0));
      std::string name(static_cast<std::size_t>(length) + 1, '\0');
      task_.Check(NameByIndex(i, name.data(), name.size()));
      name.pop_back();
      links.push_back(std::move(name));
    }
    return links;
  }

  ssize_t NameByIndex(hsize_t i, char* name, std::size_t size) {
    return Hdf5().H5Lget_name_by_idx(file_.id(),
                                     ".",
                                     H5_INDEX_CRT_ORDER,
                                     H5_ITER_INC,
                                     i,
                                     name,
                                     size,
                                     H5P_DEFAULT);
  }

  std::vector<double> ReadTime() {
    const Handle dataset = OpenDataset("time");
    std::vector<double> time = ReadValues(dataset);
    for (std::size_t i = 0; i < time.size(); ++i) {
      if (!std::isfinite(time[i]) || (i > 0 && time[i] < time[i - 1])) {
        task_.Fail("its times do not increase at row " + std::to_string(i + 1));
      }
    }
    return time;
  }

  Handle OpenDataset(const std::string& link) {
    return {task_,
            Hdf5().H5Dopen2(file_.id(), link.c_str(), H5P_DEFAULT),
            Hdf5().H5Dclose};
  }

  void ReadSignal(const std::string& link, std::size_t rows) {
    const Handle dataset = OpenDataset(link);
    SignalInfo signal;
    signal.name = SignalName(link);
    signal.unit = ReadText(dataset.id(), "unit");
    signal.description = ReadText(dataset.id(), "description");
    const std::string variability = ReadText(dataset.id(), "variability");
    for (const auto known :
         {SignalVariability::kConstant, SignalVariability::kDiscrete}) {
      if (variability == NameOf(known)) {
        signal.variability = known;
      }
    }
    const Handle space(
        task_, Hdf5().H5Dget_space(dataset.id()), Hdf5().H5Sclose);
    if (Hdf5().H5Sget_simple_extent_ndims(space.id()) == 0) {
      signal.variability = SignalVariability::kConstant;
      signal.constant = ReadValues(dataset).at(0);
    } else {
      signal.column = ReadColumn(dataset);
      if (columns_[static_cast<std::size_t>(signal.column)].size() != rows) {
        task_.Fail("'" + signal.name + "' is not as long as 'time'");
      }
    }
    signals_.push_back(std::move(signal));
  }

  // Reads a dataset. One that was read before under another name is the same
  // column.
  int ReadColumn(const Handle& dataset) {
    H5O_info_t info = {};
    task_.Check(Hdf5().H5Oget_info2(dataset.id(), &info, H5O_INFO_BASIC));
    const auto [found, is_new] =
        column_at_.emplace(info.addr, static_cast<int>(columns_.size()));
    if (is_new) {
      columns_.push_back(ReadValues(dataset));
    }
    return found->second;
  }

  std::vector<double> ReadValues(const Handle& dataset) {
    // Deflate, the densest filter in use, compresses by a factor of 1032 at
    // most.
    constexpr std::uintmax_t kMostGain = 1032;
    const Handle space(
        task_, Hdf5().H5Dget_space(dataset.id()), Hdf5().H5Sclose);
    const auto count =
        task_.Checked(Hdf5().H5Sget_simple_extent_npoints(space.id()));
    const auto size = static_cast<std::size_t>(count);
    if (size / kMostGain * sizeof(double) > file_size_) {
      task_.Fail("it is damaged: a dataset is larger than the file can hold");
    }
    std::vector<double> values(size);
    task_.Check(Hdf5().H5Dread(dataset.id(),
                               *Hdf5().H5T_NATIVE_DOUBLE_g,
                               H5S_ALL,
                               H5S_ALL,
                               H5P_DEFAULT,
                               values.data()));
    return values;
  }

  // Empty if there is no such attribute, or if it is not one text.
  std::string ReadText(hid_t object, const char* name) {
    if (Hdf5().H5Aexists(object, name) <= 0) {
      return {};
    }
    const Handle attribute(
        task_, Hdf5().H5Aopen(object, name, H5P_DEFAULT), Hdf5().H5Aclose);
    const Handle type(
        task_, Hdf5().H5Aget_type(attribute.id()), Hdf5().H5Tclose);
    const Handle space(
        task_, Hdf5().H5Aget_space(attribute.id()), Hdf5().H5Sclose);
    if (Hdf5().H5Tis_variable_str(type.id()) <= 0 ||
        Hdf5().H5Sget_simple_extent_npoints(space.id()) != 1) {
      return {};
    }
    char* read = nullptr;
    task_.Check(Hdf5().H5Aread(attribute.id(), type.id(), &read));
    std::string text = read == nullptr ? "" : read;
    Hdf5().H5free_memory(read);
    return text;
  }

  Task task_;
  Handle file_;
  std::uintmax_t file_size_;
  std::vector<SignalInfo> signals_;
  std::vector<std::vector<double>> columns_;
  std::map<haddr_t, int> column_at_;
};

}  // namespace

void WriteHdf5(const std::string& path,
               const Trajectory& run,
               std::span<const std::size_t> signals) {
  const std::lock_guard lock(LibraryMutex());
  const QuietErrors quiet;
  Writer(path, run).Write(signals);
}

Trajectory ReadHdf5(const std::string& path) {
  const std::lock_guard lock(LibraryMutex());
  const QuietErrors quiet;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    Task{"read", path}.Fail("there is no such file");
  }
  return Reader(path).Read();
}

}  // namespace orrery
