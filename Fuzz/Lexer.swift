// modules: GraphQLSyntax
import GraphQLSyntax

/// Tokens follow each other without overlap, and each one alone is lexed as the same token.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLexer(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = Source(name: "input", bytes: UnsafeBufferPointer(start: bytes, count: count))
  let (tokens, diagnostics) = source.tokens(keepsComments: true)
  guard let last = tokens.last else {
    precondition(!diagnostics.isEmpty, "Only invalid UTF-8 has no tokens.")
    return 0
  }
  precondition(last.kind == .endOfFile && last.span.start == count)
  precondition(diagnostics.count == tokens.count { $0.kind == .invalid })
  var end: UInt32 = 0
  for token in tokens.dropLast() {
    precondition(token.span.start >= end && token.span.end > token.span.start)
    end = token.span.end
    guard token.kind != .invalid else { continue }
    let text = source.bytes[Int(token.span.start)..<Int(token.span.end)]
    let alone = Source(name: "token", bytes: text).tokens(keepsComments: true).tokens
    precondition(alone.map(\.kind) == [token.kind, .endOfFile])
  }
  return 0
}
