#!/usr/bin/env bash
# Version: curl and libcurl 7.88.1 (Debian 12), with h2 4.4.1 of Python as the server.
#
# Behaviour: a server ends each new connection's first request by GOAWAY with 0 as the last stream,
# which says that it has processed nothing (RFC 9113, section 6.8). curl makes no second connection
# and ends with "Error in the HTTP2 framing layer" (16). If the server resets the stream with
# REFUSED_STREAM instead, which says the same (section 8.7), curl makes another connection and
# succeeds.
#
# Seen: "GOAWAY: exit 16, status 000, connections 1; REFUSED_STREAM: exit 0, status 200, connections
# 2".
#
# Why it surprises: both mean that sending again is safe, and servers send GOAWAY at each reload. A
# client on libcurl must recognize this error itself, or lose mutations that no server has seen.
#
# Source: this run; pull request 12054 of curl's repository, on streams that a GOAWAY refuses.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program curl curl=7.88.1
debian_program openssl openssl
python_packages h2==4.4.1
make_certificate
cat >"$folder/server.py" <<'END'
import socket, ssl, sys, threading
import h2.config, h2.connection, h2.errors, h2.events

folder, port, refusal = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
context.set_alpn_protocols(["h2"])
connections = []

def serve(plain):
    try:
        transport = context.wrap_socket(plain, server_side=True)
    except OSError:  # the probe that waits for this server
        return
    connections.append(transport)
    is_first = len(connections) == 1
    with open(f"{folder}/{refusal}", "w") as log:
        log.write(str(len(connections)))
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    connection.initiate_connection()
    while data := transport.recv(65536):
        for event in connection.receive_data(data):
            if not isinstance(event, h2.events.RequestReceived):
                continue
            if not is_first:
                connection.send_headers(event.stream_id, [(":status", "200")], end_stream=True)
            elif refusal == "GOAWAY":
                connection.close_connection(last_stream_id=0)
            else:
                connection.reset_stream(event.stream_id, h2.errors.ErrorCodes.REFUSED_STREAM)
        transport.sendall(connection.data_to_send())

with socket.create_server(("127.0.0.1", int(port))) as listener:
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
END
refused_by() {
  local port status code=0
  port=$(free_port)
  python "$folder/server.py" "$folder" "$port" "$1" >/dev/null 2>&1 &
  await_port "$port"
  status=$(curl --silent --insecure --http2 --max-time 10 --output /dev/null --write-out '%{http_code}' \
    "https://127.0.0.1:$port/") || code=$?
  kill $!
  echo "exit $code, status $status, connections $(<"$folder/$1")"
}
expect GOAWAY "$(refused_by GOAWAY)" "exit 16, status 000, connections 1"
expect REFUSED_STREAM "$(refused_by REFUSED_STREAM)" "exit 0, status 200, connections 2"
