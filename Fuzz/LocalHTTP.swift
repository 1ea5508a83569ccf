// modules:
// dictionary: http.dict
// sources: LocalHTTP/LocalRequest.swift LocalHTTP/RequestProblem.swift LocalHTTP/RequestParser.swift
import Foundation

/// The first byte chooses a division. All divisions of a connection's bytes give the same requests
/// and the same problem.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLocalHTTP(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let text = Array(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
  let whole = outcome(of: text, partSize: count)
  precondition(outcome(of: text, partSize: Int(bytes[0]) % 17 + 2) == whole)
  precondition(outcome(of: text, partSize: 1) == whole)
  return 0
}

private struct Outcome: Equatable {
  var requests: [LocalRequest] = []
  var problem: RequestProblem?
}

private func outcome(of text: [UInt8], partSize: Int) -> Outcome {
  var limits = RequestParser.Limits()
  limits.headByteCount = 1_024
  limits.bodyByteCount = 512
  var parser = RequestParser(limits: limits)
  var outcome = Outcome()
  do throws(RequestProblem) {
    var rest = text[...]
    while !rest.isEmpty {
      parser.append(rest.prefix(partSize))
      rest = rest.dropFirst(partSize)
      while let request = try parser.next() {
        _ = (request.path, request.parameters.count)
        outcome.requests.append(request)
      }
    }
  } catch {
    outcome.problem = error
  }
  return outcome
}
