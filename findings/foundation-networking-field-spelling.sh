#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a response over HTTP/1.1 has 'Vary: Accept' and 'vary: Origin'. `HTTPURLResponse` has
# one of them, and which one differs between two runs of the same program. Two fields with one
# spelling are joined.
#
# Seen, in 30 runs: "one spelling: Accept, Origin; two spellings: Accept or Origin".
#
# Why it surprises: names of fields have no case, and fields of a list may be repeated, as by a
# server and a proxy before it, each with its own spelling. The library joins fields, and it
# unifies spellings, but in this order. Of two names that become equal afterwards, one replaces the
# other in the order of a dictionary, which differs between processes. So a 'Link' or a 'Via' is
# there in one run and not in the next. Over HTTP/2 all names are in lower case, and nothing is
# lost.
#
# Source: this run; RFC 9110, 5.1 and 5.3; swift-corelibs-foundation, URLResponse.swift,
# `HTTPURLResponse.init(url:statusCode:httpVersion:headerFields:)`.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

let (_, response, error) = fetch(URLRequest(url: URL(string: CommandLine.arguments[1])!))
print(response?.value(forHTTPHeaderField: "Vary") ?? error.map { "\($0)" } ?? "none")
END
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    name = b"Vary" if head.startswith(b"GET /one ") else b"vary"
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nVary: Accept\r\n" + name + b": Origin\r\n"
        b"Content-Length: 0\r\nConnection: close\r\n\r\n")
END
swift_program 6.3.1 fetch.swift
serve_upstream
# Each value that 30 processes see, once.
values() {
  local number
  for ((number = 0; number < 30; number++)); do
    "$folder/program" "http://127.0.0.1:$upstream/$1"
  done | sort --unique | paste --serial --delimiters='|' | sed 's/|/ or /g'
}
expect "Vary in one spelling" "$(values one)" "Accept, Origin"
expect "Vary in two spellings" "$(values two)" "Accept or Origin"
