import ApolloAPI
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A proxy in front of a server's socket that damages what passes through it. It has threads of its
/// own, and ends with the last reference.
final class FaultyProxy: Sendable {
  /// The damage to the bytes that the server sends.
  enum Fault: CaseIterable, Sendable {
    case none
    /// Nothing passes, in either direction.
    case silence
    /// A chunk is passed twice.
    case doubled
    /// A byte is changed.
    case corrupted
    /// A chunk is lost.
    case lost
    /// The connection ends in the middle of a chunk.
    case cut
  }

  let path: String
  private let listener: Int32
  private let state: Lock<State>

  private struct State {
    /// The path of the server to which new connections lead.
    var target: String
    var fault = Fault.none
    /// One chunk in this many has the fault.
    var rarity = 1
    /// The bytes that are replaced in what the server sends, the first time that they occur.
    var replacement: (old: [UInt8], new: [UInt8])?
    var descriptors: Set<Int32> = []
    var isStopped = false
  }

  init(to target: String) throws {
    state = Lock(State(target: target))
    path = "/tmp/apollo-proxy-\(UUID().uuidString.prefix(8))"
    listener = socket(AF_UNIX, streamType, 0)
    guard listener >= 0, withAddress(path, { [listener] in bind(listener, $0, $1) }) == 0,
      listen(listener, 64) == 0
    else { throw POSIXError(.EADDRINUSE) }
    let (listener, state) = (listener, state)
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else {
          close(listener)
          return
        }
        let server = socket(AF_UNIX, streamType, 0)
        guard withAddress(state.withLock(\.target), { connect(server, $0, $1) }) == 0,
          state.withLock({ state in
            guard !state.isStopped else { return false }
            state.descriptors.formUnion([client, server])
            return true
          })
        else {
          close(client)
          close(server)
          continue
        }
        Thread.detachNewThread { Self.pass(from: client, to: server, state, isResponse: false) }
        Thread.detachNewThread { Self.pass(from: server, to: client, state, isResponse: true) }
      }
    }
  }

  deinit { stop() }

  var url: URL { URL(string: "unix://\(path)")! }

  /// Sets the fault of one chunk in `rarity`.
  func setFault(_ fault: Fault, oneIn rarity: Int = 1) {
    state.withLock {
      $0.fault = fault
      $0.rarity = rarity
    }
  }

  /// Replaces some bytes in what the server sends, the first time that they occur from now on.
  func replaceOnce(_ old: [UInt8], by new: [UInt8]) {
    state.withLock { $0.replacement = (old, new) }
  }

  /// Lets new connections lead to another server. Those that are open stay.
  func lead(to target: String) { state.withLock { $0.target = target } }

  /// Ends all connections, and accepts no more.
  func stop() {
    // The lock keeps the threads from closing a descriptor, whose number would be another one's.
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      unlink(path)
      for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  private static func pass(
    from source: Int32, to target: Int32, _ state: Lock<State>, isResponse: Bool
  ) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    passing: while true {
      let count = read(source, &buffer, buffer.count)
      guard count > 0 else { break }
      var chunk = Array(buffer[..<count])
      let fault = state.withLock { state in
        state.rarity > 1 && Int.random(in: 0..<state.rarity) > 0 ? .none : state.fault
      }
      if isResponse {
        state.withLock { state in
          guard let (old, new) = state.replacement, let range = chunk.firstRange(of: old) else {
            return
          }
          chunk.replaceSubrange(range, with: new)
          state.replacement = nil
        }
      }
      switch fault {
      case .silence: continue
      case .doubled where isResponse: chunk += chunk
      case .corrupted where isResponse:
        chunk[Int.random(in: chunk.indices)] ^= UInt8(1 << Int.random(in: 0..<8))
      case .lost where isResponse: continue
      case .cut where isResponse:
        _ = send(target, chunk, count / 2, noSignal)
        break passing
      default: break
      }
      var sent = 0
      while sent < chunk.count {
        let step = chunk[sent...].withUnsafeBytes {
          send(target, $0.baseAddress, $0.count, noSignal)
        }
        guard step > 0 else { break passing }
        sent += step
      }
    }
    // The other direction ends too. The descriptors stay open until then, so that their numbers are
    // not another connection's.
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(target, Int32(SHUT_RDWR))
    state.withLock { state in
      // Each direction removes the server's descriptor; the one that does not find it is the last.
      guard state.descriptors.remove(isResponse ? source : target) == nil else { return }
      state.descriptors.remove(isResponse ? target : source)
      close(source)
      close(target)
    }
  }
}

#if canImport(Darwin)
  private let streamType = SOCK_STREAM
  private let noSignal: Int32 = 0
#else
  private let streamType = Int32(SOCK_STREAM.rawValue)
  private let noSignal = Int32(MSG_NOSIGNAL)
#endif

private func withAddress(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
