#include "CCurlPrograms.h"

#ifdef __linux__

#include <curl/curl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

// MARK: One request

struct curl_post {
  CURL *easy;
  struct curl_slist *headers;
  char *body;
  char *response;
  size_t count, capacity;
};

static size_t take(char *bytes, size_t size, size_t count, void *context) {
  struct curl_post *post = context;
  (void)size;
  if (post->capacity - post->count < count) {
    if (post->count == 0) {
      curl_off_t announced = 0;
      curl_easy_getinfo(post->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
      if (announced > 0) post->capacity = (size_t)announced;
    }
    if (post->capacity - post->count < count) post->capacity = 2 * post->capacity + count;
    char *larger = realloc(post->response, post->capacity);
    if (!larger) return 0;
    post->response = larger;
  }
  memcpy(post->response + post->count, bytes, count);
  post->count += count;
  return count;
}

struct curl_post *curl_post_make(const char *url, const char *body, size_t count) {
  struct curl_post *post = calloc(1, sizeof *post);
  if (!post) return NULL;
  post->easy = curl_easy_init();
  post->body = malloc(count);
  if (!post->easy || !post->body) {
    curl_post_free(post);
    return NULL;
  }
  memcpy(post->body, body, count);
  post->headers = curl_slist_append(NULL, "Content-Type: application/json");
  post->headers = curl_slist_append(post->headers, "Accept: application/graphql-response+json, application/json;q=0.9");
  curl_easy_setopt(post->easy, CURLOPT_URL, url);
  curl_easy_setopt(post->easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(post->easy, CURLOPT_HTTPHEADER, post->headers);
  curl_easy_setopt(post->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  curl_easy_setopt(post->easy, CURLOPT_POSTFIELDS, post->body);
  curl_easy_setopt(post->easy, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(post->easy, CURLOPT_WRITEDATA, post);
  curl_easy_setopt(post->easy, CURLOPT_PRIVATE, post);
  return post;
}

static bool has_succeeded(CURL *easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status == 200;
}

long curl_post_send(struct curl_post *post) {
  post->count = 0;
  if (curl_easy_perform(post->easy) != CURLE_OK || !has_succeeded(post->easy)) return -1;
  return (long)post->count;
}

const char *curl_post_response(const struct curl_post *post) { return post->response; }

void curl_post_free(struct curl_post *post) {
  if (post->easy) curl_easy_cleanup(post->easy);
  curl_slist_free_all(post->headers);
  free(post->body);
  free(post->response);
  free(post);
}

// MARK: Many requests

struct curl_crowd {
  CURLM *multi;
  int epoll;
  int width, under_way, left, succeeded;
  long long due;  // in milliseconds, or -1
  struct curl_post *posts[];
};

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static int watch(CURL *easy, curl_socket_t descriptor, int what, void *context, void *known) {
  struct curl_crowd *crowd = context;
  (void)easy;
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(crowd->epoll, EPOLL_CTL_DEL, descriptor, NULL);
    return 0;
  }
  struct epoll_event event = {.data = {.fd = descriptor}};
  if (what & CURL_POLL_IN) event.events |= EPOLLIN;
  if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
  epoll_ctl(crowd->epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
  if (!known) curl_multi_assign(crowd->multi, descriptor, crowd);
  return 0;
}

static int set_timer(CURLM *multi, long milliseconds, void *context) {
  struct curl_crowd *crowd = context;
  (void)multi;
  crowd->due = milliseconds < 0 ? -1 : now() + milliseconds;
  return 0;
}

struct curl_crowd *curl_crowd_make(const char *url, const char *body, size_t count, int width) {
  struct curl_crowd *crowd = calloc(1, sizeof *crowd + sizeof(struct curl_post *) * (size_t)width);
  if (!crowd) return NULL;
  crowd->multi = curl_multi_init();
  crowd->epoll = epoll_create1(EPOLL_CLOEXEC);
  crowd->due = -1;
  curl_multi_setopt(crowd->multi, CURLMOPT_SOCKETFUNCTION, watch);
  curl_multi_setopt(crowd->multi, CURLMOPT_SOCKETDATA, crowd);
  curl_multi_setopt(crowd->multi, CURLMOPT_TIMERFUNCTION, set_timer);
  curl_multi_setopt(crowd->multi, CURLMOPT_TIMERDATA, crowd);
  for (crowd->width = 0; crowd->width < width; crowd->width++) {
    if (!(crowd->posts[crowd->width] = curl_post_make(url, body, count))) break;
  }
  return crowd;
}

static void start(struct curl_crowd *crowd, struct curl_post *post) {
  post->count = 0;
  crowd->left--;
  crowd->under_way++;
  curl_multi_add_handle(crowd->multi, post->easy);
}

static void collect(struct curl_crowd *crowd) {
  CURLMsg *message;
  int count;
  while ((message = curl_multi_info_read(crowd->multi, &count))) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL *easy = message->easy_handle;
    if (message->data.result == CURLE_OK && has_succeeded(easy)) crowd->succeeded++;
    curl_multi_remove_handle(crowd->multi, easy);
    crowd->under_way--;
    char *post = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &post);
    if (crowd->left > 0) start(crowd, (struct curl_post *)post);
  }
}

static void take_turn(struct curl_crowd *crowd, long long most) {
  struct epoll_event events[64];
  long long wait = crowd->due < 0 ? most : crowd->due - now();
  if (wait > most) wait = most;
  int running, count = epoll_wait(crowd->epoll, events, 64, wait < 0 ? 0 : (int)wait);
  for (int index = 0; index < count; index++) {
    int what = 0;
    if (events[index].events & (EPOLLIN | EPOLLERR | EPOLLHUP)) what |= CURL_CSELECT_IN;
    if (events[index].events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) what |= CURL_CSELECT_OUT;
    curl_multi_socket_action(crowd->multi, events[index].data.fd, what, &running);
  }
  if (crowd->due >= 0 && crowd->due <= now()) {
    crowd->due = -1;
    curl_multi_socket_action(crowd->multi, CURL_SOCKET_TIMEOUT, 0, &running);
  }
  collect(crowd);
}

int curl_crowd_send(struct curl_crowd *crowd, int total) {
  crowd->left = total;
  crowd->succeeded = 0;
  for (int index = 0; index < crowd->width && crowd->left > 0; index++) start(crowd, crowd->posts[index]);
  return curl_crowd_finish(crowd);
}

void curl_crowd_begin(struct curl_crowd *crowd) {
  crowd->left = crowd->width;
  crowd->succeeded = 0;
  for (int index = 0; index < crowd->width; index++) start(crowd, crowd->posts[index]);
  // Long enough for connecting and sending.
  for (long long end = now() + 200; now() < end;) take_turn(crowd, 20);
}

int curl_crowd_finish(struct curl_crowd *crowd) {
  while (crowd->under_way > 0) take_turn(crowd, 1000);
  return crowd->succeeded;
}

void curl_crowd_free(struct curl_crowd *crowd) {
  for (int index = 0; index < crowd->width; index++) {
    curl_multi_remove_handle(crowd->multi, crowd->posts[index]->easy);
    curl_post_free(crowd->posts[index]);
  }
  curl_multi_cleanup(crowd->multi);
  close(crowd->epoll);
  free(crowd);
}

size_t allocated_byte_count(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

#else

typedef int nothing_here;

#endif
