import ApolloAPI
import ApolloCache
import SeededRandom
import Testing

/// The bytes that a record is on disk.
@Suite struct RowTests {
  /// Numbers shapes in the order in which they come.
  private final class Numbers: RowShapeNumbers {
    private var shapes: [RecordShape] = []

    func shape(numbered number: Int64) throws -> RecordShape {
      guard shapes.indices.contains(Int(number) - 1) else { throw DamagedRow() }
      return shapes[Int(number) - 1]
    }

    func number(of shape: RecordShape) -> Int64 {
      if let index = shapes.firstIndex(of: shape) { return Int64(index) + 1 }
      shapes.append(shape)
      return Int64(shapes.count)
    }
  }

  private static let record: FieldMap = [
    "__typename": "Book", "id": .string(String(repeating: "é", count: 100)), "count": .int(-7),
    "large": .int(.min), "price": 0.5, "isNew": true, "isOld": false, "none": .null,
    #"title(language:"fr")"#: "Le Petit Prince", "author": .reference("Author:3"),
    "tags": ["a", "b", .null, []],
    "meta": .json(["a": [1, nil, 2.5, "x", true], "b": .decimal("1e99")]),
    "publisher": ["__typename": "Publisher", "name": "Gallimard", "cities": [["name": "Paris"]]],
    "failed": .failure(FieldFailure(message: "no", extensions: ["code": 1])),
    "wide": .object(FieldMap((0..<70).map { (FieldKey("field\($0)"), CacheValue.int($0)) })),
  ]

  /// The example at the head of `RowWriter.swift`.
  @Test func aRowHasTheDrawnBytes() throws {
    let numbers = Numbers()
    for index in 1...6 { _ = numbers.number(of: .of([FieldKey("other\(index)")])) }
    let writer = RowWriter(shapes: numbers)
    try writer.write(
      record: [
        "__typename": "Human", "height": .int(96), "friends": [.reference("Human:1003"), .null],
      ])
    let text = "Human:1003".utf8
    #expect(
      Array(writer.bytes) == [0x0E, 0x05, 0x05, 0x48, 0x75, 0x6D, 0x61, 0x6E, 0x03, 0xC0, 0x01]
        + [0x07, 0x02, 0x06, 0x0A] + Array(text) + [0x00])
  }

  @Test func readsWhatIsWritten() throws {
    let numbers = Numbers()
    let writer = RowWriter(shapes: numbers)
    try writer.write(record: Self.record)
    var reader = RowReader(writer.bytes, shapes: numbers)
    #expect(try reader.object() == Self.record)
    #expect(reader.isAtEnd)
    #expect(writer.hasWritten(writer.bytes))
    #expect(!writer.hasWritten(UnsafeRawBufferPointer(rebasing: writer.bytes.dropLast())))
  }

  @Test func skippingAValueEndsWhereReadingItEnds() throws {
    let numbers = Numbers()
    let writer = RowWriter(shapes: numbers)
    for value in Self.record.map(\.value) {
      writer.removeAll()
      try writer.write(value)
      var reader = RowReader(writer.bytes, shapes: numbers)
      try reader.skipValue()
      #expect(reader.isAtEnd, "\(value)")
    }
  }

  @Test func aRowThatIsCutOffIsDamaged() throws {
    let numbers = Numbers()
    let writer = RowWriter(shapes: numbers)
    try writer.write(record: Self.record)
    let whole = Array(writer.bytes)
    for count in whole.indices {
      whole[..<count].withUnsafeBytes { bytes in
        var reader = RowReader(bytes, shapes: numbers)
        #expect(throws: DamagedRow.self) { _ = try reader.object() }
        var skipping = RowReader(bytes, shapes: numbers)
        #expect(throws: DamagedRow.self) {
          let shape = try skipping.shapeOrNumber()
          for _ in shape.fields { try skipping.skipValue() }
        }
      }
    }
  }

  @Test func randomBytesAreReadWithoutATrap() {
    var random = SeededGenerator(seed: freshSeed)
    let numbers = Numbers()
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...(Bool.random(using: &random) ? 12 : 255), using: &random)
      }
      bytes.withUnsafeBytes { bytes in
        var reader = RowReader(bytes, shapes: numbers)
        var skipping = reader
        guard (try? reader.value()) != nil else {
          _ = try? skipping.skipValue()  // it may succeed, because it checks less
          return
        }
        // If the bytes are a value by chance, both end at one position.
        #expect(throws: Never.self) { try skipping.skipValue() }
        #expect(skipping.isAtEnd == reader.isAtEnd)
      }
    }
  }

  @Test(arguments: ["", "1}}\n{\"key\":\"forged\"", "nan", "0x1", "--1", "1e", "1 ", "1,2"])
  func aNumberThatJSONDoesNotHaveIsDamaged(text: String) throws {
    let numbers = Numbers()
    let writer = RowWriter(shapes: numbers)
    try writer.write(record: ["n": .json([.decimal(text)])])
    Array(writer.bytes).withUnsafeBytes { bytes in
      var reader = RowReader(bytes, shapes: numbers)
      #expect(throws: DamagedRow.self) { _ = try reader.object() }
    }
  }

  @Test func listsThatAreNestedTooDeeplyAreDamaged() {
    let list = [RowTag.list.rawValue, 1]
    let bytes = [UInt8]((0..<100_000).map { _ in list }.joined())
    bytes.withUnsafeBytes { bytes in
      var reader = RowReader(bytes, shapes: nil)
      #expect(throws: DamagedRow.self) { _ = try reader.value() }
      var skipping = RowReader(bytes, shapes: nil)
      #expect(throws: DamagedRow.self) { try skipping.skipValue() }
    }
  }

  // MARK: - Texts

  private func string(_ bytes: [UInt8], followedBy padding: UInt8) -> String {
    (bytes + [UInt8](repeating: padding, count: 16)).withUnsafeBytes { padded in
      String(paddedBytes: UnsafeRawBufferPointer(rebasing: padded[..<bytes.count]))
    }
  }

  @Test(arguments: ["a", "é", "€", "🚀", "aé", "ab🚀c"])
  func textsOfAllLengthsAreStrings(part: String) {
    for count in 0..<60 {
      let text = String(repeating: part, count: count)
      for padding: UInt8 in [0, 0x41, 0x80, 0xFF] {
        let made = string(Array(text.utf8), followedBy: padding)
        #expect(made == text && made.utf8.elementsEqual(text.utf8))
      }
    }
  }

  @Test func bytesThatAreNoTextAreRepaired() {
    var random = SeededGenerator(seed: freshSeed)
    for _ in 0..<5_000 {
      let text = Array(String(repeating: "aé🚀€", count: 3).utf8)
      var bytes = Array(text.prefix(Int.random(in: 0...text.count, using: &random)))
      if Bool.random(using: &random), !bytes.isEmpty {
        bytes[bytes.indices.randomElement(using: &random)!] = .random(in: 0...255, using: &random)
      }
      // What follows may look like the rest of a character.
      for padding: UInt8 in [0, 0x80, 0xA9] {
        #expect(string(bytes, followedBy: padding) == String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
