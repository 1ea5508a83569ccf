#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a server sends 103 (Early Hints) before its response, as it may before each one. The
# delegate of a `URLSession` is told of two responses for one task, the first with the status 103,
# without a type and a length, and is asked what to do with each. Where it cancels because the first
# one is no success, the task ends with `cancelled`, though a response of 200 was on its way. A
# completion handler gets the 200 only.
#
# Seen: "delegate: response 103, response 200, data ok, end; delegate that wants 200: response 103,
# end -999; completion handler: 200 ok".
#
# Why it surprises: an informational response says nothing about the outcome, and the library leaves
# out the one that everybody knows, 100 (Continue). On Apple platforms there is one call for each
# task, unless it has several parts or a challenge. A delegate is what a client of subscriptions
# uses, and it decides by the first head about the format of what follows: 103 has no Content-Type,
# so it takes the response for one that is none of GraphQL.
#
# Source: this run; RFC 8297, 2, and RFC 9110, 15.2 (a client that ignores them loses nothing);
# swift-corelibs-foundation, HTTPURLProtocol.swift and NativeProtocol.swift, didReceiveResponse.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

final class Delegate: NSObject, URLSessionDataDelegate {
  let isStrict: Bool
  let done = DispatchSemaphore(value: 0)
  var calls: [String] = []

  init(isStrict: Bool) { self.isStrict = isStrict }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as! HTTPURLResponse).statusCode
    calls.append("response \(status)")
    if isStrict && status != 200 { dataTask.cancel() }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    calls.append("data " + String(decoding: data, as: UTF8.self))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    calls.append((error as? URLError).map { "end \($0.code.rawValue)" } ?? "end")
    done.signal()
  }
}

let url = URL(string: CommandLine.arguments[1])!
for isStrict in [false, true] {
  let delegate = Delegate(isStrict: isStrict)
  let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
  session.dataTask(with: url).resume()
  delegate.done.wait()
  // The calls of a delegate are one operation each: this one comes behind all that are waiting.
  session.delegateQueue.addOperations([BlockOperation {}], waitUntilFinished: true)
  print(delegate.calls.joined(separator: ", "))
}
let (data, response, _) = fetch(URLRequest(url: url))
print("\(response?.statusCode ?? 0) " + String(decoding: data ?? Data(), as: UTF8.self))
END
cat >"$folder/upstream.py" <<'END'
import time

def respond(connection, head):
    connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
    time.sleep(0.5)
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        b"Connection: close\r\n\r\nok")
END
swift_program 6.3.1 fetch.swift
serve_upstream
"$folder/program" "http://127.0.0.1:$upstream" >"$folder/seen"
expect_lines \
  "delegate" "response 103, response 200, data ok, end" \
  "delegate that wants 200" "response 103, end -999" \
  "completion handler" "200 ok"
