// modules: ApolloAPI
// dictionary: parts.dict
// sources: ApolloTransport/Multipart ApolloTransport/EventStream ApolloTransport/Incremental ApolloTransport/Responses/MediaType.swift ApolloTransport/Responses/ResponseStreamError.swift ApolloTransport/HTTP/HeaderField.swift ApolloTransport/HTTP/ShortenedText.swift ApolloTransport/HTTP/GraphQLHTTPRequestError.swift ApolloTransport/Requests/PartsContent.swift
import Foundation

/// Each line is a part. Nothing traps, and an invalid part leaves a response that is not larger
/// than the parts.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzIncremental(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = Data(bytes: bytes, count: count)
  var merger = IncrementalMerger()
  var isWhole = true
  do throws(ResponseStreamError) {
    for line in text.split(separator: UInt8(ascii: "\n")) { try merger.merge(line) }
    try merger.finish()
  } catch {
    isWhole = false
  }
  if merger.hasNews {
    precondition(merger.body().count <= 2 * count + 64)
  } else {
    precondition(!isWhole || merger.hasEnded)
  }
  return 0
}
