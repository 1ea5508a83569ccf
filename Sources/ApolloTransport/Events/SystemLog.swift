#if canImport(OSLog)
  public import OSLog

  /// Writes the events to the log of an Apple system: failures as errors, other steps for
  /// debugging.
  ///
  /// ```swift
  /// let log = SystemLog(Logger(subsystem: "com.example.app", category: "graphql"))
  /// let apollo = ApolloClient(networkTransport: transport, observers: [log])
  /// ```
  public struct SystemLog: CallEventObserver {
    private let logger: Logger

    /// Creates an observer that writes to `logger`.
    public init(_ logger: Logger) { self.logger = logger }

    /// Writes the description of the event, which has no secrets.
    public func observe(_ event: CallEvent) {
      if case .failed = event.kind {
        logger.error("\(event.description, privacy: .public)")
      } else {
        logger.debug("\(event.description, privacy: .public)")
      }
    }
  }
#endif
