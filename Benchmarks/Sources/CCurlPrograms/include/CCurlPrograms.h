#ifndef C_CURL_PROGRAMS_H
#define C_CURL_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

// What a careful C program does with libcurl, to compare clients with. All functions are for one thread at a time.

/// A POST that is sent again and again on a kept connection, with libcurl's easy interface.
struct curl_post;

/// Makes a POST of JSON. The response replaces that of the last time, in one buffer that is kept.
struct curl_post *curl_post_make(const char *url, const char *body, size_t count);
/// Sends the request and waits for the whole response. Returns the size of its body, or -1 without a response of status 200.
long curl_post_send(struct curl_post *post);
/// The body of the last response.
const char *curl_post_response(const struct curl_post *post);
void curl_post_free(struct curl_post *post);

/// Many POSTs at a time, with libcurl's multi interface and epoll. Connections are kept.
struct curl_crowd;

struct curl_crowd *curl_crowd_make(const char *url, const char *body, size_t count, int width);
/// Sends `total` requests, `width` of them at a time. Returns the number of responses of status 200.
int curl_crowd_send(struct curl_crowd *crowd, int total);
/// Sends `width` requests, without waiting for their responses.
void curl_crowd_begin(struct curl_crowd *crowd);
/// Waits for the responses to what has begun. Returns the number of responses of status 200.
int curl_crowd_finish(struct curl_crowd *crowd);
void curl_crowd_free(struct curl_crowd *crowd);

/// A WebSocket on a connection that libcurl makes, without the checks of the protocol.
struct curl_socket;

/// Connects to a URL of the scheme `http` and opens the WebSocket.
struct curl_socket *curl_socket_make(const char *url);
/// Sends a text of at most 125 bytes.
bool curl_socket_send(struct curl_socket *socket, const char *text, size_t count);
/// Waits for messages of at most 65,535 bytes and copies each of them. Returns a sum over them, or -1 if the connection ends.
long curl_socket_receive(struct curl_socket *socket, long count);
void curl_socket_free(struct curl_socket *socket);

/// The bytes that the allocator has handed out and not got back, or 0 where it cannot be asked.
size_t allocated_byte_count(void);

#endif
