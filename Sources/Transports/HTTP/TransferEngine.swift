import CShims
import Delivery
import Platform
import Core

/// libcurl's requests in progress and their connections, driven by the caller's event loop: it
/// never blocks.
final class TransferEngine {
  private let options: HTTPOptions
  private let now: () -> BootInstant
  private let sockets: ReadySockets
  private var multi: UnsafeMutableRawPointer?
  /// When libcurl's timer is due.
  private(set) var due: BootInstant?
  private var transfers: [UnsafeMutableRawPointer: WebTransfer] = [:]
  /// Of requests that have ended.
  private(set) var traffic = Traffic.zero
  /// Handles of requests that have ended, kept for their TLS sessions.
  private var spare: [UnsafeMutableRawPointer] = []

  /// Loads libcurl.
  /// - Throws: why it is unavailable, as text to follow a place and a colon.
  init(_ options: HTTPOptions, now: @escaping () -> BootInstant) throws(EngineError) {
    if let problem = godwit_curl_load() {
      throw EngineError(cause: .libraryMissing, text: String(cString: problem))
    }
    do throws(SystemError) {
      sockets = try ReadySockets()
    } catch {
      throw EngineError(cause: .impossible, text: error.text)
    }
    self.options = options
    self.now = now
    multi = godwit_curl_multi_new(
      { _, socket, what, context, _ in
        TransferEngine.from(context).sockets.watch(socket, for: what)
        return 0
      },
      { _, milliseconds, context in
        TransferEngine.from(context).setTimer(milliseconds)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    guard multi != nil, godwit_curl_multi_limit(multi, options.mostAtOnce) == CURLM_OK else {
      throw EngineError(cause: .impossible, text: "no memory is left")
    }
  }

  deinit {
    for easy in transfers.keys {
      godwit_curl_multi_remove(multi, easy)
      godwit_curl_easy_free(easy)
    }
    for easy in spare { godwit_curl_easy_free(easy) }
    if let multi { godwit_curl_multi_free(multi) }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> TransferEngine {
    guard let context else { preconditionFailure("libcurl lost its context") }
    return Unmanaged<TransferEngine>.fromOpaque(context).takeUnretainedValue()
  }

  var descriptor: Int32 { sockets.descriptor }
  var count: Int { transfers.count }

  func begin(_ request: UploadRequest, number: Int) throws(UploadFailure) {
    guard let easy = spare.popLast() ?? godwit_curl_easy_new() else {
      throw UploadFailure(.impossible, at: request.address, detail: "no memory is left")
    }
    do throws(UploadFailure) {
      let transfer = try WebTransfer(request, number: number, on: easy, options)
      let code = godwit_curl_multi_add(multi, easy)
      guard code == CURLM_OK else {
        throw UploadFailure(
          .impossible, at: request.address, detail: "curl_multi_add_handle: \(code.rawValue)")
      }
      transfers[easy] = transfer
    } catch {
      godwit_curl_easy_free(easy)
      throw error
    }
  }

  func cancel(_ number: Int) {
    guard let easy = transfers.first(where: { $0.value.number == number })?.key else { return }
    godwit_curl_multi_remove(multi, easy)
    transfers[easy] = nil
    // The handle of an aborted request is not reused.
    godwit_curl_easy_free(easy)
  }

  /// Does the pending work, and collects the requests that have ended.
  func act() -> [(number: Int, result: Result<UploadAnswer, UploadFailure>)] {
    for (socket, events) in sockets.ready() { godwit_curl_multi_act(multi, socket, events) }
    if let due, due <= now() {
      self.due = nil
      godwit_curl_multi_act(multi, Self.timer, 0)
      // libcurl reports only changes, and by its own clock it may have been too early: that one
      // stops while the board is suspended.
      if self.due == nil { setTimer(godwit_curl_multi_timeout(multi)) }
    }
    return ended()
  }

  /// CURL_SOCKET_TIMEOUT
  private static let timer: curl_socket_t = -1

  private func setTimer(_ milliseconds: Int) {
    due = milliseconds < 0 ? nil : now() + Seconds(Double(milliseconds) / 1000)
  }

  private func ended() -> [(number: Int, result: Result<UploadAnswer, UploadFailure>)] {
    var ended: [(number: Int, result: Result<UploadAnswer, UploadFailure>)] = []
    var code = CURLE_OK
    while let easy = godwit_curl_multi_ended(multi, &code) {
      guard let transfer = transfers.removeValue(forKey: easy) else { continue }
      traffic = traffic + transfer.traffic
      ended.append((transfer.number, transfer.result(code)))
      godwit_curl_multi_remove(multi, easy)
      godwit_curl_easy_reset(easy)
      spare.append(easy)
    }
    return ended
  }
}

struct EngineError: Error {
  let cause: UploadFailure.Cause
  let text: String
}
