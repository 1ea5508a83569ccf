#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a delegate is given 5000 bytes of a response. At the end the task has received none of
# 5000 bytes by its own count (`countOfBytesReceived`). Of a response that came compressed it
# expects -1 bytes, and the head 41, of which 5000 are delivered. An upload from a stream of unknown
# length has sent 5000 of 0 bytes.
#
# Seen: "plain: delivered 5000, received 0 of 5000, head 5000, sent 0 of 0; gzip: delivered 5000,
# received 0 of -1, head 41, sent 0 of 0; stream: delivered 5000, received 0 of 5000, head 5000,
# sent 5000 of 0".
#
# Why it surprises: the counts of what is sent are kept, those of what is received have the same
# form and the expected number, and nothing says that they stand still. A client that takes a task
# without received bytes for one that may be sent again does so with a response in its hands. On
# Apple platforms an unknown number is -1 in both directions; here it is 0 for what is sent, by
# which a share cannot be divided.
#
# Source: this run; Apple's page of `URLSessionTask.countOfBytesReceived`; NativeProtocol.swift of
# swift-corelibs-foundation, where only the number of sent bytes is raised.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

final class Delegate: NSObject, URLSessionDataDelegate {
  let done = DispatchSemaphore(value: 0)
  var delivered = 0

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    delivered += data.count
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    done.signal()
  }
}

for path in ["/plain", "/gzip", "/stream"] {
  var request = URLRequest(url: URL(string: CommandLine.arguments[1] + path)!)
  if path == "/stream" {
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(data: Data(repeating: 97, count: 5000))
  }
  let delegate = Delegate()
  let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
  let task = session.dataTask(with: request)
  task.resume()
  delegate.done.wait()
  session.delegateQueue.addOperations([BlockOperation {}], waitUntilFinished: true)
  print(
    "delivered \(delegate.delivered), received \(task.countOfBytesReceived)",
    "of \(task.countOfBytesExpectedToReceive), head \(task.response!.expectedContentLength),",
    "sent \(task.countOfBytesSent) of \(task.countOfBytesExpectedToSend)")
}
END
cat >"$folder/upstream.py" <<'END'
import gzip

def respond(connection, head):
    while head.startswith(b"POST") and not head.endswith(b"0\r\n\r\n"):
        head += connection.recv(65536)
    content, field = b"a" * 5000, b""
    if head.startswith(b"GET /gzip "):
        content, field = gzip.compress(content, mtime=0), b"Content-Encoding: gzip\r\n"
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s" % (field, len(content), content))
END
swift_program 6.3.1
serve_upstream
"$folder/program" "http://127.0.0.1:$upstream" >"$folder/seen"
expect_lines \
  "plain" "delivered 5000, received 0 of 5000, head 5000, sent 0 of 0" \
  "gzip" "delivered 5000, received 0 of -1, head 41, sent 0 of 0" \
  "stream" "delivered 5000, received 0 of 5000, head 5000, sent 5000 of 0"
