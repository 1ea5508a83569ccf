/// Something that a write brings.
struct OrderedWrite: Sendable {
  /// The position from which readers see it.
  let position: UInt64
  /// The request whose response is written, or `nil` for what is as new as the moment.
  let origin: RequestMoment?
  /// Indicates whether it replaces what later mutations have written, as the closure of a response
  /// does, which has read that, and an edit of a list, which adds to it.
  let isUnconditional: Bool
  /// Indicates whether it only inserts items into a list, or removes them. It is newer than the
  /// values of older requests, but does not take the place of such changes by others.
  let isEdit: Bool
  /// Indicates whether a mutation goes above what is there: with its layer, its closure, or its
  /// changes of lists.
  let isOnTop: Bool
  let subject: @Sendable () -> WriteNote.Subject

  /// - Parameters:
  ///   - position: The position from which readers see the write.
  ///   - origin: The request whose response is written, or `nil` for what is as new as the moment.
  ///   - isUnconditional: Whether it replaces what later mutations have written.
  ///   - isEdit: Whether it only inserts items into a list, or removes them.
  ///   - isOnTop: Whether a mutation goes above what is there.
  ///   - subject: Returns what is written. It is called if the write could overtake a request.
  init(
    at position: UInt64, from origin: RequestMoment?, isUnconditional: Bool = false,
    isEdit: Bool = false, isOnTop: Bool = false,
    _ subject: @escaping @Sendable () -> WriteNote.Subject
  ) {
    self.position = position
    self.origin = origin
    self.isUnconditional = isUnconditional || isEdit
    self.isEdit = isEdit
    self.isOnTop = isOnTop
    self.subject = subject
  }

  var stamp: WriteStamp {
    isEdit
      ? WriteStamp(editAt: position, by: origin)
      : WriteStamp(at: position, from: origin, isOnTop: isOnTop)
  }
}
