#if __has_include(<zlib.h>)
#include <zlib.h>
#else
#error "zlib's headers are missing. Install them (Debian, Ubuntu: apt-get install zlib1g-dev; Fedora: dnf install zlib-devel), then build again."
#endif
