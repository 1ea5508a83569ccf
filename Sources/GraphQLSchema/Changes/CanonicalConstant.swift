import GraphQLSyntax

/// Constants as texts that are equal where the order of fields is all that differs.
///
/// What is left to print is on a stack of its own, so that the call stack does not depend on the
/// value.
struct CanonicalConstant {
  private enum Step {
    case print(Value)
    /// Takes the last texts together: the items of a list.
    case list(count: Int)
    /// Takes the last texts together: the values of an object's fields.
    case object(ObjectField.List)
  }

  private let schema: Schema
  private var steps: [Step]
  private var texts: [String] = []

  /// `value`, with the fields of its objects in the order of their names.
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

  /// Removes the last `count` texts and returns them in their order.
  private mutating func takeTexts(_ count: Int) -> [String] {
    defer { texts.removeLast(count) }
    return Array(texts.suffix(count))
  }
}
