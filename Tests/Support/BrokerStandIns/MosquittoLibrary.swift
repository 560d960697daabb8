import Glibc

/// The library that the product loads.
public enum MosquittoLibrary {
  public static var isInstalled: Bool {
    guard let library = dlopen("libmosquitto.so.1", RTLD_LAZY) else { return false }
    dlclose(library)
    return true
  }
}
