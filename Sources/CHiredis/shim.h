#if __has_include(<hiredis/hiredis.h>)
#include <hiredis/hiredis.h>
#else
#error "hiredis' headers are missing. Install them (Debian, Ubuntu: apt-get install libhiredis-dev; Fedora: dnf install hiredis-devel; macOS: brew install hiredis), then build again."
#endif
