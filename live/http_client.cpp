#include "live/http_client.h"

#include <curl/curl.h>

#include <array>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "live/curl_library.h"
#include "live/transport_error.h"

namespace htools {
namespace {

// The handles of libcurl, which they release when they are destroyed.
using EasyHandle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using MultiHandle = std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)>;

// Throws InputError if libcurl has refused something, which `what` names.
void check(const char* what, bool done) {
  if (!done) throw InputError(ErrorCode::Unreachable, std::string("cannot connect to hosts: libcurl refuses ") + what);
}

// A request and the part of the answer that has been received.
class Request {
 public:
  Request(const CurlLibrary& curl, const std::string& url, std::size_t position, const TransportLimits& limits,
          const CertificateFile& certificates)
      : position_(position), most_bytes_(limits.most_bytes), handle_(curl.easy_init(), curl.easy_cleanup) {
    check("a request", handle_ != nullptr);
    const auto set = [&](CURLoption option, auto value) {
      check("an option", curl.easy_setopt(handle_.get(), option, value) == CURLE_OK);
    };
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_DEFAULT_PROTOCOL, "http");
    set(CURLOPT_PROTOCOLS_STR, certificates.empty() ? "http,https,file" : "https,file");
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_SSL_VERIFYPEER, certificates.empty() ? 0L : 1L);
    set(CURLOPT_SSL_VERIFYHOST, certificates.empty() ? 0L : 2L);
    if (!certificates.empty()) {
      set(CURLOPT_CAINFO, certificates.c_str());
      set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));  // or those of the system would be trusted, too
    }
    set(CURLOPT_ERRORBUFFER, error_.data());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.connect.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(limits.total.count()));
    set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(limits.most_bytes));
    set(CURLOPT_WRITEFUNCTION, &Request::receive);
    set(CURLOPT_WRITEDATA, this);
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  CURL* handle() const { return handle_.get(); }
  std::size_t position() const { return position_; }

  // Returns the answer after the transfer has ended with `code`.
  HttpAnswer answer(const CurlLibrary& curl, CURLcode code, const std::string& url) {
    if (own_failure_) code = *own_failure_;
    if (code != CURLE_OK) return {"", transport_error(url, code, words_of(curl, code))};
    return {std::move(body_), std::nullopt};
  }

 private:
  // Returns what libcurl says of the failure. What is wrong with a certificate is only in the detailed text.
  const char* words_of(const CurlLibrary& curl, CURLcode code) const {
    return code == CURLE_PEER_FAILED_VERIFICATION && error_.front() != '\0' ? error_.data() : curl.easy_strerror(code);
  }

  // Receives a part of the body. Returning another number than `bytes` ends the transfer.
  static std::size_t receive(char* data, std::size_t, std::size_t bytes, void* request) {
    auto& self = *static_cast<Request*>(request);
    if (bytes > self.most_bytes_ - self.body_.size()) {
      self.own_failure_ = CURLE_FILESIZE_EXCEEDED;
      return 0;
    }
    try {
      self.body_.append(data, bytes);
    } catch (const std::bad_alloc&) {  // an exception must not pass through a C library
      self.own_failure_ = CURLE_OUT_OF_MEMORY;
      return 0;
    }
    return bytes;
  }

  std::size_t position_;
  std::size_t most_bytes_;
  std::string body_;
  std::optional<CURLcode> own_failure_;  // the reason why receive() ended the transfer
  std::array<char, CURL_ERROR_SIZE> error_{};
  EasyHandle handle_;
};

// The requests that are in progress.
class Transfers {
 public:
  Transfers(const CurlLibrary& curl, std::size_t connections)
      : curl_(curl), multi_(curl.multi_init(), curl.multi_cleanup) {
    check("transfers", multi_ != nullptr);
    curl_.multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(connections));
  }
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;
  ~Transfers() {
    for (const auto& [handle, request] : requests_) curl_.multi_remove_handle(multi_.get(), handle);
  }

  std::size_t size() const { return requests_.size(); }

  void start(std::unique_ptr<Request> request) {
    CURL* handle = request->handle();
    check("a transfer", curl_.multi_add_handle(multi_.get(), handle) == CURLM_OK);
    requests_.emplace(handle, std::move(request));
  }

  // Continues all requests. Calls `done` for each one that has ended, with its result code.
  template <class Done>
  void advance(Done done) {
    int running = 0;
    check("to transfer", curl_.multi_perform(multi_.get(), &running) == CURLM_OK);
    int left = 0;
    while (const CURLMsg* message = curl_.multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      const auto found = requests_.find(message->easy_handle);
      curl_.multi_remove_handle(multi_.get(), found->first);
      const std::unique_ptr<Request> request = std::move(found->second);
      requests_.erase(found);
      done(*request, code);
    }
  }

  // Waits until something happens, for at most a second. libcurl itself applies the time limits of requests.
  void wait() {
    constexpr int kMostMilliseconds = 1000;
    check("to wait", curl_.multi_poll(multi_.get(), nullptr, 0, kMostMilliseconds, nullptr) == CURLM_OK);
  }

 private:
  const CurlLibrary& curl_;
  MultiHandle multi_;  // must be destroyed after the requests in it
  std::unordered_map<CURL*, std::unique_ptr<Request>> requests_;
};

}  // namespace

void fetch(const std::vector<std::string>& urls, const TransportLimits& limits, const CertificateFile& certificates,
           const AnswerHandler& handle) {
  if (urls.empty()) return;
  const CurlLibrary& curl = curl_library();
  Transfers transfers(curl, limits.parallel);
  std::size_t next = 0;
  for (;;) {
    for (; next < urls.size() && transfers.size() < limits.parallel; ++next) {
      transfers.start(std::make_unique<Request>(curl, urls[next], next, limits, certificates));
    }
    transfers.advance([&](Request& request, CURLcode code) {
      handle(request.position(), request.answer(curl, code, urls[request.position()]));
    });
    if (next == urls.size() && transfers.size() == 0) return;
    if (transfers.size() == limits.parallel || next == urls.size()) transfers.wait();
  }
}

}  // namespace htools
