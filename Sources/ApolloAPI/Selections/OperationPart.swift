/// A part of an operation, as a tree of response keys.
///
/// `{ hero { friends { name } } }` without anything else, and with the identifiers of the heroes:
///
/// ```
/// hero     keys: ["id"]
///   friends  keys: ["id"]
///     name
/// ```
package struct OperationPart: Hashable, Sendable {
  /// The fields of the objects that belong to the part, by response key.
  package var fields: [String: OperationPart]
  /// Indicates whether everything inside of the objects belongs to the part.
  package var isWhole: Bool
  /// The response keys of the fields that identify the objects.
  package var keys: Set<String>

  /// Creates a part. By default, it is a leaf, or only identifies objects.
  package init(
    fields: [String: OperationPart] = [:], isWhole: Bool = false, keys: Set<String> = []
  ) {
    self.fields = fields
    self.isWhole = isWhole
    self.keys = keys
  }

  /// Returns whether a selection of a leaf belongs to the part.
  ///
  /// Fields that identify objects, and the names of their types, always do.
  func selectsLeaf(_ responseKey: String, name: String) -> Bool {
    isWhole || name == "__typename" || fields[responseKey] != nil || keys.contains(responseKey)
  }

  /// Returns the part of a field's objects, or `nil` if the field does not belong to this one.
  func part(ofField responseKey: String) -> OperationPart? {
    isWhole ? OperationPart(isWhole: true) : fields[responseKey]
  }

  /// The number of fields in the tree.
  var fieldCount: Int { fields.values.reduce(fields.count) { $0 + $1.fieldCount } }
}

/// The fields of a part that were found in a document, so that one that has others is noticed.
struct FoundFields {
  private var path: [String] = []
  private var paths: Set<[String]> = []

  /// Notes a field, whose inside follows until ``leave()``.
  mutating func enter(_ responseKey: String, of part: OperationPart) {
    path.append(responseKey)
    if part.fields[responseKey] != nil { paths.insert(path) }
  }

  mutating func leave() { path.removeLast() }

  /// Returns whether these are all fields of a part.
  func areAll(of part: OperationPart) -> Bool { paths.count == part.fieldCount }
}
