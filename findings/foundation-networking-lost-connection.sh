#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a connection is lost during a request, in four ways. Closed before the announced length
# or before the last chunk, it is `URLError.unknown` (-1), as is an encoding that libcurl does not
# know. Reset, it is `networkConnectionLost` (-1005). Closed before the response has begun, it is
# `badServerResponse` (-1011). A completion handler has neither the head nor the half of the body.
#
# Seen: "length: -1; chunks: -1; encoding: -1; reset: -1005; nothing: -1011; refused: -1004".
#
# Why it surprises: Apple describes `networkConnectionLost` as a connection that is severed in the
# middle of a load, which all four are, and clients list it among the errors after which they
# connect again. On Linux this works for a server that is killed with data unread. One that restarts
# in order closes its connections, and a subscription ends for good with a code that says nothing,
# or a query with one that blames the response. A client that repeats what is unknown also repeats
# what can never succeed. libcurl below tells the cases apart: 18 (partial file) and 61 (bad content
# encoding) have one code here.
#
# Source: this run; swift-corelibs-foundation, MultiHandle.swift, urlErrorCode(for:); libcurl's
# manual, libcurl-errors; Apple's page of `URLError.networkConnectionLost`.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

for address in CommandLine.arguments.dropFirst() {
  let (data, response, error) = fetch(URLRequest(url: URL(string: address)!))
  let rest = data == nil && response == nil ? "" : " with a response"
  print("\((error as? URLError)?.code.rawValue ?? 0)\(rest)")
}
END
cat >"$folder/upstream.py" <<'END'
import socket, struct, time

responses = {
    b"/length": b"Content-Length: 100\r\n\r\nabc",
    b"/chunks": b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    b"/encoding": b"Content-Encoding: unheard-of\r\nContent-Length: 3\r\n\r\nabc",
}

def respond(connection, head):
    path = head.split(b" ")[1]
    if path != b"/nothing":
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n" + responses[path.replace(b"reset", b"length")])
    if path == b"/reset":
        time.sleep(0.5)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
END
swift_program 6.3.1 fetch.swift
serve_upstream
server=http://127.0.0.1:$upstream
"$folder/program" "$server/length" "$server/chunks" "$server/encoding" \
  "$server/reset" "$server/nothing" "http://127.0.0.1:$(free_port)" >"$folder/seen"
expect_lines \
  "length" "-1" \
  "chunks" "-1" \
  "encoding" "-1" \
  "reset" "-1005" \
  "nothing" "-1011" \
  "refused" "-1004"
