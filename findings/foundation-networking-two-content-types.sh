#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a session whose `httpAdditionalHeaders` have 'Content-Type: application/json' posts
# JSON. The request has that field, and behind it a second one, which the program has not asked for:
# 'Content-Type: application/x-www-form-urlencoded'. With the field in the request itself there is
# one. An 'Accept' in the session's fields is sent once, in place of the default.
#
# Seen: "session: application/json + application/x-www-form-urlencoded, accept application/json;
# request: application/json, accept application/json".
#
# Why it surprises: the session's fields are documented as fields of all requests, and the type is
# the first that a client of an API puts there. The default for a POST looks at the request alone.
# Node keeps the first of two such fields, and RFC 9110 knows recipients that use the last, for
# which the JSON is a form. A server may also refuse the request.
#
# Source: this run; RFC 9110, 5.3 and 8.3; Apple's page of `httpAdditionalHeaders`;
# swift-corelibs-foundation, HTTPURLProtocol.swift, configureEasyHandle.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

var seen: [String] = []
for place in ["session", "request"] {
  let configuration = URLSessionConfiguration.ephemeral
  var request = URLRequest(url: URL(string: CommandLine.arguments[1])!)
  request.httpMethod = "POST"
  request.httpBody = Data(#"{"query":"{ a }"}"#.utf8)
  configuration.httpAdditionalHeaders = ["Accept": "application/json"]
  if place == "session" {
    configuration.httpAdditionalHeaders?["Content-Type"] = "application/json"
  } else {
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  }
  seen.append("\(place): \(text(request, by: URLSession(configuration: configuration)))")
}
print(seen.joined(separator: "; "))
END
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    head, _, body = head.partition(b"\r\n\r\n")
    fields = [line.partition(":") for line in head.decode().split("\r\n")[1:]]

    def values(wanted):
        return [value.strip() for name, _, value in fields if name.lower() == wanted]

    while len(body) < int(values("content-length")[0]):
        body += connection.recv(65536)
    content = " + ".join(values("content-type")) + ", accept " + " + ".join(values("accept"))
    connection.sendall((
        f"HTTP/1.1 200 OK\r\nContent-Length: {len(content)}\r\n"
        f"Connection: close\r\n\r\n{content}").encode())
END
swift_program 6.3.1 fetch.swift
serve_upstream
expect "place of the field, and types that are sent" \
  "$("$folder/program" "http://127.0.0.1:$upstream")" \
  "session: application/json + application/x-www-form-urlencoded, accept application/json; request: application/json, accept application/json"
