/// The hash slots of a cluster.
///
/// Redis Cluster specification, "Key distribution model".
enum HashSlot {
  static let count: UInt16 = 16_384

  /// Returns the slot of a hash tag.
  static func of(_ tag: some Sequence<UInt8>) -> UInt16 { crc16(tag) % count }

  /// CRC-16/XMODEM: polynomial 0x1021, initial value 0.
  static func crc16(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var crc: UInt16 = 0
    for byte in bytes {
      crc ^= UInt16(byte) << 8
      for _ in 0..<8 { crc = crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x1021 }
    }
    return crc
  }
}
