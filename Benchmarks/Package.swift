// swift-tools-version: 6.1
import PackageDescription

/// Measurements, in a package of their own so that nobody who uses the client builds them.
/// `scripts/bench` builds this package for release and runs it.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "apollo-swift", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["CAllocationCounter"],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .target(name: "CAllocationCounter"),
  ],
  swiftLanguageModes: [.v6]
)
