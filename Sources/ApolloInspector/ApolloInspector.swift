public import ApolloCache
public import ApolloRecording
public import ApolloTransport
internal import CacheInspection
public import Foundation

/// A local page that shows the cache, the calls, the watches and the optimistic layers of a running
/// client.
///
/// The inspector is an observer of the client, and knows its store:
///
/// ```swift
/// let store = ApolloStore()
/// let inspector = try ApolloInspector(store: store)
/// let apollo = ApolloClient(
///   networkTransport: HTTPNetworkTransport(url: url), store: store, observers: [inspector])
/// print("Inspector: \(inspector.address)")
/// ```
///
/// - The page can be reached from the same machine only, and only with the random token in its
///   address. Whoever has both reads the cache and the variables of calls, so a program that users
///   get does not make an inspector: `#if DEBUG`.
/// - Secrets in events stay secret, and `RecordingRedaction` decides about variables. The records
///   of the cache are shown as they are.
/// - The page only reads. Reading costs time while a page is open: each change of the cache lets it
///   read all records again, after a pause that is longer for larger caches.
///
/// The server ends with ``stop()``, or when the inspector is released.
public final class ApolloInspector: CallEventObserver {
  /// The address of the page, with its token.
  public let address: URL
  private let log: CallLog
  private let server: CachePageServer

  /// Starts the server of the page.
  ///
  /// - Parameters:
  ///   - store: The store of the client. The inspector keeps it alive.
  ///   - name: The name of the program on the page.
  ///   - port: The port, or 0 to let the system choose one.
  ///   - eventCapacity: The number of events that are kept for the page, the latest ones.
  ///   - redaction: The rules that decide which variables are shown.
  /// - Throws: An error that says why there is no server, such as a port that is in use.
  public init(
    store: ApolloStore, name: String = ProcessInfo.processInfo.processName, port: UInt16 = 0,
    eventCapacity: Int = 2_000, redaction: RecordingRedaction = RecordingRedaction()
  ) throws {
    log = CallLog(capacity: eventCapacity, redaction)
    let contents = StoreContents(store: store, name: name)
    server = try CachePageServer(
      CacheInspector(contents), activity: StoreObservation(store: store, log: log), port: port)
    guard let url = URL(string: server.address) else {
      preconditionFailure("'\(server.address)' is the URL of a local server.")
    }
    address = url
  }

  /// Adds an event to the page.
  public func observe(_ event: CallEvent) { log.append(event) }

  /// Ends the server. Returns when all connections are closed.
  public func stop() async {
    await withCheckedContinuation { continuation in
      Self.stop(server) { continuation.resume() }
    }
  }

  deinit { Self.stop(server) {} }

  /// Ends a server on a thread of its own, because that blocks until its handlers have ended.
  private static func stop(_ server: CachePageServer, then body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      server.stop()
      body()
    }
  }
}
