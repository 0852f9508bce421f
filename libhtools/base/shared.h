// Defines a value that copies share until one of them is edited.
#pragma once

#include <memory>
#include <utility>

namespace htools {

// A value of type T whose copies cost almost nothing. Reading goes through `->` and `*`. edit() returns a reference for
// changes, which the other copies do not see. It must not be used by several threads at the same time.
template <class T>
class Shared {
 public:
  Shared() : value_(std::make_shared<T>()) {}
  explicit Shared(T value) : value_(std::make_shared<T>(std::move(value))) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }

  // Returns the value for changes, after copying it if it is shared. The reference must not be used after this object
  // is copied.
  T& edit() {
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }

  friend void swap(Shared& a, Shared& b) noexcept { a.value_.swap(b.value_); }

 private:
  std::shared_ptr<T> value_;
};

}  // namespace htools
