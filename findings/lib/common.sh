# What the scripts of this folder share: a temporary folder, pinned packages, and a comparison.
# shellcheck shell=bash
set -euo pipefail
shopt -s extglob

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
# ends it with status 1. Then compiles $folder/main.swift into $folder/program.
#   swift_program <version>
swift_program() {
  local version
  version=$(swiftc --version 2>/dev/null | sed -n 's/^Swift version \([0-9.]*\).*/\1/p')
  echo "swift ${version:-missing}"
  [ "$version" = "$1" ] || { printf 'The version has changed. Documented: %s\n' "$1" >&2; exit 1; }
  swiftc -swift-version 5 -suppress-warnings "$folder/main.swift" -o "$folder/program"
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

# Compares what is seen with what this script documents. A difference ends the script with status 1.
#   expect <what> <seen> <documented>
expect() {
  printf '%s: %s\n' "$1" "$2"
  [ "$2" = "$3" ] || { printf 'The behaviour has changed. Documented: %s\n' "$3" >&2; exit 1; }
}
