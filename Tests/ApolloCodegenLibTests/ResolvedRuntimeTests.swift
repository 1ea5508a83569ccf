import ApolloCodegenLib
import Testing

/// The version of the runtime is found wherever Xcode and SwiftPM write it, in each version of the file.
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
    (#"{ "pins": [\#(other)], "version": 2 }"#, nil), (#"{ "pins": 1 }"#, nil), ("not JSON", nil),
  ])
  func readsEachVersionOfTheFile(_ text: String, _ version: String?) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "Package.resolved")
    #expect(ResolvedRuntime.find(in: folder.path)?.version == version)
  }

  @Test(arguments: [
    "Package.resolved", "App.xcworkspace/xcshareddata/swiftpm/Package.resolved",
    "App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved",
  ])
  func findsTheFile(_ place: String) throws {
    let folder = try TemporaryFolder()
    #expect(ResolvedRuntime.find(in: folder.path) == nil)
    try folder.write(
      #"{ "pins": [{ "location": "https://example.org/apollo-swift", "state": { "version": "1.0.0" } }] }"#,
      to: place)
    #expect(
      ResolvedRuntime.find(in: folder.path)
        == ResolvedRuntime(version: "1.0.0", path: "\(folder.path)/\(place)"))
  }
}
