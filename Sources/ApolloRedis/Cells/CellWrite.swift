internal import ApolloCache

/// A write as cells remember it: its time and the maximum age that the server gave its data.
///
/// Both are in the number, so that no table of writes is needed, which all processes would compete
/// for: 43 bits for the milliseconds since 1970, and 20 for the code of the maximum age. Writes of
/// one millisecond can be one, as their facts are equal.
///
/// | code | maximum age |
/// | :-- | :-- |
/// | 0 | none |
/// | 1 to 1,036,801 | 0 to 1,036,800 seconds, which are 12 days |
/// | 1,036,802 to 1,048,575 | 13 to 11,786 days |
///
/// Ages between two codes are rounded down: no data is used for longer than the server allows.
struct CellWrite {
  private static let maxAgeBits: Int64 = 20
  private static let largestCode: Int64 = (1 << maxAgeBits) - 1
  private static let secondsOfADay: Int64 = 86_400
  /// The largest maximum age that is counted in seconds.
  private static let mostSeconds = 12 * secondsOfADay

  let id: WriteID

  init(_ facts: WriteFacts) {
    let time = Int64(max(0, min(facts.milliseconds, Double(1 << 42))))
    let code = facts.maxAge.map(Self.code) ?? 0
    id = WriteID(time << Self.maxAgeBits | code)
  }

  private static func code(ofMaxAge maxAge: Double) -> Int64 {
    let seconds = Int64(max(0, min(maxAge, Double(1 << 42))))
    let rest = max(0, seconds - mostSeconds)
    return min(seconds - rest + rest / secondsOfADay + 1, largestCode)
  }

  init?(_ id: WriteID) {
    guard id.number > 0 else { return nil }
    self.id = id
  }

  /// The time in seconds since 1970.
  var time: Double { Double(id.number >> Self.maxAgeBits) / 1_000 }

  /// The maximum age in seconds, or `nil` if the server gave none.
  var maxAge: Double? {
    let code = id.number & Self.largestCode
    guard code > 0 else { return nil }
    let days = max(0, code - 1 - Self.mostSeconds)
    return Double(code - 1 - days + days * Self.secondsOfADay)
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
  static func lifetime(of fields: FieldMap, _ writes: CellWrites, from now: Double) -> Duration? {
    var latest = now
    func note(_ id: WriteID?) -> Bool {
      guard let id, let write = CellWrite(id), let maxAge = write.maxAge else { return false }
      latest = max(latest, write.time + maxAge)
      return true
    }
    switch writes {
    case .one(let id): guard note(id) else { return nil }
    case .each(let writes):
      for key in fields.keys where key != .typename {
        guard note(writes.write(of: key)) else { return nil }
      }
    }
    return .seconds(latest - now)
  }
}

/// The writes that the fields of a cell are from, as far as they are known.
enum CellWrites: Sendable {
  /// All fields are from one write, as after most responses.
  case one(WriteID)
  /// The number of the latest write of each field.
  case each(FieldMap)

  /// The write of a field of the cell, or `nil` if it is not known.
  subscript(field: FieldKey) -> WriteID? {
    switch self {
    case .one(let id): id
    case .each(let writes): writes.write(of: field)
    }
  }

  /// The number of the write of each of the cell's fields.
  func numbers(of fields: FieldMap) -> FieldMap {
    switch self {
    case .one(let id):
      FieldMap(fields.keys.map { ($0, .int(id.number)) })
    case .each(let writes): writes
    }
  }

  /// The value that is stored.
  var value: CacheValue {
    switch self {
    case .one(let id): .int(id.number)
    case .each(let writes): .object(writes)
    }
  }

  /// Reads a value that was stored. Returns `nil` if it has another form.
  init?(_ value: CacheValue) {
    switch value {
    case .int(let number): self = .one(WriteID(number))
    case .object(let writes): self = .each(writes)
    default: return nil
    }
  }
}

extension FieldMap {
  /// Returns the write whose number is the value of a field.
  fileprivate func write(of field: FieldKey) -> WriteID? {
    if case .int(let number)? = self[field] { WriteID(number) } else { nil }
  }
}
