/// The text of one GraphQL file, together with the name that diagnostics show for it.
///
/// ```swift
/// let source = Source(name: "Hero.graphql", text: "query Hero { hero { name } }")
/// var document = Document()
/// let diagnostics = document.parse(source)
/// print(DiagnosticFormat.text.render(diagnostics, in: document.sources))
/// ```
///
/// The bytes may be any bytes. Parsing reports the first one that is not valid UTF-8.
public struct Source: Sendable {
  /// The name that diagnostics show, usually a path.
  public var name: String
  /// The bytes, followed by ``padding`` zeros.
  ///
  /// The padding lets the lexer read whole words and find the end without a bounds check.
  let paddedBytes: [UInt8]
  /// The position of the first byte in its file. It differs from 1:1 for a text that was cut out of
  /// a larger file.
  public var origin: Origin

  /// A Boolean value that indicates whether the text was generated from another source, such as an
  /// introspection result. Checks of a text's appearance skip it.
  package var isDerived = false

  /// The number of zeros after the text: the widest read of the lexer.
  static let padding = 16

  /// The line and column of the first character of a source.
  public struct Origin: Hashable, Sendable {
    /// The line in the file, counted from 1.
    public var line: Int
    /// The column in the line, counted from 1 in Unicode code points.
    public var column: Int

    /// Creates the position `line`:`column`, by default the start of a file.
    public init(line: Int = 1, column: Int = 1) {
      self.line = line
      self.column = column
    }
  }

  /// Creates a source from the UTF-8 encoding of `text`.
  public init(name: String, text: String, origin: Origin = Origin()) {
    self.init(name: name, bytes: text.utf8, origin: origin)
  }

  /// Creates a source from a copy of `bytes`, which need not be valid UTF-8.
  public init(name: String, bytes: some Collection<UInt8>, origin: Origin = Origin()) {
    self.name = name
    self.origin = origin
    var padded: [UInt8] = []
    padded.reserveCapacity(bytes.count + Self.padding)
    padded.append(contentsOf: bytes)
    padded.append(contentsOf: repeatElement(0, count: Self.padding))
    paddedBytes = padded
  }

  /// The length of the text in bytes.
  public var count: Int { paddedBytes.count - Self.padding }

  /// The bytes of the text.
  public var bytes: ArraySlice<UInt8> { paddedBytes[..<count] }

  /// The text, with every ill-formed sequence replaced by U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
