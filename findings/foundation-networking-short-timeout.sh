#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a `timeoutInterval` of less than a second is none at all. A request that allows 0.9
# seconds fails with `URLError.timedOut` before its response comes, here after 0.2 seconds of
# waiting at the server. With 1 second it succeeds. The interval of the session's configuration,
# `timeoutIntervalForRequest`, does the same.
#
# Seen: "0.9: -1001, 1.0: ok".
#
# Why it surprises: the interval is a number of seconds with a fraction, and on Apple platforms the
# fraction counts. A test or a health check with half a second fails on Linux with any server.
#
# Source: this run.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

var seen: [String] = []
for interval in [0.9, 1] {
  let configuration = URLSessionConfiguration.ephemeral
  configuration.timeoutIntervalForRequest = interval
  var request = URLRequest(url: URL(string: CommandLine.arguments[1])!)
  request.timeoutInterval = interval
  let (data, _, error) = fetch(request, by: URLSession(configuration: configuration))
  let code = (error as? URLError)?.code.rawValue.description
  seen.append("\(interval): " + (code ?? String(decoding: data ?? Data(), as: UTF8.self)))
}
print(seen.joined(separator: ", "))
END
cat >"$folder/upstream.py" <<'END'
import time

def respond(connection, head):
    time.sleep(0.2)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
END
swift_program 6.3.1 fetch.swift
serve_upstream
expect "interval and result" "$("$folder/program" "http://127.0.0.1:$upstream")" \
  "0.9: -1001, 1.0: ok"
