#!/usr/bin/env bash
# Version: libcurl 7.88.1 (Debian 12, by python3-pycurl 7.45.2), and libcurl 8.12.1, as it is in
# PycURL 7.45.6, with h2 4.4.1 of Python as the server.
#
# Behaviour: two subscriptions run as streams of one connection with HTTP/2, and the client leaves
# one after the other by curl_multi_remove_handle. With libcurl 7.88.1 the server is not told while
# the connection is silent: RST_STREAM is sent with the next query, whenever that comes. If the
# other subscription has events, it is sent with one of them. Of the last stream of a connection the
# server is not told in either version until the next query, also while it sends events, which
# nobody reads. By HTTP/1.1 the connection is closed at once.
#
# Seen: "7.88.1, silent: one of two with the next query, the last with the next query; with events:
# one of two at once, the last with the next query; 8.12.1, silent: one of two at once, the last
# with the next query; with events: one of two at once, the last with the next query".
#
# Why it surprises: leaving the handle is all that a program can do, it succeeds, and the callbacks
# have no call any more. The connection stays in the cache, as it should, and nothing works on it
# there. So a screen that is closed ends its subscription when the next one asks for something. A
# server that counts subscriptions of a user, or sends large events, has them until then, and a test
# that makes another request sees nothing of it.
#
# Source: this run; libcurl's manual, curl_multi_remove_handle; lib/http2.c, where the end of a
# transfer submits the frame and leaves the sending to later.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program openssl "openssl libcurl3-gnutls=7.88.1 python3-pycurl=7.45.2"
python_packages h2==4.4.1 pycurl==7.45.6
make_certificate
# Sends an event to each subscription every 0.1 seconds, or only one if the path is '/quiet', until
# its stream is reset. The response to '/seen' tells which streams still run.
cat >"$folder/server.py" <<'END'
import socket, ssl, sys, threading, time
import h2.config, h2.connection, h2.events

folder, port = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
context.set_alpn_protocols(["h2"])
log = open(f"{folder}/log", "a", buffering=1)

def serve(plain):
    try:
        transport = context.wrap_socket(plain, server_side=True)
    except OSError:  # the probe that waits for this server
        return
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    connection.initiate_connection()
    transport.sendall(connection.data_to_send())
    transport.settimeout(0.1)
    running = {}
    while True:
        try:
            data = transport.recv(65536)
            if not data:
                return
        except TimeoutError:
            data = b""
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                path = dict(event.headers)[b":path"].decode()
                connection.send_headers(event.stream_id, [(":status", "200")], end_stream=path == "/query")
                if path != "/query":
                    connection.send_data(event.stream_id, b"event")
                    running[event.stream_id] = path
            elif isinstance(event, h2.events.StreamReset):
                log.write(f"{time.time()} {running.pop(event.stream_id)}\n")
        for stream, path in running.items():
            if not path.startswith("/quiet"):
                connection.send_data(stream, b"event")
        transport.sendall(connection.data_to_send())

with socket.create_server(("127.0.0.1", int(port))) as listener:
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
END
port=$(free_port)
python "$folder/server.py" "$folder" "$port" &
await_port "$port"
# Makes two subscriptions on one connection and leaves the first, then the second one. Prints, for
# each, whether the server is told within two seconds, or by the next query.
cat >"$folder/client.py" <<'END'
import pycurl, sys, time

folder, port, kind = sys.argv[1:]
multi = pycurl.CurlMulti()
handles = {}

def start(path):
    handle = handles[path] = pycurl.Curl()
    handle.setopt(pycurl.URL, f"https://127.0.0.1:{port}{path}")
    handle.setopt(pycurl.SSL_VERIFYPEER, 0)
    handle.setopt(pycurl.SSL_VERIFYHOST, 0)
    handle.setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_2TLS)
    handle.setopt(pycurl.PIPEWAIT, 1)
    handle.setopt(pycurl.WRITEFUNCTION, len)
    multi.add_handle(handle)

def perform(seconds):
    end = time.time() + seconds
    while time.time() < end:
        multi.perform()
        multi.info_read()
        multi.select(0.05)

def resets():
    return [line.split()[1] for line in open(f"{folder}/log")]

def leave(path):
    multi.remove_handle(handles[path])
    handles.pop(path).close()
    perform(2)
    if path in resets():
        return "at once"
    start("/query")
    perform(0.5)
    return "with the next query" if path in resets() else "never"

name = pycurl.version.split("libcurl/")[1][:4]
first, second = f"/{kind}-first-{name}", f"/{kind}-second-{name}"
start(first)
perform(0.5)
start(second)
perform(0.5)
print(f"{kind}: one of two {leave(first)}, the last {leave(second)}")
END
run() { "$1" "$folder/client.py" "$folder" "$port" "$2"; }
version() { "$1" -c 'import pycurl; print(pycurl.version.split()[1].split("-")[0])'; }
expect "version of Debian" "$(version /usr/bin/python3)" "libcurl/7.88.1"
expect "version of PycURL" "$(version python)" "libcurl/8.12.1"
expect "7.88.1" "$(run /usr/bin/python3 quiet)" "quiet: one of two with the next query, the last with the next query"
expect "7.88.1" "$(run /usr/bin/python3 lively)" "lively: one of two at once, the last with the next query"
expect "8.12.1" "$(run python quiet)" "quiet: one of two at once, the last with the next query"
expect "8.12.1" "$(run python lively)" "lively: one of two at once, the last with the next query"
