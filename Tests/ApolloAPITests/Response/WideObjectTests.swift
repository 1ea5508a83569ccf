import ApolloAPI
import SeededRandom
import Testing

/// Objects with so many keys that one word of bits does not tell which of them have values.
///
/// A wrong index would be an access to other memory, so these tests also run under
/// AddressSanitizer.
struct WideObjectTests {
  static let keyCounts = [1, 2, 63, 64, 65, 127, 128, 129, 192, 193, 200]

  /// The order in which a server sends the keys.
  enum Order: CaseIterable {
    case asSelected, reversed, shuffled

    func callAsFunction(_ indices: Range<Int>) -> [Int] {
      var random = SeededGenerator(seed: 7)
      return switch self {
      case .asSelected: Array(indices)
      case .reversed: indices.reversed()
      case .shuffled: indices.shuffled(using: &random)
      }
    }
  }

  // Definitions live as long as the program, as those of generated code do.
  private static let definitions = Dictionary(
    uniqueKeysWithValues: keyCounts.map { ($0, Selections(literal(keyCount: $0))) })

  /// Two objects with the same keys, one in the other: its field comes after as many others as
  /// possible.
  private static func literal(keyCount: Int) -> String {
    let fields = (0..<keyCount).map { "k\($0) \(types[$0 % types.count])" }.joined(separator: " ")
    return "Query {\(fields) inner Query {\(fields)}}"
  }

  private static let types = ["String", "Int", "[String!]", "Float", "[Int]"]

  private static func value(_ index: Int) -> String {
    switch index % types.count {
    case 0: "\"a text in memory of its own, number \(index)\""
    case 1: "\(index)"
    case 2: "[\"an element in memory of its own, number \(index)\"]"
    case 3: "\(index).5"
    default: "[\(index),null]"
    }
  }

  private func text(_ indices: [Int], inner: String? = nil) -> String {
    let members =
      indices.map { "\"k\($0)\":\(Self.value($0))" } + (inner.map { ["\"inner\":\($0)"] } ?? [])
    return "{\(members.joined(separator: ","))}"
  }

  private func read(_ text: String, keyCount: Int) throws -> ResponseObject {
    let definition = try #require(Self.definitions[keyCount])
    return try ResponseDecoder().decodeObject(
      Array(text.utf8), as: definition[0], schema: StarWarsAPI.SchemaMetadata.self, variables: nil)
  }

  /// The indices of the keys that have the value that was sent for them.
  private func present(in object: ResponseObject, keyCount: Int) throws -> [Int] {
    try (0..<keyCount).filter { index in
      let field = try #require(object.layout.fieldIndex(withKey: "k\(index)"))
      let contents = object.contents(ofField: field)
      if case .missing = contents { return false }
      let sent = try JSONValue(jsonBytes: Array(Self.value(index).utf8))
      #expect(contents.leaf == sent, "k\(index)")
      return true
    }
  }

  private func inner(of object: ResponseObject) throws -> ResponseObject {
    let field = try #require(object.layout.fieldIndex(withKey: "inner"))
    guard case .object(let inner) = object.contents(ofField: field) else {
      throw ResponseError(.missingValue)
    }
    return inner
  }

  // MARK: - Reading

  @Test(arguments: keyCounts, Order.allCases)
  func readsEveryKeyInAnyOrder(keyCount: Int, order: Order) throws {
    let indices = order(0..<keyCount)
    let object = try read(text(indices, inner: text(indices)), keyCount: keyCount)
    #expect(try present(in: object, keyCount: keyCount).count == keyCount)
    #expect(try present(in: inner(of: object), keyCount: keyCount).count == keyCount)
  }

  @Test(arguments: keyCounts)
  func leavesOutExactlyTheKeyThatIsMissing(keyCount: Int) throws {
    for missing in 0..<keyCount {
      let others = (0..<keyCount).filter { $0 != missing }
      let object = try read(text(others, inner: text(others.reversed())), keyCount: keyCount)
      #expect(try present(in: object, keyCount: keyCount) == others)
      #expect(try present(in: inner(of: object), keyCount: keyCount) == others)
    }
    let empty = try read("{}", keyCount: keyCount)
    #expect(try present(in: empty, keyCount: keyCount) == [])
  }

  @Test(arguments: keyCounts)
  func rejectsAnyKeyThatOccursTwice(keyCount: Int) throws {
    for twice in 0..<keyCount {
      let once = Array(0..<keyCount)
      for indices in [once + [twice], [twice] + once] {
        let error = #expect(throws: ResponseError.self) {
          try read(text(once, inner: text(indices)), keyCount: keyCount)
        }
        #expect(
          error?.problem == .malformedJSON("the key 'k\(twice)' comes twice in one object"))
      }
    }
  }

  @Test(arguments: keyCounts)
  func releasesWhatItReadWhenReadingFails(keyCount: Int) throws {
    for count in Set([0, 1, keyCount / 2, keyCount]) {
      let text = text(Array(0..<count), inner: text(Array(0..<count)) + "x")
      #expect(throws: ResponseError.self) { try read(text, keyCount: keyCount) }
    }
  }

  // MARK: - Building

  @Test(arguments: keyCounts, Order.allCases)
  func buildsAnObjectOfFieldsSetInAnyOrder(keyCount: Int, order: Order) throws {
    let whole = try read(text(Array(0..<keyCount)), keyCount: keyCount)
    var builder = ResponseObjectBuilder(whole.layout)
    for index in order(0..<keyCount + 1) + [0, keyCount / 2] {  // some of them twice
      builder.copy(index, of: whole)
    }
    let copy = try builder.finish()
    #expect(try present(in: copy, keyCount: keyCount).count == keyCount)
  }

  @Test(arguments: keyCounts)
  func doesNotFinishAnObjectThatLacksAField(keyCount: Int) throws {
    let whole = try read(text(Array(0..<keyCount)), keyCount: keyCount)
    for missing in 0..<keyCount {
      let error = #expect(throws: ResponseError.self) { try copy(of: whole, without: missing) }
      #expect(error?.path == [.field("k\(missing)")])
    }
  }

  private func copy(of object: ResponseObject, without missing: Int) throws -> ResponseObject {
    var builder = ResponseObjectBuilder(object.layout)
    for index in object.layout.fields.indices where index != missing {
      builder.copy(index, of: object)
    }
    return try builder.finish()
  }
}
