// modules: ApolloAPI
// dictionary: parts.dict
// sources: ApolloTransport/Multipart ApolloTransport/EventStream ApolloTransport/Incremental ApolloTransport/Responses/MediaType.swift ApolloTransport/Responses/ResponseStreamError.swift ApolloTransport/HTTP/HeaderField.swift ApolloTransport/HTTP/ShortenedText.swift ApolloTransport/HTTP/GraphQLHTTPRequestError.swift ApolloTransport/Requests/PartsContent.swift ApolloTransport/Responses/NetworkResponse.swift ApolloTransport/Errors/Origin.swift
import Foundation

/// Each line is a part. Nothing traps, an invalid part leaves a response that is not larger than
/// the parts, and white space changes nothing: with other white space before each of them, no part
/// repeats the text of another.
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
  var other = IncrementalMerger()
  var isOtherWhole = true
  do throws(ResponseStreamError) {
    for (index, line) in text.split(separator: UInt8(ascii: "\n")).enumerated() {
      var spaced = line
      // Behind the brace of an object, as many spaces as there are parts before this one.
      if let brace = line.firstIndex(of: UInt8(ascii: "{")), brace == line.startIndex {
        spaced =
          Data("{".utf8) + Data(repeating: UInt8(ascii: " "), count: index) + line.dropFirst()
      }
      try other.merge(spaced)
    }
    try other.finish()
  } catch {
    isOtherWhole = false
  }
  precondition(isWhole == isOtherWhole && merger.hasEnded == other.hasEnded)
  precondition(merger.hasNews == other.hasNews)
  if merger.hasNews {
    let body = merger.body()
    precondition(body.count <= 2 * count + 64 && body == other.body())
  } else {
    precondition(!isWhole || merger.hasEnded)
  }
  return 0
}
