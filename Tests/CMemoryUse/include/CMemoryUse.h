#pragma once

#include <stddef.h>

/// The bytes that the allocator has handed out and not got back, or 0 where it cannot be asked.
size_t allocated_byte_count(void);
