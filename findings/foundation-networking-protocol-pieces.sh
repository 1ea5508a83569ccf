#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a subclass of `URLProtocol` responds to the requests of a session, as the tests of
# clients do, and delivers the body in two pieces. The async method `data(for:)` and a completion
# handler have the second piece only. A delegate has both. The body of an upload task is nowhere in
# the request that the subclass sees: neither as data nor as a stream; the data with which the
# request itself was made are there. Nor does it see `httpAdditionalHeaders` of the session.
#
# Seen: "async: 2]; completion handler: 2]; delegate: [1, 2]; body: of the request; of an upload:
# none; fields: Accept".
#
# Why it surprises: without the subclass a completion handler has a body whole, in how many pieces
# it may come. The subclass is the usual stand-in for a server, so a test of responses in parts, or
# of what an upload sends, fails on Linux only, or checks something else than what is sent. On Apple
# platforms both pieces are joined, and a body is always given as a stream.
#
# Source: this run; swift-corelibs-foundation, URLSessionTask.swift, `_ProtocolClient`.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

final class Stub: URLProtocol {
  nonisolated(unsafe) static var request: URLRequest?

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}

  override func startLoading() {
    Stub.request = request
    let response = HTTPURLResponse(
      url: request.url!, statusCode: 200, httpVersion: nil, headerFields: [:])!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data("[1, ".utf8))
    client?.urlProtocol(self, didLoad: Data("2]".utf8))
    client?.urlProtocolDidFinishLoading(self)
  }
}

final class Delegate: NSObject, URLSessionDataDelegate {
  let done = DispatchSemaphore(value: 0)
  var text = ""

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    text += String(decoding: data, as: UTF8.self)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    done.signal()
  }
}

let configuration = URLSessionConfiguration.ephemeral
configuration.protocolClasses = [Stub.self]
configuration.httpAdditionalHeaders = ["Authorization": "Bearer token"]
let session = URLSession(configuration: configuration)
var request = URLRequest(url: URL(string: "https://server.test/graphql")!)
request.httpMethod = "POST"
request.setValue("application/json", forHTTPHeaderField: "Accept")
let empty = request
request.httpBody = Data("of the request".utf8)

let (data, _) = try await session.data(for: request)
print(String(decoding: data, as: UTF8.self))

await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
  session.dataTask(with: request) { data, _, _ in
    print(String(decoding: data ?? Data(), as: UTF8.self))
    continuation.resume()
  }.resume()
}

let delegate = Delegate()
let delegated = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
delegated.dataTask(with: request).resume()
delegate.done.wait()
print(delegate.text)
print(String(decoding: Stub.request?.httpBody ?? Data(), as: UTF8.self))

_ = try await session.upload(for: empty, from: Data("of the upload".utf8))
let hasBody = Stub.request?.httpBody != nil || Stub.request?.httpBodyStream != nil
print(hasBody ? "some" : "none")
print((Stub.request?.allHTTPHeaderFields ?? [:]).keys.sorted().joined(separator: " "))
END
swift_program 6.3.1
"$folder/program" >"$folder/seen"
expect_lines \
  "async" "2]" \
  "completion handler" "2]" \
  "delegate" "[1, 2]" \
  "body" "of the request" \
  "body of an upload" "none" \
  "fields" "Accept"
