// modules: GraphQLSyntax
// dictionary: messages.dict
// sources: GraphQLLanguageServer/Messages GraphQLLanguageServer/Text
import GraphQLSyntax

/// Bytes from an editor are the same messages in pieces of any size, every message is read or
/// refused, and edits leave a text with the lines of a new one.
///
/// The first byte chooses the sizes of the pieces; the rest is what an editor sends.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLanguageServer(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let choice = input.first else { return 0 }
  let text = Array(input.dropFirst())
  let whole = messages(in: text, sizes: text.count + 1)
  require(
    whole == messages(in: text, sizes: Int(choice & 15) + 1), "Pieces of any size do the same.")
  for content in whole.contents { handle(content) }
  // The bytes as edits of each other.
  var buffer = TextBuffer([])
  for line in text.split(separator: UInt8(ascii: "|"), maxSplits: 50) {
    guard let first = line.first else { continue }
    let start = min(Int(first), buffer.bytes.count)
    let end = min(start + Int(choice), buffer.bytes.count)
    buffer.replace(start..<end, with: String(decoding: line, as: UTF8.self))
    require(buffer == TextBuffer(buffer.bytes), "Edits leave the lines of a new text.")
    check(buffer, at: end)
  }
  return 0
}

/// Optimized code says nothing when a precondition fails.
private func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
  if !condition { fatalError("This does not hold: \(promise())") }
}

private struct Run: Equatable {
  var contents: [[UInt8]] = []
  var failure: MessageFraming.Failure?
}

private func messages(in bytes: [UInt8], sizes: Int) -> Run {
  var framing = MessageFraming()
  var run = Run()
  for start in stride(from: 0, to: bytes.count, by: sizes) {
    framing.append(bytes[start..<min(start + sizes, bytes.count)])
    do {
      while let content = try framing.next() { run.contents.append(content) }
    } catch {
      run.failure = error
      return run
    }
  }
  return run
}

/// Reads a message and everything in it that has a form.
private func handle(_ content: [UInt8]) {
  guard let message = try? IncomingMessage(content) else { return }
  switch message {
  case .request(_, _, let params), .notification(_, let params):
    _ = TextRange(params?["range"])
    if let uri = params?["textDocument"]?["uri"]?.string, let path = FileURI.path(of: uri) {
      require(FileURI.path(of: FileURI.uri(of: path)) == path, "A path survives as a URI.")
    }
  case .response: break
  }
}

private func check(_ buffer: TextBuffer, at offset: Int) {
  for encoding in [PositionEncoding.utf8, .utf16] {
    let position = buffer.position(of: offset, encoding)
    let again = buffer.position(of: buffer.offset(of: position, encoding), encoding)
    require(again.line <= position.line, "A position is in its line.")
  }
}
