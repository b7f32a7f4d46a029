#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "orrery/process/cells/accumulator.h"
#include "orrery/process/cells/counter.h"
#include "orrery/process/cells/log.h"
#include "orrery/process/cells/map.h"
#include "orrery/process/cells/piecewise_linear.h"
#include "orrery/process/cells/polynomial_dynamics.h"
#include "orrery/process/cells/pool.h"
#include "orrery/process/cells/queue.h"
#include "orrery/process/cells/register.h"
#include "orrery/process/cells/set.h"
#include "orrery/process/cells/steps.h"
#include "orrery/process/cells/variable.h"
#include "orrery/process/model/cell.h"

/// Cells of the library's types, with a function for each effect.
namespace orrery::process {

template <>
class Cell<Accumulator> : public BasicCell<Accumulator> {
 public:
  using BasicCell::BasicCell;

  void Add(double amount) { Emit(Accumulator::Adding(amount)); }

  void Set(double level) { Emit(Accumulator::Setting(level)); }

  void AddRate(double per_second) { Emit(Accumulator::AddingRate(per_second)); }

  void SetRate(double per_second) {
    Emit(Accumulator::SettingRate(per_second));
  }
};

template <std::integral T>
class Cell<Counter<T>> : public BasicCell<Counter<T>> {
 public:
  using BasicCell<Counter<T>>::BasicCell;

  void Add(T number) { this->Emit(Counter<T>::Adding(number)); }
};

template <std::equality_comparable T>
class Cell<Register<T>> : public BasicCell<Register<T>> {
 public:
  using BasicCell<Register<T>>::BasicCell;

  void Set(T value) { this->Emit(Register<T>::Setting(std::move(value))); }
};

template <std::totally_ordered T>
class Cell<Log<T>> : public BasicCell<Log<T>> {
 public:
  using BasicCell<Log<T>>::BasicCell;

  void Append(T entry) { this->Emit(Log<T>::Appending(std::move(entry))); }
};

template <std::totally_ordered T>
class Cell<Set<T>> : public BasicCell<Set<T>> {
 public:
  using BasicCell<Set<T>>::BasicCell;

  void Insert(T element) { this->Emit(Set<T>::Inserting(std::move(element))); }

  void Erase(T element) { this->Emit(Set<T>::Erasing(std::move(element))); }
};

template <std::totally_ordered K, std::equality_comparable V>
class Cell<Map<K, V>> : public BasicCell<Map<K, V>> {
 public:
  using BasicCell<Map<K, V>>::BasicCell;

  void Put(K key, V value) {
    this->Emit(Map<K, V>::Putting(std::move(key), std::move(value)));
  }

  void Erase(K key) { this->Emit(Map<K, V>::Erasing(std::move(key))); }
};

template <std::size_t kDegree>
class Cell<PolynomialDynamics<kDegree>>
    : public BasicCell<PolynomialDynamics<kDegree>> {
 public:
  using BasicCell<PolynomialDynamics<kDegree>>::BasicCell;

  void Set(const Polynomial& curve) {
    this->Emit(PolynomialDynamics<kDegree>::Setting(curve));
  }

  void Add(const Polynomial& curve) {
    this->Emit(PolynomialDynamics<kDegree>::Adding(curve));
  }
};

template <std::totally_ordered T>
class Cell<Queue<T>> : public BasicCell<Queue<T>> {
 public:
  using BasicCell<Queue<T>>::BasicCell;

  void Push(T item) { this->Emit(Queue<T>::Pushing(std::move(item))); }

  void Pop(std::int64_t number = 1) { this->Emit(Queue<T>::Popping(number)); }
};

template <>
class Cell<Pool> : public BasicCell<Pool> {
 public:
  using BasicCell::BasicCell;

  void Acquire(std::int64_t units) { Emit(Pool::Acquiring(units)); }

  void Release(std::int64_t units) { Emit(Pool::Releasing(units)); }
};

template <std::copyable T, Concurrency kConcurrency, typename Same>
class Cell<Variable<T, kConcurrency, Same>>
    : public BasicCell<Variable<T, kConcurrency, Same>> {
 public:
  using Type = Variable<T, kConcurrency, Same>;
  using BasicCell<Type>::BasicCell;

  /// @param name is shown in logs.
  /// @param function keeps what it needs by value; see Variable.
  void Change(std::string_view name, typename Type::Function function) {
    this->Emit(Type::Changing(name, std::move(function)));
  }

  void Set(T value) { this->Emit(Type::Setting(std::move(value))); }
};

}  // namespace orrery::process
