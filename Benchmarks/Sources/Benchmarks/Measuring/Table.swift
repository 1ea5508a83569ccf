import Foundation

extension Comparison {
  /// The measurements as a Markdown table. The column `faster` is the baseline's median divided by
  /// the row's.
  func table(of measurements: [Measurement]) -> String {
    let baselineMedian = measurements.first { $0.name == baseline }?.median
    let unit = requestCount == nil ? "throughput" : "requests a second"
    var rows = [["", "median", "minimum", "faster", unit, "allocations"]]
    for measurement in measurements {
      rows.append([
        measurement.name,
        text(measurement.median),
        text(measurement.minimum),
        baselineMedian.map { String(format: "%.2f×", $0 / measurement.median) } ?? "",
        rate(at: measurement.median) ?? "",
        measurement.allocations.map(grouped) ?? "not counted",
      ])
    }
    guard baselineMedian == nil else { return markdown(rows) }
    return markdown(rows)
      + "\n\nNo baseline: \(baseline) is missing. Benchmarks/README.md says how to install it."
  }
}

extension Comparison {
  /// The bytes or the requests of one run for each second of `duration`.
  private func rate(at duration: Duration) -> String? {
    let seconds = duration / .seconds(1)
    if let byteCount { return String(format: "%.0f MB/s", Double(byteCount) / 1e6 / seconds) }
    return requestCount.map { grouped(UInt64(Double($0) / seconds)) }
  }
}

/// Aligns `rows`, the first of which is the header: names to the left, figures to the right.
func markdown(_ rows: [[String]]) -> String {
  let widths = rows[0].indices.map { column in max(3, rows.map { $0[column].count }.max() ?? 0) }
  let lines = rows.map { row in
    let cells = zip(row, widths).enumerated().map { column, cell in
      let padding = String(repeating: " ", count: cell.1 - cell.0.count)
      return column == 0 ? cell.0 + padding : padding + cell.0
    }
    return "| " + cells.joined(separator: " | ") + " |"
  }
  let rule = widths.enumerated().map { column, width in
    column == 0
      ? ":" + String(repeating: "-", count: width - 1)
      : String(repeating: "-", count: width - 1) + ":"
  }
  return ([lines[0], "| " + rule.joined(separator: " | ") + " |"] + lines.dropFirst())
    .joined(separator: "\n")
}

/// Three significant digits with the unit that fits, such as `3.44 ms`.
func text(_ duration: Duration) -> String {
  let nanoseconds = duration / .nanoseconds(1)
  let scales: [(limit: Double, divisor: Double, unit: String)] = [
    (1e3, 1, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms"), (.infinity, 1e9, "s"),
  ]
  let scale = scales.first { nanoseconds < $0.limit } ?? scales[3]
  let value = nanoseconds / scale.divisor
  let digits = value < 10 ? 2 : value < 100 ? 1 : 0
  return String(format: "%.\(digits)f \(scale.unit)", value)
}

/// `118 204` for 118204: figures in groups of three.
func grouped(_ number: UInt64) -> String {
  var groups: [String] = []
  var digits = Substring(String(number))
  while digits.count > 3 {
    groups.insert(String(digits.suffix(3)), at: 0)
    digits = digits.dropLast(3)
  }
  return ([String(digits)] + groups).joined(separator: " ")
}
