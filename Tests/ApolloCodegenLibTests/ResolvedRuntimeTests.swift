import ApolloCodegenLib
import Testing

/// The version of the runtime, in each place and version of `Package.resolved`.
@Suite struct ResolvedRuntimeTests {
  private static let other =
    #"{ "identity": "other", "location": "https://example.org/other.git", "state": { "version": "7.0.0" } }"#

  @Test(arguments: [
    (
      #"{ "object": { "pins": [{ "package": "apollo-swift", "repositoryURL": "https://example.org/apollo-swift.git", "state": { "branch": null, "revision": "ab", "version": "1.2.3" } }] }, "version": 1 }"#,
      "1.2.3"
    ),
    (
      #"{ "pins": [\#(other), { "identity": "apollo-swift", "kind": "remoteSourceControl", "location": "git@example.org:x/Apollo-Swift.git", "state": { "revision": "ab", "version": "1.2.4" } }], "version": 2 }"#,
      "1.2.4"
    ),
    (
      #"{ "originHash": "x", "pins": [{ "identity": "apollo-swift", "location": "https://example.org/apollo-swift", "state": { "version": "2.0.0-beta.1" } }], "version": 3 }"#,
      "2.0.0-beta.1"
    ),
    (
      #"{ "pins": [{ "location": "https://example.org/apollo-swift", "state": { "branch": "main", "revision": "ab" } }], "version": 2 }"#,
      nil
    ),
    (
      #"{ "pins": [{ "location": "https://example.org/apollo-swift.git//", "state": { "version": "1.2.5" } }], "version": 2 }"#,
      "1.2.5"
    ),
    (#"{ "pins": [{ "location": "/", "state": { "version": "1.2.5" } }], "version": 2 }"#, nil),
    (#"{ "pins": [\#(other)], "version": 2 }"#, nil), (#"{ "pins": 1 }"#, nil), ("not JSON", nil),
  ])
  func readsEachVersionOfTheFile(_ text: String, _ version: String?) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "Package.resolved")
    #expect(ResolvedRuntime.find(in: folder.path).map(\.version) == (version.map { [$0] } ?? []))
  }

  @Test(arguments: [
    "Package.resolved", "App.xcworkspace/xcshareddata/swiftpm/Package.resolved",
    "App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved",
  ])
  func findsTheFile(_ place: String) throws {
    let folder = try TemporaryFolder()
    #expect(ResolvedRuntime.find(in: folder.path).isEmpty)
    try folder.write(Self.file(naming: "1.0.0"), to: place)
    #expect(
      ResolvedRuntime.find(in: folder.path)
        == [ResolvedRuntime(version: "1.0.0", path: "\(folder.path)/\(place)")])
  }

  @Test func findsEveryFileThatNamesAVersion() throws {
    let folder = try TemporaryFolder()
    func place(_ project: String) -> String {
      "\(project).xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved"
    }
    try folder.write(Self.file(naming: "3.0.0"), to: place("B"))
    try folder.write(Self.file(naming: "2.0.0"), to: place("A"))
    try folder.write("not JSON", to: place("AB"))
    try folder.write(Self.file(naming: "1.0.0"), to: "Package.resolved")
    let found = ResolvedRuntime.find(in: folder.path)
    #expect(found.map(\.version) == ["1.0.0", "2.0.0", "3.0.0"])
    let places = ["Package.resolved", place("A"), place("B")]
    #expect(found.map(\.path) == places.map { "\(folder.path)/\($0)" })
  }

  private static func file(naming version: String) -> String {
    #"{ "pins": [{ "location": "https://example.org/apollo-swift", "state": { "version": "\#(version)" } }] }"#
  }
}
