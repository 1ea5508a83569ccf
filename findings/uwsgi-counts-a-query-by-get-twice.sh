#!/usr/bin/env bash
# Version: uWSGI 2.0.21 (Debian 12) with its router of HTTP ('--http') and its plugin for Python.
#
# Behaviour: a query by GET is answered if its text has 1800 characters. With 2000 characters the
# connection ends without a byte: there is neither a status nor a page, and the application does not
# see the request. By POST the query is answered with either length. With '--buffer-size 32768' all
# are answered.
#
# Seen: "GET: 1800 200, 2000 no response; POST: 2000 200; larger buffer: GET 2000 200".
#
# Why it surprises: the limit is 4096 bytes, of which a URL of 2000 characters should be half. It is
# the limit for all variables of a request together, and the URL is in them twice, as REQUEST_URI
# and as QUERY_STRING, beside all headers: a longer cookie or token lowers the limit for queries.
# Other servers have 4 to 16 kB and respond with 400, 414 or 431, by which a client knows what to
# do. This one looks like a lost connection, and a client sends a GET that was lost again.
#
# Source: uWSGI's documentation, "Things to know" (buffer-size) and "The uwsgi protocol"; its log,
# "invalid request block size".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program uwsgi "uwsgi-core=2.0.21 uwsgi-plugin-python3=2.0.21"
cat >"$folder/app.py" <<'END'
def app(environment, start_response):
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", "2")])
    environment["wsgi.input"].read()
    return [b"{}"]
END
# Starts uWSGI with more options, and sets `port`.
start() {
  port=$(free_port)
  uwsgi --plugins http,python3 --http "127.0.0.1:$port" --chdir "$folder" --wsgi-file app.py \
    --callable app --die-on-term --need-app "$@" >"$folder/log" 2>&1 &
  await_port "$port"
}
#   ask GET|POST <length>
ask() {
  python3 - "$port" "$@" <<'END'
import http.client, sys

port, method, length = sys.argv[1:]
query = "a" * int(length)
connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
try:
    if method == "GET":
        connection.request("GET", "/graphql?query=" + query)
    else:
        connection.request("POST", "/graphql", '{"query":"%s"}' % query, {"Content-Type": "application/json"})
    print(connection.getresponse().status)
except (http.client.RemoteDisconnected, ConnectionResetError):
    print("no response")
END
}
start
expect "GET, 1800" "$(ask GET 1800)" "200"
expect "GET, 2000" "$(ask GET 2000)" "no response"
expect "POST, 2000" "$(ask POST 2000)" "200"
start --buffer-size 32768
expect "GET, 2000, larger buffer" "$(ask GET 2000)" "200"
