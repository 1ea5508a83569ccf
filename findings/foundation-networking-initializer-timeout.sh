#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: the argument `timeoutInterval` of `URLRequest`'s initializer has no effect. The
# property of that name has the value, but a session takes its own timeout, 60 seconds by default.
# Assigning the same value to the property makes it count.
#
# Seen: "initializer 1.0: ok, property 1.0: -1001", with a server that responds after two seconds.
#
# Why it surprises: reading the property back shows the value that was given, so nothing shows that
# it is ignored. A long timeout for one request, as for a subscription, ends after a minute, too.
#
# Source: this run; Apple's page of `URLRequest.init(url:cachePolicy:timeoutInterval:)`.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

let url = URL(string: CommandLine.arguments[1])!
let initialized = URLRequest(url: url, timeoutInterval: 1)
var assigned = URLRequest(url: url)
assigned.timeoutInterval = 1
var seen: [String] = []
for (name, request) in [("initializer", initialized), ("property", assigned)] {
  let (data, _, error) = fetch(request)
  let code = (error as? URLError)?.code.rawValue.description
  let result = code ?? String(decoding: data ?? Data(), as: UTF8.self)
  seen.append("\(name) \(request.timeoutInterval): \(result)")
}
print(seen.joined(separator: ", "))
END
cat >"$folder/upstream.py" <<'END'
import time

def respond(connection, head):
    time.sleep(2)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
END
swift_program 6.3.1 fetch.swift
serve_upstream
expect "where the timeout is given, its value and the result" \
  "$("$folder/program" "http://127.0.0.1:$upstream")" \
  "initializer 1.0: ok, property 1.0: -1001"
