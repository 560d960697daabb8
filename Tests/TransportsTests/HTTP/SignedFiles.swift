import BrokerStandIns
import TestSupport

/// A certificate authority and the certificates it issued, made once and not changed. Each file
/// contains its certificate and key, as PEM.
final class SignedFiles: @unchecked Sendable {
  static let made = Result { try SignedFiles() }

  private let folder: ScratchFolder

  private init() throws {
    folder = try ScratchFolder()
    let authority = try Certificates(in: folder)
    _ = try Certificates(in: folder, named: "stranger")
    for (name, names, from, until) in [
      ("good", nil, nil, nil), ("expired", nil, "20000101000000Z", "20010101000000Z"),
      ("early", nil, "20900101000000Z", "20950101000000Z"),
      ("elsewhere", "DNS:elsewhere.example", nil, nil), ("client", "DNS:board", nil, nil),
    ] as [(String, String?, String?, String?)] {
      if let names {
        _ = try authority.issue(name, names: names, from: from, until: until)
      } else {
        _ = try authority.issue(name, from: from, until: until)
      }
      try write(folder.text(name + ".pem") + folder.text(name + ".key"), to: name)
    }
    try authority.openssl(
      "pkey", "-in", file("client"), "-aes128", "-passout", "pass:OPENSESAME", "-out",
      file("locked"))
  }

  func file(_ name: String) -> String { folder.file(name + ".pem") }

  func key(_ name: String) -> String { folder.file(name + ".key") }

  func write(_ text: String, to name: String) throws { try folder.write(text, to: name + ".pem") }
}
