import Foundation
import TestSupport
import Testing

@testable import Config

/// Connections, read by NetworkManager's own library.
@Suite struct NetworkProfileTests {
  static let networks: [WiFiNetwork] = [
    WiFiNetwork {
      $0.name = "Home"
      $0.password = "correct horse"
    },
    WiFiNetwork {
      $0.name = " ; \\s=#[x] "
      $0.password = " \\n;#= \"'$(`x "
      $0.isHidden = true
    },
    WiFiNetwork {
      $0.name = "72;111;"
      $0.password = String(repeating: "0aF9", count: 16)
    },
    WiFiNetwork {
      $0.name = "Kafé 🛰"
      $0.password = "Straßenbahn"
      $0.security = .wpa3
    },
    WiFiNetwork { $0.name = "\u{1}\n\t" },
    WiFiNetwork { $0.name = "open" },
  ]

  @Test(
    "NetworkManager reads each as intended",
    .enabled(if: LibNM.isThere, "python3 with NetworkManager's library (libnm0) is not installed"),
    arguments: networks)
  func networkManagerReadsIt(network: WiFiNetwork) throws {
    let read = try LibNM.read(NetworkProfile(network, priority: 3).text)
    #expect(read["ssid"] == LibNM.hexadecimal(network.name))
    #expect(read["hidden"] == (network.isHidden ? "1" : "0"))
    #expect(read["psk"] == LibNM.hexadecimal(network.password ?? ""))
    let kind = network.password.map { _ in network.security == .wpa3 ? "sae" : "wpa-psk" }
    #expect(read["key-mgmt"] == kind ?? "")
    #expect(read["priority"] == "3")
    #expect(read["type"] == "802-11-wireless")
    #expect(read["method"] == "auto")
    #expect(read["id"]?.isEmpty == false)
  }

  @Test("the library refuses an invalid connection", .enabled(if: LibNM.isThere))
  func theLibraryRefuses() {
    thrown(LibNM.Refused.self) { try LibNM.read("[connection]\nid=x\ntype=wifi\n") }
  }

  @Test("a network keeps its file at any position in the list")
  func names() {
    let names = Self.networks.map { NetworkProfile($0, priority: 1).name }
    #expect(Set(names).count == names.count)
    #expect(names == Self.networks.map { NetworkProfile($0, priority: 7).name })
    #expect(names.allSatisfy { NetworkProfile.isOurs($0) })
  }
}

/// libnm, called from Python, which needs no bindings for it.
private enum LibNM {
  struct Refused: Error { let message: String }

  static let isThere =
    (try? read(NetworkProfile(WiFiNetwork { $0.name = "x" }, priority: 0).text))
    != nil

  static func hexadecimal(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  static func read(_ text: String) throws -> [String: String] {
    let folder = try ScratchFolder()
    try folder.write(text, to: "key.file")
    let outcome = try run("python3", "-c", program, folder.file("key.file"))
    guard outcome.status == 0 else { throw Refused(message: outcome.output) }
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return json as? [String: String] ?? [:]
  }

  private static let program = """
    import ctypes, json, sys
    nm = ctypes.CDLL("libnm.so.0")
    glib = ctypes.CDLL("libglib-2.0.so.0")
    class Error(ctypes.Structure):
        _fields_ = [("d", ctypes.c_uint32), ("c", ctypes.c_int), ("message", ctypes.c_char_p)]
    error = ctypes.POINTER(Error)()
    pointer = ctypes.c_void_p
    glib.g_key_file_new.restype = pointer
    glib.g_key_file_load_from_file.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int, pointer]
    file = glib.g_key_file_new()
    if not glib.g_key_file_load_from_file(file, sys.argv[1].encode(), 0, ctypes.byref(error)):
        sys.exit(error.contents.message.decode())
    nm.nm_keyfile_read.restype = pointer
    nm.nm_keyfile_read.argtypes = [
        pointer, ctypes.c_char_p, ctypes.c_int, pointer, pointer, pointer]
    connection = nm.nm_keyfile_read(file, b"/tmp", 0, None, None, ctypes.byref(error))
    if not connection: sys.exit(error.contents.message.decode())
    nm.nm_connection_verify.argtypes = [pointer, pointer]
    if not nm.nm_connection_verify(connection, ctypes.byref(error)):
        sys.exit(error.contents.message.decode())
    def get(setting, name, result):
        of = getattr(nm, "nm_connection_get_setting_" + setting)
        of.restype, of.argtypes = pointer, [pointer]
        found = of(connection)
        if not found: return None
        getter = getattr(nm, "nm_setting_" + name)
        getter.restype, getter.argtypes = result, [pointer]
        return getter(found)
    ssid = get("wireless", "wireless_get_ssid", pointer)
    size = ctypes.c_size_t()
    glib.g_bytes_get_data.restype = pointer
    glib.g_bytes_get_data.argtypes = [pointer, pointer]
    data = glib.g_bytes_get_data(ssid, ctypes.byref(size))
    text = ctypes.c_char_p
    print(json.dumps({
        "ssid": ctypes.string_at(data, size.value).hex(),
        "hidden": str(get("wireless", "wireless_get_hidden", ctypes.c_int)),
        "psk": (get("wireless_security", "wireless_security_get_psk", text) or b"").hex(),
        "key-mgmt":
            (get("wireless_security", "wireless_security_get_key_mgmt", text) or b"").decode(),
        "priority": str(get("connection", "connection_get_autoconnect_priority", ctypes.c_int)),
        "type": get("connection", "connection_get_connection_type", text).decode(),
        "id": get("connection", "connection_get_id", text).decode(),
        "method": get("ip4_config", "ip_config_get_method", text).decode()}))
    """
}
