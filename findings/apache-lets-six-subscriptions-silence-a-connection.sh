#!/usr/bin/env bash
# Version: Apache 2.4.71 (Debian 12), mod_http2 and mod_proxy_http; nginx 1.22.1 (Debian 12) is the
# other one. The client is httpx 0.28.1.
#
# Behaviour: a client opens subscriptions by server-sent events on one connection with HTTP/2, and
# sends a query beside them. Apache's settings allow 100 streams. It works on six of a new
# connection: the seventh subscription and each query wait until one of the six ends, without an
# error or a response. Meanwhile the server behind Apache is not asked. With five subscriptions the
# query is answered at once. A connection on which 100 quick queries were made before carries more:
# all of twelve subscriptions. nginx answers all in each case.
#
# Seen: "settings: 100 streams; five: 5 run, query answered; six: 6 run, query waits; twelve: 6 run,
# query waits; after 100 queries, twelve: 12 run, query answered; nginx, twelve: 12 run, query
# answered".
#
# Why it surprises: six is the limit of browsers for HTTP/1.1, and the reason to serve events over
# HTTP/2. The module starts with this number of requests in work, raises it when streams end
# quickly, and lowers it when they do not. For subscriptions, which never end, it stays. A client
# that keeps within the server's settings has no sign that its streams are queued and makes no
# second connection. Everything times out, on a connection whose subscriptions run, and a test that
# loads a page of queries before finds no fault.
#
# Source: this run; Apache's modules/http2/h2_mplx.c, processing_limit; its documentation of
# H2MaxSessionStreams, which is the number in the settings.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program apache2 apache2-bin=2.4.71
debian_program nginx nginx=1.22.1
debian_program openssl openssl
python_packages "httpx[http2]==0.28.1" h2==4.4.1
make_certificate
cat >"$folder/upstream.py" <<'END'
import time

def respond(connection, head):
    if head.startswith(b"POST "):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
        return
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in range(60):
        connection.sendall(b"9\r\ndata: 1\n\n\r\n")
        time.sleep(0.5)
END
serve_upstream
port=$(free_port)
serve_apache "$port" http2 ssl socache_shmcb <<END
Protocols h2 http/1.1
SSLEngine on
SSLCertificateFile $folder/certificate.pem
SSLCertificateKeyFile $folder/key.pem
ProxyPass / http://127.0.0.1:$upstream/ flushpackets=on
END
other=$(free_port)
serve_nginx "$other" <<END
server {
  listen 127.0.0.1:$other ssl http2;
  ssl_certificate $folder/certificate.pem;
  ssl_certificate_key $folder/key.pem;
  location / { proxy_pass http://127.0.0.1:$upstream; proxy_http_version 1.1; proxy_buffering off; }
}
END
# Makes quick queries, then subscriptions, then a query, on one connection, and prints how many
# subscriptions have had an event, and whether the query was answered within three seconds.
cat >"$folder/client.py" <<'END'
import asyncio, os, sys
import httpx

address, quick, count = f"https://127.0.0.1:{sys.argv[1]}/", int(sys.argv[2]), int(sys.argv[3])
running = set()

async def subscribe(client, number):
    async with client.stream("GET", address, headers={"Accept": "text/event-stream"}) as response:
        assert response.http_version == "HTTP/2"
        async for line in response.aiter_lines():
            if line:
                running.add(number)

async def main():
    async with httpx.AsyncClient(verify=False, http2=True, timeout=60, limits=httpx.Limits(max_connections=1)) as client:
        for _ in range(quick):
            await client.post(address, json={"query": "{hero}"})
        tasks = [asyncio.create_task(subscribe(client, number)) for number in range(count)]
        await asyncio.sleep(3)
        try:
            await asyncio.wait_for(client.post(address, json={"query": "{hero}"}), 3)
            query = "answered"
        except TimeoutError:
            query = "waits"
        print(f"{len(running)} run, query {query}", flush=True)
        os._exit(0)

asyncio.run(main())
END
cat >"$folder/settings.py" <<'END'
import socket, ssl, sys
import h2.connection, h2.settings

context = ssl._create_unverified_context()
context.set_alpn_protocols(["h2"])
with context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])))) as transport:
    connection = h2.connection.H2Connection()
    connection.initiate_connection()
    transport.sendall(connection.data_to_send())
    connection.receive_data(transport.recv(65536))
    print(connection.remote_settings[h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS], "streams")
END
expect "settings" "$(python "$folder/settings.py" "$port")" "100 streams"
expect "five" "$(python "$folder/client.py" "$port" 0 5)" "5 run, query answered"
expect "six" "$(python "$folder/client.py" "$port" 0 6)" "6 run, query waits"
expect "twelve" "$(python "$folder/client.py" "$port" 0 12)" "6 run, query waits"
expect "after 100 queries, twelve" "$(python "$folder/client.py" "$port" 100 12)" "12 run, query answered"
expect "nginx, twelve" "$(python "$folder/client.py" "$other" 0 12)" "12 run, query answered"
