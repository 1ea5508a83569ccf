import ApolloAPI
import Testing

/// Inputs with defaults, with deprecations, and with recursion.
@Suite struct InputTests {
  @Test func omitsDefaultsThatSwiftCannotExpress() {
    let variables = InputsAPI.FindQuery().__variables
    #expect(variables?["since"] == nil && variables?["until"] == nil)
    #expect(variables?["filter"] == nil, "A custom scalar is in it.")
    #expect(InputsAPI.FindQuery(since: "2022").__variables?["since"] == "2022")
  }

  @Test func sendsDeprecatedDefaultsByTheirRawValues() {
    let variables = InputsAPI.FindQuery().__variables
    #expect(variables?["size"] == "LARGE" && variables?["required"] == "HUGE")
    #expect(variables?["sizes"] == ["SMALL", "HUGE"])
    #expect(variables?["node"] == ["not": ["leaf": ["a": 1]]])
  }

  @Test func deprecatedValuesAreKnown() {
    #expect(InputsAPI.Size.allCases.map(\.rawValue) == ["SMALL", "LARGE", "HUGE"])
    let large = GraphQLEnum<InputsAPI.Size>(rawValue: "LARGE")
    #expect(large.value?.rawValue == "LARGE")
  }

  @Test func oneOfInputsContainThemselves() {
    let node = InputsAPI.Node.not(.all([.id("1"), .leaf(.b("2020"))]))
    #expect(
      node.__data.jsonValue == ["not": ["all": [["id": "1"], ["leaf": ["b": "2020"]]]]])
    #expect(node == .not(.all([.id("1"), .leaf(.b("2020"))])) && node != .id("1"))
  }

  @Test func doesNotSendOmittedFields() {
    #expect(InputsAPI.Filter().__data.jsonValue == [:])
    var filter = InputsAPI.Filter(name: .null, sizes: [.case(.small)])
    filter._size = 3
    #expect(filter.__data.jsonValue == ["name": nil, "_size": 3, "sizes": ["SMALL"]])
    let outer = (Nesting() as any DeprecatedNesting).filter(around: filter)
    #expect(outer.__data.jsonValue["parent"]?["_size"] == 3)
  }

  /// Uses a deprecated field. The deprecation avoids a warning where it is used.
  private struct Nesting: DeprecatedNesting {
    @available(*, deprecated)
    func filter(around filter: InputsAPI.Filter) -> InputsAPI.Filter {
      InputsAPI.Filter(parent: .some(filter))
    }
  }
}

private protocol DeprecatedNesting {
  func filter(around filter: InputsAPI.Filter) -> InputsAPI.Filter
}
