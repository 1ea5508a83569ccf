/// The SHA-256 hash function of FIPS 180-4, by which servers identify documents.
///
/// The generator writes these hashes into code and manifests, and the runtime sends them, so both
/// must compute the same. It is implemented here because Linux has no CryptoKit, and a program
/// should not load a library for cryptography to name its documents. `choice` and `majority` are
/// the functions Ch and Maj of the standard.
package enum SHA256 {
  /// Returns the hash of the UTF-8 bytes of `text` as 64 lower-case hexadecimal digits.
  package static func hexadecimalHash(of text: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var result: [UInt8] = []
    for word in hash(Array(text.utf8)) {
      for shift in stride(from: 28, through: 0, by: -4) {
        result.append(digits[Int(word >> UInt32(shift) & 15)])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Section 6.2: returns the eight words of the state after the last block of the message.
  private static func hash(_ message: [UInt8]) -> [UInt32] {
    let message = padded(message)
    var state = initialState
    var schedule = [UInt32](repeating: 0, count: 64)
    for start in stride(from: 0, to: message.count, by: 64) {
      expand(message[start..<start + 64], into: &schedule)
      compress(schedule, into: &state)
    }
    return state
  }

  /// Section 5.1.1: appends a one bit, zeros, and the length in bits, up to a multiple of 64 bytes.
  private static func padded(_ message: [UInt8]) -> [UInt8] {
    // The bit and the length take 9 bytes: `count + 9 + zeroCount` is a multiple of 64.
    let zeroCount = (2 * 64 - 9 - message.count % 64) % 64
    let bitCount = UInt64(message.count) * 8
    let lengthBytes = (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) }
    return message + [0x80] + [UInt8](repeating: 0, count: zeroCount) + lengthBytes
  }

  /// Section 6.2.2, step 1: expands the sixteen words of a block to 64.
  private static func expand(_ block: ArraySlice<UInt8>, into schedule: inout [UInt32]) {
    for index in 0..<16 {
      let start = block.startIndex + index * 4
      schedule[index] = block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (a, b) = (schedule[index - 15], schedule[index - 2])
      let sigma0 = rotated(a, 7) ^ rotated(a, 18) ^ (a >> 3)
      let sigma1 = rotated(b, 17) ^ rotated(b, 19) ^ (b >> 10)
      schedule[index] = schedule[index - 16] &+ sigma0 &+ schedule[index - 7] &+ sigma1
    }
  }

  /// Section 6.2.2, steps 2 to 4: mixes the 64 words into the state.
  private static func compress(_ schedule: [UInt32], into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let temporary1 = h &+ sum1 &+ choice &+ roundConstants[index] &+ schedule[index]
      let temporary2 = sum0 &+ majority
      (a, b, c, d, e, f, g, h) = (temporary1 &+ temporary2, a, b, c, d &+ temporary1, e, f, g)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
  private static let initialState: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
    0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
    0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
    0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
    0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
