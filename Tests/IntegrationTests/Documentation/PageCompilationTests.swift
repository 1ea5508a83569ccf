import Foundation
import Testing

/// The code of the pages of Apollo iOS, in the Swift 6 language mode, and code that it rules out.
///
/// The targets of `Tests/Pages` compile the same code in the Swift 5 language mode, and run it.
@Suite(.timeLimit(.minutes(10)))
struct PageCompilationTests {
  /// The code of a page, and what changes in it for the Swift 6 language mode.
  struct Page: CustomTestStringConvertible, Sendable {
    var name: String
    /// Lines of code, each with the line that takes its place.
    var changes: KeyValuePairs<String, String> = [:]

    var testDescription: String { name }

    /// The Swift files of the page, without the tests.
    var files: [URL] {
      get throws {
        let folder = Repository.root.appendingPathComponent("Tests/Pages/\(name)")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
          .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("Tests.swift") }
          .map { folder.appendingPathComponent($0) }
      }
    }
  }

  static let pages = [
    Page(
      name: "CreatingAClient",
      changes: ["class Network {": "final class Network: @unchecked Sendable {"]),
    Page(name: "FetchingQueries"),
    Page(
      name: "FetchingData",
      changes: [
        "class RerouteToCacheErrorInterceptor: ApolloErrorInterceptor {":
          "final class RerouteToCacheErrorInterceptor: ApolloErrorInterceptor, @unchecked Sendable {",
        "class CacheDependentProvider: InterceptorProvider {":
          "final class CacheDependentProvider: InterceptorProvider, @unchecked Sendable {",
        "class TokenAddingInterceptor: ApolloInterceptor {":
          "final class TokenAddingInterceptor: ApolloInterceptor {",
      ]),
    Page(name: "Fragments"),
    Page(
      name: "Mutations",
      changes: [
        "apollo.perform(mutation: CreateReviewForEpisodeMutation(episode: .jedi, review: review))":
          "apollo.perform(mutation: CreateReviewForEpisodeMutation(episode: .jedi, review: review), resultHandler: nil)"
      ]),
  ]

  @Test(arguments: pages)
  func everyPageCompilesInTheSwift6LanguageMode(_ page: Page) async throws {
    try await withTemporaryFolder { folder in
      var files = try page.files
      #expect(!files.isEmpty)
      for (line, change) in page.changes {
        for (index, file) in files.enumerated() {
          let text = try String(contentsOf: file, encoding: .utf8)
          guard text.contains(line) else { continue }
          files[index] = folder.appendingPathComponent(file.lastPathComponent)
          try text.replacingOccurrences(of: line, with: change)
            .write(to: files[index], atomically: true, encoding: .utf8)
        }
      }
      let outcome = try await SwiftCompiler(treatsWarningsAsErrors: false)
        .check("Page", files: files, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors.prefix(3000))")
    }
  }

  // MARK: - What does not compile

  /// Code that a page rules out. Each line that ends in `// error` has one.
  static let misuses: [(page: String, code: String)] = [
    (
      "FetchingQueries",
      """
      func misuse(_ data: HeroAndFriendsNamesQuery.Data) {
        var data = data
        _ = data.hero?.name
        _ = data.hero?.appearsIn  // error
        _ = data.hero?.id  // error
        _ = data.hero?.friends?.first??.name
        _ = data.hero?.friends?.first??.appearsIn  // error
        data.hero = nil  // error
        _ = HeroNameQuery(episode: "EMPIRE")  // error
        _ = HeroNameQuery(film: .empire)  // error
      }
      """
    ),
    (
      "FetchingData",
      """
      func misuse(_ data: HeroAndFriendsNamesQuery.Data, _ other: HeroNameQuery.Data) {
        _ = data.hero.appearsIn  // error
        _ = data.hero?.name  // error
        _ = other.hero.id
        _ = other.hero.friends  // error
      }
      """
    ),
    (
      "Fragments",
      """
      func misuse(_ heroes: HeroAndFriendsQuery.Data, _ hero: HeroOfEpisodeQuery.Data) {
        _ = heroes.hero.fragments.heroDetails.friends  // error
        _ = heroes.hero.fragments.other  // error
        _ = hero.hero.asDroid?.primaryFunction
        _ = hero.hero.primaryFunction  // error
        _ = hero.hero.asHuman  // error
        let primaryFunction: String = hero.hero.asDroid?.primaryFunction  // error
        let details: HeroDetails = heroes.hero  // error
      }
      """
    ),
  ]

  @Test(arguments: misuses)
  func whatAPageRulesOutDoesNotCompile(_ misuse: (page: String, code: String)) async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("Misuse.swift")
      try misuse.code.write(to: file, atomically: true, encoding: .utf8)
      let generated = try Page(name: misuse.page).files.filter { $0.path.contains("/Generated/") }
      let outcome = try await SwiftCompiler(treatsWarningsAsErrors: false)
        .check("Page", files: generated + [file], in: folder)
      let expected = misuse.code.split(separator: "\n").enumerated()
        .filter { $0.element.hasSuffix("// error") }.map { $0.offset + 1 }
      let reported = outcome.errors.matches(of: /Misuse\.swift:(\d+):\d+: error:/)
        .compactMap { Int($0.1) }
      #expect(Set(reported).sorted() == expected, "\(outcome.errors)")
    }
  }
}
