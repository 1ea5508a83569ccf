#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: `timeoutIntervalForResource`, the limit for a whole response, has no effect. A session
# that allows one second takes a response that comes in pieces for three, and reports success.
#
# Seen: "status 200, 6 bytes, after more than 2 seconds".
#
# Why it surprises: the property can be set and read, and nothing says that it has no effect. The
# other interval, for a request, begins anew with every piece. So a program that sets a limit for a
# large download on Apple platforms has none on Linux.
#
# Source: this run; Apple's page of `timeoutIntervalForResource`.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

let configuration = URLSessionConfiguration.ephemeral
configuration.timeoutIntervalForResource = 1
let start = DispatchTime.now()
let url = URL(string: CommandLine.arguments[1])!
let (data, response, error) = fetch(
  URLRequest(url: url), by: URLSession(configuration: configuration))
let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
let result = error.map { "\($0)" } ?? "status \(response?.statusCode ?? 0), \(data?.count ?? 0) bytes"
print(result + (seconds > 2 ? ", after more than 2 seconds" : ", within 2 seconds"))
END
cat >"$folder/upstream.py" <<'END'
import time

def respond(connection, head):
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
    for _ in range(6):
        connection.sendall(b"1\r\nx\r\n")
        time.sleep(0.5)
    connection.sendall(b"0\r\n\r\n")
END
swift_program 6.3.1 fetch.swift
serve_upstream
expect "with a limit of one second" "$("$folder/program" "http://127.0.0.1:$upstream")" \
  "status 200, 6 bytes, after more than 2 seconds"
