package import ApolloCache
internal import Foundation

extension DumpedRecord {
  /// Reads the lines of dumps.
  ///
  /// - Throws: ``InspectionError`` for a line that is no record, and for a dump without its end.
  package static func records(in dump: [UInt8]) throws(InspectionError) -> [DumpedRecord] {
    var records: [DumpedRecord] = []
    /// The number of records before the dump that is not at its end yet.
    var start: Int?
    var isEmpty = true
    let lines = dump.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
      isEmpty = false
      do throws(StoredValue.Problem) {
        switch try DumpedRecord.Line(line) {
        case .head where start != nil:
          throw StoredValue.Problem(
            description: "a dump begins, and the one before has no last line: it was cut short")
        case .head: start = records.count
        case .record(let record): records.append(record)
        case .end(let count):
          let found = records.count - (start ?? records.count)
          guard start != nil, count == Int64(found) else {
            throw StoredValue.Problem(
              description: "the dump ends with the number of \(count) records, and has \(found)")
          }
          start = nil
        }
      } catch {
        throw InspectionError(
          "Line \(index + 1) of the dump cannot be imported: \(error). Nothing was imported. "
            + "Import what 'apollo-cli cache dump' has written.")
      }
    }
    guard !isEmpty else {
      throw InspectionError(
        "The dump is empty. Nothing was imported. Import what 'apollo-cli cache dump' has written.")
    }
    guard start == nil else {
      throw InspectionError(
        "The dump has no last line with the number of its records, so it was cut short. Nothing was "
          + "imported. Make the dump again, and look whether 'apollo-cli cache dump' ends with 0.")
    }
    return records
  }

  /// Returns the facts about the writes that the fields have after they were merged into others. A
  /// field that is not among them keeps what is known about its write.
  ///
  /// - A new field, and one with the value that it had, have the write that the dump names.
  /// - So has a field that gets another value. If the dump names none, it is that of the import: a
  ///   new value must not have the age of the former one.
  /// - A field that keeps its value, or a part of it, is as old as it was: failures replace
  ///   nothing, and embedded objects are merged. Only an older write that the dump names makes it
  ///   older.
  ///
  /// - Parameters:
  ///   - known: The fields before, or `nil` if there was no record.
  ///   - knownWrites: The facts about their writes, as far as they are known.
  ///   - now: The time of the import in seconds since 1970.
  /// - Returns: The facts.
  package func writes(
    over known: FieldMap?, _ knownWrites: [FieldKey: WriteFacts], at now: Double
  ) -> [FieldKey: WriteFacts] {
    guard let known else { return writes }
    var merged = known
    var merger = RecordMerger()
    merger.merge(fields, into: &merged)
    var result: [FieldKey: WriteFacts] = [:]
    for field in fields.keys {
      guard let before = known[field] else {
        result[field] = writes[field]
        continue
      }
      if merged[field] == fields[field] {
        let isReplaced = before != fields[field]
        result[field] =
          writes[field]
          ?? (isReplaced ? WriteFacts(time: now, operationName: nil, maxAge: nil) : nil)
      } else if let named = writes[field], let facts = knownWrites[field], named.time < facts.time {
        result[field] = named
      }
    }
    return result
  }
}
