import CAllocationCounter

/// Uses `value` in a way that the optimizer cannot see through, so that the work behind it is not
/// removed.
@inline(never)
func keep<T>(_ value: T) {
  withUnsafePointer(to: value) { benchmark_keep($0) }
}
