#!/usr/bin/env bash
# Version: FoundationNetworking of Swift 6.3.1 (Linux, swift-corelibs-foundation).
#
# Behaviour: a task is suspended when half of a response has come, and resumed at once. The
# connection is closed, and the request is sent a second time, from the start. The body of the
# second response is put behind the half of the first, in the data that a completion handler gets
# and in the file of a download. The task ends without an error, with more bytes than the
# 'Content-Length' of its response.
#
# Seen, for "abcd": "data: 4 bytes expected, ababcd, requests 2; download: 4 bytes expected, ababcd,
# requests 2".
#
# Why it surprises: Apple's documentation has a download continue, and other tasks start over. Here
# both start over and keep what had come before, without a sign of it. A client that pauses while
# its reader is slow gets a body that no server has sent. If it is JSON, the parser reports an error
# far from the cause.
#
# Source: this run; Apple's page of `URLSessionTask.suspend()`; swift-corelibs-foundation,
# URLSessionTask.swift, suspend ("simply by adding / removing the task's easy handle").
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/main.swift" <<'END'
import Foundation
import FoundationNetworking

let url = URL(string: CommandLine.arguments[1])!
let requests = URL(fileURLWithPath: CommandLine.arguments[2])
let session = URLSession(configuration: .ephemeral)
let done = DispatchSemaphore(value: 0)

func finish(_ body: Data?, _ response: URLResponse?, _ error: (any Error)?) {
  let text = error.map { "\($0)" } ?? String(decoding: body ?? Data(), as: UTF8.self)
  print("\(response?.expectedContentLength ?? 0) bytes expected, \(text)")
  done.signal()
}

let task: URLSessionTask
if url.path == "/download" {
  task = session.downloadTask(with: url) { file, response, error in
    finish(file.flatMap { try? Data(contentsOf: $0) }, response, error)
    if let file { try? FileManager.default.removeItem(at: file) }
  }
} else {
  task = session.dataTask(with: url, completionHandler: finish)
}
task.resume()
// The server notes a request when it has sent the first half.
while (try? Data(contentsOf: requests).count) ?? 0 == 0 { Thread.sleep(forTimeInterval: 0.01) }
Thread.sleep(forTimeInterval: 0.3)
task.suspend()
task.resume()
done.wait()
END
cat >"$folder/upstream.py" <<'END'
import time
from pathlib import Path

def respond(connection, head):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nab")
    with (Path(__file__).parent / head.decode().split()[1][1:]).open("a") as requests:
        requests.write("request\n")
    time.sleep(2)
    connection.sendall(b"cd")
END
swift_program 6.3.1
serve_upstream
for kind in data download; do
  seen=$(timeout 20 "$folder/program" "http://127.0.0.1:$upstream/$kind" "$folder/$kind")
  expect "$kind" "$seen, requests $(grep --count request "$folder/$kind")" \
    "4 bytes expected, ababcd, requests 2"
done
