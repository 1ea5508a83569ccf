import ApolloCodegenLib
import Testing

/// Fields and variables in more lists than the compiler can take are refused.
@Suite struct ListRuleTests {
  @Test(arguments: [20, 21, 100, 255])
  func refusesTooManyLists(_ depth: Int) throws {
    let type = String(repeating: "[", count: depth) + "Int" + String(repeating: "]", count: depth)
    func generate() throws -> GeneratedProject {
      try GeneratedProject(schema: "type Query { deep: \(type) }", operations: "query Q { deep }")
    }
    guard depth > 20 else {
      #expect(try generate().report.operationCount == 1)
      return
    }
    let error = #expect(throws: GenerationError.self) { try generate() }
    #expect(
      error?.messages == """
        operations.graphql:1:11: error: The values of 'deep' are in \(depth) lists, one in the other, \
        and generated code has 20 at most. Leave the field out. [SupportedLists]

        """)
  }

  @Test func refusesVariablesInTooManyLists() {
    let type = String(repeating: "[", count: 21) + "Int" + String(repeating: "]", count: 21)
    let error = #expect(throws: GenerationError.self) {
      try GeneratedProject(
        schema: "type Query { deep(values: \(type)): Int }",
        operations: "query Q($values: \(type)) { deep(values: $values) }")
    }
    #expect(error?.messages.contains("The values of '$values' are in 21 lists") == true)
  }
}
