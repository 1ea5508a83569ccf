// modules: ApolloAPI
// dictionary: frames.dict
// sources: ApolloWebSocket/Framing ApolloWebSocket/Compression ApolloWebSocket/Machine ApolloWebSocket/Socket/WebSocketMessage.swift ApolloWebSocket/Socket/WebSocketEnd.swift ApolloWebSocket/Socket/WebSocketCloseCode.swift ApolloWebSocket/Socket/WebSocketLimits.swift ApolloWebSocket/Socket/WebSocketCompression.swift

/// Bytes from a server do the same in pieces of any size. Messages keep the limit and are what
/// their kind says, whatever is written in response is legal, and messages survive being sent.
///
/// The first byte chooses the limit and the compression, the second the sizes of the pieces; the
/// rest is what a server sends.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFrames(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard input.count >= 2 else { return 0 }
  var options = SocketMachine.Options()
  options.maximumMessageByteCount = input[0] & 8 != 0 ? 1 << 20 : 300
  options.compression = agreement(input[0] & 7)
  options.keys = MaskingKeys(Counter())
  let text = Array(input.dropFirst(2))
  let whole = run(text, options) { _ in text.count }
  var random = Counter(state: UInt64(input[1]))
  let sizes = Int(input[1] & 15) + 1
  let pieces = run(text, options) { _ in Int(random.next() % UInt64(sizes)) + 1 }
  require(whole.events == pieces.events, "Pieces of any size do the same.")
  require(whole.output == pieces.output, "Pieces of any size cause the same output.")
  check(whole, options)
  return 0
}

/// Optimized code says nothing when a precondition fails.
private func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
  if !condition { fatalError("This does not hold: \(promise())") }
}

private func agreement(_ choice: UInt8) -> CompressionAgreement? {
  switch choice {
  case 0, 1: nil
  case 2: CompressionAgreement(server: .init(windowBits: 8), client: .init(windowBits: 8))
  case 3: CompressionAgreement(server: .init(takesOverContext: false))
  case 4: CompressionAgreement(client: .init(windowBits: 9, takesOverContext: false))
  default: CompressionAgreement()
  }
}

private struct Counter: RandomNumberGenerator, Sendable {
  var state: UInt64 = 1
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 16
  }
}

private struct Run {
  var events: [SocketMachine.Event] = []
  var output: [UInt8] = []
}

private func run(
  _ bytes: [UInt8], _ options: SocketMachine.Options, _ size: (Int) -> Int
) -> Run {
  var machine = SocketMachine(options)
  var run = Run()
  var copy = bytes
  copy.withUnsafeMutableBytes { bytes in
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + size(start))
      var piece = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end])[...]
      while let event = machine.receive(&piece) { run.events.append(event) }
      require(piece.isEmpty, "A machine takes all bytes.")
      start = end
    }
  }
  if let event = machine.receivedEnd() { run.events.append(event) }
  require(machine.hasEnded, "A machine ends.")
  run.output = machine.takeOutput()
  return run
}

private func check(_ run: Run, _ options: SocketMachine.Options) {
  guard case .end = run.events.last else { fatalError("The last event is the end.") }
  var sender = SocketMachine(
    .init(role: .server, maximumMessageByteCount: .max, compression: options.compression))
  var messages: [WebSocketMessage] = []
  for event in run.events.dropLast() {
    guard case .message(let message) = event else { continue }
    require(message.bytes.count <= options.maximumMessageByteCount, "A message keeps the limit.")
    if message.kind == .text {
      require(String(validating: message.bytes, as: UTF8.self) != nil, "A text is UTF-8.")
    }
    require(sender.send(message), "A message that was received can be sent.")
    messages.append(message)
  }
  let sent = run.events.count > 1 ? received(sender.takeOutput(), options) : []
  require(sent == messages, "Messages survive being sent.")
  checkOutput(run.output)
}

private func received(
  _ bytes: [UInt8], _ options: SocketMachine.Options
) -> [WebSocketMessage] {
  run(bytes, options) { _ in 7 }.events.compactMap { event in
    if case .message(let message) = event { message } else { nil }
  }
}

/// Pongs, and at most one close frame at the end, which a server accepts.
private func checkOutput(_ output: [UInt8]) {
  var server = SocketMachine(.init(role: .server))
  var copy = output
  copy.withUnsafeMutableBytes { bytes in
    var rest = bytes[...]
    while let event = server.receive(&rest) {
      switch event {
      case .pong: continue
      case .message: fatalError("A machine sends no message by itself.")
      case .end(let end): require(end.origin == .peer, "What is sent is legal: \(end)")
      }
    }
  }
}
