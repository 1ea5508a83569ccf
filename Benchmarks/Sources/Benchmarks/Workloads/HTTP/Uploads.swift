#if os(Linux)
  import Apollo
  import ApolloAPI
  import BenchmarkAPI
  import Foundation

  /// The upload of a file from disk, beside the same by the program `curl`.
  ///
  /// The environment variable `UPLOAD_MEGABYTES` sets the size.
  let uploads: [ExperimentMaker] = [{ _ in try Upload() }]

  private struct Upload: Experiment {
    let title: String
    private let server: LoopbackServer
    private let megabyteCount: Int

    /// Runs in turn, so that all of them meet the same machine.
    private static let rounds = 7

    init() throws {
      server = try LoopbackServer([:])
      let size = ProcessInfo.processInfo.environment["UPLOAD_MEGABYTES"].flatMap { Int($0) }
      megabyteCount = size ?? 128
      title = "Upload of a file of \(megabyteCount) MB"
    }

    func table() async throws -> String {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: file) }  // the system removes it otherwise
      try write(to: file)
      let transport = HTTPNetworkTransport(url: server.url("sink"))
      let request = OperationRequest(FeedQuery(first: 1))
      let upload = try GraphQLFile(
        fieldName: "first", originalName: "a.bin", contentsOf: file)

      var ours: [Duration] = []
      var theirs: [Duration] = []
      var growth = 0
      for _ in 0..<Self.rounds {
        if let time = try curl(file) { theirs.append(time) }
        let before = try Self.residentByteCount(resettingPeak: true)
        let start = ContinuousClock.now
        keep(try await transport.upload(request, files: [upload]))
        ours.append(ContinuousClock.now - start)
        growth = max(growth, try Self.peakByteCount() - before)
      }
      guard let best = ours.min() else { throw HTTPFailure() }
      var rows = [["", "median", "minimum", "throughput", "memory"]]
      func add(_ name: String, _ times: [Duration], _ memory: String) {
        guard let best = times.min() else { return }
        let speed = Double(megabyteCount) * 1_048_576 / 1e9 / (best / .seconds(1))
        rows.append([
          name, text(times.sorted()[times.count / 2]), text(best),
          String(format: "%.2f GB/s", speed), memory,
        ])
      }
      add("curl -F", theirs, "")
      add("HTTPNetworkTransport", ours, "\(growth >> 10) KiB")
      let ratio = theirs.min().map { String(format: "%.2f", $0 / best) }
      return markdown(rows)
        + (ratio.map { "\n\nHTTPNetworkTransport has \($0) × the throughput of curl -F." }
          ?? "\n\nThe program curl is missing.")
    }

    private func write(to file: URL) throws {
      let megabyte = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try Data().write(to: file)
      let handle = try FileHandle(forWritingTo: file)
      for _ in 0..<megabyteCount { try handle.write(contentsOf: megabyte) }
      try handle.close()
    }

    /// Uploads the file by `curl`, which reports the time without its own start.
    private func curl(_ file: URL) throws -> Duration? {
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "curl", "--silent", "--output", "/dev/null", "--header", "Expect:", "--write-out",
        "%{time_total}", "--form", "operations={\"query\":\"query { a }\"}", "--form",
        "map={\"0\":[\"variables.first\"]}", "--form", "0=@\(file.path)",
        server.url("sink").absoluteString,
      ]
      process.standardOutput = output
      try process.run()
      let report = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return Double(report).map { .seconds($0) }
    }

    // MARK: Memory

    private static func residentByteCount(resettingPeak: Bool) throws -> Int {
      if resettingPeak {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
      }
      return try statusValue("VmRSS")
    }

    private static func peakByteCount() throws -> Int { try statusValue("VmHWM") }

    /// A value in kilobytes of this process.
    private static func statusValue(_ name: String) throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      guard let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first,
        let kilobytes = Int(number)
      else { throw HTTPFailure() }
      return kilobytes << 10
    }
  }
#endif
