// swift-tools-version: 6.1
import PackageDescription

// A program that leaves out every part of Apollo that can be left out; for scripts/test-traits.
let package = Package(
  name: "SmallestProgram",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "apollo-swift", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Smallest", dependencies: [.product(name: "Apollo", package: "apollo-swift")])
  ],
  swiftLanguageModes: [.v6]
)
