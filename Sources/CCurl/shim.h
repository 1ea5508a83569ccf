#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
#else
#error "libcurl's headers are missing. Install them (Debian, Ubuntu: apt-get install libcurl4-openssl-dev; Fedora: dnf install libcurl-devel), then build again."
#endif
