import ApolloCodegenLib
import Testing

/// Variables of the environment in the settings of a schema download.
@Suite struct EnvironmentVariableTests {
  private typealias Settings = ApolloCodegenConfiguration.SchemaDownload

  private func header(_ value: String) throws -> String? {
    var settings = Settings(
      method: .introspection(.init(endpointURL: "http://a")), outputPath: "o")
    settings.headers = [.init(key: "H", value: value)]
    let variables = ["A": "1", "_B2": "two", "EMPTY": "", "NESTED": "${A}"]
    return try settings.replacingVariables { variables[$0] }.headers.first?.value
  }

  @Test(arguments: [
    ("plain", "plain"), ("${A}", "1"), ("x${A}y${_B2}z", "x1ytwoz"), ("${EMPTY}", ""),
    ("${NESTED}", "${A}"), ("$A", "$A"), ("${", "${"), ("${A", "${A"), ("${}", "${}"),
    ("${1A}", "${1A}"), ("${A b}", "${A b}"), ("$${A}", "$1"), ("${${A}}", "${1}"),
  ])
  func variablesInBracesAreReplaced(_ text: String, by expected: String) throws {
    #expect(try header(text) == expected)
  }

  @Test func aVariableThatIsNotSetIsNamed() {
    #expect(
      performing: { try header("${NOT_SET}") },
      throws: {
        "\($0)"
          == "The environment has no variable 'NOT_SET', which the header 'H' refers to. "
          + "Set it before running the command."
      })
  }

  @Test func addressesAndKeysHaveVariables() throws {
    let server = Settings(
      method: .introspection(.init(endpointURL: "http://${A}/")), outputPath: "o")
    let registry = Settings(
      method: .apolloRegistry(.init(apiKey: "k${A}", graphID: "g")), outputPath: "o")
    #expect(
      try server.replacingVariables { _ in "1" }.method
        == .introspection(.init(endpointURL: "http://1/")))
    #expect(
      try registry.replacingVariables { _ in "1" }.method
        == .apolloRegistry(.init(apiKey: "k1", graphID: "g")))
  }
}
