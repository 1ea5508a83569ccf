internal import ApolloAPI

/// A change of lists and records that a response brings by a directive of its operation.
package struct ListChange: Sendable {
  let edit: ListEdit
  /// The edges or objects to insert, or references to those to delete.
  var values: [EditedValue]
  var lists: [ListLocation]
  /// Indicates whether the records of deleted items stay, although the edit would remove them.
  var keepsRecords = false
  /// The texts that name the lists, and those that are no identifiers.
  let names: [String]

  init(_ edit: ListEdit, _ values: [EditedValue], _ names: [String]) {
    self.edit = edit
    self.values = values
    self.names = names
    lists = names.compactMap { ListLocation($0) }
  }

  /// The places in the response that the values are from.
  var places: Set<EditedPlace> {
    Set(values.map { EditedPlace(edit: edit, path: $0.path) })
  }

  /// Returns the change without the values from some places, or `nil` if there is no other value.
  func removing(_ known: Set<EditedPlace>) -> ListChange? {
    var rest = self
    rest.values.removeAll { known.contains(EditedPlace(edit: edit, path: $0.path)) }
    return rest.values.isEmpty ? nil : rest
  }
}

/// A value of a field with a directive.
struct EditedValue: Sendable {
  /// The path in the response. Empty for a model, whose values are all there at once.
  let path: [PathEntry]
  let value: CacheValue
}

/// The place of an ``EditedValue`` in the response, which a further part of the response has too.
struct EditedPlace: Hashable, Sendable {
  let edit: ListEdit
  let path: [PathEntry]
}
