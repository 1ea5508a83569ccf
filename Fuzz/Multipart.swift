// modules: ApolloAPI
// dictionary: parts.dict
// sources: ApolloTransport/Multipart ApolloTransport/EventStream ApolloTransport/Incremental ApolloTransport/Responses/MediaType.swift ApolloTransport/Responses/ResponseStreamError.swift ApolloTransport/HTTP/HeaderField.swift ApolloTransport/HTTP/ShortenedText.swift ApolloTransport/HTTP/GraphQLHTTPRequestError.swift ApolloTransport/Requests/PartsContent.swift ApolloTransport/Responses/NetworkResponse.swift ApolloTransport/Errors/Origin.swift
import Foundation

/// The first byte chooses a boundary and a chunk size. All chunkings give the same parts and the
/// same error, and no part is lost that came before an error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMultipart(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let boundary = bytes[0] & 1 == 0 ? "-" : "graphql"
  let text = Data(bytes: bytes + 1, count: count - 1)
  let framer = MultipartFramer(boundary: boundary, maximumPartByteCount: 2048)
  let whole = outcome(of: text, chunkSize: count, framer)
  let size = Int(bytes[0] >> 1) % 17 + 1
  precondition(outcome(of: text, chunkSize: size, framer) == whole)
  precondition(outcome(of: text, chunkSize: 1, framer) == whole)
  return 0
}

private struct Outcome: Equatable {
  var parts: [Data] = []
  var error: ResponseStreamError?
}

private func outcome(of text: Data, chunkSize: Int, _ framer: MultipartFramer) -> Outcome {
  var framer = framer
  var outcome = Outcome()
  do throws(ResponseStreamError) {
    var rest = text
    while !rest.isEmpty {
      framer.append(rest.prefix(chunkSize))
      rest = rest.dropFirst(chunkSize)
      while let part = try framer.next() { outcome.parts.append(part) }
    }
    try framer.finish()
  } catch {
    outcome.error = error
  }
  return outcome
}
