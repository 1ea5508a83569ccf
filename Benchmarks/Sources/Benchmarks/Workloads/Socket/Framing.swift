import SocketFraming

/// A message as servers send it for a subscription, of 120 bytes.
let smallMessage = Array(
  #"{"id":"1","type":"next","payload":{"data":{"reviewAdded":{"__typename":"Review","stars":5,"commentary":"Great film!"}}}}"#
    .utf8)

/// Masking of what a client sends.
let masking: [ExperimentMaker] = [
  { _ in
    let count = 1 << 20
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 7)
    let key: [UInt8] = [0x78, 0x56, 0x34, 0x12]
    return Comparison(
      title: "Mask 1 MiB",
      byteCount: count,
      baseline: "byte by byte",
      workloads: [
        Workload("byte by byte") {
          for index in 0..<count { bytes[index] ^= key[index & 3] }
          keep(bytes[0])
        },
        Workload("64 bytes at a time") {
          SocketFraming.mask(bytes)
          keep(bytes[0])
        },
      ])
  }
]

/// Framing of small messages without a network.
let framing: [ExperimentMaker] = [
  { _ in
    let count = 10_000
    var plain = SocketFraming.frames(smallMessage, count: count)
    var compressed = SocketFraming.frames(smallMessage, count: count, isCompressed: true)
    return Comparison(
      title: "Framing of 10,000 small messages in memory",
      requestCount: count,
      baseline: "read",
      workloads: [
        Workload("read") { keep(SocketFraming.read(&plain)) },
        Workload("read, compressed if they are large enough") {
          keep(SocketFraming.read(&compressed, isCompressed: true))
        },
        Workload("write, with a fresh mask each") {
          keep(SocketFraming.write(smallMessage, count: count))
        },
      ])
  }
]
