import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// The nullability directives in schemas and documents: names, valid and invalid uses.
@Suite struct NullabilityRuleTests {
  private static let link = """
    extend schema @link(url: "https://specs.apollo.dev/nullability/v0.4",
      import: ["@semanticNonNull", "@semanticNonNullField", "@catch", "CatchTo", "@catchByDefault"])

    """
  private static let types = """
    type Query { a: Int b: String! list: [[Int]] objects: [Object!] object: Object cat: Animal }
    type Object { a: Int n: Int @semanticNonNull }
    interface Animal { name: String }
    type Cat implements Animal { name: String }
    type Dog implements Animal { name: String }

    """

  /// Generates code, and returns the text of the file with the query.
  private func query(
    _ operations: String, schema: String = Self.types, named name: String = "Q"
  ) throws -> String {
    let project = try GeneratedProject(schema: schema, operations: operations)
    let path = try #require(project.files.first { $0.hasSuffix("/\(name)Query.graphql.swift") })
    return try project.text(of: path)
  }

  // MARK: - Names

  @Test(arguments: [
    // Without a link, the directives have the names of the specification.
    ("", "@catch(to: THROW)"),
    (link, "@catch(to: THROW)"),
    (
      #"extend schema @link(url: "https://specs.apollo.dev/nullability/v0.4") "#,
      "@nullability__catch(to: THROW)"
    ),
    (
      #"extend schema @link(url: "https://specs.apollo.dev/nullability/v0.1/", as: "errors") "#,
      "@errors__catch(to: THROW)"
    ),
    (
      #"extend schema @link(url: "https://specs.apollo.dev/nullability/v0.4", import: [{ name: "@catch", as: "@handle" }]) "#,
      "@handle(to: THROW)"
    ),
    (
      #"extend schema @link(url: "https://specs.apollo.dev/nullability/v0.4", import: "@catch") "#,
      "@catch(to: THROW)"
    ),
    // Servers that define the directives.
    (
      "directive @catch(to: CatchTo! = RESULT, levels: [Int!]! = [0]) on FIELD enum CatchTo { NULL RESULT THROW } ",
      "@catch(to: THROW)"
    ),
    // A type of the program has the name of the enum.
    ("type CatchTo { a: Int } ", "@catch(to: THROW)"),
  ])
  func theDirectiveHasTheNameOfItsLink(schema: String, directive: String) throws {
    let text = try query("query Q { a \(directive) }", schema: schema + Self.types)
    #expect(text.contains("get throws(ApolloAPI.GraphQLError)"))
    #expect(text.contains("#\"query Q { a }\"#"))
  }

  /// A directive with another meaning is the server's.
  @Test(arguments: [
    ("directive @catch(exception: String) on FIELD", "query Q { a @catch(exception: \"E\") }"),
    ("directive @required(unless: Boolean) on FIELD", "query Q { a @required(unless: true) }"),
    ("directive @throwOnFieldError(at: Int) on QUERY", "query Q @throwOnFieldError(at: 1) { a }"),
    (
      "directive @catchByDefault(to: To!) on QUERY enum To { HERE THERE }",
      "query Q @catchByDefault(to: HERE) { a }"
    ),
    (
      "directive @semanticNonNull(why: String) on FIELD_DEFINITION extend type Query { c: Int @semanticNonNull(why: \"x\") }",
      "query Q { a c }"
    ),
    // Version 0.1 of the specification has one level.
    (
      "extend schema @link(url: \"https://specs.apollo.dev/nullability/v0.1\", import: [\"@catch\"]) directive @catch(to: To!, level: Int) on FIELD enum To { RESULT NULL }",
      "query Q { a @catch(to: NULL, level: 1) }"
    ),
    ("enum CatchTo { EMPTY } extend type Query { to: CatchTo }", "query Q { a to }"),
  ])
  func aDirectiveWithAnotherMeaningIsSent(definition: String, document: String) throws {
    let text = try query(document, schema: Self.types + definition)
    #expect(text.contains("var a: Int? { __value(0) }"))
    #expect(text.contains("#\"\(document)\"#"), "\(text)")
  }

