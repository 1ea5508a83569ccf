internal import ApolloAPI

/// A ``RecordedObject`` whose references are not counted. It is valid as long as the object and the
/// layout that it was made of.
///
/// A reading follows thousands of them; counting would take a fifth of it.
package struct KeptObject {
  private let object: Unretained
  private let layout: Unmanaged<RecordLayout>

  init(_ object: borrowing ResponseObject, _ layout: RecordLayout) {
    self.object = Unretained(object)
    self.layout = Unmanaged.passUnretained(layout)
  }

  init(_ recorded: borrowing RecordedObject) {
    self.init(recorded.object, recorded.layout)
  }

  private typealias Unretained = ResponseObject.Unretained

  /// Calls `body` with the object.
  @inline(__always)
  func withObject<Result>(_ body: (ResponseObject) throws -> Result) rethrows -> Result {
    try object.withObject(body)
  }

  /// The identity of the layout of the record.
  var layoutIdentity: ObjectIdentifier { layout._withUnsafeGuaranteedRef { ObjectIdentifier($0) } }

  /// Returns whether the object was laid out for another position.
  @inline(__always)
  func isElsewhere(than position: ObjectPosition) -> Bool {
    layout._withUnsafeGuaranteedRef { $0.positionIdentity != ObjectIdentifier(position) }
  }

  var recorded: RecordedObject {
    object.withObject { RecordedObject($0, layout.takeUnretainedValue()) }
  }
}
