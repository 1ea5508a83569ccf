import ApolloAPI
import ShapesAPI
import Testing

/// A fault in a response of a server, proxy or attacker, and the required outcome.
struct FaultRow: Sendable, CustomTestStringConvertible {
  /// The number of the row in the catalogue of faults.
  let id: String
  let title: String
  let check: @Sendable () throws -> Void

  var testDescription: String { "\(id) \(title)" }

  init(_ id: String, _ title: String, _ check: @escaping @Sendable () throws -> Void) {
    self.id = id
    self.title = title
    self.check = check
  }
}

/// Expectations about responses.
enum Outcome {
  /// Bytes that no reader may accept: neither as any JSON, nor in a field that is not selected, nor
  /// as a custom scalar.
  static func isRefusedEverywhere(_ bytes: [UInt8], _ comment: Comment? = nil) {
    #expect(throws: ResponseError.self, comment) { try JSONValue(jsonBytes: bytes) }
    for (start, end) in [
      (#"{"x":"#, "}"), (#"{"extensions":{"x":"#, #"},"errors":[{"message":""}]}"#),
      (#"{"data":{"leafLists":null,"x":"#, "}}"),
      (#"{"data":{"leafLists":{"jsons":["#, "]}}}"),
    ] {
      let text = Array(start.utf8) + bytes + Array(end.utf8)
      #expect(throws: ResponseError.self, comment) {
        try ResponseDecoder().decode(text, as: LeafListsQuery())
      }
    }
  }

  static func isRefusedEverywhere(_ text: String) {
    isRefusedEverywhere(Array(text.utf8), "\(text)")
  }

  /// Expects that every reader accepts a text as this value.
  static func isRead(_ text: String, _ value: JSONValue) throws {
    let bytes = Array(text.utf8)
    #expect(try JSONValue(jsonBytes: bytes) == value, "\(text)")
    #expect(try (leaf("json", text).json ?? .null) == value, "\(text)")
    let skipped = Array(#"{"errors":[{"message":""}],"x":"#.utf8) + bytes + Array("}".utf8)
    #expect(throws: Never.self, "\(text)") {
      try ResponseDecoder().decode(skipped, as: LeavesQuery())
    }
  }

  /// Expects that a whole response is rejected with this problem.
  static func isNoResponse(_ text: String) {
    let error = #expect(throws: ResponseError.self, "\(text)") {
      try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
    }
    #expect(error?.path == [], "\(text)")
  }

  /// A response of leaves with `text` for one field and valid values for the others.
  static func leaf(_ field: String, _ text: String) throws(ResponseError) -> EveryLeaf {
    let response = try ResponseDecoder().decode(Array(leaves(field, text).utf8), as: LeavesQuery())
    return response.data!.leaves!.fragments.everyLeaf
  }

  /// Expects that `text` is rejected for `field`, with the field's path.
  static func isNo(_ field: String, _ text: String, _ problem: ResponseError.Problem? = nil) {
    let error = #expect(throws: ResponseError.self, "\(field): \(text)") { try leaf(field, text) }
    #expect(error?.path.dotted == "leaves.\(field)", "\(field): \(text)")
    if let problem { #expect(error?.problem == problem, "\(field): \(text)") }
  }

  static func leaves(_ field: String, _ text: String) -> String {
    let values = [
      ("string", "null"), ("int", "null"), ("float", "null"), ("boolean", "null"), ("id", "null"),
      ("color", "null"), ("date", "null"), ("url", "null"), ("uuid", "null"), ("decimal", "null"),
      ("json", "null"), ("long", "null"), ("text", "null"), ("certainString", "\"\""),
      ("certainInt", "0"), ("certainFloat", "0"), ("certainBoolean", "true"), ("certainID", "\"\""),
      ("certainColor", "\"RED\""), ("certainDate", "\"2026-11-20T12:30:00Z\""),
    ]
    let members = values.map { "\"\($0.0)\":\($0.0 == field ? text : $0.1)" }
    return #"{"data":{"leaves":{"__typename":"Leaves",\#(members.joined(separator: ","))}}}"#
  }

  /// A response of lists of leaves with a text for one of them and valid values for the others.
  static func lists(_ field: String, _ text: String) -> String {
    let nullable = [
      "strings", "ints", "certainInts", "ids", "colors", "dates", "jsons", "texts", "matrix",
      "grid",
      "cube",
    ]
    let certain = ["certainStrings", "floats", "booleans", "certainColors", "decimals"]
    let values = nullable.map { ($0, "null") } + certain.map { ($0, "[]") }
    let members = values.map { "\"\($0.0)\":\($0.0 == field ? text : $0.1)" }
    return #"{"leafLists":{"__typename":"LeafLists",\#(members.joined(separator: ","))}}"#
  }

  /// A response of objects with a text for one field and valid values for the others.
  static func objects(_ field: String, _ text: String, errors: String = "") throws(ResponseError)
    -> ObjectsQuery.Data
  {
    let values = [
      ("one", "null"), ("certainOne", #"{"__typename":"Box","id":"1","width":1}"#),
      ("many", "null"), ("certainMany", "[]"), ("someOfMany", "null"), ("rows", "null"),
      ("certainRows", "[]"), ("deep", "null"),
    ]
    let members = values.map { "\"\($0.0)\":\($0.0 == field ? text : $0.1)" }
    let text =
      #"{"data":{"objects":{"__typename":"Objects",\#(members.joined(separator: ","))}}\#(errors)}"#
    return try ResponseDecoder().decode(Array(text.utf8), as: ObjectsQuery()).data!
  }

  /// Expects that `text` is rejected for `field`, with a path below it.
  static func isNoObject(
    _ field: String, _ text: String, _ path: String, _ problem: ResponseError.Problem? = nil
  ) {
    let error = #expect(throws: ResponseError.self, "\(field): \(text)") {
      try objects(field, text)
    }
    #expect(error?.path.dotted == "objects.\(path)", "\(field): \(text)")
    if let problem { #expect(error?.problem == problem, "\(field): \(text)") }
  }
}
