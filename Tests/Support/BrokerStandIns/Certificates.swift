import TestSupport

/// A certificate authority and the certificates it issues, made with openssl(1) for one test, as
/// PEM files.
public struct Certificates {
  private let folder: ScratchFolder
  private let name: String

  /// - Parameter name: the authority's name; other authorities need other names.
  public init(in folder: ScratchFolder, named name: String = "authority") throws {
    self.folder = folder
    self.name = name
    try openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", authorityKey, "-out", authority, "-days", "3650", "-subj",
      "/CN=\(name)")
  }

  public var authority: String { folder.file("\(name).pem") }
  public var authorityKey: String { folder.file("\(name).key") }

  /// - Parameters:
  ///   - names: the subject's names in openssl's notation; nil: a client's certificate.
  ///   - from, until: as in openssl-ca(1), such as 20260101000000Z.
  public func issue(
    _ subject: String, names: String? = "DNS:localhost,IP:127.0.0.1", from: String? = nil,
    until: String? = nil
  ) throws -> (file: String, key: String) {
    let file = folder.file("\(subject).pem")
    let key = folder.file("\(subject).key")
    try openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
      "-out", folder.file("\(subject).csr"), "-subj", "/CN=\(subject)")
    try folder.write("", to: "\(subject).index")
    try folder.write(
      """
      [ca]
      default_ca = this
      [this]
      database = \(folder.file("\(subject).index"))
      new_certs_dir = \(folder.path)
      rand_serial = yes
      policy = any
      x509_extensions = extensions
      [any]
      commonName = supplied
      [extensions]
      \(names.map { "subjectAltName = \($0)" } ?? "keyUsage = digitalSignature")

      """, to: "\(subject).conf")
    try openssl(
      "ca", "-batch", "-notext", "-md", "sha256", "-config", folder.file("\(subject).conf"),
      "-cert", authority, "-keyfile", authorityKey, "-in",
      folder.file("\(subject).csr"), "-out", file, "-startdate", from ?? "20200101000000Z",
      "-enddate", until ?? "20991231000000Z")
    return (file, key)
  }

  private struct Failure: Error { let text: String }

  public func openssl(_ arguments: String...) throws {
    let result = try run(["openssl"] + arguments)
    guard result.status == 0 else { throw Failure(text: result.output) }
  }
}
