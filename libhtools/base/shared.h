// A value that copies have in common until one of them is edited.
#pragma once

#include <memory>
#include <utility>

namespace htools {

// Behaves like a value of type T whose copies cost nothing. Reading goes through `->`; edit() gives a reference to
// change, after which the other copies still have the old value. Not for use by several threads at a time.
template <class T>
class Shared {
 public:
  Shared() : value_(std::make_shared<T>()) {}
  explicit Shared(T value) : value_(std::make_shared<T>(std::move(value))) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }

  // Invalidated by the next copy of this object.
  T& edit() {
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }

 private:
  std::shared_ptr<T> value_;
};

}  // namespace htools
