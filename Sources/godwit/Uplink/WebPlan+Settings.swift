import Delivery
import Transports

extension WebPlan {
  /// Reads the secrets from their files.
  init(_ settings: WebSettings, _ topics: UplinkTopics) throws {
    let section = settings.section
    let address: WebAddress
    switch settings.place {
    case .address(let given): address = given
    case .file(let path):
      do {
        address = try WebAddress(
          parsing: Secret(fileOf: "\(section).url_file", path).text)
      } catch let error as WebAddressError {
        throw CommandError.wrongUsage("\(section).url_file: the text of \(path) \(error.message)")
      }
    case nil: throw CommandError.wrongUsage("\(section).url is missing")
    }
    let credentials: UploadCredentials? =
      switch settings.credentials {
      case .none: nil
      case .password(let user, let file):
        .basic(user: user, password: try Secret(fileOf: "\(section).password_file", file))
      case .token(let file): .bearer(try Secret(fileOf: "\(section).token_file", file))
      case .queryKey(let file):
        .queryKey(
          name: WebSettings.queryKeyName, try Secret(fileOf: "\(section).api_key_file", file))
      }
    self.init(settings, at: address, credentials, topics)
  }
}

extension HTTPOptions {
  init(_ settings: WebSettings) {
    self.init(userAgent: "godwit/\(Godwit.configuration.version)")
    authorities = settings.tls.authoritiesFile
    if let file = settings.tls.certificateFile, let key = settings.tls.keyFile {
      clientCertificate = ClientCertificate(file: file, keyFile: key)
    }
    mostAtOnce = 1
  }
}
