import ApolloAPI
import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import MockingAPI
import SeededRandom
import Testing

/// Golden files that are run: each operation is valid, and its models show exactly the fields that
/// it selects.
@Suite struct GoldenRunTests {
  /// Every operation of the golden files, with variables of each kind.
  static let operations: [String: [any GraphQLOperation]] = [
    "StarWars": [
      StarWarsAPI.HeroNameQuery(episode: .empire), StarWarsAPI.HeroNameQuery(),
      StarWarsAPI.HeroAndFriendsNamesQuery(episode: .null), StarWarsAPI.HeroAndFriendsQuery(),
      StarWarsAPI.UpvotePostMutation(postId: 1),
      StarWarsAPI.CreateReviewForEpisodeMutation(episode: .jedi, review: .init(stars: 5)),
      StarWarsAPI.UploadFileMutation(file: "a"), StarWarsAPI.SearchQuery(),
      StarWarsAPI.SearchQuery(text: nil, long: false), StarWarsAPI.ReviewAddedSubscription(),
    ],
    "Names": [NamesAPI.KeywordsQuery(in: 1), NamesAPI.SetMutation(keyword: nil)],
    "Collisions": [
      CollisionsAPI.Beings_Query(a_b: "1"), CollisionsAPI.BeingsQuery(),
      CollisionsAPI.ShadesQuery(), CollisionsAPI.HiddenQuery(),
    ],
    "Merging": [
      MergingAPI.SiblingsQuery(), MergingAPI.ConflictQuery(), MergingAPI.NarrowQuery(),
      MergingAPI.ChainQuery(), MergingAPI.CasesQuery(),
      MergingAPI.ConditionalQuery(a: true, b: true), MergingAPI.ConditionalQuery(a: true, b: false),
      MergingAPI.ConditionalQuery(a: false, b: true),
      MergingAPI.ConditionalQuery(a: false, b: false),
    ],
    "Making": [
      MakingAPI.HeroQuery(detailed: true), MakingAPI.HeroQuery(), MakingAPI.SearchQuery(),
      MakingAPI.MatrixQuery(), MakingAPI.ChainQuery(),
    ],
    "Changing": [ChangingAPI.AnimalsQuery(), ChangingAPI.HeroQuery()],
    "Policies": [
      PoliciesAPI.HeroesQuery(), PoliciesAPI.HeroQuery(id: "1"), PoliciesAPI.SearchQuery(id: "2"),
      PoliciesAPI.HeroWithNameQuery(id: "1"), PoliciesAPI.OtherHeroWithNameQuery(),
      PoliciesAPI.FreshHeroesQuery(), PoliciesAPI.FreshIDsQuery(), PoliciesAPI.SlowHeroesQuery(),
    ],
    "Deferring": [
      DeferringAPI.HeroQuery(), DeferringAPI.HeroQuery(later: false, detailed: true),
      DeferringAPI.PlainQuery(), DeferringAPI.OverlapQuery(), DeferringAPI.UnlabelledQuery(),
    ],
    "TypeCases": [
      TypeCasesAPI.ParentsQuery(), TypeCasesAPI.SiblingsQuery(), TypeCasesAPI.UnionsQuery(),
      TypeCasesAPI.UnclesQuery(), TypeCasesAPI.FoldedQuery(), TypeCasesAPI.FragmentsQuery(),
      TypeCasesAPI.ConditionsQuery(a: true, b: true),
      TypeCasesAPI.ConditionsQuery(a: true, b: false),
      TypeCasesAPI.ConditionsQuery(a: false, b: true),
      TypeCasesAPI.ConditionsQuery(a: false, b: false), TypeCasesAPI.DeepQuery(),
      TypeCasesAPI.EmptyQuery(), TypeCasesAPI.RememberedQuery(a: true),
      TypeCasesAPI.RememberedQuery(a: false), TypeCasesAPI.BorrowedQuery(),
      TypeCasesAPI.FriendsQuery(a: true), TypeCasesAPI.FriendsQuery(a: false),
    ],
    "Documentation": [
      DocumentationAPI.HeroNameQuery(), DocumentationAPI.HeroAndFriendsNamesQuery(),
      DocumentationAPI.HeroAndFriendsQuery(), DocumentationAPI.HeroAndFunctionQuery(),
    ],
    "Extremes": [
      ExtremesAPI.DeepQuery(), ExtremesAPI.DeepFragmentQuery(),
      ExtremesAPI.PaintQuery(
        with: .some(ExtremesAPI.Paint(required: true, f5: .case(.shade7))), v5: .case(.red)),
    ],
    "Awkward": [
      AwkwardAPI.ScalarsQuery(), AwkwardAPI.RequiredQuery(), AwkwardAPI.SinglesQuery(),
      AwkwardAPI.ListsQuery(), AwkwardAPI.BoxesQuery(), AwkwardAPI.NumbersQuery(),
    ],
    "AwkwardPlain": [
      AwkwardPlainAPI.ScalarsQuery(), AwkwardPlainAPI.RequiredQuery(),
      AwkwardPlainAPI.SinglesQuery(), AwkwardPlainAPI.ListsQuery(), AwkwardPlainAPI.BoxesQuery(),
      AwkwardPlainAPI.NumbersQuery(),
    ],
    "Nullability": [
      NullabilityAPI.PlainQuery(), NullabilityAPI.ResultsQuery(), NullabilityAPI.ThrowsQuery(),
      NullabilityAPI.MixedQuery(), NullabilityAPI.ConditionalQuery(close: true),
      NullabilityAPI.ConditionalQuery(close: false), NullabilityAPI.CasesQuery(),
      NullabilityAPI.UnpropagatedQuery(), NullabilityAPI.RequiredQuery(),
      NullabilityAPI.RenameMutation(id: "1", name: "a"),
    ],
    "Editing": [
      EditingAPI.ProductsQuery(), EditingAPI.AddProductMutation(name: "a", lists: []),
      EditingAPI.RemoveProductMutation(id: "1", lists: [], everywhere: true),
      EditingAPI.RemoveProductMutation(id: "1", lists: [], everywhere: false),
    ],
    "Arguments": [
      ArgumentsAPI.PageQuery(size: 64), ArgumentsAPI.PageQuery(size: 64, detailed: true),
      ArgumentsAPI.NodesQuery(id: "1"), ArgumentsAPI.LaterQuery(words: 3),
      ArgumentsAPI.LaterQuery(), ArgumentsAPI.RenameMutation(name: "a"),
    ],
    "Inputs": [InputsAPI.FindQuery(), InputsAPI.PlainQuery(filter: .init())],
    "Mocking": [
      MockingAPI.HeroQuery(), MockingAPI.HeroQuery(detailed: true), MockingAPI.SearchQuery(),
      MockingAPI.HumansQuery(),
    ],
  ]

