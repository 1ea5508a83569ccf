public import Foundation

extension OfflineMutationQueue {
  /// The options of a queue.
  public struct Configuration: Sendable {
    /// The places of the key in requests.
    public var keyCarriers: [OfflineKeyCarrier] = [.header("Idempotency-Key")]
    /// The largest number of mutations in the file, of all sessions.
    public var maximumCount = 100_000
    /// The largest size of all mutations and copied files, in bytes.
    public var maximumByteCount = 1 << 30
    /// The longest time that a mutation may wait before it counts as rejected, or `nil`.
    public var maximumAge: Duration?
    /// The number of temporary failures of the server in a row after which a mutation counts as
    /// rejected. Failures of the network have no limit.
    public var maximumServerFailures = 20
    /// The number of lanes that send at the same time.
    public var maximumLaneCount = 4
    /// The time before the second attempt. It doubles with each further one.
    public var baseDelay = Duration.seconds(1)
    /// The longest time between two attempts, unless the server requests a longer one.
    public var maximumDelay = Duration.seconds(300)
    /// `true` to wait until each mutation is on the disk, not only with the operating system. It
    /// then survives a power loss.
    public var survivesPowerLoss = true
    /// `true` if several processes use the file. Each looks once a second for changes of others.
    public var isShared = false
    /// The time after which another process may send in place of one that has not prolonged its
    /// lease. One that has ended is replaced at once.
    public var leaseTime = Duration.seconds(10)
    /// The longest wait for another process that writes.
    public var busyTimeout = Duration.seconds(10)
    /// `true` to keep the mutations of a user at the logout, until the user logs in again. Those of
    /// a session without a name are always dropped.
    public var keepsMutationsAtLogout = true
    /// The encryption of variables, expected data and copied files, or `nil` for none.
    public var protection: OfflineProtection?
    /// Receives the errors of the file and of the cache that no call reports.
    public var onFailure: (@Sendable (any Error) -> Void)?

    /// Creates the default options.
    public init() {}

    var limits: QueueCore.Limits {
      QueueCore.Limits(
        maximumCount: maximumCount, maximumByteCount: Int64(maximumByteCount),
        maximumAge: maximumAge?.inSeconds, maximumServerFailures: maximumServerFailures,
        leaseTime: max(leaseTime.inSeconds, 0.1), baseDelay: max(baseDelay, .milliseconds(1)),
        maximumDelay: max(maximumDelay, .milliseconds(1)))
    }
  }
}

/// Closures that encrypt what is written to the file of a queue, and decrypt it.
///
/// ```swift
/// configuration.protection = OfflineProtection(
///   seal: { try AES.GCM.seal($0, using: key).combined! },
///   open: { try AES.GCM.open(AES.GCM.SealedBox(combined: $0), using: key) })
/// ```
public struct OfflineProtection: Sendable {
  let seal: @Sendable (Data) throws -> Data
  let open: @Sendable (Data) throws -> Data

  /// Takes the two closures, each of which undoes the other.
  public init(
    seal: @escaping @Sendable (Data) throws -> Data,
    open: @escaping @Sendable (Data) throws -> Data
  ) {
    self.seal = seal
    self.open = open
  }
}

extension OfflineMutationQueue {
  func sealed(_ bytes: [UInt8]) throws -> [UInt8] {
    guard let protection = configuration.protection else { return bytes }
    return [UInt8](try protection.seal(Data(bytes)))
  }

  func opened(_ bytes: [UInt8]) throws -> [UInt8] {
    guard let protection = configuration.protection else { return bytes }
    return [UInt8](try protection.open(Data(bytes)))
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
