extension SchemaCoordinate {
  /// Parses a schema coordinate.
  ///
  /// ```swift
  /// let source = Source(name: "coordinate", text: "Hero.friends(first:)")
  /// let (coordinate, diagnostics) = SchemaCoordinate.parsing(source)
  /// ```
  ///
  /// A coordinate contains no ignored tokens, not even white space.
  /// - Parameter source: A text that consists of the coordinate alone.
  /// - Returns: The coordinate, or `nil` with the syntax error.
  public static func parsing(
    _ source: Source
  ) -> (coordinate: SchemaCoordinate?, diagnostics: [Diagnostic]) {
    var parser = SchemaCoordinateParser(source)
    do {
      return (try parser.parse(), [])
    } catch {
      return (nil, [Diagnostic(error.problem, at: error.span)])
    }
  }
}

/// Parses the grammar of schema coordinates. Its tokens are names and five punctuators.
///
/// Spec: 3.14, "Schema Coordinates".
private struct SchemaCoordinateParser {
  struct Failure: Error {
    var problem: SyntaxProblem
    var span: SourceSpan
  }

  private let source: Source
  private var position = 0

  init(_ source: Source) {
    self.source = source
  }

  /// Parses SchemaCoordinate :
  ///   - Name
  ///   - Name . Name
  ///   - Name . Name ( Name : )
  ///   - @ Name
  ///   - @ Name ( Name : )
  mutating func parse() throws(Failure) -> SchemaCoordinate {
    let coordinate: SchemaCoordinate
    if try skip("@") {
      let directive = try name()
      let argument = try optionalArgument()
      coordinate =
        argument.map { .directiveArgument(directive: directive, name: $0) } ?? .directive(directive)
    } else {
      let type = try name()
      if try skip(".") {
        let member = try name()
        let argument = try optionalArgument()
        coordinate =
          argument.map { .argument(type: type, field: member, name: $0) }
          ?? .member(type: type, name: member)
      } else {
        coordinate = .type(type)
      }
    }
    guard try next().isEmpty else { throw expected("<EOF>") }
    return coordinate
  }

  /// Parses ( Name : ), if a parenthesis is next.
  private mutating func optionalArgument() throws(Failure) -> String? {
    guard try skip("(") else { return nil }
    let name = try name()
    for punctuator in [":", ")"] {
      guard try skip(punctuator) else { throw expected("\"\(punctuator)\"") }
    }
    return name
  }

  private mutating func name() throws(Failure) -> String {
    let token = try next()
    guard token.first?.isNameStart ?? false else { throw expected("Name") }
    position += token.count
    return String(decoding: token, as: UTF8.self)
  }

  private mutating func skip(_ punctuator: String) throws(Failure) -> Bool {
    guard try next().elementsEqual(punctuator.utf8) else { return false }
    position += 1
    return true
  }

  /// Returns the token at the current position, empty at the end.
  private func next() throws(Failure) -> ArraySlice<UInt8> {
    let rest = source.bytes[position...]
    guard let first = rest.first else { return rest }
    if first.isNameStart { return rest.prefix { $0.isNameStart || $0.isDigit } }
    if "@.(:)".utf8.contains(first) { return rest.prefix(1) }
    let character = String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.first
    throw Failure(
      problem: .lexical(.invalidCharacter(character)), span: SourceSpan(at: UInt32(position)))
  }

  private func expected(_ expected: String) -> Failure {
    let token = (try? next()) ?? []  // A character that is no token is described as the end.
    let text = String(decoding: token, as: UTF8.self)
    let found =
      token.isEmpty
      ? "<EOF>" : token.first?.isNameStart ?? false ? "Name \"\(text)\"" : "\"\(text)\""
    return Failure(
      problem: .expectedInCoordinate(expected, found: found),
      span: SourceSpan(start: UInt32(position), end: UInt32(position + token.count)))
  }
}
