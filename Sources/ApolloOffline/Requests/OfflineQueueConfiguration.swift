public import Foundation

/// The options of a queue.
public struct OfflineQueueConfiguration: Sendable {
  /// The places of the key in requests. A variable that has no value in a mutation, or no input
  /// object around it, is no place.
  public var keyCarriers: [OfflineKeyCarrier] = [.header("Idempotency-Key")]
  /// The largest number of mutations in the file, of all sessions.
  public var maximumCount = 100_000
  /// The largest size of all mutations and copied files, in bytes.
  public var maximumByteCount = 1 << 30
  /// The longest time that a mutation may wait before it fails, or `nil`. One that may have been
  /// performed is uncertain then, because the server may have forgotten its key.
  public var maximumAge: Duration?
  /// The number of failures of the server in a row, such as with status 500, after which a mutation
  /// fails, or `nil` for no limit. Failures of the network never count, and neither do requests of
  /// the server to wait (425, 429, 503).
  public var maximumServerFailures: Int?
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

  var limits: QueueLimits {
    QueueLimits(
      maximumCount: maximumCount, maximumByteCount: Int64(maximumByteCount),
      maximumAge: maximumAge?.inSeconds, maximumServerFailures: maximumServerFailures,
      maximumLaneCount: max(1, maximumLaneCount),
      leaseTime: max(leaseTime.inSeconds, 0.1), baseDelay: max(baseDelay, .milliseconds(1)),
      maximumDelay: max(maximumDelay, .milliseconds(1)))
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

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  /// The time as SQLite takes it, which is never shorter.
  var inMilliseconds: Int32 {
    Int32(max(0, min((inSeconds * 1_000).rounded(.up), Double(Int32.max))))
  }
}
