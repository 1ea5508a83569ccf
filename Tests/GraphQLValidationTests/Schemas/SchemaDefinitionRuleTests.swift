import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite struct SchemaDefinitionRuleTests {
  @Test func onlyOneSchemaDefinitionIsAllowed() {
    expectDiagnostics(
      """
      schema { 1️⃣query: Query }
      2️⃣schema { 3️⃣query: Query }
      type Query { a: Int }
      """,
      .init(
        "UniqueOperationTypes", "There can be only one query type in schema.", at: "1️⃣", "3️⃣"),
      .init("LoneSchemaDefinition", "Must provide only one schema definition.", at: "2️⃣"))
  }

  @Test func operationTypesAreUniqueAcrossExtensions() {
    expectDiagnostics(
      """
      schema { 1️⃣query: Query }
      extend schema { 2️⃣query: Query }
      type Query { a: Int }
      """,
      .init(
        "UniqueOperationTypes", "There can be only one query type in schema.", at: "1️⃣", "2️⃣"))
  }

  @Test func typesAndTheirMembersAreUnique() {
    expectDiagnostics(
      """
      type 1️⃣A { 2️⃣a: Int }
      input 3️⃣A { 4️⃣a: Int }
      """,
      .init("UniqueTypeNames", "There can be only one type named \"A\".", at: "1️⃣", "3️⃣"),
      .init(
        "UniqueFieldDefinitionNames", "Field \"A.a\" can only be defined once.", at: "2️⃣", "4️⃣"))
  }

  @Test func fieldsAreUniqueAcrossExtensionsAndTheFirstOneIsUsed() {
    let schema = expectDiagnostics(
      """
      type A { 1️⃣a: Int }
      extend type A { 2️⃣a: String b: Int }
      """,
      .init(
        "UniqueFieldDefinitionNames", "Field \"A.a\" can only be defined once.", at: "1️⃣", "2️⃣"))
    #expect(schema.printed().contains("type A {\n  a: Int\n  b: Int\n}"))
  }

  @Test func enumValuesAreUnique() {
    expectDiagnostics(
      "enum E { 1️⃣A B 2️⃣A }",
      .init("UniqueEnumValueNames", "Enum value \"E.A\" can only be defined once.", at: "1️⃣", "2️⃣"))
  }

  @Test func argumentsAreUniqueInShortAndLongLists() {
    let names = (0..<20).map { "a\($0): Int" }.joined(separator: " ")
    expectDiagnostics(
      "type A { a(1️⃣x: Int, 2️⃣x: Int, 3️⃣x: Int): Int }",
      .init(
        "UniqueArgumentDefinitionNames", "Argument \"A.a(x:)\" can only be defined once.",
        at: "1️⃣", "2️⃣", "3️⃣"))
    expectDiagnostics(
      "directive @d(1️⃣x: Int \(names) 2️⃣x: Int) on FIELD",
      .init(
        "UniqueArgumentDefinitionNames", "Argument \"@d(x:)\" can only be defined once.",
        at: "1️⃣", "2️⃣"))
  }

  @Test func directivesAreUniqueButBuiltInOnesCanBeReplaced() {
    expectDiagnostics(
      """
      directive @1️⃣d on FIELD
      directive @2️⃣d on QUERY
      directive @skip(if: Boolean!) on FIELD
      """,
      .init(
        "UniqueDirectiveNames", "There can be only one directive named \"@d\".", at: "1️⃣", "2️⃣"))
  }

  @Test func unknownTypesAreReportedWithSuggestionsAndTheirFieldsOmitted() {
    let schema = expectDiagnostics(
      """
      type Cat implements 1️⃣Pett { owner(by: 2️⃣Strin): Int friend: [3️⃣Ca!]! }
      interface Pet { name: String }
      """,
      .init("KnownTypeNames", "Unknown type \"Pett\". Did you mean \"Pet\"?", at: "1️⃣"),
      .init("KnownTypeNames", "Unknown type \"Strin\". Did you mean \"String\"?", at: "2️⃣"),
      .init("KnownTypeNames", "Unknown type \"Ca\". Did you mean \"Cat\"?", at: "3️⃣"))
    #expect(schema.printed().contains("type Cat {\n  owner: Int\n}"))
  }

  @Test func extensionsExtendTypesOfTheirKind() {
    expectDiagnostics(
      """
      1️⃣type A { a: Int }
      2️⃣extend input A { b: Int }
      extend type 3️⃣AA { b: Int }
      extend scalar 4️⃣Int @specifiedBy(url: "")
      """,
      .init("PossibleTypeExtensions", "Cannot extend non-input object type \"A\".", at: "1️⃣", "2️⃣"),
      .init(
        "PossibleTypeExtensions",
        "Cannot extend type \"AA\" because it is not defined. Did you mean \"A\"?", at: "3️⃣"),
      .init(
        "PossibleTypeExtensions", "Cannot extend type \"Int\" because it is not defined.",
        at: "4️⃣"))
  }

  @Test func directivesAreDefinedForTheirLocations() {
    expectDiagnostics(
      "type A 1️⃣@deprecated 2️⃣@nope { a: Int }",
      .init("KnownDirectives", "Directive \"@deprecated\" may not be used on OBJECT.", at: "1️⃣"),
      .init("KnownDirectives", "Unknown directive \"@nope\".", at: "2️⃣"))
  }

  @Test func argumentsOfDirectivesHaveCorrectTypes() {
    expectDiagnostics(
      """
      directive @tag(name: String!, at: [Int!], by: By, kind: Kind = A) repeatable on OBJECT
      input By { id: ID! other: By }
      enum Kind { A B }
      type A @tag(name: 1️⃣[]) @tag(name: 2️⃣null) @tag(name: "a", at: 1) @tag(name: "a", at: [1, 3️⃣null])
        @tag(name: "a", by: { id: 1, other: 4️⃣{} }, kind: 5️⃣C) {
        a: Int @deprecated(reason: 6️⃣1)
      }
      scalar S @specifiedBy(url: 7️⃣http)
      """,
      .init(
        "ValuesOfCorrectTypeOnDirectives",
        "Argument \"@tag(name:)\" has invalid value: "
          + "String cannot represent a non string value: []", at: "1️⃣"),
      .init(
        "ValuesOfCorrectTypeOnDirectives",
        "Argument \"@tag(name:)\" has invalid value: "
          + "Expected value of non-null type \"String!\" not to be null.", at: "2️⃣"),
      .init(
        "ValuesOfCorrectTypeOnDirectives",
        "Argument \"@tag(at:)\" has invalid value at [1]: "
          + "Expected value of non-null type \"Int!\" not to be null.", at: "3️⃣"),
      .init(
        "ValuesOfCorrectTypeOnDirectives",
        "Argument \"@tag(by:)\" has invalid value at .other: "
          + "Expected value of type \"By\" to include required field \"id\", found: {}.",
        at: "4️⃣"),
      .init(
        "ValuesOfCorrectTypeOnDirectives",
        "Argument \"@tag(kind:)\" has invalid value: "
          + "Value \"C\" does not exist in \"Kind\" enum. "
          + "Did you mean the enum value \"A\" or \"B\"?", at: "5️⃣"),
      .init(
        "ValuesOfCorrectTypeOnDirectives",
        "Argument \"@deprecated(reason:)\" has invalid value: "
          + "String cannot represent a non string value: 1", at: "6️⃣"),
      .init(
        "ValuesOfCorrectTypeOnDirectives",
        "Argument \"@specifiedBy(url:)\" has invalid value: "
          + "String cannot represent a non string value: http", at: "7️⃣"))
  }

  @Test func directivesAreUniqueForATypeAndItsExtensions() {
    expectDiagnostics(
      """
      directive @d on OBJECT
      directive @r repeatable on OBJECT
      type A 1️⃣@d @r { a: Int }
      extend type A 2️⃣@d @r
      """,
      .init(
        "UniqueDirectivesPerLocation",
        "The directive \"@d\" can only be used once at this location.", at: "1️⃣", "2️⃣"))
  }

  @Test func argumentsOfDirectivesAreDefinedUniqueAndComplete() {
    expectDiagnostics(
      """
      directive @d(size: Int!, colour: String! = "red") on OBJECT
      type A 1️⃣@d(2️⃣siz: 1) { a: Int }
      type B @d(3️⃣size: 1, 4️⃣size: 2) { a: Int }
      """,
      .init(
        "ProvidedRequiredArgumentsOnDirectives",
        "Directive \"@d\" argument \"size\" of type \"Int!\" is required, but it was not provided.",
        at: "1️⃣"),
      .init(
        "KnownArgumentNamesOnDirectives",
        "Unknown argument \"siz\" on directive \"@d\". Did you mean \"size\"?", at: "2️⃣"),
      .init(
        "UniqueArgumentNames", "There can be only one argument named \"size\".", at: "3️⃣", "4️⃣"))
  }

  /// Repeated definitions and extensions of unknown types are not used, but can contain errors as
  /// well.
  @Test func unusedDefinitionsAreCheckedToo() {
    expectDiagnostics(
      """
      type 1️⃣A { a: 2️⃣Nope b(3️⃣x: Int, 4️⃣x: Int): Int }
      type 5️⃣A { c: Int }
      directive @6️⃣d(x: 7️⃣Zilch) on FIELD
      directive @8️⃣d on FIELD
      extend type 9️⃣Gone { a: 0️⃣Nada }
      """,
      .init("UniqueTypeNames", "There can be only one type named \"A\".", at: "1️⃣", "5️⃣"),
      .init("KnownTypeNames", "Unknown type \"Nope\".", at: "2️⃣"),
      .init(
        "UniqueArgumentDefinitionNames", "Argument \"A.b(x:)\" can only be defined once.",
        at: "3️⃣", "4️⃣"),
      .init(
        "UniqueDirectiveNames", "There can be only one directive named \"@d\".", at: "6️⃣", "8️⃣"),
      .init("KnownTypeNames", "Unknown type \"Zilch\".", at: "7️⃣"),
      .init(
        "PossibleTypeExtensions", "Cannot extend type \"Gone\" because it is not defined.",
        at: "9️⃣"),
      .init("KnownTypeNames", "Unknown type \"Nada\".", at: "0️⃣"))
  }

  @Test func fieldsOfObjectValuesAreUniqueAtAnyDepth() {
    expectDiagnostics(
      """
      scalar Any
      input A { a: Any = [{ x: { 1️⃣y: 1, 2️⃣y: 2 } }] }
      """,
      .init("UniqueInputFieldNames", "There can be only one input field named \"y\".", at: "1️⃣", "2️⃣")
    )
  }
}
