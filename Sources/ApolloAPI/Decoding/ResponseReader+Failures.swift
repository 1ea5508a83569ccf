extension ResponseReader {
  /// A null where the schema rules it out, or a missing field.
  struct Violation {
    enum Kind {
      case null
      case missing
      /// A missing field that may be null.
      case missingNullable
    }

    let kind: Kind
    /// From the root.
    let path: [PathEntry]
    let byteOffset: Int

    /// The violation as a failure of the whole response.
    var failure: ReadFailure {
      let problem: ResponseError.Problem = kind == .null ? .nullValue : .missingValue
      return path.reversed().reduce(ReadFailure(problem, byteOffset: byteOffset)) { $0.adding($1) }
    }
  }

  /// Records a null or a missing field in the object or list on top.
  ///
  /// - Parameters:
  ///   - kind: The kind of the violation.
  ///   - byteOffset: The offset of the null, or of the end of the object that lacks the field.
  ///   - path: The path from the object or list on top to the null.
  @inline(never)
  mutating func addViolation(
    _ kind: Violation.Kind = .null, at byteOffset: Int, _ path: [PathEntry]
  ) {
    let around = containers.elements(from: 0).dropLast().map(\.pathEntry)
    violations.append(Violation(kind: kind, path: around + path, byteOffset: byteOffset))
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
