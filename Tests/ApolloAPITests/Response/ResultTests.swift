import ApolloAPI
import ShapesAPI
import Testing

/// Results with all their parts.
struct ResultTests {
  private let text = """
    {"data":{"leaves":null},"extensions":{"cost":1},"errors":[{"message":"m","path":["leaves","int"],"locations":[{"line":1,"column":2}],
    "extensions":{"code":"X"}}]}
    """

  @Test func responsesHaveErrorsExtensionsAndASource() throws {
    let response = try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
    #expect(response.data != nil && response.data?.leaves == nil)
    #expect(response.source == .server && response.http == nil)
    #expect(response.extensions == ["cost": 1])
    let error = try #require(response.errors?.first)
    #expect(error.message == "m" && error.path == ["leaves", "int"] && error["code"] == "X")
    #expect(error.locations == [.init(line: 1, column: 2)] && error.extensions == ["code": "X"])
    #expect(response.errors(at: "leaves") == [error] && response.errors(at: "objects").isEmpty)
    #expect(response.data?.errors(for: \.leaves) == [error])
  }

  @Test func resultsHaveAllPartsOfAResponse() throws {
    var response = try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
    response.source = .cache
    response.http = HTTPDetails(statusCode: 206, headers: ["Content-Type": "a", "X": "b"])
    let result = GraphQLResult(response)
    #expect(result.data == response.data && result.errors == response.errors)
    #expect(result.extensions == ["cost": 1] && result.source == .cache)
    #expect(result.http?.statusCode == 206)
    #expect(result.http?.headers == ["content-type": "a", "x": "b"])
    #expect(result.errors(at: "leaves") == response.errors(at: "leaves"))
    #expect(result == GraphQLResult(response) && Set([result, GraphQLResult(response)]).count == 1)
  }

  @Test func printsItsPartsAsJSON() throws {
    var response = try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
    response.http = HTTPDetails(statusCode: 200, headers: ["X": "internal"])
    let parts = """
       from the server {
        "data": {
          "leaves": null
        },
        "errors": [
          {
            "extensions": {
              "code": "X"
            },
            "locations": [
              {
                "column": 2,
                "line": 1
              }
            ],
            "message": "m",
            "path": [
              "leaves",
              "int"
            ]
          }
        ],
        "extensions": {
          "cost": 1
        }
      }
      """
    #expect("\(response)" == "GraphQLResponse<LeavesQuery>" + parts)
    #expect("\(GraphQLResult(response))" == "GraphQLResult<Data>" + parts)
    var result = GraphQLResult<LeavesQuery.Data>(data: nil, source: .cache)
    result.missing = [["leaves", 0, "int"]]
    #expect(
      "\(result)" == """
        GraphQLResult<Data> from the cache {
          "data": null,
          "missing": [
            "leaves.0.int"
          ]
        }
        """)
  }

  @Test func joinsHeadersOfOneNameInAFixedOrder() {
    for _ in 0..<8 {
      let details = HTTPDetails(statusCode: 200, headers: ["vary": "c", "Vary": "b", "VARY": "a"])
      #expect(details.headers == ["vary": "a, b, c"])
    }
  }
}
