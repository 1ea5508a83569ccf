extension ResponseReader {
  /// A null where the schema rules it out.
  struct Violation {
    /// From the root.
    let path: [PathEntry]
    let byteOffset: Int

    /// The violation as a failure of the whole response.
    var failure: ReadFailure {
      path.reversed().reduce(ReadFailure(.nullValue, byteOffset: byteOffset)) { $0.adding($1) }
    }
  }

  /// Records a null in the object or list on top.
  ///
  /// - Parameters:
  ///   - byteOffset: The offset of the null.
  ///   - path: The path from the object or list on top to the null.
  @inline(never)
  mutating func addViolation(at byteOffset: Int, _ path: [PathEntry]) {
    let around = containers.elements(from: 0).dropLast().map(\.pathEntry)
    violations.append(Violation(path: around + path, byteOffset: byteOffset))
  }

  /// Releases everything that was read, and adds the path of the object or list on top to the
  /// failure.
  mutating func abandon(_ failure: ReadFailure) {
    while !containers.isEmpty {
      let container = containers.top.pointee
      if let object = container.object {
        fillMissing()
        object.release()
        if container.fieldCount > 64 { overflowFilled.removeSubrange(container.base...) }
      }
      containers.pop(to: containers.count - 1)
      if !containers.isEmpty { _ = failure.adding(containers.top.pointee.pathEntry) }
    }
    releaseElements(from: 0)
    trees = []
  }
}
