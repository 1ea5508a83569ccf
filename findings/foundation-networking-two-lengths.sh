#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation), with nginx 1.22.1
# (Debian 12), uvicorn 0.54.0 with httptools 0.9.0, and Hypercorn 0.18.0.
#
# Behaviour: an upload has its body as a stream (`httpBodyStream`), whose length the program knows
# and sets as 'Content-Length'. `URLSession` sends this field, and beside it 'Transfer-Encoding:
# chunked' and the body in chunks. nginx and uvicorn refuse the request with 400. Hypercorn
# takes it. Without the field, all of them take it.
#
# Seen: "fields: content-length 8, transfer-encoding chunked; with the length: nginx 400, uvicorn
# 400, hypercorn 200; without: nginx 200, uvicorn 200, hypercorn 200".
#
# Why it surprises: a multipart request of GraphQL is streamed from files, and its length is set
# because many servers and proxies want one, or limit it. On Apple platforms the field is what makes
# the library send a stream without chunks. A sender must not send both (RFC 9112, section 6.2), and
# a recipient may refuse that as an attack. The status says that the request is malformed, so the
# fault is looked for in the parts of the form.
#
# Source: this run; swift-corelibs-foundation, HTTPURLProtocol.swift, configureEasyHandle: the body
# decides about the encoding, and the fields of the request are added as they are.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program nginx nginx=1.22.1
python_packages uvicorn==0.54.0 httptools==0.9.0 hypercorn==0.18.0
cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

let arguments = CommandLine.arguments
var request = URLRequest(url: URL(string: arguments[1])!)
request.httpMethod = "POST"
request.httpBodyStream = InputStream(data: Data("streamed".utf8))
request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
if arguments.count > 2 { request.setValue("8", forHTTPHeaderField: "Content-Length") }
let (data, response, error) = fetch(request)
let status = response?.statusCode
let text = String(decoding: data ?? Data(), as: UTF8.self)
print("\(status.map { "\($0)" } ?? "\(String(describing: error))") \(status == 200 ? text : "")")
END
# Responds with the fields about the length that the server was sent, and the bytes of the body.
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    while not head.endswith(b"0\r\n\r\n"):
        head += connection.recv(65536)
    fields = [line.split(": ") for line in head.split(b"\r\n\r\n")[0].decode().split("\r\n")[1:] if ": " in line]
    content = ", ".join(sorted(
        f"{name.lower()} {value}" for name, value in fields
        if name.lower() in ("content-length", "transfer-encoding"))).encode()
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(content), content))
END
cat >"$folder/app.py" <<'END'
async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            kind = (await receive())["type"]
            await send({"type": kind + ".complete"})
            if kind == "lifespan.shutdown":
                return
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})
END
swift_program 6.3.1 fetch.swift
serve_upstream
expect "fields" "$("$folder/program" "http://127.0.0.1:$upstream" length)" \
  "200 content-length 8, transfer-encoding chunked"
serve_app_with uvicorn
servers="uvicorn:$port"
nginx_port=$(free_port)
serve_nginx "$nginx_port" <<END
server {
  listen 127.0.0.1:$nginx_port;
  location / { proxy_pass http://127.0.0.1:$port; }
}
END
serve_app_with hypercorn
servers="nginx:$nginx_port $servers hypercorn:$port"
# Uploads to each server, and prints the statuses.
upload() {
  local server
  for server in $servers; do
    read -r status _ < <("$folder/program" "http://127.0.0.1:${server#*:}" "$@")
    echo "${server%:*} $status"
  done | paste --serial --delimiters=, | sed 's/,/, /g'
}
expect "with the length" "$(upload length)" "nginx 400, uvicorn 400, hypercorn 200"
expect "without" "$(upload)" "nginx 200, uvicorn 200, hypercorn 200"
