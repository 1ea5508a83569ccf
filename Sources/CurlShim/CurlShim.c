#define _GNU_SOURCE
#include "CurlShim.h"

#ifdef __linux__

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

CURLcode curlshim_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode curlshim_set_size(CURL *easy, CURLoption option, int64_t value) {
  return curl_easy_setopt(easy, option, (curl_off_t)value);
}

CURLcode curlshim_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode curlshim_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode curlshim_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
#if LIBCURL_VERSION_NUM >= 0x074700
  struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);
#else
  return CURLE_UNKNOWN_OPTION;
#endif
}

// libcurl makes sockets that child processes inherit.
static int prepare_socket(void *context, curl_socket_t socket, curlsocktype purpose) {
  (void)context;
  (void)purpose;
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  return CURL_SOCKOPT_OK;
}

#define TRY(expression)                \
  do {                                 \
    CURLcode code_ = (expression);     \
    if (code_ != CURLE_OK) return code_; \
  } while (0)

CURLcode curlshim_set_safe_defaults(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  TRY(curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https"));
#else
  TRY(curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS)));
#endif
  TRY(curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L));
  TRY(curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L));
  TRY(curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L));
  TRY(curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L));
#if LIBCURL_VERSION_NUM >= 0x075700
  // Or a transfer that is cancelled while its host is looked up would block the thread until the lookup ends.
  TRY(curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L));
#endif
  return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, prepare_socket);
}

CURLcode curlshim_set_proxy_separation(CURL *easy) {
  TRY(curl_easy_setopt(easy, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE));
  return curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
}

CURLcode curlshim_set_authorities(CURL *easy, const char *pem, size_t count) {
#if LIBCURL_VERSION_NUM >= 0x074d00
  return curlshim_set_blob(easy, CURLOPT_CAINFO_BLOB, pem, count);
#else
  return CURLE_UNKNOWN_OPTION;
#endif
}

CURLcode curlshim_set_client_certificate(
  CURL *easy, const char *certificate, size_t certificate_count, const char *key, size_t key_count,
  const char *password) {
#if LIBCURL_VERSION_NUM >= 0x074700
  TRY(curl_easy_setopt(easy, CURLOPT_SSLCERTTYPE, "PEM"));
  TRY(curl_easy_setopt(easy, CURLOPT_SSLKEYTYPE, "PEM"));
  TRY(curlshim_set_blob(easy, CURLOPT_SSLCERT_BLOB, certificate, certificate_count));
  TRY(curlshim_set_blob(easy, CURLOPT_SSLKEY_BLOB, key, key_count));
  return curl_easy_setopt(easy, CURLOPT_KEYPASSWD, password);
#else
  return CURLE_UNKNOWN_OPTION;
#endif
}

// Reads "prefix number" at the start of a text.
static bool read_number(const char *text, const char *end, const char *prefix, uint32_t *number) {
  size_t count = strlen(prefix);
  if ((size_t)(end - text) < count || memcmp(text, prefix, count) != 0) return false;
  uint64_t value = 0;
  const char *digit = text + count;
  for (; digit < end && *digit >= '0' && *digit <= '9' && value <= UINT32_MAX; digit++) value = value * 10 + (uint64_t)(*digit - '0');
  *number = (uint32_t)value;
  return digit > text + count && value <= UINT32_MAX;
}

static bool begins_with(const char *text, const char *end, const char *prefix) {
  size_t count = strlen(prefix);
  return (size_t)(end - text) >= count && memcmp(text, prefix, count) == 0;
}

