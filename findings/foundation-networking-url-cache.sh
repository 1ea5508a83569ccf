#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a session has a `URLCache`, and a server sends 'Cache-Control: max-age=600'. No
# response is stored: the second request goes to the server. So does one with
# `.returnCacheDataDontLoad`, the policy without the network. What the program itself stores in the
# cache is used, also for `.reloadIgnoringLocalCacheData`, the policy without the cache.
#
# Seen: "first: 1, second: 2, stored: no, returnCacheDataDontLoad: 3, by hand:
# reloadIgnoringLocalCacheData: by hand".
#
# Why it surprises: capacity and policy can be set and read, and the cache works in one direction,
# so each looks as if it had an effect. The policy for an offline mode sends a request and reports
# the response as a cached one. The policy for a refresh returns what should be refreshed.
#
# Source: this run; Apple's page of `NSURLRequest.CachePolicy`; swift-corelibs-foundation,
# HTTPURLProtocol.swift, didReceiveResponse (`.notAllowed`), and URLSessionTask.swift,
# `_getProtocol`, which asks the cache for every request.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

let url = URL(string: CommandLine.arguments[1])!
let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
let configuration = URLSessionConfiguration.ephemeral
configuration.urlCache = cache
let session = URLSession(configuration: configuration)

func load(_ policy: URLRequest.CachePolicy = .useProtocolCachePolicy) -> String {
  text(URLRequest(url: url, cachePolicy: policy), by: session)
}

func isStored() -> Bool { cache.cachedResponse(for: URLRequest(url: url)) != nil }

var seen = ["first: " + load(), "second: " + load(), "stored: " + (isStored() ? "yes" : "no")]
seen.append("returnCacheDataDontLoad: " + load(.returnCacheDataDontLoad))
let response = HTTPURLResponse(
  url: url, statusCode: 200, httpVersion: "HTTP/1.1",
  headerFields: ["Cache-Control": "max-age=600"])!
cache.storeCachedResponse(
  CachedURLResponse(response: response, data: Data("by hand".utf8)), for: URLRequest(url: url))
while !isStored() { Thread.sleep(forTimeInterval: 0.01) }
seen.append(
  "by hand: reloadIgnoringLocalCacheData: " + load(.reloadIgnoringLocalCacheData))
print(seen.joined(separator: ", "))
END
cat >"$folder/upstream.py" <<'END'
count = 0

def respond(connection, head):
    global count
    count += 1
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nCache-Control: max-age=600\r\n"
        b"Content-Type: text/plain\r\nConnection: close\r\n\r\n%d" % count)
END
swift_program 6.3.1 fetch.swift
serve_upstream
expect "policy and result" "$("$folder/program" "http://127.0.0.1:$upstream/page")" \
  "first: 1, second: 2, stored: no, returnCacheDataDontLoad: 3, by hand: reloadIgnoringLocalCacheData: by hand"
