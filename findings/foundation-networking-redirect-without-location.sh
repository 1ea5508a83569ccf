#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a response with a status from 301 to 303, or from 305 to 308, has no 'Location', so
# there is nothing to follow. The delegate gets neither its head nor its body, and is not asked
# about a redirect; the task ends without an error. A completion handler gets the head and an empty
# body. The status 300 is delivered whole.
#
# Seen: "300 delegate: head, 5 bytes, end; 300 handler: 5 bytes; 302 delegate: end; 302 handler: 0
# bytes; 308 delegate: end; 308 handler: 0 bytes".
#
# Why it surprises: RFC 9110 recommends the location and does not require it, and with nothing to
# follow this is a response like others, whose text may explain it. The end without an error is the
# only call of the delegate, so a client that expects a head before the end has a success with
# nothing in it. The head is in the task's `response` alone.
#
# Source: this run; RFC 9110, 15.4; swift-corelibs-foundation, HTTPURLProtocol.swift,
# didReceiveResponse and redirectRequest, and NativeProtocol.swift, didReceive(data:).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

final class Delegate: NSObject, URLSessionDataDelegate {
  let done = DispatchSemaphore(value: 0)
  var calls: [String] = []

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    calls.append("redirect")
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    calls.append("head")
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    calls.append("\(data.count) bytes")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    calls.append(error.map { "\($0)" } ?? "end")
    done.signal()
  }
}

var seen: [String] = []
for status in [300, 302, 308] {
  let url = URL(string: CommandLine.arguments[1] + "/\(status)")!
  let delegate = Delegate()
  URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    .dataTask(with: url).resume()
  delegate.done.wait()
  seen.append("\(status) delegate: " + delegate.calls.joined(separator: ", "))
  URLSession(configuration: .ephemeral).dataTask(with: url) { data, _, error in
    seen.append("\(status) handler: " + (error.map { "\($0)" } ?? "\(data?.count ?? -1) bytes"))
    delegate.done.signal()
  }.resume()
  delegate.done.wait()
}
print(seen.joined(separator: "; "))
END
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    status = head.split()[1][1:]
    connection.sendall(
        b"HTTP/1.1 " + status + b" Moved\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
END
swift_program 6.3.1
serve_upstream
expect "calls" "$("$folder/program" "http://127.0.0.1:$upstream")" \
  "300 delegate: head, 5 bytes, end; 300 handler: 5 bytes; 302 delegate: end; 302 handler: 0 bytes; 308 delegate: end; 308 handler: 0 bytes"
