/// Several ways to do one piece of work, measured side by side.
struct Comparison {
  /// The name of the work, such as `Decode github.json`. The filter applies to it and to
  /// the workloads' names.
  var title: String
  /// The number of bytes that one run processes, for the column with the throughput.
  var byteCount: Int? = nil
  /// The number of requests that one run sends, for the column with the rate.
  var requestCount: Int? = nil
  /// The name of the workload that the others are compared with.
  var baseline: String
  var workloads: [Workload]
  /// The text below the table, made after all measurements.
  var note: ([Measurement]) throws -> String? = { _ in nil }
}

/// One way to do the work of a ``Comparison``.
struct Workload {
  enum Body {
    case synchronous(() throws -> Void)
    case asynchronous(() async throws -> Void)
    /// Another process, which does the work on request and reports how long it took, or `nil` when
    /// it is missing.
    case remote(() throws -> Duration?)
  }

  var name: String
  var body: Body

  private init(name: String, body: Body) {
    self.name = name
    self.body = body
  }

  init(_ name: String, _ body: @escaping () throws -> Void) {
    self.init(name: name, body: .synchronous(body))
  }

  static func asynchronous(
    _ name: String, _ body: @escaping () async throws -> Void
  ) -> Workload {
    Workload(name: name, body: .asynchronous(body))
  }

  static func remote(_ name: String, _ body: @escaping () throws -> Duration?) -> Workload {
    Workload(name: name, body: .remote(body))
  }

  /// Runs the work `count` times, unless another process runs it.
  func run(_ count: Int) async throws {
    switch body {
    case .remote: break
    case .synchronous(let work): for _ in 0..<count { try work() }
    case .asynchronous(let work): for _ in 0..<count { try await work() }
    }
  }
}

extension Comparison: Experiment {
  /// The whole comparison when the filter names the title, else the workloads that it names and the
  /// baseline.
  func matching(_ filter: Filter) -> Comparison? {
    if filter.names(title) { return self }
    guard workloads.contains(where: { filter.names($0.name) }) else { return nil }
    var part = self
    part.workloads = workloads.filter { $0.name == baseline || filter.names($0.name) }
    return part
  }

  func table() async throws -> String {
    let measurements = try await measure()
    let table = table(of: measurements)
    return try note(measurements).map { "\(table)\n\n\($0)" } ?? table
  }
}
