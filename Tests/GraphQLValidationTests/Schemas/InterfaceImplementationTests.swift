import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite struct InterfaceImplementationTests {
  @Test func typesImplementInterfacesOnceAndNotThemselves() {
    expectDiagnostics(
      """
      interface I implements 1️⃣I { a: Int }
      type A implements 2️⃣J & 3️⃣J & 4️⃣Int { a: Int }
      interface J { a: Int }
      """,
      .init(
        "InterfaceImplementations",
        "Type I cannot implement itself because it would create a circular reference.",
        at: "1️⃣"),
      .init("InterfaceImplementations", "Type A can only implement J once.", at: "2️⃣", "3️⃣"),
      .init(
        "InterfaceImplementations",
        "Type A must only implement Interface types, it cannot implement Int.", at: "4️⃣"))
  }

  @Test func typesImplementTheInterfacesOfTheirInterfaces() {
    expectDiagnostics(
      """
      interface I { a: Int }
      interface J implements 1️⃣I { a: Int }
      type A implements 2️⃣J { a: Int }
      """,
      .init(
        "InterfaceImplementations",
        "Type A must implement I because it is implemented by J.", at: "1️⃣", "2️⃣"))
  }

  @Test func fieldsCanBeNarrowerThanThoseOfTheInterface() {
    expectDiagnostics(
      """
      interface I { i: I is: [I] u: U }
      type A implements I { i: A! is: [A!]! u: A }
      union U = A
      """)
  }

  @Test func fieldsAndArgumentsMatchTheInterface() {
    expectDiagnostics(
      """
      interface I { 1️⃣gone: Int a: 2️⃣[Int!] 4️⃣b(5️⃣x: Int, y: 6️⃣Int): Int }
      7️⃣type A implements I { a: 3️⃣[Int] 8️⃣b(y: 9️⃣Int!): Int }
      """,
      .init(
        "InterfaceImplementations", "Interface field I.gone expected but A does not provide it.",
        at: "1️⃣", "7️⃣"),
      .init(
        "InterfaceImplementations",
        "Interface field I.a expects type [Int!] but A.a is type [Int].", at: "2️⃣", "3️⃣"),
      .init(
        "InterfaceImplementations",
        "Interface field argument I.b(x:) expected but A.b does not provide it.", at: "5️⃣", "8️⃣"),
      .init(
        "InterfaceImplementations",
        "Interface field argument I.b(y:) expects type Int but A.b(y:) is type Int!.",
        at: "6️⃣", "9️⃣"))
  }

  @Test func additionalArgumentsAreOptional() {
    expectDiagnostics(
      """
      interface I { 1️⃣a: Int }
      type A implements I { a(x: Int, y: Int! = 1, 2️⃣z: Int!): Int }
      """,
      .init(
        "InterfaceImplementations",
        "Argument \"A.a(z:)\" must not be required type \"Int!\" "
          + "if not provided by the Interface field \"I.a\".", at: "2️⃣", "1️⃣"))
  }

  @Test func fieldsAreDeprecatedOnlyIfTheInterfaceFieldIs() {
    expectDiagnostics(
      """
      interface I { a: Int b: Int @deprecated }
      type A implements I { a: 1️⃣Int 2️⃣@deprecated b: Int @deprecated }
      """,
      .init(
        "DeprecatedImplementations",
        "Interface field I.a is not deprecated, "
          + "so implementation field A.a must not be deprecated.", at: "2️⃣", "1️⃣"))
  }
}
