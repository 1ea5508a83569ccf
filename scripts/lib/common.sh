# Functions that the scripts share. A script sources this file:
# `source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"`.
#
# Works with bash 3.2 and later, which is the shell of macOS.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
venv=$root/.build/venv
requirements=$root/Examples/StarWars/Server/requirements.txt

# MARK: - Output

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
  bold=$'\e[1m' red=$'\e[31m' green=$'\e[32m' cyan=$'\e[36m' plain=$'\e[0m'
else
  bold='' red='' green='' cyan='' plain=''
fi

# Announces the next step.
step() { printf '%s\n' "${bold}${cyan}==>${plain}${bold} $*${plain}"; }

# Reports that something is finished.
done_with() { printf '%s\n' "${green}✓${plain} $*"; }

# Prints an error, which says what to do, and ends the script.
fail() {
  printf '%s\n' "${red}error:${plain} $*" >&2
  exit 1
}

# Prints the comment at the head of the script and ends, if its first argument asks for help.
#   help_if_asked "$@"
help_if_asked() {
  case ${1-} in
  -h | --help)
    sed -n '1d; /^#/!q; s/^# \{0,1\}//p' "$0"
    exit
    ;;
  esac
}

# MARK: - Clean-up

scratch=''       # a folder for this run's own files
children=''      # process groups that this script started

# Makes `$scratch`, which is removed when the script ends.
make_scratch() {
  [ -n "$scratch" ] || scratch=$(mktemp -d "${TMPDIR:-/tmp}/apollo-swift.XXXXXX")
}

# Starts a command in its own process group, whose id is `$!`. The group ends with the script.
start() {
  set -m
  "$@" 8>&- & # descriptor 8 keeps the server alive and belongs to this script alone
  set +m
  children="$children $!"
}

# Runs a command and waits for it. Unlike a plain call it can be interrupted: the shell handles
# signals while it waits.
run() {
  local status=0
  start "$@"
  wait $! 2>/dev/null || status=$?
  return $status
}

# Ends every process group that is still running and removes the temporary files.
clean_up() {
  local status=$? child tries
  trap - EXIT
  trap '' INT TERM HUP # the clean-up itself ends within seconds
  # A signal may arrive between the start of a job and its entry in `children`. The shell's own list
  # has the job.
  children="$children $(jobs -p)"
  for child in $children; do
    kill -TERM -- "-$child" 2>/dev/null || true
  done
  for child in $children; do
    for ((tries = 1; tries < 100; tries++)); do
      kill -0 -- "-$child" 2>/dev/null || break
      sleep 0.05
      # A job that has just been forked is still a shell. It loses a signal that arrives before it
      # becomes the command.
      ((tries % 10)) || kill -TERM -- "-$child" 2>/dev/null || true
    done
    kill -KILL -- "-$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
  done
  [ -z "$scratch" ] || rm -rf "$scratch"
  exit $status
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# MARK: - Installing what is missing

# Runs a command as administrator.
as_administrator() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "This needs the administrator: run '$*', then start $(basename "$0") again."
  fi
}

# Installs the packages with the system's package manager, or says what to install.
#   install_packages <Debian names> <Homebrew names>
install_packages() {
  if command -v apt-get >/dev/null; then
    step "Installing $1"
    # A new machine has no package lists. After a failed update, older lists may still be usable.
    as_administrator apt-get update -qq || true
    # shellcheck disable=SC2086  # the names are a list
    as_administrator env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $1 >/dev/null ||
      fail "apt-get could not install '$1'. Install it by hand, then start $(basename "$0") again."
  elif command -v brew >/dev/null; then
    step "Installing $2"
    # shellcheck disable=SC2086
    brew install --quiet $2 || fail "brew could not install '$2'."
  else
    fail "Please install what these packages are called on your system: $1. Then start $(basename "$0") again."
  fi
}

# Fails without a Swift toolchain, which is the one requirement that is not installed here.
require_swift() {
  command -v swift >/dev/null ||
    fail "There is no 'swift' in PATH. Install a Swift 6.1 or newer toolchain from https://swift.org/install."
}

# Installs the headers of SQLite, which the cache on disk needs. Apple's SDKs contain them.
require_sqlite() {
  [ "$(uname)" = Darwin ] && return
  [ -e /usr/include/sqlite3.h ] || printf '#include <sqlite3.h>\n' | clang -E -x c - >/dev/null 2>&1 ||
    install_packages 'libsqlite3-dev pkg-config' 'sqlite3'
}

