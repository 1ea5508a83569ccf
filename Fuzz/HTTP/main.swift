// Sends requests to a server whose responses are broken in every layer, for SECONDS, and reports.
//
//   fuzz-http SECONDS [SEED]

#if CURL
  import ApolloTransport
  import Foundation
  import MutatedResponses

  let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 60
  let seed =
    CommandLine.arguments.dropFirst(2).first.flatMap(UInt64.init) ?? .random(in: 0 ... .max)

  func descriptorCount() -> Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
  }

  func megabytes() -> Int {
    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      .split(separator: " ")[1]
    return (pages.flatMap { Int($0) } ?? 0) * 4_096 >> 20
  }

  let server = try MutationServer(seed: seed)
  func makeClient() -> CurlClient {
    var configuration = CurlClient.Configuration()
    configuration.idleTimeout = .seconds(20)
    return CurlClient(
      configuration: configuration, limits: TransferLimits(maximumResponseByteCount: 1 << 20))
  }
  print("Seed \(seed), for \(Int(seconds)) seconds")

  let clock = ContinuousClock()
  let start = clock.now
  let end = start.advanced(by: .seconds(seconds))
  let campaign = await Campaign.run(server, makeClient: { makeClient() }) { number in
    if number % 100_000 == 0, number > 0 {
      print("\(number) requests, \(megabytes()) MB, \(descriptorCount()) descriptors")
      fflush(nil)
    }
    return clock.now < end
  }
  let elapsed = start.duration(to: clock.now)
  server.stop()

  print(
    "HTTP: \(campaign.count) responses, \(campaign.count / max(1, Int(elapsed.components.seconds))) a second, \(megabytes()) MB, \(descriptorCount()) descriptors"
  )
  for (outcome, count) in campaign.outcomes.sorted(by: { $0.value > $1.value }) {
    print("  \(outcome): \(count)")
  }
  for finding in campaign.findings { print("error: \(finding) (seed \(seed))") }
  exit(campaign.findings.isEmpty ? 0 : 1)
#else
  print("The engine behind this test is for Linux.")
#endif
