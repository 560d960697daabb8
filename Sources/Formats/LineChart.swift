/// A chart of lines with its axes and a legend, as SVG 1.1: alone, or within a page, whose colours
/// it then uses.
public struct LineChart: Sendable {
  public struct Line: Sendable {
    /// Lines with the same name share a colour and an entry in the legend.
    let name: String
    /// Separated by gaps without data.
    let pieces: [[(x: Double, y: Double)]]

    public init(name: String, pieces: [[(x: Double, y: Double)]]) {
      self.name = name
      self.pieces = pieces
    }
  }

  private static let width = 460.0
  private static let plot = (left: 62.0, right: 446.0, top: 14.0, bottom: 256.0)
  private static let lineHeight = 18.0
  /// Distinguishable for the colour-blind, too (Okabe and Ito, "Color Universal Design", 2008).
  private static let colours: [StaticString] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d1f", "#7f7f7f",
  ]

  private let title: String
  private let axes: (x: String, y: String)
  private let lines: [Line]
  private let names: [String]
  private let xScale: ChartScale
  private let yScale: ChartScale

  /// - Parameters:
  ///   - x: what the axis shows, with its unit.
  ///   - isLogarithmic: whether the vertical axis is; then only values above zero are drawn.
  ///   - lines: points that are not finite are not drawn.
  public init(
    title: String, x: String, y: String, isLogarithmic: Bool = false, lines: [Line]
  ) {
    self.title = title
    axes = (x, y)
    self.lines = lines
    names = lines.reduce(into: []) { if !$0.contains($1.name) { $0.append($1.name) } }
    let points = lines.flatMap(\.pieces).joined()
    xScale = ChartScale(points.lazy.map(\.x), onto: Self.plot.left...Self.plot.right)
    yScale = ChartScale(
      points.lazy.map(\.y), onto: Self.plot.top...Self.plot.bottom, isLogarithmic: isLogarithmic)
  }

  /// A separate file, on white.
  public var file: [UInt8] {
    var xml = XMLWriter()
    draw(&xml, isAlone: true)
    return xml.bytes
  }

  /// A part of a page.
  var markup: String {
    var xml = XMLWriter()
    xml.bytes = []
    draw(&xml, isAlone: false)
    return String(decoding: xml.bytes, as: UTF8.self)
  }

  private var height: Double { Self.plot.bottom + 48 + Self.lineHeight * Double(names.count) }

  private func draw(_ xml: inout XMLWriter, isAlone: Bool) {
    xml.beginDrawing(width: Self.width, height: height, title: title, fits: !isAlone)
    if isAlone { xml.raw("\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>") }
    xml.raw("\n")
    drawAxes(&xml)
    for line in lines { draw(line, &xml) }
    drawLegend(&xml)
    xml.raw("</svg>\n")
  }

  private func colour(of name: String) -> StaticString {
    Self.colours[(names.firstIndex(of: name) ?? 0) % Self.colours.count]
  }

  private func drawAxes(_ xml: inout XMLWriter) {
    let plot = Self.plot
    for tick in xScale.ticks {
      let x = xScale.place(tick)
      line(&xml, (x, plot.top), (x, plot.bottom))
      text(&xml, xScale.label(tick), x: x, y: plot.bottom + 17, anchor: "middle")
    }
    for tick in yScale.ticks {
      let y = plot.top + plot.bottom - yScale.place(tick)
      line(&xml, (plot.left, y), (plot.right, y))
      text(&xml, yScale.label(tick), x: plot.left - 6, y: y + 4, anchor: "end")
    }
    text(&xml, axes.x, x: (plot.left + plot.right) / 2, y: plot.bottom + 36, anchor: "middle")
    xml.raw("<g transform=\"translate(14 ")
    xml.number((plot.top + plot.bottom) / 2, digits: 0)
    xml.raw(") rotate(-90)\">")
    text(&xml, axes.y, x: 0, y: 0, anchor: "middle")
    xml.raw("</g>\n")
  }

  private func line(
    _ xml: inout XMLWriter, _ from: (x: Double, y: Double), _ to: (x: Double, y: Double)
  ) {
    xml.raw("<line stroke=\"currentColor\" stroke-opacity=\"0.2\"")
    xml.attribute("x1", from.x, digits: 1)
    xml.attribute("y1", from.y, digits: 1)
    xml.attribute("x2", to.x, digits: 1)
    xml.attribute("y2", to.y, digits: 1)
    xml.raw("/>\n")
  }

  private func text(
    _ xml: inout XMLWriter, _ text: String, x: Double, y: Double, anchor: StaticString
  ) {
    xml.raw("<text text-anchor=\"")
    xml.raw(anchor)
    xml.raw("\"")
    xml.attribute("x", x, digits: 1)
    xml.attribute("y", y, digits: 1)
    xml.raw(">")
    xml.text(text)
    xml.raw("</text>\n")
  }

  private func draw(_ line: Line, _ xml: inout XMLWriter) {
    for piece in line.pieces {
      let points = piece.filter { $0.x.isFinite && $0.y.isFinite && yScale.hasPlace(for: $0.y) }
      guard points.count > 1 else { continue }
      xml.raw("<polyline fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\" stroke=\"")
      xml.raw(colour(of: line.name))
      xml.raw("\" points=\"")
      for point in points {
        xml.number(xScale.place(point.x), digits: 1)
        xml.raw(",")
        xml.number(Self.plot.top + Self.plot.bottom - yScale.place(point.y), digits: 1)
        xml.raw(" ")
      }
      xml.raw("\"/>\n")
    }
  }

  private func drawLegend(_ xml: inout XMLWriter) {
    for (index, name) in names.enumerated() {
      let y = Self.plot.bottom + 56 + Self.lineHeight * Double(index)
      xml.raw("<rect width=\"22\" height=\"4\"")
      xml.attribute("x", Self.plot.left, digits: 1)
      xml.attribute("y", y - 7, digits: 1)
      xml.raw(" fill=\"")
      xml.raw(colour(of: name))
      xml.raw("\"/>\n")
      text(&xml, name, x: Self.plot.left + 30, y: y, anchor: "start")
    }
  }
}
