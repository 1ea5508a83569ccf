/// Reads tokens from the bytes of one source.
///
/// The lexer is total: what makes no token becomes one of kind `.invalid`, `problem` tells why, and
/// reading goes on after it. The bytes must be valid UTF-8 and be followed by ``Source/padding``
/// zeros, so that sixteen bytes can be read anywhere, and only a zero byte can be the end. Names are
/// interned as they are read.
///
/// Spec: 2.1, "Source Text".
struct Lexer: ~Copyable {
  /// Because: the lexer lives in a closure that keeps the source's bytes alive, and reads no
  /// further than their padding.
  let bytes: UnsafePointer<UInt8>
  let count: Int
  /// What is added to an index to make an offset of the source map.
  let base: UInt32
  /// The index of the next byte to read.
  var position = 0
  /// Whether comments are tokens too.
  var keepsComments = false
  /// How many tokens may still be read, and how many it were.
  private var remainingTokens: Int
  private let tokenLimit: Int
  /// What was wrong with the last token of kind `.invalid`, and where.
  private(set) var problem: (kind: LexicalProblem, span: SourceSpan)?

  init(bytes: UnsafePointer<UInt8>, count: Int, base: UInt32, tokenLimit: Int? = nil) {
    self.bytes = bytes
    self.count = count
    self.base = base
    self.tokenLimit = tokenLimit ?? .max
    remainingTokens = self.tokenLimit
  }

  /// Reads the next token that is not ignored.
  ///
  /// At the end of the source it returns `.endOfFile`, then and on every later call.
  /// - Complexity: O(*n*) in the bytes read.
  @inline(__always)
  mutating func next(interning names: inout NameTable) -> Token {
    while true {
      skipIgnored()
      let byte = bytes[position]
      remainingTokens &-= 1
      if remainingTokens < 0 { return afterLastToken() }
      if byte.isNameStart { return name(interning: &names) }
      if let token = nextOther(byte) { return token }
      remainingTokens &+= 1
    }
  }

  @inline(__always)
  private mutating func skipIgnored() {
    var index = position
    while true {
      // Spaces come in rows: those that indent a line.
      let word = bytes.word(at: index) ^ WordScan.repeated(UInt8(ascii: " "))
      guard word != 0 else {
        index += 8
        continue
      }
      index += WordScan.firstIndex(in: word)
      guard bytes[index].isIgnored else { break }
      index += 1
    }
    position = index
  }

  /// Name : NameStart NameContinue*
  @inline(__always)
  private mutating func name(interning names: inout NameTable) -> Token {
    let start = position
    var hash = NameHash()
    var end = start
    while true {
      let name = VectorScan.load(bytes, at: end)
      let stop = VectorScan.words(VectorScan.marksOfNonName(in: name))
      if stop.low | stop.high == 0 {
        hash.combine(bytes.word(at: end), bytes.word(at: end + 8))
        end += 16
        continue
      }
      let length = VectorScan.firstIndex(stop)
      if length > 0 {
        // All bits below the first mark.
        let low = bytes.word(at: end) & (stop.low &- 1) & ~stop.low
        let high = bytes.word(at: end + 8) & (stop.high &- 1) & ~stop.high
        hash.combine(low, stop.low == 0 ? high : 0)
      }
      end += length
      break
    }
    position = end
    let symbol = names.intern(bytes + start, count: end - start, hash: hash.value)
    return Token(kind: .name, span: span(from: start), symbol: symbol)
  }

