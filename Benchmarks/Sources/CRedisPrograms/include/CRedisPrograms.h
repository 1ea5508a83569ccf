#ifndef C_REDIS_PROGRAMS_H
#define C_REDIS_PROGRAMS_H

#include <stddef.h>

// What a careful C program does with hiredis, to compare the cache with. All functions are for one thread at a time.

/// A connection to a server's socket, with the keys that it has.
struct redis_program;

/// Connects, and sorts the keys of the server by the level of a query: fields of the root, then each kind of record.
struct redis_program *redis_program_make(const char *path, const char *first_record);
/// Reads the keys of all levels, with one MGET for each. Returns the number of bytes.
long redis_program_read(struct redis_program *program);
/// Reads `count` records with one MGET, and writes them with one pipeline of as many SETs. Returns the number of bytes.
long redis_program_write(struct redis_program *program, size_t count);
/// The memory of all keys, as the server counts it.
long redis_program_memory(struct redis_program *program);
void redis_program_free(struct redis_program *program);

#endif