# Installs the headers of libcurl, the HTTP engine on Linux. Apple's platforms use their own.
require_curl() {
  [ "$(uname)" = Darwin ] && return
  [ -e /usr/include/curl/curl.h ] || printf '#include <curl/curl.h>\n' | clang -E -x c - >/dev/null 2>&1 ||
    install_packages 'libcurl4-openssl-dev pkg-config' 'curl'
}

# Installs the headers of zlib, which compresses the messages of WebSockets. Apple's SDKs contain
# them.
require_zlib() {
  [ "$(uname)" = Darwin ] && return
  [ -e /usr/include/zlib.h ] || printf '#include <zlib.h>\n' | clang -E -x c - >/dev/null 2>&1 ||
    install_packages 'zlib1g-dev pkg-config' 'zlib'
}

# Installs the headers of hiredis, with which the cache on Redis speaks to its server.
require_hiredis() {
  printf '#include <hiredis/hiredis.h>\n' | clang -E -x c - >/dev/null 2>&1 ||
    { command -v brew >/dev/null && brew list hiredis >/dev/null 2>&1; } ||
    install_packages 'libhiredis-dev' 'hiredis'
}

# Installs Redis, which the tests of its cache start. Tests that find none are skipped.
require_redis() {
  command -v redis-server >/dev/null || install_packages 'redis-server' 'redis'
}

# Installs nginx and openssl, which the tests of TLS, HTTP/2 and compression use. Tests that find
# none are skipped.
require_nginx() {
  if ! command -v openssl >/dev/null || ! command -v nginx >/dev/null && [ ! -x /usr/sbin/nginx ]; then
    install_packages 'nginx-light libnginx-mod-http-brotli-filter openssl' 'nginx openssl'
  fi
}

# Installs the reverse proxies with the names, or all that scripts/proxies knows.
require_proxies() {
  local packages
  packages=$(python3 -B "$root/scripts/lib/proxies.py" --missing "$@") || exit 1
  [ -z "$packages" ] || install_packages "$packages" ''
}

# Prints the path of a Python that can make virtual environments and is new enough for the server.
find_python() {
  local candidate
  for candidate in python3 python3.14 python3.13 python3.12 python3.11 python3.10; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  return 1
}

# Makes the virtual environment `$venv` with the example's GraphQL server.
require_server() { require_environment "$venv" "$requirements" Strawberry; }

# Makes the virtual environments of the other servers that tests talk to.
require_subscription_servers() {
  local library
  for library in ariadne graphene hypercorn core; do
    require_environment "$root/.build/venv-$library" \
      "$root/Tests/SubscriptionServerTests/Servers/$library.txt" "$library"
  done
}

# Makes a virtual environment, unless it has the listed packages.
#   require_environment <folder> <list of packages> <name of the server>
require_environment() {
  local folder=$1 list=$2 name=$3 python
  if cmp -s "$list" "$folder/installed.txt" && "$folder/bin/python" -c '' 2>/dev/null; then
    return
  fi
  if ! python=$(find_python); then
    install_packages 'python3 python3-venv' 'python3'
    python=$(find_python) ||
      fail "The GraphQL servers need Python 3.10 or newer with its venv module; this system's package manager has none."
  fi
  step "Installing the GraphQL server ($name) into .build/$(basename "$folder")"
  rm -rf "$folder"
  mkdir -p "$(dirname "$folder")"
  "$python" -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$list" ||
    fail "pip could not install the server. Is there a network connection to https://pypi.org?"
  cp "$list" "$folder/installed.txt"
}

# MARK: - The server

# Starts a server on a free port, by default the Star Wars server, and sets `$server_url` and
# `$server_process`.
#   start_server [script [argument...]]
#
# The server prints its URL when it is ready. It stops when its standard input ends. This script
# holds the other end, so that even a killed script leaves no server behind.
start_server() {
  make_scratch
  rm -f "$scratch/server.in" "$scratch/server.out" # of an earlier server
  mkfifo "$scratch/server.in" "$scratch/server.out"
  exec 8<>"$scratch/server.in"
  set -m
  "$venv/bin/python" "${1:-$root/Examples/StarWars/Server/server.py}" "${@:2}" \
    <"$scratch/server.in" >"$scratch/server.out" 2>"$scratch/server.log" 8>&- &
  set +m
  server_process=$!
  children="$children $server_process"
  # shellcheck disable=SC2034  # for the scripts that source this file
  # When the server dies, the line ends at once. The time limit is for a server that hangs, and is
  # generous for busy machines.
  if ! IFS= read -r -t 600 server_url <"$scratch/server.out"; then
    cat "$scratch/server.log" >&2
    fail "The GraphQL server did not start; its output is above."
  fi
}

# Stops the server and waits until it is gone.
stop_server() {
  exec 8>&-
  wait "$server_process" 2>/dev/null || true # hides the shell's message about the job
}