  /// Every local cache mutation of the golden files, with its name in the document.
  static let localCacheMutations: [String: [(name: String, any LocalCacheMutation)]] = [
    "Changing": [
      ("HeroLocalCacheMutation", ChangingAPI.HeroLocalCacheMutation(ranked: true)),
      ("HeroLocalCacheMutation", ChangingAPI.HeroLocalCacheMutation(ranked: false)),
    ],
    "Extremes": [("DeepLocalCacheMutation", ExtremesAPI.DeepLocalCacheMutation())],
    "Nullability": [("EditUser", NullabilityAPI.EditUserLocalCacheMutation())],
  ]

  /// The operations that a null of a random response can leave without data, or without an object.
  /// `NullabilityTests` runs them.
  static let endingOperations = [
    "Nullability": ["Certain", "Borrowed", "Rows", "Whole", "WholeData"]
  ]

  @Test(arguments: GoldenTests.fixtures)
  func showsWhatItSelects(_ fixture: GoldenTests.Fixture) throws {
    let schema = try schema(of: fixture)
    var names = Set(Self.endingOperations[fixture.name] ?? [])
    for operation in Self.operations[fixture.name] ?? [] {
      names.insert(type(of: operation).operationName)
      try expectItShowsWhatItSelects(operation, on: schema)
    }
    let source = parse(
      try text("operations.graphql", of: fixture), with: schema,
      ParserOptions(allowsFragmentArguments: true))
    for (name, mutation) in Self.localCacheMutations[fixture.name] ?? [] {
      names.insert(name)
      try expectItShowsWhatItSelects(mutation, name, in: source, on: schema)
    }
    #expect(names == operationNames(in: source), "Each operation has to be run.")
  }

