import SwiftSource
import Testing

@Suite struct PrinterTests {
  @Test func printsHeaderImportsAndDeclarationsWithOneBlankLineBetween() {
    let file = SourceFile(
      header: ["@generated", ""], imports: ["import ApolloAPI"],
      declarations: [Declaration(.group(Group("enum", "API")), modifiers: ["public"])])
    #expect(
      file.text() == """
        // @generated
        //
        import ApolloAPI

        public enum API {}

        """)
  }

  @Test func separatesDocumentedAndLongMembersByBlankLines() {
    let text = print(
      .group(
        Group(
          "struct", "Hero", inherits: ["SelectionSet"],
          members: [
            Declaration(.property(Property("a", type: "Int", .let(nil)))),
            Declaration(.property(Property("b", type: "Int", ["1"]))),
            Declaration(.property(Property("c", type: "Int", ["2"])), documentation: "The c."),
            Declaration(.property(Property("d", type: "Int", .let(.code("4"))))),
          ])))
    #expect(
      text == """
        struct Hero: SelectionSet {
          let a: Int
          var b: Int { 1 }

          /// The c.
          var c: Int { 2 }

          let d: Int = 4
        }

        """)
  }

  @Test func separatesMembersOfSeveralLinesByBlankLines() {
    let text = print(
      .group(
        Group(
          "enum", "A",
          members: [
            Declaration(.enumCase(EnumCase("a"))),
            Declaration(.function(Function("func f", body: ["one()", "two()"]))),
            Declaration(.enumCase(EnumCase("b"))),
            Declaration(.enumCase(EnumCase("c"))),
          ])))
    #expect(
      text == """
        enum A {
          case a

          func f() {
            one()
            two()
          }

          case b
          case c
        }

        """)
  }

  @Test func printsFunctionsWithAndWithoutBodies() {
    let parameters = [Parameter("_ a", type: "Int")]
    #expect(
      print(.function(Function("func f", parameters, tail: "-> Int", body: ["a"])))
        == "func f(_ a: Int) -> Int { a }\n")
    #expect(
      print(.function(Function("func f", parameters, tail: "-> Int", body: nil)))
        == "func f(_ a: Int) -> Int\n")
    let long = [Parameter(String(repeating: "x", count: 100), type: "Int")]
    #expect(
      print(.function(Function("func f", long, tail: "-> Int", body: nil)))
        == "func f(\n  \(long[0].name): Int\n) -> Int\n")
  }

  @Test func breaksLinesThatDoNotFit() {
    let long = String(repeating: "x", count: 100)
    func property(_ lines: [String]) -> Declaration.Content {
      let text = Expression.call("Types", [.init(nil, .lines(lines))])
      return .group(
        Group("enum", "A", members: [Declaration(.property(Property("t", type: nil, .let(text))))]))
    }
    #expect(print(property(["a", "b"])) == "enum A {\n  let t = Types(\"a\\nb\")\n}\n")
    #expect(
      print(property([long, "b"])) == """
        enum A {
          let t = Types(\"""
            \(long)
            b
            \""")
        }

        """)
  }

  @Test func breaksLongParameterListsAndValues() {
    let word = String(repeating: "x", count: 60)
    #expect(
      print(
        .function(
          Function(
            "init",
            [Parameter(word, type: "Int"), Parameter("b", type: word, value: .code("nil"))],
            body: ["self.b = b"])))
          == """
          init(
            \(word): Int,
            b: \(word) = nil
          ) {
            self.b = b
          }

          """)
    #expect(
      print(
        .property(
          Property(
            "v", type: nil,
            .let(.dictionary([.init(.string(word), .array([.string(word), .code("1")]))])))))
          == """
          let v = [
            "\(word)": [
              "\(word)",
              1,
            ],
          ]

          """)
  }

  @Test func keepsASingleArgumentOnTheLineOfItsCall() {
    let word = String(repeating: "x", count: 100)
    #expect(
      print(.property(Property("v", type: nil, .let(.call("f", [.init("a", .string(word))])))))
        == "let v = f(a: \"\(word)\")\n")
    #expect(
      print(
        .property(
          Property(
            "v", type: nil, .let(.call("f", [.init(nil, .string(word)), .init("b", .code("1"))])))))
          == """
          let v = f(
            "\(word)",
            b: 1)

          """)
  }

  @Test func printsGettersAndSettersAndRequirements() {
    #expect(
      print(
        .property(Property("a", type: "Int", .computed(getter: ["b"], setter: ["b = newValue"]))))
          == """
          var a: Int {
            get { b }
            set { b = newValue }
          }

          """)
    #expect(
      print(
        .property(
          Property(
            "a", type: "[Int]", .inPlace(getter: ["b"], setter: ["b = newValue"], yields: "b"))))
          == """
          var a: [Int] {
            get { b }
            set { b = newValue }
            _modify { yield &b }
          }

          """)
    #expect(
      print(.property(Property("a", type: "Int", .requirement(settable: true))))
        == "var a: Int { get set }\n")
    let long = String(repeating: "b", count: 120)
    #expect(
      print(.property(Property("a", type: "Int", .computedOnOneLine(long))))
        == "var a: Int { \(long) }\n")
    #expect(
      print(.enumCase(EnumCase("a", payload: "Int", rawValue: .string("A"))))
        == "case a(Int) = \"A\"\n")
  }

  @Test(arguments: [
    "a */ b", "a\nlet evil = 1", "a\rlet evil = 1", "a\r\nlet evil = 1", "a\u{2028}let evil = 1",
    "a\u{85}let evil = 1", "a\u{0B}let evil = 1", "a\u{0C}let evil = 1", "\u{202E}live", "\0",
  ])
  func keepsEveryLineOfADescriptionInsideComments(_ description: String) {
    let file = SourceFile(declarations: [
      Declaration(.enumCase(EnumCase("a")), documentation: description)
    ])
    let lines = file.text().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.last == "" && lines[lines.count - 2] == "case a")
    #expect(lines.dropLast(2).allSatisfy { $0.hasPrefix("///") })
    let breaks: Set<Unicode.Scalar> = [
      "\r", "\u{2028}", "\u{2029}", "\u{85}", "\u{0B}", "\u{0C}", "\0", "\u{202E}",
    ]
    #expect(file.text().unicodeScalars.allSatisfy { !breaks.contains($0) })
  }

  private func print(_ content: Declaration.Content) -> String {
    SourceFile(declarations: [Declaration(content)]).text()
  }
}
