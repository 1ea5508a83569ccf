internal import ApolloCache

/// The forms that the values of each field of a type have: a leaf, an object or a list of them.
///
/// A schema gives each field of a type one form. Another one is left over from an earlier schema,
/// or was written by mistake, and no selection reads it.
struct FieldShapes: Sendable {
  /// The form of a value.
  struct Form: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number of lists around it.
    var depth: Int
    var isObject: Bool

    var description: String {
      let element = isObject ? "object" : "scalar"
      return depth == 0
        ? isObject ? "an object" : "a scalar"
        : "a list of " + String(repeating: "lists of ", count: depth - 1) + element + "s"
    }

    static func < (left: Form, right: Form) -> Bool {
      (left.depth, left.isObject ? 1 : 0) < (right.depth, right.isObject ? 1 : 0)
    }
  }

  struct Field: Hashable, Sendable {
    var type: String
    var name: String
  }

  private var counts: [Field: [Form: Int]] = [:]

  mutating func insert(_ record: StoredRecord) {
    Self.visit(record) { field, form, _ in counts[field, default: [:]][form, default: 0] += 1 }
  }

  /// Indicates whether a field has several forms.
  var hasConflicts: Bool { counts.values.contains { $0.count > 1 } }

  /// The usual form of a field: that of most values, or `nil` if all have one form.
  private func usualForm(of field: Field) -> Form? {
    guard let forms = counts[field], forms.count > 1 else { return nil }
    return forms.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// Returns the values of a record whose form is not the usual one.
  func unusual(in record: StoredRecord) -> [Finding] {
    var found: [Finding] = []
    Self.visit(record) { field, form, key in
      guard let usual = usualForm(of: field), form != usual else { return }
      let finding = Finding.wrongShape(
        record.key, field: key, type: field.type, found: form.description,
        usual: usual.description)
      if found.last != finding { found.append(finding) }
    }
    return found
  }

  /// Calls `body` with the form of each value of a record and of its embedded objects, and with the
  /// field of the record that contains it.
  private static func visit(_ record: StoredRecord, _ body: (Field, Form, FieldKey) -> Void) {
    guard let fields = record.fields else { return }
    for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
      visit(fields.typename, key, value, in: key, body)
    }
  }

  private static func visit(
    _ type: String?, _ key: FieldKey, _ value: CacheValue, in outer: FieldKey,
    _ body: (Field, Form, FieldKey) -> Void
  ) {
    // Without arguments, which do not change the type.
    if let type, let form = form(of: value) {
      body(Field(type: type, name: FieldName(key).name), form, outer)
    }
    visitObjects(in: value, outer, body)
  }

  private static func visitObjects(
    in value: CacheValue, _ outer: FieldKey, _ body: (Field, Form, FieldKey) -> Void
  ) {
    switch value {
    case .list(let elements): for element in elements { visitObjects(in: element, outer, body) }
    case .object(let fields):
      for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
        visit(fields.typename, key, value, in: outer, body)
      }
    default: break
    }
  }

  /// Returns the form of a value, or `nil` if it does not show it: a null, an empty list, or a
  /// custom scalar, which may be anything.
  private static func form(of value: CacheValue) -> Form? {
    switch value {
    case .null, .failure, .json: return nil
    case .bool, .int, .double, .string: return Form(depth: 0, isObject: false)
    case .object, .reference: return Form(depth: 0, isObject: true)
    case .list(let elements):
      // A list of custom scalars shows nothing either, whatever its first element is.
      if elements.contains(where: { if case .json = $0 { true } else { false } }) { return nil }
      for element in elements {
        if let form = form(of: element) {
          return Form(depth: form.depth + 1, isObject: form.isObject)
        }
      }
      return nil
    }
  }
}
