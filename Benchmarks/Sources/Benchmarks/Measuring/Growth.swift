import Foundation

/// The same work on inputs of growing size. Growth is linear when each unit takes the same time.
struct Growth: Experiment {
  struct Point {
    var count: Int
    var work: () throws -> Void
  }

  var title: String
  /// The unit that the sizes count.
  var unit: String
  var points: [Point]

  func table() async throws -> String {
    let comparison = Comparison(
      title: title, baseline: "",
      workloads: points.map { Workload("\($0.count)", $0.work) })
    let measurements = try await comparison.measure(Effort(sampleCounts: 15...60))
    var rows = [["\(unit) count", "median", "for each \(unit)", "against the fewest"]]
    let units = zip(points, measurements).map { $1.median / $0.count }
    for (index, measurement) in measurements.enumerated() {
      rows.append([
        measurement.name, text(measurement.median), text(units[index]),
        String(format: "%.2f×", units[index] / units[0]),
      ])
    }
    return markdown(rows)
  }
}
