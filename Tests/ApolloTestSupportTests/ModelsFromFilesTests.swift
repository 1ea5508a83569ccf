import ApolloTestSupport
import Foundation
import ShapesAPI
import Testing

/// Models of files, which are read as responses are.
@Suite struct ModelsFromFilesTests {
  /// Creates a model of a file with a text.
  private func data(_ text: String) throws -> LeavesQuery.Data {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(Foundation.UUID().uuidString).json")
    try Foundation.Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }  // an old file does not matter
    return try LeavesQuery.Data(contentsOf: file)
  }

  private static let required = """
    "certainString": "", "certainInt": 0, "certainFloat": 0, "certainBoolean": true, \
    "certainID": "1", "certainColor": "RED", "certainDate": "2026-11-20T12:30:00Z"
    """

  @Test func numbersOfCustomScalarsKeepTheirDigits() throws {
    let leaves = """
      {"__typename": "Leaves", "decimal": 12345678901234567890.25, \
      "json": [1.0, 0.1234567890123456789], \(Self.required)}
      """
    let model = try data(#"{"leaves": \#(leaves)}"#)
    #expect(model.leaves?.decimal == Foundation.Decimal(string: "12345678901234567890.25"))
    #expect(model.leaves?.json == [.double(1), .decimal("0.1234567890123456789")])
    #expect(try data(#"{"data": {"leaves": \#(leaves)}}"#) == model)
  }

  @Test func aFileMayBeginWithAByteOrderMark() throws {
    #expect(try data("\u{FEFF}{\"leaves\": null}").leaves == nil)
  }

  @Test func aFileThatIsNoJSONIsAnErrorOfTheResponse() {
    #expect(throws: ResponseError.self) { try data("{\"leaves\": ") }
  }
}
