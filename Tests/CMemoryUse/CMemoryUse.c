#include "CMemoryUse.h"

#ifdef __linux__
#include <malloc.h>
#endif

size_t allocated_byte_count(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}
