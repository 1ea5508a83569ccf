// The part of libcurl that the HTTP engine uses, without variadic functions, which Swift cannot call.
#pragma once

#ifdef __linux__

#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
#else
#error "libcurl's headers are missing. Install them (Debian, Ubuntu: apt-get install libcurl4-openssl-dev; Fedora: dnf install libcurl-devel), then build again."
#endif

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Options of a transfer.
CURLcode curlshim_set_long(CURL *easy, CURLoption option, long value);
CURLcode curlshim_set_size(CURL *easy, CURLoption option, int64_t value);
/// libcurl copies the string, unless the option is CURLOPT_POSTFIELDS.
CURLcode curlshim_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode curlshim_set_pointer(CURL *easy, CURLoption option, const void *value);
/// Sets an option to bytes, which libcurl copies. Fails with CURLE_UNKNOWN_OPTION where libcurl is too old for it.
CURLcode curlshim_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count);

/// Only HTTP and HTTPS, no redirects, no signals, no HTTP/0.9, sockets that child processes do not inherit.
CURLcode curlshim_set_safe_defaults(CURL *easy);
/// Headers for the origin do not reach a proxy, and the proxy's own response is not reported as the origin's.
CURLcode curlshim_set_proxy_separation(CURL *easy);
/// PEM text with the certificates to trust.
CURLcode curlshim_set_authorities(CURL *easy, const char *pem, size_t count);
/// PEM text with a client's certificate and its private key.
CURLcode curlshim_set_client_certificate(
  CURL *easy, const char *certificate, size_t certificate_count, const char *key, size_t key_count, const char *password);

/// A piece of the head, of the trailer, or of the body. Returns the number of bytes that were taken.
typedef size_t (*curlshim_sink)(char *bytes, size_t size, size_t count, void *context);
/// Fills a buffer with the next bytes of a request's body. Returns their number.
typedef size_t (*curlshim_source)(char *buffer, size_t size, size_t count, void *context);
/// Called when a connection is ready, before the request is sent. Returns CURLSHIM_PROCEED or CURLSHIM_ABORT.
typedef int (*curlshim_gate)(void *context, char *remote, char *local, int remote_port, int local_port);
enum { CURLSHIM_PROCEED = 0, CURLSHIM_ABORT = 1 };
/// Goes back to the beginning of a request's body. Returns 0, or 1 if that is not possible.
typedef int (*curlshim_rewind)(void *context, curl_off_t offset, int origin);
/// Events of connections, which only verbose handles report.
enum {
  /// The request has been put on the stream with this number.
  CURLSHIM_STREAM_OPENED,
  /// The server ends the connection: no stream after this number is processed.
  CURLSHIM_GOING_AWAY,
  /// libcurl has left the stream and its connection, and is about to send the request again.
  CURLSHIM_STREAM_RETRIED,
  /// The request waits, because the host has as many connections as it may have. May be reported again and again.
  CURLSHIM_CONNECTION_AWAITED,
};
/// Called for events of connections. The number is that of a stream, or 0.
typedef void (*curlshim_stream)(void *context, int event, uint32_t number);

/// Sets the callbacks of a transfer. `context` is handed to each of them; `source`, `rewind` and `stream` may be NULL.
///
/// Where libcurl is too old to ask a gate (before 7.80), every transfer gets a connection of its own: on a connection that was used
/// before, that libcurl would send a request twice.
CURLcode curlshim_set_callbacks(
  CURL *easy, void *context, curlshim_sink head, curlshim_sink body, curlshim_source source, curlshim_rewind rewind, curlshim_gate gate,
  curlshim_stream stream);
/// The value that a body's sink returns to pause the transfer.
size_t curlshim_pause(void);
/// The value that a source returns to end the transfer with an error.
size_t curlshim_abort_source(void);

// What is known of a transfer.
long curlshim_connect_code(CURL *easy);
long curlshim_system_error(CURL *easy);
/// The reason for which OpenSSL rejected the server's certificate, or 0.
long curlshim_verify_result(CURL *easy);
int64_t curlshim_downloaded_byte_count(CURL *easy);
int64_t curlshim_uploaded_byte_count(CURL *easy);
/// Ends the connection of a transfer that has ended, if libcurl has kept it for others. Returns whether there was one.
bool curlshim_break_connection(CURL *easy);
/// The socket of a handle that has connected for bytes, or of a transfer that has ended, or CURL_SOCKET_BAD.
curl_socket_t curlshim_active_socket(CURL *easy);
/// Returns whether a socket connects these ports.
bool curlshim_has_ports(int descriptor, int local_port, int port);
/// Ends a connection that libcurl has kept for others, and that no transfer uses.
void curlshim_break_socket(int descriptor);
/// Whether a transfer made a new connection.
bool curlshim_has_connected(CURL *easy);
/// Ends a connection on which bytes wait to be read, or which the peer has closed. Returns whether it did.
bool curlshim_discard_unless_silent(int descriptor);
void *curlshim_context(CURL *easy);

/// Whether a handle of this version may have a second transfer. From 7.83 on, a header that begins with a blank is appended to
/// the header before it; if it is the first one of a transfer, that was one of the transfer before, whose memory had been freed.
bool curlshim_can_reuse_handles(uint32_t version);
/// Returns whether a connection of HTTP/2 without TLS can carry a second request. In 7.88, that one fails with CURLE_HTTP2 before it is sent
/// (curl's issue 10634).
bool curlshim_can_reuse_plain_http2(uint32_t version);
/// The version of libcurl, as 0xXXYYZZ.
uint32_t curlshim_version(void);

// A pool of connections.
typedef int (*curlshim_socket_change)(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);
typedef int (*curlshim_timer_change)(CURLM *multi, long milliseconds, void *context);
CURLMcode curlshim_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode curlshim_multi_set_callbacks(
  CURLM *multi, void *context, curlshim_socket_change socket_change, curlshim_timer_change timer_change);
/// The next transfer that has ended, or NULL.
CURL *curlshim_multi_next_ended(CURLM *multi, CURLcode *code);

/// Whether libcurl asks the gate.
bool curlshim_has_gate(void);
/// Whether libcurl looks up hosts without blocking its thread. For tests.
bool curlshim_resolves_asynchronously(void);

// Brotli, if the system has it.
struct curlshim_brotli;
bool curlshim_has_brotli(void);
/// A decoder, or NULL where there is no Brotli.
struct curlshim_brotli *curlshim_brotli_new(void);
void curlshim_brotli_free(struct curlshim_brotli *decoder);
enum { CURLSHIM_BROTLI_FAILED = 0, CURLSHIM_BROTLI_ENDED = 1, CURLSHIM_BROTLI_NEEDS_MORE = 2, CURLSHIM_BROTLI_HAS_MORE = 3 };
/// Decompresses from `input` to `output`, and moves both. Returns one of the values above.
int curlshim_brotli_decode(
  struct curlshim_brotli *decoder, size_t *input_count, const uint8_t **input, size_t *output_count, uint8_t **output);

// epoll's event is a packed union, which Swift cannot fill in.
int curlshim_epoll_set(int epoll, int operation, int descriptor, uint32_t events, uint64_t data);
uint64_t curlshim_epoll_data(const struct epoll_event *event);

/// Blocks all signals on the calling thread: handlers of the program must not run inside of libcurl, nor on threads that it makes.
void curlshim_hold_signals(sigset_t *previous);
/// Restores what was blocked, without a SIGPIPE of libcurl's.
void curlshim_release_signals(const sigset_t *previous);
/// Calls a function when the process ends, before what was registered so far.
int curlshim_at_exit(void (*function)(void));

#endif
