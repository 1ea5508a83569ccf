#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a delegate sees the head of a response and decides with `.cancel`, with
# `.becomeDownload`, or not at all: it never calls the completion handler. In each case the whole
# body is delivered as data, and the task ends without an error.
#
# Seen: "cancel: 1000 bytes, end; becomeDownload: 1000 bytes, end; no decision: 1000 bytes, end".
#
# Why it surprises: Apple's documentation has `.cancel` end the task like `cancel()`, and no data
# comes before the decision. A client that needs no body for some statuses or types looks right on
# Linux too, since the compiler asks for the decision, and reads all of it. Only `cancel()` on the
# task ends it.
#
# Source: this run; Apple's pages of `URLSession.ResponseDisposition` and
# `urlSession(_:dataTask:didReceive:completionHandler:)`; swift-corelibs-foundation,
# URLSessionTask.swift ("Ignoring disposition from completion handler") and HTTPURLProtocol.swift,
# didReceiveResponse.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

final class Delegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  let decision: URLSession.ResponseDisposition?
  let done = DispatchSemaphore(value: 0)
  var byteCount = 0
  var calls: [String] = []

  init(_ decision: URLSession.ResponseDisposition?) { self.decision = decision }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if let decision { completionHandler(decision) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    byteCount += data.count
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL
  ) {
    calls.append("file")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    calls.append(error.map { "\($0)" } ?? "end")
    done.signal()
  }
}

let decisions: [(String, URLSession.ResponseDisposition?)] = [
  ("cancel", .cancel), ("becomeDownload", .becomeDownload), ("no decision", nil),
]
var seen: [String] = []
for (name, decision) in decisions {
  let delegate = Delegate(decision)
  let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
  session.dataTask(with: URL(string: CommandLine.arguments[1])!).resume()
  delegate.done.wait()
  seen.append("\(name): \(delegate.byteCount) bytes, " + delegate.calls.joined(separator: ", "))
}
print(seen.joined(separator: "; "))
END
cat >"$folder/upstream.py" <<'END'
import time

def respond(connection, head):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n")
    # The decision has been made before the body comes.
    time.sleep(0.5)
    connection.sendall(b"x" * 1000)
END
swift_program 6.3.1
serve_upstream
expect "decision and result" "$("$folder/program" "http://127.0.0.1:$upstream")" \
  "cancel: 1000 bytes, end; becomeDownload: 1000 bytes, end; no decision: 1000 bytes, end"
