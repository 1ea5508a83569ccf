import ApolloCodegenLib
import Testing

/// Fields in more lists than models can read are refused when code is generated.
@Suite struct ListRuleTests {
  @Test(arguments: [30, 31, 100, 255])
  func refusesTooManyLists(_ depth: Int) throws {
    let type = String(repeating: "[", count: depth) + "Int" + String(repeating: "]", count: depth)
    func generate() throws -> GeneratedProject {
      try GeneratedProject(schema: "type Query { deep: \(type) }", operations: "query Q { deep }")
    }
    guard depth > 30 else {
      #expect(try generate().report.operationCount == 1)
      return
    }
    let error = #expect(throws: GenerationError.self) { try generate() }
    #expect(
      error?.messages == """
        operations.graphql:1:11: error: The values of 'deep' are in \(depth) lists, one in the other, \
        and models read 30 at most. Leave the field out. [SupportedLists]

        """)
  }
}
