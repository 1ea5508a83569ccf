#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: `URLSession` follows a redirect with status 307 or 308 with the method of the request
# and without its body: the second request announces `Content-Length: 0`. No error is reported and
# no delegate is asked for the body; the response to the empty request is the result. So it is for
# POST and PUT, and for a body as data as for one as a stream.
#
# Seen: "307 POST 0, 307 PUT 0, 308 POST 0, 308 PUT 0", each after a first request with 5 bytes.
#
# Why it surprises: these two statuses were made to keep method and body, and `URLSession` on Apple
# platforms keeps both. A program that posts through a proxy or a gateway with such a redirect
# works on a Mac, and on Linux gets the response to a request that it never made.
#
# Source: this run; RFC 9110, sections 15.4.8 and 15.4.9.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

var seen: [String] = []
for status in ["307", "308"] {
  for method in ["POST", "PUT"] {
    var request = URLRequest(url: URL(string: CommandLine.arguments[1] + "/redirect/" + status)!)
    request.httpMethod = method
    request.httpBody = Data("hello".utf8)
    seen.append("\(status) \(text(request))")
  }
}
print(seen.joined(separator: ", "))
END
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    head, _, body = head.partition(b"\r\n\r\n")
    method, target, *_ = head.decode().split()
    lines = [line.partition(":") for line in head.decode().split("\r\n")[1:]]
    length = int({name.lower(): value for name, _, value in lines}.get("content-length", 0))
    while len(body) < length:
        body += connection.recv(65536)
    if target.startswith("/redirect/"):
        assert body == b"hello"
        status, content = f"{target[-3:]} Redirect\r\nLocation: /target", ""
    else:
        status, content = "200 OK", f"{method} {len(body)}"
    connection.sendall(
        f"HTTP/1.1 {status}\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n{content}".encode())
END
swift_program 6.3.1 fetch.swift
serve_upstream
expect "status, method and length of the body behind it" \
  "$("$folder/program" "http://127.0.0.1:$upstream")" \
  "307 POST 0, 307 PUT 0, 308 POST 0, 308 PUT 0"
