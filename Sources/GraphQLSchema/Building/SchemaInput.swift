public import GraphQLSyntax

/// An input of `Schema.build(_:options:)`.
public enum SchemaInput: Sendable {
  /// A text of definitions and extensions.
  case sdl(Source)
  /// The JSON response to an introspection query, or the value of `data` in it.
  case introspection(Source)

  /// Creates an input from SDL or JSON, depending on the first characters of `source`.
  ///
  /// A JSON object starts with a brace and a quotation mark or another brace, which never occurs in
  /// SDL.
  public init(detecting source: Source) {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    let start = source.bytes.lazy.filter { !spaces.contains($0) }.prefix(2)
    let isObject = start.elementsEqual(Array("{}".utf8)) || start.elementsEqual(Array("{\"".utf8))
    self = isObject ? .introspection(source) : .sdl(source)
  }
}
