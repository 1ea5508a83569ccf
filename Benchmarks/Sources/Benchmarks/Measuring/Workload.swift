/// Several ways to do one piece of work, measured side by side.
struct Comparison {
  /// What the work is, such as `Decode github.json`. The filter argument is looked for here and in the workloads' names.
  var title: String
  /// How many bytes one run works through; gives the table its throughput column.
  var byteCount: Int? = nil
  /// The name of the workload that the others are compared with.
  var baseline: String
  var workloads: [Workload]
}

/// One way to do the work of a ``Comparison``.
struct Workload {
  enum Body {
    case synchronous(() throws -> Void)
    case asynchronous(() async throws -> Void)
  }

  var name: String
  var body: Body

  init(_ name: String, _ body: @escaping () throws -> Void) {
    self.name = name
    self.body = .synchronous(body)
  }

  init(_ name: String, asynchronously body: @escaping () async throws -> Void) {
    self.name = name
    self.body = .asynchronous(body)
  }

  /// Does the work `count` times.
  func run(_ count: Int) async throws {
    switch body {
    case .synchronous(let work): for _ in 0..<count { try work() }
    case .asynchronous(let work): for _ in 0..<count { try await work() }
    }
  }
}
