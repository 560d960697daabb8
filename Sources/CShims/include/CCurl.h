#ifndef GODWIT_CCURL_H
#define GODWIT_CCURL_H

#include <curl/curl.h>
#include <stdbool.h>

/* libcurl and the thirty libraries that it needs take 6 MB as soon as they are loaded. So nothing
 * is linked: the header gives types and constants, and the library is loaded at the first use. Each
 * function below wraps one of libcurl's; those of libcurl itself must not be called. */

/* Loads the library and prepares it, once; from one thread. Null: it is loaded, and stays so.
 * Otherwise the reason, in static storage; another call tries again. */
const char *godwit_curl_load(void);

/* Whether it has been loaded. */
bool godwit_curl_is_loaded(void);

/* Such as "libcurl 7.88.1, OpenSSL/3.0.19". Static storage; of a loaded library. */
const char *godwit_curl_version(void);

/* Whether OpenSSL checks the certificates; its numbers are in CURLINFO_SSL_VERIFYRESULT. */
bool godwit_curl_uses_openssl(void);

const char *godwit_curl_error(CURLcode code);

/* One request. */
CURL *godwit_curl_easy_new(void);
void godwit_curl_easy_reset(CURL *easy);
void godwit_curl_easy_free(CURL *easy);

/* curl_easy_setopt takes a value of any type, unchecked. */
CURLcode godwit_curl_set_number(CURL *easy, CURLoption option, long value);
CURLcode godwit_curl_set_size(CURL *easy, CURLoption option, curl_off_t value);
/* An enumeration in older headers and a macro in newer ones: Swift imports them as different
 * types. */
static const long godwit_curl_netrc_ignored = CURL_NETRC_IGNORED;
/* Null: removes the option's default. */
CURLcode godwit_curl_set_text(CURL *easy, CURLoption option, const char *value);
/* Copies the body. */
CURLcode godwit_curl_set_body(CURL *easy, const void *bytes, curl_off_t count);
CURLcode godwit_curl_set_headers(CURL *easy, struct curl_slist *headers);
/* Room for CURL_ERROR_SIZE bytes. */
CURLcode godwit_curl_set_error_text(CURL *easy, char *room);
/* The handlers of the body and the header lines, both with the same context. */
CURLcode godwit_curl_set_takers(
    CURL *easy, curl_write_callback body, curl_write_callback headers, void *context);
/* http and https only, also for redirects. */
CURLcode godwit_curl_set_web_only(CURL *easy);
/* A failure with an old library is ignored: a hanging resolver then blocks the end of a request. */
void godwit_curl_set_quick_exit(CURL *easy);

/* Zero if unknown. */
long godwit_curl_number(CURL *easy, CURLINFO info);
curl_off_t godwit_curl_size(CURL *easy, CURLINFO info);

/* Null: no memory; the list is unchanged. */
struct curl_slist *godwit_curl_headers_with(struct curl_slist *headers, const char *line);
void godwit_curl_headers_free(struct curl_slist *headers);

/* All requests in progress, and their connections. */
CURLM *godwit_curl_multi_new(
    curl_socket_callback sockets, curl_multi_timer_callback timer, void *context);
CURLMcode godwit_curl_multi_limit(CURLM *multi, long connections);
CURLMcode godwit_curl_multi_add(CURLM *multi, CURL *easy);
CURLMcode godwit_curl_multi_remove(CURLM *multi, CURL *easy);
/* CURL_SOCKET_TIMEOUT: the timer is due. */
CURLMcode godwit_curl_multi_act(CURLM *multi, curl_socket_t socket, int events);
/* In how many milliseconds its timer is due; -1: no timer. */
long godwit_curl_multi_timeout(CURLM *multi);
/* The next request that has ended, with its result; null: none. */
CURL *godwit_curl_multi_ended(CURLM *multi, CURLcode *code);
void godwit_curl_multi_free(CURLM *multi);

#endif
