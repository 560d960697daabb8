import CShims
import Delivery
import Core

/// One request in progress, with the answer so far.
final class WebTransfer {
  let number: Int
  let request: UploadRequest
  let easy: UnsafeMutableRawPointer
  private var body: [UInt8] = []
  private var headers = AnswerHeaders()
  private var isTooLarge = false
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var headerList: UnsafeMutablePointer<curl_slist>?

  /// - Parameter easy: new or reset; it stays the caller's.
  /// - Throws: if libcurl does not support what is needed.
  init(
    _ request: UploadRequest, number: Int, on easy: UnsafeMutableRawPointer, _ options: HTTPOptions
  ) throws(UploadFailure) {
    self.request = request
    self.number = number
    self.easy = easy
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    var set = EasyOptions(easy)
    setContent(&set, options)
    limit(&set, options)
    secure(&set, options)
    setHandlers(&set)
    guard let failure = set.failure else { return }
    throw UploadFailure(
      .impossible, at: request.address,
      detail: "\(godwit_curl_version().text): \(godwit_curl_error(failure).text)")
  }

  deinit {
    godwit_curl_headers_free(headerList)
    errorText.deallocate()
  }

  /// Sets what is sent.
  private func setContent(_ set: inout EasyOptions, _ options: HTTPOptions) {
    set.set(CURLOPT_URL, request.url.text)
    set.set(CURLOPT_USERAGENT, options.userAgent)
    set.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    var lines = request.headerLines.map(\.text)
    switch request.method {
    case .get: set.set(CURLOPT_HTTPGET, true)
    case .post:
      set.set(CURLOPT_POST, true)
      let easy = easy
      set.check(
        request.body.withUnsafeBytes {
          // With null the body would be read from standard input.
          godwit_curl_set_body(
            easy, $0.baseAddress ?? UnsafeRawPointer(errorText), curl_off_t($0.count))
        })
      // Without libcurl's own header; and without asking first whether the body may be sent.
      lines += (request.contentType == nil ? ["Content-Type:"] : []) + ["Expect:"]
    }
    for line in lines {
      guard let longer = godwit_curl_headers_with(headerList, line) else {
        return set.check(CURLE_OUT_OF_MEMORY)
      }
      headerList = longer
    }
    set.check(godwit_curl_set_headers(easy, headerList))
  }

  /// Sets limits that no server can exceed.
  private func limit(_ set: inout EasyOptions, _ options: HTTPOptions) {
    set.check(godwit_curl_set_web_only(easy))
    godwit_curl_set_quick_exit(easy)
    set.set(CURLOPT_NOSIGNAL, true)
    set.set(CURLOPT_FOLLOWLOCATION, false)
    set.set(CURLOPT_NETRC, godwit_curl_netrc_ignored)
    set.set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
    if !options.usesEnvironmentProxy { set.set(CURLOPT_PROXY, "") }
    set.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    set.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds: options.connectTimeout)
    set.set(CURLOPT_TIMEOUT_MS, milliseconds: options.totalTimeout)
    set.set(CURLOPT_LOW_SPEED_LIMIT, options.slowest)
    set.set(CURLOPT_LOW_SPEED_TIME, Int(max(1, min(options.stallTimeout.value, 86_400))))
    set.check(
      godwit_curl_set_size(
        easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(UploadAnswer.longestBody)))
  }

  private func secure(_ set: inout EasyOptions, _ options: HTTPOptions) {
    set.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set.set(CURLOPT_SSL_VERIFYPEER, true)
    set.set(CURLOPT_SSL_VERIFYHOST, 2)
    if let authorities = options.authorities {
      set.set(CURLOPT_CAINFO, authorities)
      // Debian's default is a folder with all authorities of the system.
      set.set(CURLOPT_CAPATH, nil)
    }
    if let certificate = options.clientCertificate {
      set.set(CURLOPT_SSLCERT, certificate.file)
      set.set(CURLOPT_SSLKEY, certificate.keyFile)
      // Without one, OpenSSL would prompt for it on a terminal, and wait.
      set.set(CURLOPT_KEYPASSWD, certificate.passphrase?.text ?? "")
    }
  }

  private func setHandlers(_ set: inout EasyOptions) {
    set.check(godwit_curl_set_error_text(easy, errorText))
    set.check(
      godwit_curl_set_takers(
        easy,
        { bytes, size, count, context in
          WebTransfer.from(context).append(
            UnsafeRawBufferPointer(start: bytes, count: size * count))
        },
        { bytes, size, count, context in
          WebTransfer.from(context)
            .appendHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }, Unmanaged.passUnretained(self).toOpaque()))
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> WebTransfer {
    guard let context else { preconditionFailure("libcurl lost a request's context") }
    return Unmanaged<WebTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  /// - Returns: how many bytes were accepted; any other number than all ends the request.
  private func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard body.count + bytes.count <= UploadAnswer.longestBody else {
      isTooLarge = true
      return bytes.count &+ 1
    }
    body.append(contentsOf: bytes)
    return bytes.count
  }

  private func appendHeader(_ line: UnsafeRawBufferPointer) -> Int {
    if headers.take(line) { return line.count }
    isTooLarge = true
    return line.count &+ 1
  }

  /// The result. To be read when libcurl has ended the request.
  func result(_ code: CURLcode) -> Result<UploadAnswer, UploadFailure> {
    guard code == CURLE_OK else { return .failure(failure(code)) }
    let status = godwit_curl_number(easy, CURLINFO_RESPONSE_CODE)
    if [301, 302, 303, 307, 308].contains(status) {
      return .failure(UploadFailure(.redirected(to: headers.redirect), at: request.address))
    }
    return .success(UploadAnswer(status: status, body: body, headers: headers))
  }

  /// To be read when libcurl has ended the request.
  var traffic: Traffic {
    Traffic(
      sent: godwit_curl_number(easy, CURLINFO_REQUEST_SIZE)
        + Int(godwit_curl_size(easy, CURLINFO_SIZE_UPLOAD_T)),
      received: godwit_curl_number(easy, CURLINFO_HEADER_SIZE)
        + Int(godwit_curl_size(easy, CURLINFO_SIZE_DOWNLOAD_T)))
  }

  private func failure(_ code: CURLcode) -> UploadFailure {
    let end = TransferEnd(
      code: code, isSecure: request.address.isSecure, isTooLarge: isTooLarge,
      verification: godwit_curl_uses_openssl()
        ? godwit_curl_number(easy, CURLINFO_SSL_VERIFYRESULT) : nil,
      systemError: Int32(truncatingIfNeeded: godwit_curl_number(easy, CURLINFO_OS_ERRNO)),
      progress: TransferEnd.Progress(
        lookedUp: Int(godwit_curl_size(easy, CURLINFO_NAMELOOKUP_TIME_T)),
        // The time of the connection is set only after TLS, too; the local port as soon as there is
        // a connection.
        connected: godwit_curl_number(easy, CURLINFO_LOCAL_PORT),
        secured: Int(godwit_curl_size(easy, CURLINFO_APPCONNECT_TIME_T))),
      text: String(cString: errorText))
    return UploadFailure(end.cause, at: request.address, detail: end.needsDetail ? words(end) : "")
  }

  private func words(_ end: TransferEnd) -> String {
    let words = end.text.isEmpty ? godwit_curl_error(end.code).text : end.text
    return request.isSecret(in: words) ? godwit_curl_error(end.code).text : words
  }
}

extension UnsafePointer<CChar>? {
  /// libcurl has a text for every code.
  var text: String { map { String(cString: $0) } ?? "" }
}
