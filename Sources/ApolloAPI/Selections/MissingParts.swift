/// The parts of an operation that are fetched together: one from its root, and those of objects
/// that the server can look up.
package struct MissingParts: Hashable, Sendable {
  /// The part from the root of the operation, if there is one.
  package var root: OperationPart?
  /// The parts of objects.
  package var objects: [ObjectPart]

  package init(root: OperationPart?, objects: [ObjectPart] = []) {
    self.root = root
    self.objects = objects
  }
}

/// A part of the selections of one object, which a field at the root of queries finds.
///
/// `note` of the hero's best friend, a `Hero`, in `{ hero { best { id note } } }`:
///
/// ```
/// way     Query.hero, Hero.best
/// lookup  node(id: ID!): Node
/// part    keys: ["id"]
///           note
/// ```
package struct ObjectPart: Hashable, Sendable {
  /// One field on the way from the root of the operation to the object.
  package struct Step: Hashable, Sendable {
    /// The type of the object that has the field.
    package var typename: String
    package var responseKey: String

    package init(typename: String, responseKey: String) {
      self.typename = typename
      self.responseKey = responseKey
    }
  }

  /// The beginning of the names that the fields have in selections. No field of a schema has it.
  package static let namePrefix = "$"

  /// The fields that lead to the selections of the object.
  package var way: [Step]
  /// The field that finds the object.
  package var lookup: ObjectLookup
  /// The fields of the object.
  package var part: OperationPart

  package init(way: [Step], lookup: ObjectLookup, part: OperationPart) {
    self.way = way
    self.lookup = lookup
    self.part = part
  }
}

extension SchemaTypes {
  /// Returns whether the selections of a fragment belong to an object of a type.
  func fragment(on condition: String?, appliesTo typename: String) -> Bool {
    condition.map { self.condition($0, holdsFor: typename, within: []) } ?? true
  }
}
