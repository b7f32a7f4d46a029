#pragma once

#include <exception>
#include <string>
#include <utility>

namespace orrery::lsp {

/// An error that a request is answered with.
class RequestError : public std::exception {
 public:
  RequestError(int code, std::string message)
      : code_(code), message_(std::move(message)) {}

  [[nodiscard]] int code() const noexcept { return code_; }

  [[nodiscard]] const char* what() const noexcept override {
    return message_.c_str();
  }

 private:
  int code_;
  std::string message_;
};

// Codes of JSON-RPC 2.0 and of LSP 3.17.
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kServerNotInitialized = -32002;
inline constexpr int kRequestCancelled = -32800;
inline constexpr int kContentModified = -32801;
inline constexpr int kRequestFailed = -32803;

}  // namespace orrery::lsp
