// modules: ApolloAPI
// dictionary: parts.dict
// sources: ApolloTransport/Multipart ApolloTransport/EventStream ApolloTransport/Incremental ApolloTransport/Responses/MediaType.swift ApolloTransport/Responses/ResponseStreamError.swift ApolloTransport/HTTP/HeaderField.swift ApolloTransport/HTTP/ShortenedText.swift ApolloTransport/HTTP/GraphQLHTTPRequestError.swift ApolloTransport/Requests/PartsContent.swift ApolloTransport/Responses/NetworkResponse.swift ApolloTransport/Errors/Origin.swift
import Foundation

/// The first byte chooses a chunk size. All chunkings give the same events and the same error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEventStream(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let text = Data(bytes: bytes + 1, count: count - 1)
  let whole = outcome(of: text, chunkSize: count)
  precondition(outcome(of: text, chunkSize: Int(bytes[0]) % 17 + 2) == whole)
  precondition(outcome(of: text, chunkSize: 1) == whole)
  return 0
}

private struct Outcome: Equatable {
  var events: [ServerSentEvent] = []
  var error: ResponseStreamError?
}

private func outcome(of text: Data, chunkSize: Int) -> Outcome {
  var framer = EventStreamFramer(maximumEventByteCount: 1 << 20)
  var outcome = Outcome()
  do throws(ResponseStreamError) {
    var rest = text
    while !rest.isEmpty {
      framer.append(rest.prefix(chunkSize))
      rest = rest.dropFirst(chunkSize)
      while let event = try framer.next() { outcome.events.append(event) }
    }
  } catch {
    outcome.error = error
  }
  return outcome
}
