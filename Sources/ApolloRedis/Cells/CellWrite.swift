internal import ApolloCache

/// A write as cells remember it: its time and the maximum age that the server gave its data.
///
/// Both are in the number, so that no table of writes is needed, which all processes would compete
/// for: 43 bits for the milliseconds since 1970, and 20 for the seconds of the maximum age and one
/// more, or zero. Writes of one millisecond can be one, as their facts are equal.
struct CellWrite {
  private static let maxAgeBits: Int64 = 20
  private static let largestMaxAge = Double((1 << maxAgeBits) - 2)

  let id: WriteID

  init(_ facts: WriteFacts) {
    let time = Int64(max(0, min(facts.time * 1_000, Double(1 << 42))))
    let maxAge = facts.maxAge.map { Int64(max(0, min($0, Self.largestMaxAge))) + 1 } ?? 0
    id = WriteID(time << Self.maxAgeBits | maxAge)
  }

  init?(_ id: WriteID) {
    guard id.number > 0 else { return nil }
    self.id = id
  }

  /// The time in seconds since 1970.
  var time: Double { Double(id.number >> Self.maxAgeBits) / 1_000 }

  /// The maximum age in seconds, or `nil` if the server gave none.
  var maxAge: Double? {
    let code = id.number & (1 << Self.maxAgeBits - 1)
    return code == 0 ? nil : Double(code - 1)
  }

  /// The facts. The name of the operation is not kept.
  var facts: WriteFacts { WriteFacts(time: time, operationName: nil, maxAge: maxAge) }

  /// Returns the time for which a cell can be of use, or `nil` if some field of it has no maximum
  /// age.
  ///
  /// - Parameters:
  ///   - fields: The fields of the cell.
  ///   - writes: The writes that they are from.
  ///   - now: The time of the current write.
  /// - Returns: The time from now on.
  static func lifetime(of fields: FieldMap, _ writes: FieldMap, from now: Double) -> Duration? {
    var latest = now
    for key in fields.keys where key != .typename {
      guard case .int(let number)? = writes[key], let write = CellWrite(WriteID(number)),
        let maxAge = write.maxAge
      else { return nil }
      latest = max(latest, write.time + maxAge)
    }
    return .seconds(latest - now)
  }
}
