import GraphQLSyntax

/// A part of a document on one line, as graphql-js prints it and Apollo iOS joins its lines.
///
/// graphql-js breaks a list that is too long into a line for each item, without commas. Joined
/// again, the items have blanks between them.
struct DocumentLine {
  /// The longest line that is not broken, in UTF-16 code units.
  static let width = 80

  var text: String
  /// Is `true` if the text was broken before it was joined.
  var isBroken = false

  init(text: String, isBroken: Bool = false) {
    self.text = text
    self.isBroken = isBroken
  }

  /// Joins the items of a list.
  ///
  /// - Parameters:
  ///   - open: the opening bracket, with a blank if one follows on a line that is not broken.
  ///   - items: the items.
  ///   - close: the closing bracket.
  ///   - width: the longest text that is not broken, in UTF-16 code units. An item that is broken
  ///   breaks the list in any case.
  init(_ open: String, _ items: [DocumentLine], _ close: String, width: Int = Self.width) {
    text = open + items.map(\.text).joined(separator: ", ") + close
    isBroken = items.contains(where: \.isBroken) || text.utf16.count > width
    guard isBroken else { return }
    let brackets = [open, close].map { $0.filter { $0 != " " } }
    text = ([brackets[0]] + items.map(\.text) + [brackets[1]]).joined(separator: " ")
  }
}

extension Document {
  func line(_ argument: Argument) -> DocumentLine {
    let value = line(argument.value)
    return DocumentLine(text: "\(spelling(argument.name)): \(value.text)", isBroken: value.isBroken)
  }

  func line(_ value: Value) -> DocumentLine {
    switch value.content {
    case .list(let items): DocumentLine("[", self[items].map(line), "]")
    case .object(let members):
      DocumentLine(
        "{ ",
        self[members].map { member in
          let value = line(member.value)
          return DocumentLine(
            text: "\(spelling(member.name)): \(value.text)", isBroken: value.isBroken)
        }, " }")
    case .variable, .int, .float, .string, .boolean, .null, .enum:
      DocumentLine(text: graphQL(value))
    }
  }
}
