extension JSONValue {
  /// Returns whether both values are equal. Strings and keys are compared by their bytes, as those
  /// of models are: texts that only look alike are different.
  public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
    areEqual(lhs, rhs) { $0 == $1 }
  }

  /// Returns whether both values are written alike, including the sign of a zero. A cache must not
  /// lose such a change.
  package func isIdentical(to other: JSONValue) -> Bool {
    Self.areEqual(self, other) { $0.bitPattern == $1.bitPattern }
  }

  private static func areEqual(
    _ lhs: JSONValue, _ rhs: JSONValue, _ areEqualDoubles: (Double, Double) -> Bool
  ) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.bool(let lhs), .bool(let rhs)): lhs == rhs
    case (.int(let lhs), .int(let rhs)): lhs == rhs
    case (.double(let lhs), .double(let rhs)): areEqualDoubles(lhs, rhs)
    case (.decimal(let lhs), .decimal(let rhs)), (.string(let lhs), .string(let rhs)):
      lhs.hasSameBytes(as: rhs)
    case (.array(let lhs), .array(let rhs)):
      lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { areEqual($0, $1, areEqualDoubles) }
    case (.object(let lhs), .object(let rhs)):
      lhs.count == rhs.count
        && lhs.allSatisfy { key, value in
          guard let index = rhs.index(forKey: key), rhs[index].key.hasSameBytes(as: key) else {
            return false
          }
          return areEqual(value, rhs[index].value, areEqualDoubles)
        }
    default: false
    }
  }
}
