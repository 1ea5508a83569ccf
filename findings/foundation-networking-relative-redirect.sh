#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: `URLSession` follows a redirect to a relative location from the root of the server, not
# from the URL of the request, and decodes the escapes of its path. A request for '/api/graphql'
# with the location 'v2' goes to '/v2', with '?page=2' to '/?page=2', and with '/files/a%2Fb' to
# '/files/a/b'. A location that is a whole URL keeps the escape.
#
# Seen: "v2 -> /v2, ?page=2 -> /?page=2, /files/a%2Fb -> /files/a/b, whole -> /files/a%2Fb".
#
# Why it surprises: RFC 9110 resolves a location against the URL of the request, which gives
# '/api/v2', '/api/graphql?page=2' and '/files/a%2Fb', and `URL(string:relativeTo:)` of Foundation
# does so. No error is reported: the response of another resource is the result. A location with a
# path from the root and without escapes, the usual one of a test, works.
#
# Source: this run; RFC 9110, 10.2.2; RFC 3986, 5.2; swift-corelibs-foundation,
# HTTPURLProtocol.swift, redirectRequest.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

let base = URL(string: CommandLine.arguments[1])!
var seen: [String] = []
for location in ["v2", "?page=2", "/files/a%2Fb", "whole"] {
  var request = URLRequest(url: URL(string: "/api/graphql", relativeTo: base)!.absoluteURL)
  request.setValue(
    location == "whole" ? "\(base)/files/a%2Fb" : location, forHTTPHeaderField: "X-Location")
  seen.append("\(location) -> \(text(request))")
}
print(seen.joined(separator: ", "))
END
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    _, target, *_ = head.decode().split()
    lines = [line.partition(": ") for line in head.decode().split("\r\n")[1:]]
    location = {name.lower(): value for name, _, value in lines}["x-location"]
    status, content = "200 OK", target
    if target == "/api/graphql":
        status, content = f"302 Found\r\nLocation: {location}", ""
    connection.sendall((
        f"HTTP/1.1 {status}\r\nContent-Length: {len(content)}\r\n"
        f"Connection: close\r\n\r\n{content}").encode())
END
swift_program 6.3.1 fetch.swift
serve_upstream
expect "location, and the target that is requested" \
  "$("$folder/program" "http://127.0.0.1:$upstream")" \
  "v2 -> /v2, ?page=2 -> /?page=2, /files/a%2Fb -> /files/a/b, whole -> /files/a%2Fb"
