internal import ApolloAPI

/// A response object together with the record that it becomes.
struct NormalizedObject: Sendable {
  let object: ResponseObject
  let layout: RecordLayout

  /// The record with the fields of the object.
  var record: Record {
    Record(key: key, fields: layout.fieldMap(of: object))
  }

  /// The fields of the record that the object has.
  var writtenFields: RecordShape {
    layout.mayBeIncomplete ? layout.fieldMap(of: object).shape : layout.shape
  }

  var key: RecordKey {
    guard let key = object.recordKey else { preconditionFailure("The object has no identity.") }
    return key
  }
}
