#!/usr/bin/env bash
# Version: curl and libcurl 7.88.1 (Debian 12), with h2 4.4.1 of Python as the server.
#
# Behaviour: the connections of a server fall silent after their first response, as when a load
# balancer forgets them: nothing arrives, and nobody closes them. Three requests follow each other
# in one process, with a time limit each. Over HTTP/1.1 the second one times out, its connection is
# closed, and the third one succeeds on another. Over HTTP/2 the second one times out, and the third
# one is sent on the same connection and times out, too. So is each further one.
#
# Seen: "HTTP/1.1: 200 000 200 connections 2; HTTP/2: 200 000 000 connections 1".
#
# Why it surprises: a timeout is what one sets against a connection that is gone, and a second try
# is what one adds to it. Over HTTP/2 a timeout ends the stream, which is right where other streams
# are alive, and says nothing of the connection. The next try, a retry included, waits for the full
# time on the dead connection, until the system gives that up.
#
# Source: this run; curl's documentation of CURLOPT_TIMEOUT and CURLOPT_FORBID_REUSE, which do not
# mention it; RFC 9113, section 8.7 (a PING tells a dead connection from a slow response).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program curl curl=7.88.1
debian_program openssl openssl
python_packages h2==4.4.1
make_certificate
cat >"$folder/server.py" <<'END'
import socket, ssl, sys, threading
import h2.config, h2.connection, h2.events

folder, port, protocol = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
context.set_alpn_protocols([protocol])
connections = []

def respond_to_http1(transport):
    head = b""
    while b"\r\n\r\n" not in head:
        head += transport.recv(65536)
    transport.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

def respond_to_http2(transport):
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    connection.initiate_connection()
    is_done = False
    while not is_done:
        for event in connection.receive_data(transport.recv(65536)):
            if isinstance(event, h2.events.RequestReceived):
                connection.send_headers(event.stream_id, [(":status", "200")], end_stream=True)
                is_done = True
        transport.sendall(connection.data_to_send())

def serve(plain):
    try:
        transport = context.wrap_socket(plain, server_side=True)
    except OSError:  # the probe that waits for this server
        return
    connections.append(transport)
    with open(f"{folder}/connections", "w") as log:
        log.write(str(len(connections)))
    (respond_to_http2 if protocol == "h2" else respond_to_http1)(transport)
    # From here on, what arrives is read, and nothing is sent.
    while transport.recv(65536):
        pass

with socket.create_server(("127.0.0.1", int(port))) as listener:
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
END
# The statuses of three requests, and the number of connections.
three_requests() {
  local port seen
  port=$(free_port)
  python "$folder/server.py" "$folder" "$port" "$1" >/dev/null 2>&1 &
  await_port "$port"
  seen=$(curl --silent --insecure "$2" --max-time 2 --write-out '%{http_code} ' \
    "https://127.0.0.1:$port/1" "https://127.0.0.1:$port/2" "https://127.0.0.1:$port/3") || true
  kill $!
  echo "${seen}connections $(<"$folder/connections")"
}
expect "HTTP/1.1" "$(three_requests http/1.1 --http1.1)" "200 000 200 connections 2"
expect "HTTP/2" "$(three_requests h2 --http2)" "200 000 000 connections 1"
