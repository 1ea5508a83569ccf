// An HTTP server that answers from memory, for measurements of clients on the same machine.
//
//   loopback-server NAME=FILE…
//
// Prints its port and ends when its standard input does. `/NAME` is answered with the bytes of FILE. `/hold` is answered
// when another connection asks for `/release`, which, like `/held`, is answered with the number of requests that are held.
// `/sink` drops the body of its request while it arrives, however long it is.
#ifdef __linux__
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct response {
  char *bytes;
  size_t count;
};

struct file {
  const char *name;
  size_t name_count;
  struct response response;
};

struct connection {
  int descriptor;
  bool waits_for_room;
  // The request that is being read.
  char *input;
  size_t input_count, input_capacity;
  // The bytes of a body that have not arrived and are of no interest.
  size_t dropped_count;
  // The response that is being written.
  const struct response *output;
  size_t output_offset;
  bool is_held;
  struct connection *next_held, *previous_held;
};

static struct file *files;
static int file_count;
static int epoll;
static struct connection *held;
static int held_count;
static const struct response not_found = {"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 45};
static struct response null_response;
static struct response number;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static struct response response_of(const char *body, size_t count) {
  struct response response = {malloc(count + 128), 0};
  if (!response.bytes) fail("malloc");
  response.count = (size_t)sprintf(
      response.bytes, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", count);
  memcpy(response.bytes + response.count, body, count);
  response.count += count;
  return response;
}

static struct response response_of_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path);
  char *bytes = NULL;
  size_t count = 0, capacity = 0, read;
  do {
    if (count == capacity) bytes = realloc(bytes, capacity = capacity ? 2 * capacity : 1 << 16);
    if (!bytes) fail("realloc");
    count += read = fread(bytes + count, 1, capacity - count, file);
  } while (read > 0);
  fclose(file);
  struct response response = response_of(bytes, count);
  free(bytes);
  return response;
}

static void hold(struct connection *connection) {
  connection->is_held = true;
  connection->previous_held = NULL;
  connection->next_held = held;
  if (held) held->previous_held = connection;
  held = connection;
  held_count++;
}

static void stop_holding(struct connection *connection) {
  if (!connection->is_held) return;
  connection->is_held = false;
  if (connection->previous_held) connection->previous_held->next_held = connection->next_held;
  else held = connection->next_held;
  if (connection->next_held) connection->next_held->previous_held = connection->previous_held;
  held_count--;
}

static void set_events(struct connection *connection, int operation, uint32_t events) {
  struct epoll_event event = {.events = events, .data = {.ptr = connection}};
  if (epoll_ctl(epoll, operation, connection->descriptor, &event) < 0) fail("epoll_ctl");
}

static void end(struct connection *connection) {
  stop_holding(connection);
  close(connection->descriptor);
  free(connection->input);
  free(connection);
}

