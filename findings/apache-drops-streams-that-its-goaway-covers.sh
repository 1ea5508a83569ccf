#!/usr/bin/env bash
# Version: Apache 2.4.71 (Debian 12), mod_http2 and mod_proxy_http.
#
# Behaviour: at a graceful reload, Apache ends its connections of HTTP/2 with GOAWAY. The last
# stream that it names says which requests it processes to their ends (RFC 9113, section 6.8). Most
# streams on a closed connection are above it, and can be sent again. But some connections are
# closed while streams up to the last one have no response, also on connections that were opened
# after the reload had begun, and for their first requests. These are requests with a body; of
# others, none was lost in 300 reloads.
#
# Seen: "above the last stream: some; up to it, without a response: some; on new connections:
# some".
#
# Why it surprises: GOAWAY is made for this case, and "graceful" is the name of the command. A
# client that follows the specification may send mutations above the last stream again, and must not
# send these again: it cannot know whether the server behind Apache has carried them out. Nor does
# one repetition of a query suffice, since its new connection can end in the same way.
#
# Source: this run; RFC 9113, section 6.8; Apache's documentation, "Stopping and Restarting".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program apache2 apache2-bin=2.4.71
debian_program openssl openssl
python_packages h2==4.4.1
make_certificate
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    if head.endswith(b"\r\n\r\n"):
        connection.recv(2)
    connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
END
serve_upstream
port=$(free_port)
serve_apache "$port" ssl http2 <<END
SSLEngine on
SSLCertificateFile $folder/certificate.pem
SSLCertificateKeyFile $folder/key.pem
Protocols h2
ProxyPass / http://127.0.0.1:$upstream/
END
cat >"$folder/client.py" <<'END'
import collections, os, signal, socket, ssl, sys, threading, time
import h2.config, h2.connection

port, apache = int(sys.argv[1]), int(sys.argv[2])
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
context.set_alpn_protocols(["h2"])
seen = collections.Counter()
stop = threading.Event()
head = [
    (":method", "POST"), (":path", "/"), (":authority", "localhost"), (":scheme", "https"),
    ("content-length", "2"),
]

def frames(transport, rest=b""):
    """Yields the type, the flags, the stream and the payload of each frame."""
    while True:
        while len(rest) >= 9 and len(rest) >= (end := 9 + int.from_bytes(rest[:3], "big")):
            yield rest[3], rest[4], int.from_bytes(rest[5:9], "big"), rest[9:end]
            rest = rest[end:]
        if not (more := transport.recv(65536)):
            return
        rest += more

def use(transport):
    """Sends four requests at a time over one connection, until it ends or goes away."""
    writer = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
    writer.initiate_connection()
    last, rounds, open_streams, received = None, 0, set(), frames(transport)
    while last is None and not stop.is_set():
        rounds += 1
        for _ in range(4):
            stream = writer.get_next_available_stream_id()
            writer.send_headers(stream, head)
            writer.send_data(stream, b"{}", end_stream=True)
            open_streams.add(stream)
            transport.sendall(writer.data_to_send())
        for kind, flags, stream, payload in received:
            if kind == 7:  # GOAWAY
                last = int.from_bytes(payload[:4], "big")
            elif kind == 4 and not flags & 1:  # SETTINGS
                transport.sendall(b"\0\0\0\4\1\0\0\0\0")
            elif kind == 3 or kind in (0, 1) and flags & 1:  # RST_STREAM, or the end of a stream
                open_streams.discard(stream)
                if not open_streams:
                    break
        else:  # the connection was closed
            for stream in open_streams if last is not None else []:
                seen["above" if stream > last else "covered"] += 1
                seen["new"] += stream <= last and rounds == 1
            return
        time.sleep(0.01)

def connect():
    while not stop.is_set():
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
                use(context.wrap_socket(plain, server_hostname="localhost"))
        except OSError:
            time.sleep(0.01)

threads = [threading.Thread(target=connect) for _ in range(6)]
for thread in threads:
    thread.start()
for _ in range(150):
    time.sleep(0.6)
    if all(seen[kind] for kind in ("above", "covered", "new")):
        break
    os.kill(apache, signal.SIGUSR1)  # a graceful reload
stop.set()
for thread in threads:
    thread.join()
amount = {kind: "some" if seen[kind] else "none" for kind in ("above", "covered", "new")}
print(
    f"above the last stream: {amount['above']}; up to it, without a response: {amount['covered']};",
    f"on new connections: {amount['new']}")
END
expect requests "$(python "$folder/client.py" "$port" "$server")" \
  "above the last stream: some; up to it, without a response: some; on new connections: some"
