#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a server has set the cookie 'session=1' in a `URLSession`. A request that turns cookies
# off (`httpShouldHandleCookies = false`) is sent with it, and what its response sets is stored. A
# request that has a 'Cookie' field of its own is sent without that: the session's cookies take its
# place. With `httpShouldSetCookies = false` in the session's configuration, none of its cookies is
# sent, and the field of the request arrives.
#
# Seen: "plain: session=1; cookies off: session=1, stored off session; own field: session=1;
# configuration: none, own field: own=1".
#
# Why it surprises: the property of the request has a getter and a setter like all others, so
# nothing shows that it is ignored. A client turns cookies off for what is to be the same for
# everybody, such as a query by GET that a cache may answer. Here it is asked as the user, and a
# cache that varies by the cookie has one more entry for each of them. The field of the request is
# lost only after a response has set a cookie, which a test with a new session does not have.
#
# Source: this run; Apple's pages of `URLRequest.httpShouldHandleCookies` and
# `URLSessionConfiguration.httpShouldSetCookies`; swift-corelibs-foundation, URLSession/
# Configuration.swift, `setCookies(on:)`.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

// The cookies that the server gets, in the response.
func get(
  _ session: URLSession, _ path: String, prepare: (inout URLRequest) -> Void = { _ in }
) -> String {
  var request = URLRequest(url: URL(string: CommandLine.arguments[1] + path)!)
  prepare(&request)
  return text(request, by: session)
}

let configuration = URLSessionConfiguration.ephemeral
let session = URLSession(configuration: configuration)
_ = get(session, "/session")
print(get(session, "/"))
let off = get(session, "/off") { $0.httpShouldHandleCookies = false }
let stored = configuration.httpCookieStorage!.cookies!.map { $0.name }.sorted()
print("\(off), stored \(stored.joined(separator: " "))")
configuration.httpCookieStorage!.deleteCookie(
  configuration.httpCookieStorage!.cookies!.first { $0.name == "off" }!)
print(get(session, "/") { $0.setValue("own=1", forHTTPHeaderField: "Cookie") })
configuration.httpShouldSetCookies = false
let silent = URLSession(configuration: configuration)
let own = get(silent, "/") { $0.setValue("own=1", forHTTPHeaderField: "Cookie") }
print("\(get(silent, "/")), own field: \(own)")
END
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    lines = head.decode().split("\r\n")
    name = lines[0].split(" ")[1][1:]
    cookies = [line.split(":", 1)[1].strip() for line in lines if line.lower().startswith("cookie:")]
    content = "; ".join(cookies) or "none"
    cookie = f"Set-Cookie: {name}=1; Path=/\r\n" if name else ""
    connection.sendall(
        f"HTTP/1.1 200 OK\r\n{cookie}Content-Length: {len(content)}\r\nConnection: close\r\n\r\n{content}".encode())
END
swift_program 6.3.1 fetch.swift
serve_upstream
"$folder/program" "http://127.0.0.1:$upstream" >"$folder/seen"
expect_lines \
  "plain" "session=1" \
  "cookies off" "session=1, stored off session" \
  "own field" "session=1" \
  "configuration" "none, own field: own=1"
