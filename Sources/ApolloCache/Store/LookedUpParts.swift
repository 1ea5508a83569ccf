package import ApolloAPI

/// The missing parts of a query, if the server looks objects up.
///
/// A missing field belongs to the innermost object around it that the server can find by its
/// identifier, so that the server does not resolve the way to that object again:
///
/// ```
/// { hero { id place { x } friends { id name note } } }
/// ```
///
/// | missing | part |
/// | :-- | :-- |
/// | `note` of the second friend | of that friend |
/// | `x` | of the hero: all of `place`, which has no identity |
/// | `friends` | of the hero |
/// | `hero` | of the root |
///
/// Inside of a field that is fetched because it is stale itself, nothing is looked up.
package struct LookedUpParts: Sendable {
  /// The largest number of objects that one request looks up. If there are more, the query begins
  /// at its root: a list whose elements lack a field is one field there.
  static let maximumCount = 10

  package var parts: MissingParts
  /// The identifier of each object.
  package var identifiers: [JSONValue]
}

/// An object that the server can find, with the part of it that is missing at one place.
struct FoundObject {
  struct ID: Hashable {
    var record: RecordKey
    /// The fields that lead to the object, without the indices of lists.
    var way: [ObjectPart.Step]
  }

  let id: ID
  let object: ResponseObject
  let lookup: ObjectLookup
  let identifier: JSONValue
  let node: PartNode
}

/// The objects that the server can find by their identifiers.
struct FindableObjects {
  private let types: SchemaTypes
  private let root: String

  /// Creates the value, or `nil` if the server can find none.
  init?(_ plan: NormalizationPlan, _ types: SchemaTypes) {
    guard let root = plan.root.staticTypename, types.findsObjects(from: root) else { return nil }
    self.types = types
    self.root = root
  }

  /// Returns the field that finds an object, and the object's identifier, or `nil` if there is no
  /// such field, or the identifier alone does not determine the object's key.
  func lookup(of object: ResponseObject, _ layout: RecordLayout) -> (ObjectLookup, JSONValue)? {
    guard let typename = layout.layout.typename,
      let lookup = types.lookup(ofObjectsOfType: typename, from: root),
      var keys = layout.resolver.identifyingKeys(of: object)
    else { return nil }
    keys.remove("__typename")
    let fields = keys.map { key in layout.fields.firstIndex { $0.responseKey == key } }
    guard let index = fields.first ?? nil,
      fields.allSatisfy({ $0.map { layout.fields[$0].key.rawValue } == lookup.keyField })
    else { return nil }
    switch object.writtenLeaf(ofField: index) {
    case .string(let text): return text.isEmpty ? nil : (lookup, .string(text))
    case .int(let number): return (lookup, .int(number))
    default: return nil
    }
  }
}
