/// Reads the tokens of one source.
///
/// The lexer accepts every input: characters that form no token become a token of kind `.invalid`,
/// and `problem` describes the error. The bytes must be valid UTF-8, followed by ``Source/padding``
/// zeros. Sixteen bytes can therefore be read at any position, and only a zero byte can be the end.
///
/// Each call of ``next(interning:)`` reads one token:
///
/// 1. Skip white space, commas and line terminators, eight spaces at a time.
/// 2. Classify the token by its first byte.
/// 3. Scan a name in steps of sixteen bytes, compute its hash from the same words, and intern it.
/// 4. Scan strings and comments word by word for the few bytes that can end them.
/// 5. For an invalid character, a byte order mark or the end of the source, take the slow path.
///
/// Spec: 2.1, "Source Text".
struct Lexer: ~Copyable {
  /// The bytes of the source, followed by padding.
  ///
  /// The pointer is safe, because the lexer exists only inside a closure that keeps the bytes
  /// alive, and never reads beyond their padding.
  let bytes: UnsafePointer<UInt8>
  let count: Int
  /// The offset of the first byte in the source map.
  let base: UInt32
  /// The index of the next byte to read.
  var position = 0
  /// A Boolean value that indicates whether comments are returned as tokens.
  var keepsComments = false
  /// The number of tokens that can still be read before the limit.
  private var remainingTokens: Int
  private let tokenLimit: Int
  /// The error of the last token of kind `.invalid`, with its position.
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
  /// Once the source is exhausted, every call returns `.endOfFile`.
  /// - Complexity: O(*n*), where *n* is the number of bytes read.
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
      // Spaces come in runs, as the indentation of lines.
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

  /// Reads Name: NameStart NameContinue*
  @inline(__always)
  private mutating func name(interning names: inout NameTable) -> Token {
    let start = position
    var hash = NameHash()
    var end = start
    while true {
      let name = VectorScan.load(bytes, at: end)
      let stop = VectorScan.words(VectorScan.marksOfNonNameBytes(in: name))
      if stop.low | stop.high == 0 {
        hash.combine(bytes.word(at: end), bytes.word(at: end + 8))
        end += 16
        continue
      }
      let length = VectorScan.firstIndex(stop)
      if length > 0 {
        // The mask keeps the bytes below the first one that does not belong to the name.
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

  /// Reads a token other than a name, or returns `nil` after an ignored comment or byte order mark.
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

  /// Reads Comment: `#` CommentChar*
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

  /// Handles the end of the source, a byte order mark (which is ignored), or an invalid character.
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

  /// Returns an invalid token from `start` to the current position, with an error at `errorIndex`.
  mutating func invalid(_ problem: LexicalProblem, from start: Int, at errorIndex: Int) -> Token {
    self.problem = (problem, SourceSpan(at: base + UInt32(errorIndex)))
    return Token(kind: .invalid, span: span(from: start))
  }

  /// Returns the character at the current position as an invalid token.
  private mutating func invalidCharacter() -> Token {
    let start = position
    let scalar = scalar(at: start)
    position += scalar.map { UTF8.width($0) } ?? 0
    return invalid(.unexpectedCharacter(scalar), from: start, at: start)
  }

  /// Returns the token after the last allowed one.
  ///
  /// At the end of the source, that is `.endOfFile`; otherwise an invalid token that covers the
  /// rest of the source.
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

  /// Returns the character that starts at `index`, or `nil` at the end.
  func scalar(at index: Int) -> Unicode.Scalar? {
    guard index < count else { return nil }
    var decoder = UTF8()
    var rest = UnsafeBufferPointer(start: bytes + index, count: count - index).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
    return scalar
  }
}

extension Token.Kind {
  /// Creates the kind of a punctuator of one byte, or `.invalid` for any other byte.
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
