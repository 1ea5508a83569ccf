#ifndef C_SIMDJSON_H
#define C_SIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether simdjson was installed when this was compiled.
bool simdjson_is_available(void);

/// A response with the padding that simdjson reads into, and a parser that is kept warm. Lives as long as the process.
struct simdjson_input *simdjson_input_make(const char *bytes, size_t count);

/// Each decodes one response into structs that own their strings, and returns whether that worked.
bool simdjson_decode_small(struct simdjson_input *input);
bool simdjson_decode_github(struct simdjson_input *input);
bool simdjson_decode_friends(struct simdjson_input *input);
bool simdjson_decode_feed(struct simdjson_input *input);

/// Each decodes one response and returns a digest of its contents, or 0 when that fails.
uint64_t simdjson_digest_small(struct simdjson_input *input);
uint64_t simdjson_digest_github(struct simdjson_input *input);
uint64_t simdjson_digest_friends(struct simdjson_input *input);
uint64_t simdjson_digest_feed(struct simdjson_input *input);

#endif
