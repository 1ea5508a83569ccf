#ifndef C_ALLOCATION_COUNTER_H
#define C_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// What the process asked of the allocator between `allocation_counter_start` and `allocation_counter_stop`.
struct allocation_counts {
  /// Calls that made or resized a block, on any thread.
  uint64_t allocations;
  /// The sum of the sizes asked for.
  uint64_t bytes;
};

/// Whether this platform can count: glibc lets a program put itself before its allocator.
bool allocation_counter_is_available(void);

/// Sets the counts to zero and starts counting.
void allocation_counter_start(void);

/// Stops counting and returns the counts.
struct allocation_counts allocation_counter_stop(void);

/// Gives the memory that was freed back to the system, where the allocator can be asked to.
void allocator_give_back(void);

/// Turns glibc's fast bins on or off: the lists in which it keeps small freed blocks until it merges all of them at once.
/// Returns whether the allocator has such lists.
bool allocator_use_fast_bins(bool are_used);

/// Makes the compiler believe that someone reads what `value` points to.
void benchmark_keep(const void *value);

#endif
