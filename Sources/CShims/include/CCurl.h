#ifndef GODWIT_CCURL_H
#define GODWIT_CCURL_H

#include <curl/curl.h>
#include <stdbool.h>

/* libcurl and the thirty libraries behind it take 6 MB as soon as they are there. So nothing is
 * linked: the header gives types and constants, and the library is loaded at the first use. Each
 * function below is one of libcurl's; those of libcurl itself must not be called. */

/* Loads the library and prepares it, once; from one thread. Null: it is there, and stays. Otherwise
 * why not, in static storage; another call tries again. */
const char *godwit_curl_load(void);

/* Whether it has been loaded. */
bool godwit_curl_is_loaded(void);

/* Such as "libcurl 7.88.1, OpenSSL/3.0.19". Static storage; of a loaded library. */
const char *godwit_curl_version(void);

/* Whether certificates are checked by OpenSSL, whose numbers CURLINFO_SSL_VERIFYRESULT gives. */
bool godwit_curl_uses_openssl(void);

const char *godwit_curl_error(CURLcode code);

/* One request. */
CURL *godwit_curl_easy_new(void);
void godwit_curl_easy_reset(CURL *easy);
void godwit_curl_easy_free(CURL *easy);

/* curl_easy_setopt takes anything and believes that it is of the right type. */
CURLcode godwit_curl_set_number(CURL *easy, CURLoption option, long value);
CURLcode godwit_curl_set_size(CURL *easy, CURLoption option, curl_off_t value);
/* An enumeration in older headers and a macro in newer ones, which Swift imports as different types. */
static const long godwit_curl_netrc_ignored = CURL_NETRC_IGNORED;
/* Null: the option's default is taken away. */
CURLcode godwit_curl_set_text(CURL *easy, CURLoption option, const char *value);
/* Copies the body. */
CURLcode godwit_curl_set_body(CURL *easy, const void *bytes, curl_off_t count);
CURLcode godwit_curl_set_headers(CURL *easy, struct curl_slist *headers);
/* Room for CURL_ERROR_SIZE bytes. */
CURLcode godwit_curl_set_error_text(CURL *easy, char *room);
/* What takes the body and the header lines, both with the same context. */
CURLcode godwit_curl_set_takers(
    CURL *easy, curl_write_callback body, curl_write_callback headers, void *context);
/* http and https only, also where libcurl would follow. */
CURLcode godwit_curl_set_web_only(CURL *easy);
/* What cannot be had of an old library does not count as an error: a resolver that hangs then holds
 * up the end of a request. */
void godwit_curl_set_quick_exit(CURL *easy);

/* Zero where it is not known. */
long godwit_curl_number(CURL *easy, CURLINFO info);
curl_off_t godwit_curl_size(CURL *easy, CURLINFO info);

/* Null: no memory; the list stays as it was. */
struct curl_slist *godwit_curl_headers_with(struct curl_slist *headers, const char *line);
void godwit_curl_headers_free(struct curl_slist *headers);

/* All requests under way, and their connections. */
CURLM *godwit_curl_multi_new(
    curl_socket_callback sockets, curl_multi_timer_callback timer, void *context);
CURLMcode godwit_curl_multi_limit(CURLM *multi, long connections);
CURLMcode godwit_curl_multi_add(CURLM *multi, CURL *easy);
CURLMcode godwit_curl_multi_remove(CURLM *multi, CURL *easy);
/* CURL_SOCKET_TIMEOUT: the timer is due. */
CURLMcode godwit_curl_multi_act(CURLM *multi, curl_socket_t socket, int events);
/* In how many milliseconds it wants to act by itself; -1: not at all. */
long godwit_curl_multi_timeout(CURLM *multi);
/* The next request that has ended, and how; null: no other has. */
CURL *godwit_curl_multi_ended(CURLM *multi, CURLcode *code);
void godwit_curl_multi_free(CURLM *multi);

#endif
