#include "CAllocationCounter.h"

#include <errno.h>
#if defined(__linux__)
#include <malloc.h>
#endif
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

void benchmark_keep(const void *value) { (void)value; }

void allocator_give_back(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

bool allocator_use_fast_bins(bool are_used) {
#if defined(__GLIBC__)
  return mallopt(M_MXFAST, are_used ? (int)(64 * sizeof(size_t) / 4) : 0) == 1;  // the default, or none
#else
  (void)are_used;
  return false;
#endif
}

#if defined(__GLIBC__)

// The executable's own `malloc` and its kin come before glibc's for every library of the process. They count while
// asked to, then call the allocator under its other name. Timing runs do not count: they pay one predictable branch.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_bool counting;
static _Atomic uint64_t allocations;
static _Atomic uint64_t bytes;

static void count(size_t size) {
  if (atomic_load_explicit(&counting, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
  }
}

void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count(size);
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  count(size);
  void *made = __libc_memalign(alignment, size);
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}

bool allocation_counter_is_available(void) { return true; }

void allocation_counter_start(void) {
  atomic_store(&allocations, 0);
  atomic_store(&bytes, 0);
  atomic_store(&counting, true);
}

struct allocation_counts allocation_counter_stop(void) {
  atomic_store(&counting, false);
  struct allocation_counts counts = {atomic_load(&allocations), atomic_load(&bytes)};
  return counts;
}

#else

bool allocation_counter_is_available(void) { return false; }

void allocation_counter_start(void) {}

struct allocation_counts allocation_counter_stop(void) {
  struct allocation_counts counts = {0, 0};
  return counts;
}

#endif
