// swift-tools-version: 6.1
import PackageDescription

/// `scripts/bench` lays this manifest beside `library`, a link to one revision of the repository.
let package = Package(
  name: "Calls",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "apollo-swift", path: "library")],
  targets: [
    .executableTarget(
      name: "Calls",
      dependencies: ["BenchmarkAPI", .product(name: "Apollo", package: "apollo-swift")],
      path: "Calls"),
    .target(
      name: "BenchmarkAPI",
      dependencies: [.product(name: "ApolloAPI", package: "apollo-swift")],
      path: "library/Benchmarks/Sources/BenchmarkAPI"),
  ])
