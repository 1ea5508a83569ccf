#include "CRedisPrograms.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <string.h>

struct level {
  int count;
  const char **words;
  size_t *sizes;
};

struct redis_program {
  redisContext *context;
  redisReply *keys;
  // The fields of the root, the first record, the others.
  struct level levels[3];
};

static int level_of(const redisReply *key, const char *first_record) {
  if (strstr(key->str, "}:f:")) return 0;
  if (!strstr(key->str, "}:r:")) return -1;
  size_t length = strlen(first_record);
  return key->len > length && !memcmp(key->str + key->len - length, first_record, length) ? 1 : 2;
}

struct redis_program *redis_program_make(const char *path, const char *first_record) {
  struct redis_program *program = calloc(1, sizeof *program);
  program->context = redisConnectUnix(path);
  if (!program->context || program->context->err) return NULL;
  program->keys = redisCommand(program->context, "KEYS *");
  for (int level = 0; level < 3; level++) {
    struct level *own = &program->levels[level];
    own->words = calloc(program->keys->elements + 1, sizeof *own->words);
    own->sizes = calloc(program->keys->elements + 1, sizeof *own->sizes);
    own->words[0] = "MGET";
    own->sizes[0] = 4;
    own->count = 1;
    for (size_t index = 0; index < program->keys->elements; index++) {
      const redisReply *key = program->keys->element[index];
      if (level_of(key, first_record) != level) continue;
      own->words[own->count] = key->str;
      own->sizes[own->count++] = key->len;
    }
  }
  return program;
}

static long size_of(const redisReply *reply) {
  long sum = 0;
  for (size_t index = 0; index < reply->elements; index++) sum += (long)reply->element[index]->len;
  return sum;
}

long redis_program_read(struct redis_program *program) {
  long sum = 0;
  for (int level = 0; level < 3; level++) {
    struct level *own = &program->levels[level];
    redisReply *reply = redisCommandArgv(program->context, own->count, own->words, own->sizes);
    if (!reply) return -1;
    sum += size_of(reply);
    freeReplyObject(reply);
  }
  return sum;
}

long redis_program_write(struct redis_program *program, size_t count) {
  struct level *own = &program->levels[2];
  if ((size_t)own->count <= count) return -1;
  redisReply *reply = redisCommandArgv(program->context, (int)count + 1, own->words, own->sizes);
  if (!reply) return -1;
  long sum = size_of(reply);
  for (size_t index = 0; index < count; index++) {
    const char *words[] = {"SET", own->words[index + 1], reply->element[index]->str};
    const size_t sizes[] = {3, own->sizes[index + 1], reply->element[index]->len};
    redisAppendCommandArgv(program->context, 3, words, sizes);
  }
  for (size_t index = 0; index < count; index++) {
    void *done = NULL;
    if (redisGetReply(program->context, &done) != REDIS_OK) return -1;
    freeReplyObject(done);
  }
  freeReplyObject(reply);
  return sum;
}

long redis_program_memory(struct redis_program *program) {
  long sum = 0;
  for (size_t index = 0; index < program->keys->elements; index++) {
    redisReply *key = program->keys->element[index];
    redisReply *reply = redisCommand(program->context, "MEMORY USAGE %b SAMPLES 0", key->str, key->len);
    if (reply && reply->type == REDIS_REPLY_INTEGER) sum += (long)reply->integer;
    if (reply) freeReplyObject(reply);
  }
  return sum;
}

void redis_program_free(struct redis_program *program) {
  if (!program) return;
  for (int level = 0; level < 3; level++) {
    free(program->levels[level].words);
    free(program->levels[level].sizes);
  }
  freeReplyObject(program->keys);
  redisFree(program->context);
  free(program);
}
