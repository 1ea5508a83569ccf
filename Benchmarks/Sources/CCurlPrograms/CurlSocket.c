#define _GNU_SOURCE
#include "CCurlPrograms.h"

#include <curl/curl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct curl_socket {
  CURL *easy;
  int descriptor;
  size_t start, end;
  unsigned char buffer[256 << 10];
};

static bool wait_for(struct curl_socket *socket, short events) {
  struct pollfd item = {.fd = socket->descriptor, .events = events};
  return poll(&item, 1, 10000) == 1;
}

static bool send_all(struct curl_socket *socket, const void *bytes, size_t count) {
  while (count > 0) {
    size_t sent = 0;
    CURLcode code = curl_easy_send(socket->easy, bytes, count, &sent);
    if (code == CURLE_AGAIN) {
      if (!wait_for(socket, POLLOUT)) return false;
    } else if (code != CURLE_OK) {
      return false;
    }
    bytes = (const char *)bytes + sent;
    count -= sent;
  }
  return true;
}

// Moves what is left to the front of the buffer, and reads more behind it.
static bool fill(struct curl_socket *socket) {
  memmove(socket->buffer, socket->buffer + socket->start, socket->end - socket->start);
  socket->end -= socket->start;
  socket->start = 0;
  for (;;) {
    size_t count = 0;
    CURLcode code = curl_easy_recv(socket->easy, socket->buffer + socket->end, sizeof socket->buffer - socket->end, &count);
    if (code == CURLE_OK) {
      socket->end += count;
      return count > 0;
    }
    if (code != CURLE_AGAIN || !wait_for(socket, POLLIN)) return false;
  }
}

struct curl_socket *curl_socket_make(const char *url) {
  struct curl_socket *socket = calloc(1, sizeof *socket);
  socket->easy = curl_easy_init();
  curl_easy_setopt(socket->easy, CURLOPT_URL, url);
  curl_easy_setopt(socket->easy, CURLOPT_CONNECT_ONLY, 1L);
  curl_easy_setopt(socket->easy, CURLOPT_PROXY, "");
  curl_socket_t descriptor = CURL_SOCKET_BAD;
  if (curl_easy_perform(socket->easy) != CURLE_OK ||
      curl_easy_getinfo(socket->easy, CURLINFO_ACTIVESOCKET, &descriptor) != CURLE_OK) {
    curl_socket_free(socket);
    return NULL;
  }
  socket->descriptor = descriptor;
  const char *request =
    "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
  unsigned char *end = NULL;
  if (!send_all(socket, request, strlen(request))) return NULL;
  while (!end) {
    if (!fill(socket)) return NULL;
    end = memmem(socket->buffer, socket->end, "\r\n\r\n", 4);
  }
  socket->start = end + 4 - socket->buffer;
  return socket;
}

bool curl_socket_send(struct curl_socket *socket, const char *text, size_t count) {
  unsigned char frame[131] = {0x81, (unsigned char)(0x80 | count)};
  if (count > 125) return false;
  unsigned mask = (unsigned)rand();
  memcpy(frame + 2, &mask, 4);
  for (size_t index = 0; index < count; index++) frame[6 + index] = text[index] ^ frame[2 + index % 4];
  return send_all(socket, frame, count + 6);
}

long curl_socket_receive(struct curl_socket *socket, long count) {
  long total = 0;
  while (count > 0) {
    size_t available = socket->end - socket->start;
    unsigned char *bytes = socket->buffer + socket->start;
    size_t header = available >= 2 && bytes[1] == 126 ? 4 : 2;
    if (available < header) {
      if (!fill(socket)) return -1;
      continue;
    }
    size_t length = header == 4 ? (size_t)(bytes[2] << 8 | bytes[3]) : bytes[1];
    if (available < header + length) {
      if (!fill(socket)) return -1;
      continue;
    }
    // A program keeps its messages.
    char *message = malloc(length + 1);
    memcpy(message, bytes + header, length);
    total += (unsigned char)message[0];
    free(message);
    socket->start += header + length;
    count--;
  }
  return total;
}

void curl_socket_free(struct curl_socket *socket) {
  if (!socket) return;
  curl_easy_cleanup(socket->easy);
  free(socket);
}
