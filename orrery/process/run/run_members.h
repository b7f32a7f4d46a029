#pragma once

#include <memory>
#include <vector>

namespace orrery::process {

class Model;
class Resource;
class Stateful;

namespace internal {

class EventSource;
class Run;

/// The models of a run, and the members of these that take part in it.
class RunMembers {
 public:
  /// Copies of the states of cells, topics and other members in a snapshot.
  struct Saved {
    std::vector<std::shared_ptr<const void>> sources;
    std::vector<std::shared_ptr<const void>> members;
  };

  /// @throws Error kInvalidArgument if a model is in another run.
  explicit RunMembers(Model& root);

  [[nodiscard]] Model& root() const noexcept { return root_; }

  /// Tells all models and members that the run begins; these call Add.
  void Bind(Run& run);

  /// Tells them that it is over.
  void Unbind();

  void Add(EventSource& source) { sources_.push_back(&source); }

  void Add(Stateful& member) { members_.push_back(&member); }

  void Add(Resource& resource) { resources_.push_back(&resource); }

  [[nodiscard]] const std::vector<Resource*>& resources() const noexcept {
    return resources_;
  }

  /// Starts the models, owners before their parts.
  void Start();

  /// @throws Error kUnsupported for a member that cannot be copied.
  [[nodiscard]] Saved Save() const;

  void RestoreSources(const Saved& saved);

  /// Sets members other than cells to the states in which a run begins.
  void ResetMembers();

  void RestoreMembers(const Saved& saved);

 private:
  Model& root_;
  std::vector<EventSource*> sources_;  // Cells and topics.
  std::vector<Stateful*> members_;
  std::vector<Resource*> resources_;
};

}  // namespace internal
}  // namespace orrery::process
