#!/usr/bin/env bash
# Version: libcurl 8.12.1, as it is in PycURL 7.45.6 of Python.
#
# Behaviour: a transfer that waits because all connections to its host are in use
# (CURLMOPT_MAX_HOST_CONNECTIONS) is not silent in the sense of CURLOPT_LOW_SPEED_TIME: with a limit
# of one second of silence, it still waits after four. CURLOPT_CONNECTTIMEOUT_MS counts while it
# waits, although no connection is being made. The error is then "Operation timed out" (28) with
# "0 bytes received", as for a server that does not respond, and CURLINFO_CONNECT_TIME is 0.
#
# Seen: "silence: waits, 1 connection, connect time 0; connect timeout: ended by 28, 1 connection,
# connect time 0".
#
# Why it surprises: a client that bounds its requests by silence, as one that has server-sent events
# must, has no bound for those that wait in line, and nothing tells it that they do. And an error of
# the other limit sends its readers to the server, which has seen no connection.
#
# Source: this run; the pages of the options CURLMOPT_MAX_HOST_CONNECTIONS,
# CURLOPT_LOW_SPEED_TIME and CURLOPT_CONNECTTIMEOUT_MS of curl's documentation, which do not say it.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages pycurl==7.45.6
cat >"$folder/wait.py" <<'END'
import pycurl, socket, sys, threading, time

limit = sys.argv[1]
listener = socket.create_server(("127.0.0.1", 0))
accepted = []

def accept():  # a server that holds all requests
    while True:
        accepted.append(listener.accept()[0])

threading.Thread(target=accept, daemon=True).start()
multi = pycurl.CurlMulti()
multi.setopt(pycurl.M_MAX_HOST_CONNECTIONS, 1)

def transfer(*options):
    handle = pycurl.Curl()
    handle.setopt(pycurl.URL, f"http://127.0.0.1:{listener.getsockname()[1]}/")
    handle.setopt(pycurl.WRITEFUNCTION, lambda data: None)
    for option, value in options:
        handle.setopt(option, value)
    multi.add_handle(handle)
    return handle

limits = {
    "silence": [(pycurl.LOW_SPEED_LIMIT, 1), (pycurl.LOW_SPEED_TIME, 1)],
    "connect timeout": [(pycurl.CONNECTTIMEOUT_MS, 300)],
}
first = transfer()
waiting = transfer(*limits[limit])
end = time.monotonic() + 4
failures = {}
while time.monotonic() < end:
    multi.perform()
    multi.select(0.1)
    failures |= {handle: code for handle, code, _ in multi.info_read()[2]}
assert first not in failures
outcome = f"ended by {failures[waiting]}" if waiting in failures else "waits"
connect_time = waiting.getinfo(pycurl.CONNECT_TIME)
print(f"{outcome}, {len(accepted)} connection, connect time {connect_time:g}")
END
expect version "$(python -c 'import pycurl; print(pycurl.version.split()[1])')" "libcurl/8.12.1-DEV"
expect silence "$(python "$folder/wait.py" silence)" "waits, 1 connection, connect time 0"
expect "connect timeout" "$(python "$folder/wait.py" 'connect timeout')" \
  "ended by 28, 1 connection, connect time 0"