  private func expectItShowsWhatItSelects<Operation: GraphQLOperation>(
    _ operation: Operation, on schema: Schema
  ) throws {
    let name = Operation.operationName
    let sent = parse(
      try #require(Operation.operationDocument.definition?.queryDocument), with: schema)
    let problems = validate(sent, against: schema).diagnostics
    #expect(problems.isEmpty, "\(DiagnosticFormat.xcode.render(problems, in: sent.sources))")
    try answers(to: name, operation.__variables, in: sent, schema, adding: []) {
      let body = try JSONEncoder().encode(JSONValue.object(["data": $1]))
      let response = try ResponseDecoder().decode(Array(body), as: operation)
      #expect(response.data?.jsonValue == $0, "\($2)")
      try expect(Operation.Data.self, toShow: $0, of: $1, operation.__variables, "\($2)")
    }
  }

  private func expectItShowsWhatItSelects<Mutation: LocalCacheMutation>(
    _ mutation: Mutation, _ name: String, in source: Document, on schema: Schema
  ) throws {
    let variables = mutation.__variables
    try answers(to: name, variables, in: source, schema, adding: ["__typename", "id"]) {
      try expect(Mutation.Data.self, toShow: $0, of: $1, variables, "\($2)")
    }
  }

  /// Returns responses to an operation: as models show them, and as a server with additional
  /// members sends them.
  private func answers(
    to name: String, _ variables: ApolloAPI.Variables?, in document: Document, _ schema: Schema,
    adding extraFields: [String], _ body: (JSONValue, JSONValue, String) throws -> Void
  ) throws {
    for seed in 0..<40 as Range<UInt64> {
      var server = RandomServer(schema, document, adding: extraFields, seed: seed)
      guard let answer = server.answer(name, variables) else {
        Issue.record("There is no operation '\(name)'.")
        return
      }
      try body(answer, server.addExtraMembers(answer), "\(name), seed \(seed)")
    }
  }

  private func expect<Data: RootSelectionSet & Hashable>(
    _ model: Data.Type, toShow expected: JSONValue, of sent: JSONValue,
    _ variables: ApolloAPI.Variables?,
    _ comment: Comment
  ) throws {
    let data = try Data(jsonValue: sent, variables: variables)
    #expect(data.jsonValue == expected, comment)
    #expect(try JSONValue(jsonBytes: data.jsonBytes) == expected, comment)
    let again = try Data(jsonObject: data.jsonObject, variables: variables)
    #expect(again == data && again.hashValue == data.hashValue, comment)
    if let codable = data as? any Codable {
      #expect(try encodedAndDecoded(codable, variables) as? Data == data, comment)
    }
    for key in (expected.objectValue ?? [:]).keys {
      #expect(data.debugDescription.contains("\"\(key)\":"), comment)
    }
  }

  private func encodedAndDecoded<Model: Codable>(
    _ model: Model, _ variables: ApolloAPI.Variables?
  ) throws -> Model {
    let decoder = JSONDecoder()
    decoder.userInfo[.graphQLVariables] = variables
    return try decoder.decode(Model.self, from: JSONEncoder().encode(model))
  }

  // MARK: - Fixtures

  private func text(_ name: String, of fixture: GoldenTests.Fixture) throws -> String {
    let url = GoldenTests.folder.appendingPathComponent("Fixtures/\(fixture.name)/\(name)")
    return try String(contentsOf: url, encoding: .utf8)
  }

  private func schema(of fixture: GoldenTests.Fixture) throws -> Schema {
    let source = Source(name: "schema.graphqls", text: try text("schema.graphqls", of: fixture))
    // A server does not know the directives for the generator.
    return Schema.build([.sdl(source)]).schema
  }

  private func parse(
    _ text: String, with schema: Schema, _ options: ParserOptions = ParserOptions()
  ) -> Document {
    var document = Document(names: schema.names)
    let problems = document.parse(
      Source(name: "operations.graphql", text: text), options: options)
    #expect(problems.isEmpty, "\(text)")
    return document
  }

  private func operationNames(in document: Document) -> Set<String> {
    var names: Set<String> = []
    for case .operation(let id) in document.definitions {
      if let name = document[id].name { names.insert(document.spelling(name)) }
    }
    return names
  }
}
