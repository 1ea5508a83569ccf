# What the scripts of this folder share: a temporary folder, pinned packages, servers and proxies,
# and a comparison.
# shellcheck shell=bash
set -euo pipefail
shopt -s extglob

library=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/finding.XXXXXX")
chmod 755 "$folder" # Some servers give up the administrator's rights.
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$folder"' EXIT

# Makes a virtual environment with nothing but the pinned packages, and puts its Python first in
# PATH.
python_packages() {
  python3 -m venv --clear "$folder/venv"
  "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
  PATH=$folder/venv/bin:$PATH
}

# Runs Python, which can import what is beside this file.
library_python() { PYTHONPATH=$library PYTHONDONTWRITEBYTECODE=1 python "$@"; }

# Installs Debian's packages unless they are there, and prints their versions. One that differs from
# what the script documents ends it with status 1.
#   debian_program <program> "<package>[=<version>] ..."
debian_program() {
  local package names=${2//=+([^ ])/} version
  PATH=$PATH:/usr/sbin
  { command -v "$1" && dpkg-query --show $names; } >/dev/null 2>&1 ||
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $names >/dev/null; }
  for package in $2; do
    version=$(dpkg-query --show --showformat '${Version}' "${package%%=*}")
    echo "${package%%=*} $version"
    # Debian may put an epoch before the version, and always has a revision of its own behind it.
    [[ $package != *=* || ${version#*:} == "${package#*=}"[-+~]* ]] ||
      { printf 'The version has changed. Documented: %s\n' "${package#*=}" >&2; exit 1; }
  done
}

# Prints the version of the Swift compiler in PATH. One that differs from what the script documents
# ends it with status 1. Then compiles $folder/main.swift into $folder/program, with files of those
# beside this one.
#   swift_program <version> [<file>] ...
swift_program() {
  local version
  version=$(swiftc --version 2>/dev/null | sed -n 's/^Swift version \([0-9.]*\).*/\1/p')
  echo "swift ${version:-missing}"
  [ "$version" = "$1" ] || { printf 'The version has changed. Documented: %s\n' "$1" >&2; exit 1; }
  shift
  swiftc -swift-version 5 -suppress-warnings "$folder/main.swift" "${@/#/$library/}" -o "$folder/program"
}

# Prints a port of the loopback interface that nothing uses.
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Waits until something listens on a port.
await_port() {
  local tries
  for ((tries = 0; tries < 200; tries++)); do
    (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
    sleep 0.1
  done
  echo "Nothing listens on port $1." >&2
  exit 1
}

# Serves `app` of $folder/app.py with uvicorn, and sets `port`.
serve_app() {
  port=$(free_port)
  python -m uvicorn --app-dir "$folder" --port "$port" --log-level critical app:app 2>"$folder/app.log" &
  await_port "$port"
}

# Serves `app` of $folder/app.py with a server of ASGI, and sets `port` and `server`, its process.
#   serve_app_with uvicorn|hypercorn|daphne|granian
serve_app_with() {
  port=$(free_port)
  local arguments=(--port "$port")
  case $1 in
    hypercorn) arguments=(--bind "127.0.0.1:$port") ;;
    granian) arguments+=(--interface asgi) ;;
  esac
  (cd "$folder" && exec "$1" "${arguments[@]}" app:app) >"$folder/$1.log" 2>&1 &
  server=$!
  await_port "$port"
}

# Serves what $folder/upstream.py does with each connection, and sets `upstream`. That file defines
# `respond(connection, head)`; the head of a request has been read then.
serve_upstream() {
  upstream=$(free_port)
  cat >"$folder/serve.py" <<'END'
import socket, sys, threading

sys.path.insert(0, sys.argv[1])
from upstream import respond

def serve(connection):
    with connection:
        head = b""
        while b"\r\n\r\n" not in head:
            more = connection.recv(65536)
            if not more:
                return
            head += more
        try:
            respond(connection, head)
        except OSError:
            pass

with socket.create_server(("127.0.0.1", int(sys.argv[2]))) as listener:
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
END
  python3 "$folder/serve.py" "$folder" "$upstream" &
  await_port "$upstream"
}

# Writes $folder/schema.py, where Strawberry's `schema` has the subscriptions of standard input (the
# methods of a class), and $folder/app.py, which serves it.
subscription_app() {
  {
    cat <<'END'
import asyncio
from collections.abc import AsyncGenerator

import strawberry

@strawberry.type
class Query:
    a: int = 1

@strawberry.type
class Subscription:
END
    cat
    printf '\nschema = strawberry.Schema(Query, subscription=Subscription)\n'
  } >"$folder/schema.py"
  cat >"$folder/app.py" <<'END'
from strawberry.asgi import GraphQL
from schema import schema

app = GraphQL(schema)
END
}

# Makes a key and a certificate for localhost: $folder/key.pem and $folder/certificate.pem.
make_certificate() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
    -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>/dev/null
}

# Starts Redis, and sets `port`.
#   serve_redis [<option>] ...
serve_redis() {
  port=$(free_port)
  redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$folder" "$@" >/dev/null &
  await_port "$port"
}

# Starts nginx with the text of standard input in 'http', and waits for it at a port, which is in
# that text. Sets `server`, its process.
#   serve_nginx <port>
serve_nginx() {
  local configuration=$folder/nginx.$1.conf
  cat >"$configuration" <<END
daemon off;
pid $folder/nginx.$1.pid;
events {}
http {
  access_log off;
  client_body_temp_path $folder/nginx.$1.body;
  proxy_temp_path $folder/nginx.$1.proxy;
  fastcgi_temp_path $folder/nginx.$1.fastcgi;
  uwsgi_temp_path $folder/nginx.$1.uwsgi;
  scgi_temp_path $folder/nginx.$1.scgi;
$(cat)
}
END
  nginx -c "$configuration" -p "$folder" -e "$folder/nginx.$1.errors" 2>/dev/null &
  server=$!
  await_port "$1"
}

# Starts HAProxy with the sections of standard input, and waits for it at a port, which is in one of
# them. Sets `server`, its process.
#   serve_haproxy <port> [<option in place of -db>]
serve_haproxy() {
  local configuration=$folder/haproxy.$1.cfg
  cat >"$configuration" <<END
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
$(cat)
END
  haproxy "${2:--db}" -f "$configuration" >"$folder/haproxy.$1.log" 2>&1 &
  server=$!
  await_port "$1"
}

# Starts Apache at a port as a proxy, with further modules and the lines of standard input. Its
# configuration is $folder/apache.<port>.conf. Sets `server`, its process.
#   serve_apache <port> [<module>] ...
serve_apache() {
  local configuration=$folder/apache.$1.conf
  cat >"$configuration" <<END
ServerRoot $folder
DefaultRuntimeDir $folder
ServerName localhost
PidFile $folder/apache.$1.pid
ErrorLog $folder/apache.$1.errors
Listen 127.0.0.1:$1
$(for module in mpm_event authz_core "${@:2}" proxy proxy_http; do
    echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so"
  done)
User nobody
Group nogroup
$(cat)
END
  apache2 -f "$configuration" -DFOREGROUND &
  server=$!
  await_port "$1"
}

# Starts Varnish at a port, in front of a server at another one, with the rest of its configuration
# on standard input.
#   serve_varnish <port> <port of the server> [<option> ...]
serve_varnish() {
  local configuration=$folder/varnish.$1.vcl
  cat >"$configuration" <<END
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "$2"; }
$(cat)
END
  varnishd -F -j none -a "127.0.0.1:$1" -f "$configuration" -n "$folder/varnish.$1" -s malloc,32m "${@:3}" \
    >/dev/null 2>&1 &
  await_port "$1"
}

# Compares what is seen with what this script documents. A difference ends the script with status 1.
#   expect <what> <seen> <documented>
expect() {
  printf '%s: %s\n' "$1" "$2"
  [ "$2" = "$3" ] || { printf 'The behaviour has changed. Documented: %s\n' "$3" >&2; exit 1; }
}

# Compares each line of $folder/seen with what this script documents for it.
#   expect_lines <what> <documented> [<what> <documented>] ...
expect_lines() {
  local number
  for ((number = 1; $#; number++)); do
    expect "$1" "$(sed -n "${number}p" "$folder/seen")" "$2"
    shift 2
  done
}
