import ApolloAPI
import SeededRandom

/// Object types with or without key fields, interfaces, and fields of any type.
struct RandomSchema {
  enum Base: Equatable {
    case string, int, float, boolean, json, genre
    case object(String)
  }

  /// The innermost type, how many lists are around it, and which of them may not be null, outermost
  /// first.
  typealias FieldType = (base: Base, rank: Int, nonNull: [Bool])

  static let typenames = ["Alpha", "Beta", "Gamma", "Delta"]
  static let leafFields = ["name", "label", "count", "size", "isOn", "meta", "tags", "grid"]
  static let objectFields = ["one", "next", "part", "some", "all", "table"]

  /// The fields that identify the objects of a type, where there are some.
  let keyFields: [String: [String]]
  let types: SchemaTypes
  private let named: [String]
  private let fields: [String: FieldType]

  init(_ random: inout SeededGenerator) {
    var keyFields: [String: [String]] = [:]
    for typename in Self.typenames {
      keyFields[typename] = [["id"], ["id"], ["id", "code"], ["code"], nil]
        .randomElement(using: &random)!
    }
    let named = Self.typenames.shuffled(using: &random)
      .prefix(.random(in: 1...3, using: &random)).sorted()
    let thing = Interface(name: "Thing", implementingObjects: Self.typenames)
    let name = Interface(name: "Named", implementingObjects: named)
    types = SchemaTypes(
      objects: Self.typenames.map { typename in
        Object(
          typename: typename,
          implementedInterfaces: named.contains(typename) ? [name, thing] : [thing],
          keyFields: keyFields[typename])
      } + [Object(typename: "Query")],
      interfaces: [thing, name])
    self.keyFields = keyFields
    self.named = named
    let compositeTypes = Self.typenames + ["Thing", "Named"]
    var fields: [String: FieldType] = [:]
    for field in Self.leafFields + Self.objectFields {
      let base: Base =
        Self.objectFields.contains(field)
        ? .object(compositeTypes.randomElement(using: &random)!)
        : [.string, .string, .int, .float, .boolean, .json, .genre].randomElement(using: &random)!
      let rank = [0, 0, 0, 1, 1, 2].randomElement(using: &random)!
      fields[field] = (base, rank, (0...rank).map { _ in .random(using: &random) })
    }
    self.fields = fields
  }

  /// The types that selections can be made on.
  var compositeTypes: [String] { Self.typenames + ["Thing", "Named"] }

  func type(of field: String) -> FieldType {
    fields[field]!  // all are there since `init`
  }

  func possibleTypes(_ name: String) -> [String] {
    switch name {
    case "Thing": Self.typenames
    case "Named": named
    default: [name]
    }
  }

  func holds(_ condition: String, for typename: String) -> Bool {
    possibleTypes(condition).contains(typename)
  }
}