  /// Reads a token that is not a name, or returns nil after something that is ignored.
  @inline(__always)
  private mutating func nextOther(_ byte: UInt8) -> Token? {
    let kind = Token.Kind(punctuator: byte)
    if kind != .invalid { return punctuator(kind) }
    return switch byte {
    case UInt8(ascii: "\""): string()
    case UInt8(ascii: "."): spread()
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): number()
    case UInt8(ascii: "#"): comment()
    default: endOrInvalid(byte)
    }
  }

  @inline(__always)
  private mutating func punctuator(_ kind: Token.Kind) -> Token {
    let start = position
    position += 1
    return Token(kind: kind, span: span(from: start))
  }

  private mutating func spread() -> Token {
    guard bytes[position + 1] == UInt8(ascii: "."), bytes[position + 2] == UInt8(ascii: ".") else {
      return invalidCharacter()
    }
    position += 3
    return Token(kind: .spread, span: span(from: position - 3))
  }

  /// Comment :: `#` CommentChar*
  private mutating func comment() -> Token? {
    let start = position
    while position < count {
      let word = bytes.word(at: position)
      let stop =
        WordScan.mask(of: UInt8(ascii: "\n"), in: word)
        | WordScan.mask(of: UInt8(ascii: "\r"), in: word)
      position += stop == 0 ? 8 : WordScan.firstIndex(in: stop)
      if stop != 0 { break }
    }
    position = min(position, count)
    return keepsComments ? Token(kind: .comment, span: span(from: start)) : nil
  }

  /// The end of the source, a byte order mark (which is ignored), or a character that is no token.
  private mutating func endOrInvalid(_ byte: UInt8) -> Token? {
    if byte == 0 && position >= count {
      return Token(kind: .endOfFile, span: span(from: count))
    }
    if byte == 0xEF && bytes[position + 1] == 0xBB && bytes[position + 2] == 0xBF {
      position += 3
      return nil
    }
    return invalidCharacter()
  }
}

// MARK: - Problems

extension Lexer {
  @inline(__always)
  func span(from start: Int) -> SourceSpan {
    SourceSpan(
      start: base &+ UInt32(truncatingIfNeeded: start),
      end: base &+ UInt32(truncatingIfNeeded: position))
  }

  /// A token from `start` to the current position that is wrong at `place`.
  mutating func invalid(_ problem: LexicalProblem, from start: Int, at place: Int) -> Token {
    self.problem = (problem, SourceSpan(at: base + UInt32(place)))
    return Token(kind: .invalid, span: span(from: start))
  }

  /// The character at the current position as a token that is wrong.
  private mutating func invalidCharacter() -> Token {
    let start = position
    let scalar = scalar(at: start)
    position += scalar.map { UTF8.width($0) } ?? 0
    return invalid(.unexpectedCharacter(scalar), from: start, at: start)
  }

  /// What is read once the limit is reached: the end, or else a token that says so, again and
  /// again.
  @inline(never)
  private mutating func afterLastToken() -> Token {
    remainingTokens = 0
    while position < count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "#") {
        _ = comment()
      } else if byte == 0xEF {
        guard endOrInvalid(byte) == nil else { break }
      } else if !byte.isIgnored {
        break
      }
      skipIgnored()
    }
    if position >= count { return Token(kind: .endOfFile, span: span(from: count)) }
    let start = position
    position = count
    return invalid(.tooManyTokens(limit: tokenLimit), from: start, at: start)
  }

  /// The character that starts at `index`, or nil at the end.
  func scalar(at index: Int) -> Unicode.Scalar? {
    guard index < count else { return nil }
    var decoder = UTF8()
    var rest = UnsafeBufferPointer(start: bytes + index, count: count - index).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
    return scalar
  }
}

extension Token.Kind {
  /// The punctuator of one byte, or `.invalid`.
  @inline(__always)
  fileprivate init(punctuator byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"): self = .leftBrace
    case UInt8(ascii: "}"): self = .rightBrace
    case UInt8(ascii: ":"): self = .colon
    case UInt8(ascii: "!"): self = .bang
    case UInt8(ascii: "("): self = .leftParenthesis
    case UInt8(ascii: ")"): self = .rightParenthesis
    case UInt8(ascii: "$"): self = .dollar
    case UInt8(ascii: "@"): self = .at
    case UInt8(ascii: "["): self = .leftBracket
    case UInt8(ascii: "]"): self = .rightBracket
    case UInt8(ascii: "="): self = .equals
    case UInt8(ascii: "|"): self = .pipe
    case UInt8(ascii: "&"): self = .ampersand
    default: self = .invalid
    }
  }
}
