#include "CCurl.h"

#include <stdio.h>
#include <string.h>

#include "CLoading.h"

#define FUNCTIONS(of)                                                                             \
  of(global_init) of(version_info) of(easy_strerror) of(easy_init) of(easy_reset)                 \
  of(easy_cleanup) of(easy_setopt) of(easy_getinfo) of(slist_append) of(slist_free_all)           \
  of(multi_init) of(multi_cleanup) of(multi_setopt) of(multi_add_handle) of(multi_remove_handle)  \
  of(multi_socket_action) of(multi_timeout) of(multi_info_read)

/* The library's functions, with the types in its header. */
static struct {
#define POINTER(name) __typeof__(&curl_##name) name;
  FUNCTIONS(POINTER)
#undef POINTER
} library;

static bool is_loaded;

/* The name of Debian's build with OpenSSL, whatever the package is called. */
static const struct godwit_library name = {
    "libcurl.so.4", "libcurl4 (Debian 13: libcurl4t64)"};

const char *godwit_curl_load(void) {
  static char why[512];
  if (is_loaded) return NULL;
#define WANTED(name) {"curl_" #name, &library.name},
  const struct godwit_function wanted[] = {FUNCTIONS(WANTED)};
#undef WANTED
  size_t count = sizeof wanted / sizeof wanted[0];
  if (godwit_library_load(&name, wanted, count, why, sizeof why) != NULL) return why;
  CURLcode code = library.global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) {
    snprintf(why, sizeof why, "%s cannot be prepared: %s", name.file, library.easy_strerror(code));
    return why;
  }
  is_loaded = true;
  return NULL;
}

bool godwit_curl_is_loaded(void) { return is_loaded; }

const char *godwit_curl_version(void) {
  static char text[128];
  const curl_version_info_data *info = library.version_info(CURLVERSION_NOW);
  snprintf(
      text, sizeof text, "libcurl %s, %s", info->version,
      info->ssl_version != NULL ? info->ssl_version : "no TLS");
  return text;
}

bool godwit_curl_uses_openssl(void) {
  const char *name = library.version_info(CURLVERSION_NOW)->ssl_version;
  return name != NULL && strncmp(name, "OpenSSL/", 8) == 0;
}

const char *godwit_curl_error(CURLcode code) { return library.easy_strerror(code); }

CURL *godwit_curl_easy_new(void) { return library.easy_init(); }
void godwit_curl_easy_reset(CURL *easy) { library.easy_reset(easy); }
void godwit_curl_easy_free(CURL *easy) { library.easy_cleanup(easy); }

CURLcode godwit_curl_set_number(CURL *easy, CURLoption option, long value) {
  return library.easy_setopt(easy, option, value);
}

CURLcode godwit_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return library.easy_setopt(easy, option, value);
}

CURLcode godwit_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return library.easy_setopt(easy, option, value);
}

CURLcode godwit_curl_set_body(CURL *easy, const void *bytes, curl_off_t count) {
  /* The size first: otherwise the copy would end at a NUL. */
  CURLcode code = library.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
  if (code != CURLE_OK) return code;
  return library.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

CURLcode godwit_curl_set_headers(CURL *easy, struct curl_slist *headers) {
  return library.easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

CURLcode godwit_curl_set_error_text(CURL *easy, char *room) {
  return library.easy_setopt(easy, CURLOPT_ERRORBUFFER, room);
}

CURLcode godwit_curl_set_takers(
    CURL *easy, curl_write_callback body, curl_write_callback headers, void *context) {
  CURLcode code = library.easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  if (code == CURLE_OK) code = library.easy_setopt(easy, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK) code = library.easy_setopt(easy, CURLOPT_HEADERFUNCTION, headers);
  if (code == CURLE_OK) code = library.easy_setopt(easy, CURLOPT_HEADERDATA, context);
  return code;
}

CURLcode godwit_curl_set_web_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  CURLcode code = library.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  if (code != CURLE_OK) return code;
  return library.easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
  long web = CURLPROTO_HTTP | CURLPROTO_HTTPS;
  CURLcode code = library.easy_setopt(easy, CURLOPT_PROTOCOLS, web);
  if (code != CURLE_OK) return code;
  return library.easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, web);
#endif
}

void godwit_curl_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  library.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

long godwit_curl_number(CURL *easy, CURLINFO info) {
  long value = 0;
  return library.easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

curl_off_t godwit_curl_size(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return library.easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

struct curl_slist *godwit_curl_headers_with(struct curl_slist *headers, const char *line) {
  return library.slist_append(headers, line);
}

void godwit_curl_headers_free(struct curl_slist *headers) { library.slist_free_all(headers); }

CURLM *godwit_curl_multi_new(
    curl_socket_callback sockets, curl_multi_timer_callback timer, void *context) {
  CURLM *multi = library.multi_init();
  if (multi == NULL) return NULL;
  if (library.multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, sockets) == CURLM_OK &&
      library.multi_setopt(multi, CURLMOPT_SOCKETDATA, context) == CURLM_OK &&
      library.multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer) == CURLM_OK &&
      library.multi_setopt(multi, CURLMOPT_TIMERDATA, context) == CURLM_OK)
    return multi;
  library.multi_cleanup(multi);
  return NULL;
}

CURLMcode godwit_curl_multi_limit(CURLM *multi, long connections) {
  CURLMcode code = library.multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
  if (code != CURLM_OK) return code;
  return library.multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
}

CURLMcode godwit_curl_multi_add(CURLM *multi, CURL *easy) {
  return library.multi_add_handle(multi, easy);
}

CURLMcode godwit_curl_multi_remove(CURLM *multi, CURL *easy) {
  return library.multi_remove_handle(multi, easy);
}

CURLMcode godwit_curl_multi_act(CURLM *multi, curl_socket_t socket, int events) {
  int running;
  return library.multi_socket_action(multi, socket, events, &running);
}

long godwit_curl_multi_timeout(CURLM *multi) {
  long milliseconds = -1;
  library.multi_timeout(multi, &milliseconds);
  return milliseconds;
}

CURL *godwit_curl_multi_ended(CURLM *multi, CURLcode *code) {
  int left;
  for (;;) {
    const CURLMsg *message = library.multi_info_read(multi, &left);
    if (message == NULL) return NULL;
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
}

void godwit_curl_multi_free(CURLM *multi) { library.multi_cleanup(multi); }
