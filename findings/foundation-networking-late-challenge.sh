#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a response with status 401 and `WWW-Authenticate` is delivered whole to the delegate of
# a `URLSession`, head and body. Only then is the delegate asked for credentials. If it has some, a
# second response follows, head and body, for the same task. The delegate's method for metrics is
# never called, for this task or any other.
#
# Seen: "response 401, data denied, challenge, response 200, data welcome, end".
#
# Why it surprises: on Apple platforms the challenge comes first, and the delegate never sees the
# response that asks for credentials. A delegate that collects the body has both bodies, joined, and
# one that decides by the first head has decided before the second request was made.
#
# Source: this run; Apple's page "Handling an authentication challenge", which describes the order
# on Apple platforms.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

final class Delegate: NSObject, URLSessionDataDelegate {
  let done = DispatchSemaphore(value: 0)
  var calls: [String] = []

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    calls.append("response \((response as! HTTPURLResponse).statusCode)")
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    calls.append("data " + String(decoding: data, as: UTF8.self))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    calls.append("challenge")
    let credential = URLCredential(user: "user", password: "secret", persistence: .none)
    completionHandler(.useCredential, credential)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    calls.append("metrics")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    calls.append(error.map { "\($0)" } ?? "end")
    done.signal()
  }
}

let delegate = Delegate()
let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
session.dataTask(with: URL(string: CommandLine.arguments[1])!).resume()
delegate.done.wait()
// The calls of a delegate are one operation each: this one comes behind all that are waiting.
session.delegateQueue.addOperations([BlockOperation {}], waitUntilFinished: true)
print(delegate.calls.joined(separator: ", "))
END
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    if b"authorization: basic" in head.lower():
        status, content = "200 OK", "welcome"
    else:
        status, content = '401 Unauthorized\r\nWWW-Authenticate: Basic realm="a"', "denied"
    connection.sendall(
        f"HTTP/1.1 {status}\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n{content}".encode())
END
swift_program 6.3.1
serve_upstream
expect "calls of the delegate" "$("$folder/program" "http://127.0.0.1:$upstream")" \
  "response 401, data denied, challenge, response 200, data welcome, end"
