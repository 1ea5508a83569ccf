import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite struct SchemaRuleTests {
  @Test func aQueryTypeIsRequiredAndRootTypesAreDifferentObjects() {
    expectDiagnostics(
      """
      1️⃣schema { mutation: 2️⃣M }
      union M = Query
      type Query { a: Int }
      """,
      .init("RootOperationTypes", "Query root type must be provided.", at: "1️⃣"),
      .init(
        "RootOperationTypes",
        "Mutation root type must be Object type if provided, it cannot be M.", at: "2️⃣"))
    expectDiagnostics(
      """
      schema { query: 1️⃣Query mutation: 2️⃣Query }
      type Query { a: Int }
      """,
      .init(
        "RootOperationTypes",
        "All root types must be different, \"Query\" type is used as query and mutation root types.",
        at: "1️⃣", "2️⃣"))
  }

  @Test func namesWithTwoUnderscoresAreReserved() {
    let message = { (name: String) in
      "Name \"\(name)\" must not begin with \"__\", which is reserved by GraphQL introspection."
    }
    expectDiagnostics(
      """
      1️⃣type __A { 2️⃣__a(3️⃣__x: Int): Int }
      enum E { 4️⃣__V }
      5️⃣directive @__d on FIELD
      """,
      .init("ReservedNames", message("__A"), at: "1️⃣"),
      .init("ReservedNames", message("__a"), at: "2️⃣"),
      .init("ReservedNames", message("__x"), at: "3️⃣"),
      .init("ReservedNames", message("__V"), at: "4️⃣"),
      .init("ReservedNames", message("__d"), at: "5️⃣"))
  }

  @Test func typesAreNotEmpty() {
    expectDiagnostics(
      """
      1️⃣type A
      2️⃣interface B
      3️⃣union C
      4️⃣enum D
      5️⃣input E
      6️⃣extend type A @d
      directive @d on OBJECT
      """,
      .init("OutputFields", "Type A must define one or more fields.", at: "1️⃣", "6️⃣"),
      .init("OutputFields", "Type B must define one or more fields.", at: "2️⃣"),
      .init("UnionMembers", "Union type C must define one or more member types.", at: "3️⃣"),
      .init("EnumValues", "Enum type D must define one or more values.", at: "4️⃣"),
      .init("InputFields", "Input Object type E must define one or more fields.", at: "5️⃣"))
  }

  @Test func fieldsHaveOutputTypesAndArgumentsInputTypes() {
    expectDiagnostics(
      """
      type A { a: 1️⃣[I!] b(x: 2️⃣A): Int }
      input I { i: 3️⃣A }
      directive @d(4️⃣x: A!) on FIELD
      """,
      .init("OutputFields", "The type of A.a must be Output Type but got: [I!].", at: "1️⃣"),
      .init("OutputFields", "The type of A.b(x:) must be Input Type but got: A.", at: "2️⃣"),
      .init("InputFields", "The type of I.i must be Input Type but got: A.", at: "3️⃣"),
      .init("DirectiveArguments", "The type of @d(x:) must be Input Type but got: A!.", at: "4️⃣"))
  }

  @Test func unionsContainEachObjectTypeOnce() {
    expectDiagnostics(
      """
      union U = 1️⃣Query | 2️⃣Query | 3️⃣Int
      type Query { a: Int }
      """,
      .init("UnionMembers", "Union type U can only include type Query once.", at: "1️⃣", "2️⃣"),
      .init(
        "UnionMembers", "Union type U can only include Object types, it cannot include Int.",
        at: "3️⃣"))
  }

  @Test func oneOfInputObjectsHaveNullableFieldsWithoutDefaults() {
    let schema = expectDiagnostics(
      "input A @oneOf { a: 1️⃣Int! 2️⃣b: Int = 1 }",
      .init("OneOfInputObjects", "OneOf input field A.a must be nullable.", at: "1️⃣"),
      .init("OneOfInputObjects", "OneOf input field A.b cannot have a default value.", at: "2️⃣"))
    #expect(schema.type(named: "A").map { schema[$0].isOneOf } == true)
  }

  @Test func requiredInputsAreNotDeprecated() {
    expectDiagnostics(
      """
      type A { a(x: 1️⃣Int! 2️⃣@deprecated, y: Int! = 1 @deprecated): Int }
      input I { i: 3️⃣Int! 4️⃣@deprecated }
      """,
      .init(
        "RequiredDeprecations", "Required argument A.a(x:) cannot be deprecated.", at: "2️⃣", "1️⃣"),
      .init(
        "RequiredDeprecations", "Required input field I.i cannot be deprecated.", at: "4️⃣", "3️⃣"))
  }

  @Test func defaultValuesHaveCorrectTypes() {
    expectDiagnostics(
      """
      enum E { RED }
      input I { a: Int! b: [E!] }
      type A {
        f(a: Int = 1️⃣"1", b: [Float!] = [1, 2.5, 2️⃣null], c: E = 3️⃣"RED", d: I = 4️⃣{ b: 5️⃣BLUE, zzzz: 1 }): Int
        g(a: [Int] = 1, b: Int = 7️⃣2147483648, c: ID = 1, d: String = null): Int
      }
      """,
      .init(
        "DefaultValues",
        "A.f(a:) has invalid default value: Int cannot represent non-integer value: \"1\"",
        at: "1️⃣"),
      .init(
        "DefaultValues",
        "A.f(b:) has invalid default value at [2]: "
          + "Expected value of non-null type \"Float!\" not to be null.",
        at: "2️⃣"),
      .init(
        "DefaultValues",
        "A.f(c:) has invalid default value: Enum \"E\" cannot represent non-enum value: \"RED\". "
          + "Did you mean the enum value \"RED\"?",
        at: "3️⃣"),
      .init(
        "DefaultValues",
        "A.f(d:) has invalid default value: "
          + "Expected value of type \"I\" not to include unknown field \"zzzz\".",
        at: "4️⃣"),
      .init(
        "DefaultValues",
        "A.f(d:) has invalid default value: Expected value of type \"I\" to include required "
          + "field \"a\", found: { b: BLUE, zzzz: 1 }.",
        at: "4️⃣"),
      .init(
        "DefaultValues",
        "A.f(d:) has invalid default value at .b: Value \"BLUE\" does not exist in \"E\" enum.",
        at: "5️⃣"),
      .init(
        "DefaultValues",
        "A.g(b:) has invalid default value: "
          + "Int cannot represent non 32-bit signed integer value: 2147483648",
        at: "7️⃣"))
  }

  @Test func inputObjectsHaveFiniteValues() {
    expectDiagnostics(
      """
      input A { 1️⃣b: B! list: [A!]! }
      input B { 2️⃣a: A! }
      input C @oneOf { 3️⃣c: C }
      input D @oneOf { d: D x: Int }
      """,
      .init(
        "InputObjectCycles",
        "Invalid circular reference. The Input Object A references itself "
          + "via the non-null fields: A.b, B.a.", at: "1️⃣", "2️⃣"),
      .init(
        "InputObjectCycles",
        "Input Object C cannot be provided a finite value "
          + "because it references itself through fields: C.c.", at: "3️⃣"))
  }

  @Test func defaultValuesOfInputFieldsDoNotRequireThemselves() {
    expectDiagnostics(
      """
      input A { x: A = 1️⃣{} }
      input B { x: C = 2️⃣{} }
      input C { y: B = 3️⃣{} z: B = { x: null } }
      """,
      .init(
        "DefaultValueCycles",
        "Invalid circular reference. The default value of Input Object field A.x "
          + "references itself.", at: "1️⃣"),
      .init(
        "DefaultValueCycles",
        "Invalid circular reference. The default value of Input Object field B.x "
          + "references itself via the default values of: C.y.", at: "2️⃣", "3️⃣"))
  }

  @Test func directivesDoNotReferToThemselves() {
    expectDiagnostics(
      """
      1️⃣directive @a(x: E) on ENUM_VALUE
      2️⃣directive @b(x: Int @c) on ARGUMENT_DEFINITION
      3️⃣directive @c(x: Int @b) on ARGUMENT_DEFINITION
      directive @d(x: Int @b) on FIELD
      enum E { V @a }
      """,
      .init("DirectiveCycles", "Directive \"@a\" cannot reference itself.", at: "1️⃣"),
      .init(
        "DirectiveCycles", "Directive \"@b\" cannot reference itself via \"@c\".", at: "2️⃣", "3️⃣"),
      .init("DirectiveCycles", "Directive \"@c\" cannot reference itself via \"@b\".", at: "3️⃣", "2️⃣")
    )
  }
}
