import ApolloAPI
import Testing

/// The fields in which an object differs from an earlier one, as a cache asks for them.
@Suite struct ObjectDifferenceTests {
  /// A field's value, and the one that it had earlier, as JSON.
  struct Case: Sendable, CustomTestStringConvertible {
    var key: String
    var earlier: String
    var later: String
    var differs: Bool

    init(_ key: String, _ earlier: String, _ later: String, differs: Bool) {
      (self.key, self.earlier, self.later, self.differs) = (key, earlier, later, differs)
    }

    var testDescription: String { "\(key): \(earlier) → \(later)" }
  }

  // A definition lives as long as the program, as those of generated code do.
  private static let definition = Selections(
    """
    Query {text String int Int double Float flag Boolean texts [String!] ints [Int] episode #0 \
    episodes [#0] one Query {text String} many [Query {text String}] rows [[Query {text String}]]}
    """,
    leaves: [GraphQLEnum<StarWarsAPI.Episode>.self])

  private static let keys = [
    "text", "int", "double", "flag", "texts", "ints", "episode", "episodes", "one", "many", "rows",
  ]

  /// Returns an object with these values, as JSON, and null in all other fields.
  private static func object(_ values: [String: String]) throws -> ResponseObject {
    let members = keys.map { "\"\($0)\":\(values[$0] ?? "null")" }
    return try read("{\(members.joined(separator: ","))}")
  }

  private static func read(_ text: String) throws -> ResponseObject {
    try ResponseDecoder().decodeObject(
      Array(text.utf8), as: definition[0], schema: StarWarsAPI.SchemaMetadata.self, variables: nil)
  }

  private static let long = "a text of more than fifteen bytes"

  static let cases = [
    Case("text", #""a""#, #""a""#, differs: false),
    Case("text", #""a""#, #""b""#, differs: true),
    Case("text", #""a""#, "null", differs: true),
    Case("text", "null", #""""#, differs: true),
    Case("text", #""\#(long)""#, #""\#(long)""#, differs: false),
    Case("text", #""\#(long)1""#, #""\#(long)2""#, differs: true),
    // Equal for Swift, and different for a server.
    Case("text", #""\u00E9""#, #""e\u0301""#, differs: true),
    Case("int", "1", "1", differs: false),
    Case("int", "1", "2", differs: true),
    Case("int", "0", "null", differs: true),
    Case("double", "1", "1.0", differs: false),
    Case("double", "0.0", "-0.0", differs: true),
    Case("flag", "true", "false", differs: true),
    Case("flag", "false", "null", differs: true),
    Case("texts", #"["a","b"]"#, #"["a","b"]"#, differs: false),
    Case("texts", #"["a","b"]"#, #"["b","a"]"#, differs: true),
    Case("texts", #"["a"]"#, #"["a","a"]"#, differs: true),
    Case("texts", "[]", "null", differs: true),
    Case("ints", "[1,null]", "[1,null]", differs: false),
    Case("ints", "[1,null]", "[1,0]", differs: true),
    Case("ints", "[1]", "null", differs: true),
    Case("episode", #""JEDI""#, #""JEDI""#, differs: false),
    Case("episode", #""JEDI""#, #""EMPIRE""#, differs: true),
    Case("episode", #""NEW""#, #""NEW""#, differs: false),
    Case("episode", #""NEW""#, #""NEWER""#, differs: true),
    Case("episodes", #"["JEDI"]"#, #"["JEDI"]"#, differs: false),
    Case("episodes", #"["JEDI"]"#, "[null]", differs: true),
    Case("one", #"{"text":"a"}"#, #"{"text":"a"}"#, differs: false),
    Case("one", #"{"text":"a"}"#, #"{"text":"b"}"#, differs: true),
    Case("one", #"{"text":"a"}"#, "null", differs: true),
    Case("many", #"[{"text":"a"}]"#, #"[{"text":"a"}]"#, differs: false),
    Case("many", #"[{"text":"a"}]"#, #"[{"text":"b"}]"#, differs: true),
    Case("many", "[null]", "[null,null]", differs: true),
    Case("many", "[null]", #"[{"text":"a"}]"#, differs: true),
    Case("many", "[]", "null", differs: true),
    Case("rows", #"[[{"text":"a"}]]"#, #"[[{"text":"a"}]]"#, differs: false),
    Case("rows", #"[[{"text":"a"}],[]]"#, #"[[{"text":"b"}],[]]"#, differs: true),
    Case("rows", "[[]]", "[null]", differs: true),
    Case("rows", "[[],[]]", "[[]]", differs: true),
  ]

  @Test(arguments: cases)
  func namesTheFieldThatDiffers(_ example: Case) throws {
    let earlier = try Self.object([example.key: example.earlier])
    let later = try Self.object([example.key: example.later])
    let difference = later.difference(from: earlier)
    let index = try #require(later.layout.fieldIndex(withKey: example.key))
    #expect(difference.fields == (example.differs ? 1 << UInt64(index) : 0))
    #expect(difference.isInterchangeable == !example.differs)
  }

  @Test func namesAllFieldsThatDiffer() throws {
    let earlier = try Self.object(["text": #""a""#, "int": "1", "rows": "null"])
    let later = try Self.object(["text": #""b""#, "int": "1", "rows": "[]"])
    let indices = try ["text", "rows"].map { try #require(later.layout.fieldIndex(withKey: $0)) }
    #expect(
      later.difference(from: earlier).fields == indices.reduce(0) { $0 | 1 << UInt64($1) })
  }

  /// Objects with identities are compared by these, whatever their fields are.
  @Test(
    arguments: [(1, 1, false), (1, 2, true), (1, nil, true), (nil, 2, true)]
      as [(UInt8?, UInt8?, Bool)])
  func comparesObjectsByTheirIdentities(earlier: UInt8?, later: UInt8?, differ: Bool) throws {
    func object(_ identity: UInt8?, _ text: String) throws -> ResponseObject {
      let whole = try Self.object(["one": #"{"text":"\#(text)"}"#])
      let field = try #require(whole.layout.fieldIndex(withKey: "one"))
      guard case .object(let one) = whole.contents(ofField: field) else {
        throw ResponseError(.missingValue)
      }
      one.identity = identity.map { key in
        withUnsafeBytes(of: key) { ObjectIdentity.make($0, hash: UInt64(key)) }
      }
      return whole
    }
    let difference = try object(later, "b").difference(from: object(earlier, "a"))
    #expect((difference.fields != 0) == differ)
    // The fields of an object with an identity are those of another object.
    #expect(!difference.isInterchangeable)
  }

  /// All fields from the 64th on share a bit.
  @Test(arguments: [0, 1, 62, 63, 64, 99])
  func fieldsFromThe64thOnShareABit(index: Int) throws {
    let definition = Self.wideDefinition
    func object(_ value: Int) throws -> ResponseObject {
      let members = (0..<100).map { "\"k\($0)\":\($0 == index ? value : 0)" }
      return try ResponseDecoder().decodeObject(
        Array("{\(members.joined(separator: ","))}".utf8), as: definition[0],
        schema: StarWarsAPI.SchemaMetadata.self, variables: nil)
    }
    #expect(try object(1).difference(from: object(0)).fields == 1 << UInt64(min(index, 63)))
  }

  private static let wideDefinition = Selections(
    "Query {\((0..<100).map { "k\($0) Int" }.joined(separator: " "))}")
}