  /// The directives on a schema alone change nothing of the code.
  @Test func schemaDirectivesAloneChangeNothing() throws {
    let operations = "query Q { a object { a n } }"
    let plain = try query(
      operations, schema: Self.types.replacing(" @semanticNonNull", with: ""))
    #expect(try query(operations) == plain)
    #expect(try query(operations, schema: Self.link + Self.types) == plain)
    #expect(
      try query(
        operations, schema: Self.link + "extend schema @catchByDefault(to: NULL) " + Self.types)
        == plain)
  }

  // MARK: - Types of properties

  @Test(arguments: [
    ("Int", "@catch", "ApolloAPI.FieldResult<Int?>"),
    ("Int", "@catch(to: NULL)", "Int?"),
    ("Int", "@catch(to: THROW)", "throws Int?"),
    ("Int @semanticNonNull", "", "Int?"),
    ("Int @semanticNonNull", "@catch", "ApolloAPI.FieldResult<Int>"),
    ("Int @semanticNonNull", "@catch(to: NULL)", "Int?"),
    ("Int @semanticNonNull", "@catch(to: THROW)", "throws Int"),
    ("Int!", "@catch", "ApolloAPI.FieldResult<Int>"),
    ("Int!", "@catch(to: NULL)", "Int?"),
    ("Int!", "@catch(to: THROW)", "throws Int"),
    ("Int", "@required(action: THROW)", "throws Int"),
    ("Int", "@required(action: NONE)", "Int"),
    ("[Int]", "@required(action: LOG)", "[Int?]"),
    ("[Int]", "@required(action: NONE) @catch(levels: [1])", "[ApolloAPI.FieldResult<Int?>]"),
    ("[Int]", "@catch", "ApolloAPI.FieldResult<[Int?]?>"),
    ("[Int]", "@catch(levels: [1])", "[ApolloAPI.FieldResult<Int?>]?"),
    ("[Int]", "@catch(levels: [0, 1])", "ApolloAPI.FieldResult<[ApolloAPI.FieldResult<Int?>]?>"),
    ("[Int]", "@catch(to: THROW, levels: 1)", "throws [Int?]?"),
    ("[Int] @semanticNonNull(levels: [1])", "@catch(to: THROW, levels: [1])", "throws [Int]?"),
    ("[Int] @semanticNonNull(levels: [0, 1])", "@catch(to: THROW, levels: [1])", "throws [Int]?"),
    ("[Int!]!", "@catch(to: NULL, levels: [1])", "[Int?]"),
    ("[Int!]!", "@catch(to: THROW, levels: [1])", "throws [Int]"),
    (
      "[[Int]] @semanticNonNull(levels: [2])", "@catch(levels: [1, 2])",
      "[ApolloAPI.FieldResult<[ApolloAPI.FieldResult<Int>]?>]?"
    ),
  ])
  func thePropertyHasTheTypeOfItsTreatment(type: String, directive: String, property: String) throws
  {
    let text = try query("query Q { x \(directive) }", schema: "type Query { x: \(type) }")
    let isThrowing = property.hasPrefix("throws ")
    let swift = isThrowing ? String(property.dropFirst("throws ".count)) : property
    #expect(text.contains("var x: \(swift) {"), "\(text)")
    #expect(text.contains("get throws(ApolloAPI.GraphQLError)") == isThrowing)
  }

  /// Swift warns of a place that is never used.
  @Test(arguments: [("Int!", "Int?"), ("[Int!]!", "[Int]?"), ("[Int]!", "[Int?]?")])
  func readsTheNullOfAnErrorLikeAnyOther(type: String, property: String) throws {
    let text = try query("query Q { x @catch(to: NULL) }", schema: "type Query { x: \(type) }")
    #expect(text.contains("var x: \(property) { __value(0) }"), "\(text)")
  }

  /// `@catch` precedes the directive of the definition, and that precedes the schema's.
  @Test(arguments: [
    ("", "query Q", "", "ApolloAPI.FieldResult<Int?>"),
    ("", "query Q @catchByDefault(to: NULL)", "", "Int?"),
    ("", "query Q @catchByDefault(to: NULL)", "@catch(to: RESULT)", "ApolloAPI.FieldResult<Int?>"),
    ("", "query Q @throwOnFieldError", "", "Int?"),
    (" @semanticNonNull", "query Q @throwOnFieldError", "", "Int"),
    (" @semanticNonNull", "query Q", "", "ApolloAPI.FieldResult<Int>"),
    ("!", "query Q", "", "Int"),
  ])
  func theNearestDirectiveCounts(
    mark: String, definition: String, directive: String, property: String
  ) throws {
    let text = try query(
      "\(definition) { x \(directive) }",
      schema: "\(Self.link) extend schema @catchByDefault(to: RESULT) type Query { x: Int\(mark) }")
    #expect(text.contains("var x: \(property) {"), "\(text)")
  }

  /// The property shows the null of another selection of the field where the condition leaves this
  /// one out.
  @Test(arguments: [
    "query Q($c: Boolean!) @throwOnFieldError { x @include(if: $c) }",
    "query Q($c: Boolean!) { x @required(action: NONE) @include(if: $c) }",
  ])
  func aFieldWithAConditionPromisesNothing(document: String) throws {
    let text = try query(document, schema: "type Query { x: Int @semanticNonNull }")
    #expect(text.contains("var x: Int? { __value(0) }"), "\(text)")
  }

  /// The elements are those of another selection there, which promises nothing.
  @Test(arguments: [
    ("", "[1]"), ("", "[0, 1]"), ("@catch(to: NULL)", "[0, 1]"),
  ])
  func theElementsOfAFieldWithAConditionPromiseNothing(directive: String, levels: String) throws {
    let text = try query(
      "query Q($c: Boolean!) @throwOnFieldError { x \(directive) @include(if: $c) }",
      schema: "type Query { x: [Int] @semanticNonNull(levels: \(levels)) }")
    #expect(text.contains("var x: [Int?]? { __value(0) }"), "\(text)")
  }

  // MARK: - Problems

  @Test(arguments: [
    (
      "query Q { a @catch(levels: [1]) }",
      "1:29: error: '@catch' names the level 1 of 'a', which is in no list. Write level 0, or leave 'levels' out."
    ),
    (
      "query Q { list @catch(levels: [-1]) }",
      "1:32: error: '@catch' names the level -1 of 'list', which is in 2 lists. Write levels from 0 to 2."
    ),
    (
      "query Q { list @catch(to: THROW, levels: [0, 3]) }",
      "1:46: error: '@catch' names the level 3 of 'list', which is in 2 lists. Write levels from 0 to 2."
    ),
    (
      "query Q { a a @catch(to: THROW) }",
      "1:13: error: 'a' is selected twice with different treatments of errors. Write the same '@catch' for both, or an alias."
    ),
    (
      "query Q { a @catch(to: NULL) ... on Query { a @catch(to: THROW) } }",
      "1:45: error: 'a' is selected twice with different treatments of errors. Write the same '@catch' for both, or an alias."
    ),
    (
      // The last one agrees with the one before, and belongs to cats as well.
      "query Q { cat { ... on Cat { name @catch } ... on Dog { name } ... on Animal { name } } }",
      "1:80: error: 'name' is selected twice with different treatments of errors. Write the same '@catch' for both, or an alias."
    ),
    (
      "query Q { object { a @catch } object { a } }",
      "1:40: error: 'a' is selected twice with different treatments of errors. Write the same '@catch' for both, or an alias."
    ),
    (
      "query Q { __typename @catch a }",
      "1:22: error: '__typename' never fails. Remove '@catch'."
    ),
    (
      "query Q($to: CatchTo!) { a @catch(to: $to) }",
      "1:39: error: '@catch' has a variable as its treatment, but the property needs one type. Write 'RESULT', 'NULL' or 'THROW'."
    ),
    (
      "query Q($l: [Int!]!) { a @catch(to: THROW, levels: $l) }",
      "1:52: error: '@catch' has a variable as a level, but the property needs one type. Write numbers."
    ),
    (
      "query Q($l: Int!) { list @catch(levels: [0, $l]) }",
      "1:45: error: '@catch' has a variable as a level, but the property needs one type. Write numbers."
    ),
    (
      "query Q { a @catch(to: NOTHING) }",
      #"1:24: error: Value "NOTHING" does not exist in "CatchTo" enum."#
    ),
    (
      "query Q { a @catch @catch }",
      #"1:13: error: The directive "@catch" can only be used once at this location."#
    ),
    (
      "query Q @catchByDefault(to: NULL) @throwOnFieldError { a }",
      "1:9: error: '@catchByDefault' and '@throwOnFieldError' ask for different treatments of the same errors. Remove one of them."
    ),
    (
      "query Q @apollo_client_ios_localCacheMutation { a @catch }",
      "1:51: error: 'a' is a field of a local cache mutation, which can be set, so it is 'nil' where it has an error. Remove '@catch'."
    ),
    (
      "query Q @apollo_client_ios_localCacheMutation { b @catch(to: NULL) }",
      "1:51: error: 'b' is a field of a local cache mutation, which cannot be set to 'nil', as the schema rules that out. Remove '@catch'."
    ),
    (
      // The fragment can be changed, because a local cache mutation uses it.
      "query L @apollo_client_ios_localCacheMutation { ...A } fragment A on Query { ...B } fragment B on Query { b @catch(to: NULL) }",
      "1:109: error: 'b' is a field of a local cache mutation, which cannot be set to 'nil', as the schema rules that out. Remove '@catch'."
    ),
    (
      "query L @apollo_client_ios_localCacheMutation { object { ...O } } fragment O on Object { a @catch }",
      "1:92: error: 'a' is a field of a local cache mutation, which can be set, so it is 'nil' where it has an error. Remove '@catch'."
    ),
    (
      "query Q { b @required(action: THROW) }",
      "1:13: error: 'b' is never null. Remove '@required'."
    ),
    (
      "query Q { objects { a @required(action: NONE) } }",
      "1:41: error: '@required' of 'a' makes the object around it null, which the schema rules out. Write 'action: THROW'."
    ),
    (
      "query Q { cat { ...F } } fragment F on Cat { name @required(action: LOG) }",
      "1:69: error: '@required' of 'name' makes the object around it null, which belongs to the operations with the fragment. Write 'action: THROW'."
    ),
    (
      "query Q($a: RequiredFieldAction!) { a @required(action: $a) }",
      "1:57: error: '@required' of 'a' has a variable as its action, but the property needs one type. Write 'action: THROW'."
    ),
    (
      "query Q { a @required(action: NONE) @catch }",
      "1:13: error: '@required' decides about what the '@catch' of 'a' handles. Remove one of them."
    ),
    (
      "query Q { cat { name @required(action: NONE) } cat { name @required(action: LOG) } }",
      "1:54: error: 'name' is selected twice with different treatments of errors. Write the same '@catch' for both, or an alias."
    ),
    (
      "query Q { a @required(action: THROW) @catch }",
      "1:13: error: '@required' throws what the '@catch' of 'a' handles. Remove one of them."
    ),
    // Fields that the schema never makes null have one form in a response.
    (
      "query Q { ...F b @catch } fragment F on Query { b }",
      #"1:16: error: Fields "b" conflict because only one of them has '@catch', and its value is never null without that. Use different aliases on the fields to fetch both if this was intentional."#
    ),
  ])
  func reportsWhatIsImpossible(document: String, problem: String) throws {
    let error = #expect(throws: GenerationError.self) {
      try GeneratedProject(schema: Self.types, operations: document)
    }
    #expect(
      error?.messages.contains("operations.graphql:\(problem) [") == true,
      "\(error?.messages ?? "")")
  }

  @Test(arguments: [
    "query Q { ...F a @catch(to: NULL) } fragment F on Query { a @catch(to: THROW) }",
    "query Q { a @catch a @catch }",
    "query Q { a b: a @catch }",
    "query Q { cat { ... on Cat { name @catch } ... on Dog { name } } }",
    "query Q { a @catch(to: NULL) ...F } fragment F on Query @throwOnFieldError { a }",
    "query Q @throwOnFieldError { a @catch(to: THROW) b @catch list @catch(levels: [0, 1, 2]) }",
    "subscription Q @throwOnFieldError { a }",
    "query Q { a @required(action: NONE) object { a @required(action: LOG) } }",
    "query Q { cat { ... on Cat { name @required(action: NONE) } ... on Dog { name } } }",
  ])
  func acceptsWhatIsPossible(document: String) throws {
    let project = try GeneratedProject(
      schema: Self.types + "type Subscription { a: Int }", operations: document)
    #expect(project.report.operationCount == 1)
  }

  @Test(arguments: [
    (
      "extend type Object @semanticNonNullField(name: \"A\")",
      "'@semanticNonNullField' names the field 'A', which 'Object' does not have. Name a field of the type."
    ),
    (
      "extend type Object @semanticNonNullField(name: \"a\", levels: [1])",
      "'@semanticNonNullField' names the level 1 of 'Object.a', which is in no list. Write level 0, or leave 'levels' out."
    ),
    (
      "extend type Object { c: [Int] @semanticNonNull(levels: [0, 2]) }",
      "'@semanticNonNull' names the level 2 of 'Object.c', which is in one list. Write levels from 0 to 1."
    ),
    (
      #"extend schema @link(url: "https://specs.apollo.dev/nullability/v0.4", import: ["@catchField"])"#,
      "The specification of nullability has no '@catchField'. Import '@semanticNonNull', '@semanticNonNullField', '@catch', '@catchByDefault' or 'CatchTo'."
    ),
  ])
  func reportsProblemsOfSchemas(schema: String, problem: String) throws {
    let error = #expect(throws: GenerationError.self) {
      try GeneratedProject(
        schema: Self.types.replacing(" @semanticNonNull", with: "") + schema,
        operations: "query Q { a }")
    }
    #expect(
      error?.messages.contains("error: \(problem) [Nullability]") == true,
      "\(error?.messages ?? "")")
  }

  /// Applying a fix-it is enough.
  @Test(arguments: [
    ("query Q { a @catch(levels: [1]) }", "query Q { a @catch(levels: [0]) }"),
    ("query Q { list @catch(levels: [3]) }", "query Q { list @catch(levels: [2]) }"),
    ("query Q { __typename @catch a }", "query Q { __typename  a }"),
    (
      "query Q { objects { a @required(action: LOG) } }",
      "query Q { objects { a @required(action: THROW) } }"
    ),
    (
      "query Q @catchByDefault(to: NULL) @throwOnFieldError { a }",
      "query Q  @throwOnFieldError { a }"
    ),
  ])
  func offersChanges(document: String, corrected: String) throws {
    let error = #expect(throws: GenerationError.self) {
      try GeneratedProject(schema: Self.types, operations: document)
    }
    guard case .input(let diagnostics, let sources)? = error?.reason else { return }
    let edit = try #require(diagnostics.first?.fixIts.first?.edits.first)
    let start = try #require(sources.offset(of: edit.span, in: document))
    var bytes = Array(document.utf8)
    bytes.replaceSubrange(start..<(start + edit.span.count), with: Array(edit.replacement.utf8))
    #expect(String(decoding: bytes, as: UTF8.self) == corrected)
    _ = try GeneratedProject(schema: Self.types, operations: corrected)
  }
}

extension SourceMap {
  /// Returns the offset of a span in the text of its source, which is `text`.
  fileprivate func offset(of span: SourceSpan, in text: String) -> Int? {
    let location = location(of: span.start)
    return text.contains("\n") ? nil : Int(location.column) - 1
  }
}
