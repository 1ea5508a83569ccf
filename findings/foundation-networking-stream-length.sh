#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a request with an `httpBodyStream` and the field `Content-Length`, set by the program,
# is sent with that field *and* with `Transfer-Encoding: chunked`, and its body is in chunks. The
# progress that the delegate sees has 0 as the number of bytes that are expected.
#
# Seen: "content-length: 5, transfer-encoding: chunked, 5/hello/0".
#
# Why it surprises: the field is the way to tell the size of a stream, so one expects the stream to
# be sent with that size, or the field to be dropped. HTTP forbids a message with both, and servers
# and proxies may refuse it.
#
# Source: this run; RFC 9112, section 6.2.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

var request = URLRequest(url: URL(string: CommandLine.arguments[1])!)
request.httpMethod = "POST"
request.httpBodyStream = InputStream(data: Data("hello".utf8))
request.setValue("5", forHTTPHeaderField: "Content-Length")
let done = DispatchSemaphore(value: 0)
URLSession(configuration: .ephemeral).dataTask(with: request) { data, _, error in
  print(error.map { "\($0)" } ?? String(decoding: data ?? Data(), as: UTF8.self))
  done.signal()
}.resume()
done.wait()
END
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    head, _, body = head.partition(b"\r\n\r\n")
    while not body.endswith(b"0\r\n\r\n"):
        body += connection.recv(65536)
    fields = sorted(
        line.lower() for line in head.decode().split("\r\n")[1:]
        if line.lower().startswith(("content-length", "transfer-encoding")))
    content = ", ".join(fields) + ", " + "/".join(body.decode().split())
    connection.sendall(
        f"HTTP/1.1 200 OK\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n{content}".encode())
END
swift_program 6.3.1
serve_upstream
expect "fields of the length, and the body" "$("$folder/program" "http://127.0.0.1:$upstream")" \
  "content-length: 5, transfer-encoding: chunked, 5/hello/0"
