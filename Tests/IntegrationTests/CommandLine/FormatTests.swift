import Foundation
import GraphQLSyntax
import Testing

@testable import apollo_cli

/// `apollo-cli format`.
@Suite(.timeLimit(.minutes(10)))
struct FormatTests {
  private static let messy = """
    # The hero.
    query   Hero( $id:ID!,$episode :Episode=JEDI ){hero(id:$id){ name # shown first

    ...Details
    }}
    # Details of it.
    fragment Details on Hero{friends(first:10){edges{node{name}}}}


    """

  private static let tidy = """
    # The hero.
    query Hero($id: ID!, $episode: Episode = JEDI) {
      hero(id: $id) {
        name # shown first

        ...Details
      }
    }

    # Details of it.
    fragment Details on Hero {
      friends(first: 10) {
        edges {
          node {
            name
          }
        }
      }
    }

    """

  private static let canonical = """
    query Hero($id: ID!, $episode: Episode = JEDI) {
      hero(id: $id) {
        name
        ...Details
      }
    }

    fragment Details on Hero {
      friends(first: 10) {
        edges {
          node {
            name
          }
        }
      }
    }

    """

  @Test func filesAreRewrittenWithTheirComments() async throws {
    try await withFiles(["a.graphql": Self.messy, "b/c.graphqls": "type  A{a:Int}"]) { project in
      let outcome = try await project.apollo("format", "a.graphql", "b")
      #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
      #expect(try project.text(of: "a.graphql") == Self.tidy)
      #expect(try project.text(of: "b/c.graphqls") == "type A {\n  a: Int\n}\n")
    }
  }

  @Test func whatIsFormattedIsNotTouched() async throws {
    try await withFiles(["a.graphql": Self.tidy]) { project in
      let before = try project.contents(of: ".")
      let outcome = try await project.apollo("format", "a.graphql")
      #expect(outcome.status == 0)
      #expect(try project.contents(of: ".") == before)
    }
  }

  @Test func checkingNamesFilesAndChangesNone() async throws {
    try await withFiles(["a.graphql": Self.messy, "b.graphql": Self.tidy]) { project in
      let before = try project.contents(of: ".")
      let outcome = try await project.apollo("format", "--check", ".")
      #expect(outcome.status == 1)
      #expect(outcome.output == "a.graphql is not formatted.\n")
      let tidy = try await project.apollo("format", "--check", "b.graphql")
      #expect(tidy.status == 0 && tidy.output.isEmpty)
      #expect(try project.contents(of: ".") == before)
    }
  }

  @Test func standardInputIsPrinted() async throws {
    try await withFiles([:]) { project in
      let outcome = try await project.apollo("format", "-", input: Self.messy)
      #expect(outcome.output == Self.tidy && outcome.status == 0)
      let again = try await project.apollo("format", "-", input: outcome.output)
      #expect(again.output == outcome.output)
      let check = try await project.apollo("format", "--check", "-", input: Self.messy)
      #expect(check.output == "<stdin> is not formatted.\n" && check.status == 1)
    }
  }

  @Test func theCanonicalFormHasNoComments() async throws {
    try await withFiles(["a.graphql": Self.messy]) { project in
      let outcome = try await project.apollo("format", "--canonical", "-", input: Self.messy)
      #expect(outcome.output == Self.canonical && outcome.status == 0)
      let check = try await project.apollo("format", "--canonical", "--check", "a.graphql")
      #expect(check.output == "a.graphql is not formatted.\n" && check.status == 1)
      _ = try await project.apollo("format", "--canonical", "a.graphql")
      #expect(try project.text(of: "a.graphql") == Self.canonical)
      let again = try await project.apollo("format", "--canonical", "--check", "a.graphql")
      #expect(again.status == 0)
    }
  }

  @Test func filesWithSyntaxErrorsAreReportedAndTheOthersAreFormatted() async throws {
    try await withFiles(["a.graphql": "{ a(b: ) }", "b.graphql": "{a}"]) { project in
      let outcome = try await project.apollo("format", "a.graphql", "b.graphql")
      #expect(outcome.status == 1)
      #expect(
        outcome.errors == """
          a.graphql:1:8: error: Syntax Error: Unexpected ")". [Syntax]
             1 | { a(b: ) }
               |        ^

          """)
      #expect(try project.text(of: "a.graphql") == "{ a(b: ) }")
      #expect(try project.text(of: "b.graphql") == "{\n  a\n}\n")
    }
  }

  @Test(
    arguments: [
      ([], "Nothing to format."),
      (["missing.graphql"], "There is no file or folder 'missing.graphql'."),
      (["."], "There are no files in '.'"),
    ] as [([String], String)])
  func whatCannotBeReadIsNamed(_ arguments: [String], message: String) async throws {
    let outcome = try await withFiles(["a.txt": ""]) { try await $0.apollo(["format"] + arguments) }
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func linksStayLinksAndPermissionsStayAsTheyAre() async throws {
    try await withFiles(["real.graphql": "{a}"]) { project in
      let file = project.folder.appendingPathComponent("real.graphql")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      let link = project.folder.appendingPathComponent("link.graphql")
      try FileManager.default.createSymbolicLink(
        atPath: link.path, withDestinationPath: "real.graphql")
      #expect(try await project.apollo("format", "link.graphql").status == 0)
      #expect(try project.text(of: "real.graphql") == "{\n  a\n}\n")
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "real.graphql")
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func aFileThatWasSavedAfterItWasReadStaysAsItIs() async throws {
    try await withFiles(["a.graphql": "{saved}"]) { project in
      let path = project.folder.appendingPathComponent("a.graphql").path
      let source = Source(name: path, text: "{read}")
      let failure = #expect(throws: CommandFailure.self) {
        try source.rewrite(Array("{ read }".utf8))
      }
      #expect(
        failure?.message
          == "'\(path)' was changed in the meantime, and stays as it is. Run the command again.")
      let text = try project.text(of: "a.graphql")
      #expect(text == "{saved}")
    }
  }
}
