import GraphQLSyntax

/// Prints a constant in a canonical form: the fields of objects are sorted by name.
///
/// Two constants have the same canonical form exactly if they have the same meaning. A stack of
/// steps replaces recursion:
///
/// 1. Print a leaf, and push its text.
/// 2. For a list or an object, push a step that combines the texts of its items, and then the
///    items.
struct CanonicalConstant {
  private enum Step {
    case print(Value)
    /// Replaces the last `count` texts by the list of them.
    case list(count: Int)
    /// Replaces the last texts, one for each field, by the object.
    case object(ObjectField.List)
  }

  private let schema: Schema
  private var steps: [Step]
  private var texts: [String] = []

  /// Returns the canonical form of `value`.
  static func text(of value: Value, in schema: Schema) -> String {
    var constant = CanonicalConstant(schema: schema, steps: [.print(value)])
    constant.run()
    return constant.texts.joined()
  }

  private init(schema: Schema, steps: [Step]) {
    self.schema = schema
    self.steps = steps
  }

  private mutating func run() {
    let document = schema.document
    while let step = steps.popLast() {
      switch step {
      case .print(let value):
        switch value.content {
        case .list(let items):
          steps.append(.list(count: items.count))
          steps += document[items].reversed().map { .print($0) }
        case .object(let fields):
          steps.append(.object(fields))
          steps += document[fields].reversed().map { .print($0.value) }
        default: texts.append(document.printed(value))
        }
      case .list(let count): texts.append("[\(takeTexts(count).joined(separator: ", "))]")
      case .object(let fields):
        let members = zip(document[fields], takeTexts(fields.count))
          .map { "\(schema.spelling($0.name.symbol)): \($1)" }
        texts.append(members.isEmpty ? "{}" : "{ \(members.sorted().joined(separator: ", ")) }")
      }
    }
  }

  /// Removes the last `count` texts and returns them in order.
  private mutating func takeTexts(_ count: Int) -> [String] {
    defer { texts.removeLast(count) }
    return Array(texts.suffix(count))
  }
}