// libcurl has no other report of these events. The words are those of 7.x and 8.x; where they change, a refused stream counts as a
// lost connection, and a wait for a connection is not reported. They are looked for at the beginnings of texts only, because texts quote the request and the server.
static int note_stream(CURL *easy, curl_infotype type, char *text, size_t count, void *callback) {
  if (type != CURLINFO_TEXT || !callback) return 0;
  const char *end = text + count, *last;
  curlshim_stream note = (curlshim_stream)callback;
  uint32_t number = 0;
  if (read_number(text, end, "Using Stream ID: ", &number) || read_number(text, end, "[HTTP/2] [", &number)) {
    if (text[0] == 'U' || memmem(text, count, "] OPENED stream for", 19)) note(curlshim_context(easy), CURLSHIM_STREAM_OPENED, number);
  } else if (begins_with(text, end, "recveived GOAWAY, error=") || begins_with(text, end, "received GOAWAY, error=")) {
    last = memmem(text, count, "last_stream=", 12);
    if (last && read_number(last, end, "last_stream=", &number)) note(curlshim_context(easy), CURLSHIM_GOING_AWAY, number);
  } else if (begins_with(text, end, "Connection died, retrying") || begins_with(text, end, "REFUSED_STREAM, retrying")) {
    note(curlshim_context(easy), CURLSHIM_STREAM_RETRIED, 0);
  } else if (begins_with(text, end, "No more connections allowed to host")) {
    note(curlshim_context(easy), CURLSHIM_CONNECTION_AWAITED, 0);
  }
  return 0;
}

CURLcode curlshim_set_callbacks(
  CURL *easy, void *context, curlshim_sink head, curlshim_sink body, curlshim_source source, curlshim_rewind rewind, curlshim_gate gate,
  curlshim_stream stream) {
  TRY(curl_easy_setopt(easy, CURLOPT_PRIVATE, context));
  // A verbose handle without this would write to the standard error.
  TRY(curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, note_stream));
  TRY(curl_easy_setopt(easy, CURLOPT_DEBUGDATA, (void *)stream));
  TRY(curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, head));
  TRY(curl_easy_setopt(easy, CURLOPT_HEADERDATA, context));
  TRY(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body));
  TRY(curl_easy_setopt(easy, CURLOPT_WRITEDATA, context));
  if (source) {
    TRY(curl_easy_setopt(easy, CURLOPT_READFUNCTION, source));
    TRY(curl_easy_setopt(easy, CURLOPT_READDATA, context));
    TRY(curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, rewind));
    TRY(curl_easy_setopt(easy, CURLOPT_SEEKDATA, context));
  }
#if LIBCURL_VERSION_NUM >= 0x075000
  TRY(curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, gate));
  return curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
#else
  (void)gate;
  return curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
#endif
}

size_t curlshim_pause(void) { return CURL_WRITEFUNC_PAUSE; }
size_t curlshim_abort_source(void) { return CURL_READFUNC_ABORT; }

static long long_info(CURL *easy, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

long curlshim_connect_code(CURL *easy) { return long_info(easy, CURLINFO_HTTP_CONNECTCODE); }
long curlshim_system_error(CURL *easy) { return long_info(easy, CURLINFO_OS_ERRNO); }
long curlshim_verify_result(CURL *easy) { return long_info(easy, CURLINFO_SSL_VERIFYRESULT); }

static int64_t size_info(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

int64_t curlshim_downloaded_byte_count(CURL *easy) { return size_info(easy, CURLINFO_SIZE_DOWNLOAD_T); }
int64_t curlshim_uploaded_byte_count(CURL *easy) { return size_info(easy, CURLINFO_SIZE_UPLOAD_T); }

bool curlshim_break_connection(CURL *easy) {
  curl_socket_t descriptor = curlshim_active_socket(easy);
  if (descriptor == CURL_SOCKET_BAD) return false;
  // libcurl still owns the descriptor. It finds the connection dead when it wants to use it again.
  shutdown(descriptor, SHUT_RDWR);
  return true;
}

static int port_of(const struct sockaddr_storage *address) {
  if (address->ss_family == AF_INET) return ntohs(((const struct sockaddr_in *)address)->sin_port);
  if (address->ss_family == AF_INET6) return ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
  return -1;
}

bool curlshim_has_ports(int descriptor, int local_port, int port) {
  struct sockaddr_storage own, peer;
  socklen_t own_size = sizeof own, peer_size = sizeof peer;
  return getsockname(descriptor, (struct sockaddr *)&own, &own_size) == 0 && port_of(&own) == local_port &&
    getpeername(descriptor, (struct sockaddr *)&peer, &peer_size) == 0 && port_of(&peer) == port;
}

// libcurl still owns the descriptor. It finds the connection dead when it wants to use it again.
void curlshim_break_socket(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

curl_socket_t curlshim_active_socket(CURL *easy) {
  curl_socket_t descriptor = CURL_SOCKET_BAD;
  if (curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &descriptor) != CURLE_OK) return CURL_SOCKET_BAD;
  return descriptor;
}

bool curlshim_can_reuse_handles(uint32_t version) { return version < 0x075300 || version >= 0x080200; }
bool curlshim_can_reuse_plain_http2(uint32_t version) { return version < 0x075800 || version >= 0x080000; }
uint32_t curlshim_version(void) { return curl_version_info(CURLVERSION_NOW)->version_num; }

bool curlshim_has_connected(CURL *easy) { return long_info(easy, CURLINFO_NUM_CONNECTS) != 0; }

bool curlshim_discard_unless_silent(int descriptor) {
  char bytes[4096];
  ssize_t count = recv(descriptor, bytes, 1, MSG_PEEK | MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
  // libcurl still owns the descriptor. Without unread bytes, it finds the connection dead.
  shutdown(descriptor, SHUT_RDWR);
  while (recv(descriptor, bytes, sizeof bytes, MSG_DONTWAIT) > 0) continue;
  return true;
}

void *curlshim_context(CURL *easy) {
  char *context = NULL;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context);
  return context;
}

CURLMcode curlshim_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

CURLMcode curlshim_multi_set_callbacks(
  CURLM *multi, void *context, curlshim_socket_change socket_change, curlshim_timer_change timer_change) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket_change);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer_change);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return code;
}

