/// One connection that carries bytes in both directions: TCP or TLS, perhaps through a proxy.
///
/// | state | event | next state | effect |
/// | :-- | :-- | :-- | :-- |
/// | `idle` | ``start()`` | `connecting` | |
/// | `connecting` | connected | `open` | output is asked for |
/// | `open` | bytes | `open` | the owner gets them |
/// | `connecting`, `open` | a failure, or the end of the bytes | `closed` | the owner is told, once |
/// | `open` | ``closeGracefully()`` | `lingering` | output is sent; what arrives is dropped |
/// | `lingering` | the end of the bytes, a failure | `closed` | none |
/// | any | ``close()`` | `closed` | none |
///
/// Every method may be called from any thread, and returns at once.
///
/// A protocol although `CurlChannel` alone conforms: that exists only where libcurl does, and the
/// WebSocket connection that uses channels is compiled everywhere.
package protocol ByteChannel: AnyObject, Sendable {
  /// Connects. To be called once.
  func start()

  /// Asks the owner for output soon, if the channel is open.
  func setNeedsOutput()

  /// Reads again, after ``ByteChannelOwner/channelReceived(_:)`` has returned `false`.
  func resumeReading()

  /// Calls ``ByteChannelOwner/channelAlarm()`` once after a time. A later call replaces the time.
  func setAlarm(after delay: Duration)

  /// Sends the output that there is and waits for the peer to close the connection, which the owner
  /// ends with ``close()`` after a time.
  func closeGracefully()

  /// Closes the connection. The owner gets no more calls.
  func close()
}

/// The user of a channel. The channel makes one call at a time, on its own thread.
///
/// A protocol although `SocketCore` alone conforms: that is in a module above this one.
package protocol ByteChannelOwner: AnyObject, Sendable {
  /// Takes bytes, which may be changed, or none when reading is resumed. Returns `false` to let the
  /// channel read no more until ``ByteChannel/resumeReading()``.
  func channelReceived(_ bytes: UnsafeMutableRawBufferPointer) -> Bool

  /// Returns the bytes to send next, or none. What was returned before has been sent.
  func channelOutput() -> [UInt8]

  /// Reports the end of the bytes (`nil`) or a failure.
  func channelEnded(_ error: NetworkError?)

  /// Reports that the time of ``ByteChannel/setAlarm(after:)`` has come.
  func channelAlarm()
}