// Returns whether the connection is still alive.
static bool write_output(struct connection *connection) {
  while (connection->output) {
    const struct response *response = connection->output;
    ssize_t count = send(
        connection->descriptor, response->bytes + connection->output_offset, response->count - connection->output_offset,
        MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      if (!connection->waits_for_room) set_events(connection, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
      connection->waits_for_room = true;
      return true;
    }
    if (count < 0) return false;
    connection->output_offset += (size_t)count;
    if (connection->output_offset == response->count) connection->output = NULL;
  }
  if (connection->waits_for_room) set_events(connection, EPOLL_CTL_MOD, EPOLLIN);
  connection->waits_for_room = false;
  return true;
}

static bool respond(struct connection *connection, const struct response *response) {
  connection->output = response;
  connection->output_offset = 0;
  return write_output(connection);
}

static bool respond_with_number(struct connection *connection, int value) {
  char text[32];
  free(number.bytes);
  number = response_of(text, (size_t)sprintf(text, "%d", value));
  return respond(connection, &number);
}

static bool answer(struct connection *connection, const char *path, size_t count) {
  if (count == 4 && !memcmp(path, "hold", 4)) {
    hold(connection);
    return true;
  }
  if (count == 4 && !memcmp(path, "held", 4)) return respond_with_number(connection, held_count);
  if (count == 7 && !memcmp(path, "release", 7)) {
    int released = held_count;
    while (held) {
      struct connection *other = held;
      stop_holding(other);
      // A connection that is broken reports that to epoll.
      respond(other, &null_response);
    }
    return respond_with_number(connection, released);
  }
  for (int index = 0; index < file_count; index++) {
    if (files[index].name_count == count && !memcmp(files[index].name, path, count)) {
      return respond(connection, &files[index].response);
    }
  }
  return respond(connection, &not_found);
}

// Answers the requests that have been read as a whole. Returns whether the connection is still alive.
static bool answer_requests(struct connection *connection) {
  while (!connection->output && !connection->is_held) {
    if (connection->dropped_count) {
      size_t count = connection->input_count < connection->dropped_count ? connection->input_count : connection->dropped_count;
      connection->input_count -= count;
      memmove(connection->input, connection->input + count, connection->input_count);
      connection->dropped_count -= count;
      if (connection->dropped_count) return true;
      if (!respond(connection, &null_response)) return false;
      continue;
    }
    char *head_end = memmem(connection->input, connection->input_count, "\r\n\r\n", 4);
    if (!head_end) return true;
    size_t head_count = (size_t)(head_end - connection->input) + 4, body_count = 0;
    *head_end = 0;
    char *length = strcasestr(connection->input, "\r\nContent-Length:");
    *head_end = '\r';
    if (length) body_count = strtoul(length + 17, NULL, 10);
    char *path = memchr(connection->input, '/', head_count);
    if (!path) return false;
    path++;
    if (!strncmp(path, "sink ", 5) && body_count) {
      connection->dropped_count = body_count;
      connection->input_count -= head_count;
      memmove(connection->input, connection->input + head_count, connection->input_count);
      continue;
    }
    if (connection->input_count < head_count + body_count) return true;
    if (!answer(connection, path, strcspn(path, " ?\r"))) return false;
    connection->input_count -= head_count + body_count;
    memmove(connection->input, connection->input + head_count + body_count, connection->input_count);
  }
  return true;
}

static bool read_input(struct connection *connection) {
  while (true) {
    if (connection->input_capacity - connection->input_count < 4096) {
      connection->input_capacity = connection->input_capacity ? 2 * connection->input_capacity : 8192;
      connection->input = realloc(connection->input, connection->input_capacity);
      if (!connection->input) fail("realloc");
    }
    size_t room = connection->input_capacity - connection->input_count;
    ssize_t count = recv(connection->descriptor, connection->input + connection->input_count, room, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    if (count == 0) return false;
    connection->input_count += (size_t)count;
    if (!answer_requests(connection)) return false;
    if ((size_t)count < room) return true;
  }
}

static void accept_connections(int listener) {
  int descriptor;
  while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection) fail("calloc");
    connection->descriptor = descriptor;
    set_events(connection, EPOLL_CTL_ADD, EPOLLIN);
  }
}

static int make_listener(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 4096) < 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) < 0) {
    fail("socket");
  }
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return listener;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  files = calloc((size_t)argc, sizeof *files);
  for (int index = 1; index < argc; index++) {
    char *equals = strchr(argv[index], '=');
    if (!equals) continue;
    files[file_count++] = (struct file){argv[index], (size_t)(equals - argv[index]), response_of_file(equals + 1)};
  }
  null_response = response_of("{\"data\":{\"hero\":null}}", 22);

  epoll = epoll_create1(EPOLL_CLOEXEC);
  int listener = make_listener();
  struct connection listening = {.descriptor = listener}, input = {.descriptor = STDIN_FILENO};
  set_events(&listening, EPOLL_CTL_ADD, EPOLLIN);
  set_events(&input, EPOLL_CTL_ADD, EPOLLIN);
  while (true) {
    struct epoll_event events[256];
    int count = epoll_wait(epoll, events, 256, -1);
    for (int index = 0; index < count; index++) {
      struct connection *connection = events[index].data.ptr;
      if (connection == &input) return 0;
      if (connection == &listening) {
        accept_connections(listener);
        continue;
      }
      // The rest of a request, or a request that was sent before the last response was read.
      bool is_alive = !(events[index].events & (EPOLLERR | EPOLLHUP));
      if (is_alive && events[index].events & EPOLLOUT) {
        is_alive = write_output(connection) && answer_requests(connection);
      }
      if (is_alive && events[index].events & EPOLLIN) is_alive = read_input(connection);
      if (!is_alive) end(connection);
    }
  }
}
#else
int main(void) { return 1; }
#endif