CURL *curlshim_multi_next_ended(CURLM *multi, CURLcode *code) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

bool curlshim_has_gate(void) {
#if LIBCURL_VERSION_NUM >= 0x075000
  return true;
#else
  return false;
#endif
}

bool curlshim_resolves_asynchronously(void) {
  return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_ASYNCHDNS) != 0;
}

// libcurl brings the library, but not its headers. These are the parts that are used, which have not changed since the first release.
typedef struct curlshim_brotli *(*brotli_create)(void *allocate, void *release, void *context);
typedef void (*brotli_destroy)(struct curlshim_brotli *);
typedef int (*brotli_decompress)(
  struct curlshim_brotli *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);

static struct {
  brotli_create create;
  brotli_destroy destroy;
  brotli_decompress decompress;
} brotli;
static pthread_once_t brotli_once = PTHREAD_ONCE_INIT;

static void find_brotli(void) {
  void *library = dlopen("libbrotlidec.so.1", RTLD_LAZY);
  if (!library) return;
  brotli.create = (brotli_create)dlsym(library, "BrotliDecoderCreateInstance");
  brotli.destroy = (brotli_destroy)dlsym(library, "BrotliDecoderDestroyInstance");
  brotli.decompress = (brotli_decompress)dlsym(library, "BrotliDecoderDecompressStream");
}

bool curlshim_has_brotli(void) {
  pthread_once(&brotli_once, find_brotli);
  return brotli.create && brotli.destroy && brotli.decompress;
}

struct curlshim_brotli *curlshim_brotli_new(void) { return curlshim_has_brotli() ? brotli.create(NULL, NULL, NULL) : NULL; }
void curlshim_brotli_free(struct curlshim_brotli *decoder) { brotli.destroy(decoder); }

int curlshim_brotli_decode(
  struct curlshim_brotli *decoder, size_t *input_count, const uint8_t **input, size_t *output_count, uint8_t **output) {
  return brotli.decompress(decoder, input_count, input, output_count, output, NULL);
}

int curlshim_epoll_set(int epoll, int operation, int descriptor, uint32_t events, uint64_t data) {
  struct epoll_event event = {.events = events, .data = {.u64 = data}};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

uint64_t curlshim_epoll_data(const struct epoll_event *event) { return event->data.u64; }

void curlshim_hold_signals(sigset_t *previous) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, previous);
}

void curlshim_release_signals(const sigset_t *previous) {
  // Before 7.88, libcurl's writes to a TLS connection that has ended make the signal. The version
  // is asked for once, which takes as long as preparing a request. Threads that ask at the same
  // time get the same one.
  static _Atomic uint32_t version;
  if (!version) version = curlshim_version();
  if (version < 0x075800 && !sigismember(previous, SIGPIPE)) {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    struct timespec no_time = {0};
    while (sigtimedwait(&pipe, NULL, &no_time) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, previous, NULL);
}

int curlshim_at_exit(void (*function)(void)) { return atexit(function); }

#endif
