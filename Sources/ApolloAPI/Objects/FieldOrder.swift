/// The order in which a server sends the fields of a layout's objects, where it is not the order of
/// the selections.
///
/// Some servers sort keys, or send `__typename` last. A reader notes which field followed which,
/// so that the next object is read as fast as if its fields came in the order of the selections;
/// looking up a key takes several times as long as comparing it with the expected one.
///
/// `@unchecked Sendable` because only the reader that makes an order writes to it, and only until
/// the order is shared; see ``LayoutCache/note(_:after:in:)``.
final class FieldOrder: @unchecked Sendable {
  /// The index of the field after each field, beginning with the one before the first field. The
  /// number of fields stands for the end of the object.
  let successors: UnsafeMutablePointer<Int16>
  /// `true` once other readers may use the order.
  var isShared = false

  /// Copies an order of so many fields.
  init(copying successors: UnsafePointer<Int16>, fieldCount: Int) {
    self.successors = .allocate(capacity: fieldCount + 1)
    self.successors.initialize(from: successors, count: fieldCount + 1)
  }

  deinit { successors.deallocate() }
}
