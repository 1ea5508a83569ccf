/// The text of one GraphQL file, and the name to show for it.
///
/// The bytes need not be valid UTF-8: the parser reports where they are not.
public struct Source: Sendable {
  /// What diagnostics call it: usually a path.
  public var name: String
  /// The bytes, and ``padding`` zeros, so that the lexer can read words and needs no bounds check
  /// to find the end.
  let paddedBytes: [UInt8]
  /// Where the first byte is, one-based. Different from 1:1 when the text is a part of another
  /// file.
  public var origin: Origin

  /// Whether the text was made from another source, so that nobody wrote or sees it.
  package var isDerived = false

  static let padding = 16

  /// The line and column of a source's first character, both from 1.
  public struct Origin: Hashable, Sendable {
    /// The line in the file, from 1.
    public var line: Int
    /// The column in that line, from 1, in Unicode code points.
    public var column: Int

    /// The place `line`:`column`; the start of a file unless given.
    public init(line: Int = 1, column: Int = 1) {
      self.line = line
      self.column = column
    }
  }

  /// A source of the UTF-8 bytes of `text`.
  public init(name: String, text: String, origin: Origin = Origin()) {
    self.init(name: name, bytes: text.utf8, origin: origin)
  }

  /// A source of `bytes`, which are copied and need not be valid UTF-8.
  public init(name: String, bytes: some Collection<UInt8>, origin: Origin = Origin()) {
    self.name = name
    self.origin = origin
    var padded: [UInt8] = []
    padded.reserveCapacity(bytes.count + Self.padding)
    padded.append(contentsOf: bytes)
    padded.append(contentsOf: repeatElement(0, count: Self.padding))
    paddedBytes = padded
  }

  /// How many bytes the text has.
  public var count: Int { paddedBytes.count - Self.padding }

  /// The bytes of the text.
  public var bytes: ArraySlice<UInt8> { paddedBytes[..<count] }

  /// The text, with every ill-formed sequence replaced by U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
