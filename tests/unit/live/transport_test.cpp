#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "live/monitoring_source.h"
#include "live/rapi_source.h"
#include "live/transport_error.h"

namespace htools::transport_test {

using htools::Collector;
using htools::rapi_name;
using htools::rapi_urls;
using htools::transport_error;
using htools::without_credentials;

TEST_CASE("addresses of the remote API") {
  using Urls = std::vector<std::string>;
  CHECK(rapi_urls("cluster.example.com") ==
        Urls{"https://cluster.example.com:5080/2/groups?bulk=1", "https://cluster.example.com:5080/2/nodes?bulk=1",
             "https://cluster.example.com:5080/2/instances?bulk=1", "https://cluster.example.com:5080/2/info"});
  CHECK(rapi_urls("http://host:80").back() == "http://host:80/2/info");
  CHECK(rapi_urls("host:80").back() == "host:80/2/info");
  CHECK(rapi_urls("https://host/path/").back() == "https://host/path//2/info");
  CHECK(rapi_urls("/no/host").back() == "https:///no/host:5080/2/info");
}

TEST_CASE("names of clusters tell no credentials") {
  CHECK(rapi_name("host") == "host");
  CHECK(rapi_name("https://me:secret@host:5080") == "https://***@host:5080");
  CHECK(rapi_name("me:secret@host:5080") == "***@host:5080");
  CHECK(rapi_name("file://me@night") == "file://me@night");
}

TEST_CASE("addresses of monitoring daemons") {
  CHECK(htools::monitoring_url("n1.example.com", Collector::CpuAverage) ==
        "http://n1.example.com:1815/1/report/default/cpu-avg-load");
  CHECK(htools::monitoring_url("n1", Collector::XenCpuAverage) == "http://n1:1815/1/report/default/xen-cpu-avg-load");
}

TEST_CASE("credentials are not told") {
  CHECK(without_credentials("https://host:5080/2/info") == "https://host:5080/2/info");
  CHECK(without_credentials("https://me:secret@host:5080/2/info") == "https://***@host:5080/2/info");
  CHECK(without_credentials("HTTP://me@host/") == "HTTP://***@host/");
  CHECK(without_credentials("me:secret@host:5080") == "***@host:5080");
  CHECK(without_credentials("me:/secret@host") == "me:/***@host");
  CHECK(without_credentials("http:/me:secret@host") == "http:/***@host");
  CHECK(without_credentials("http:////me:secret@host") == "http:////***@host");
  // Credentials are hidden even if the URL is malformed.
  CHECK(without_credentials("https://me:se@cr@et@host") == "https://***@host");
  CHECK(without_credentials("https://me:se/cr/et@host") == "https://***@host");
  CHECK(without_credentials("https://me:se?cr#et@host") == "https://***@host");
  CHECK(without_credentials("@") == "***@");
  CHECK(without_credentials("http:/@") == "http:/***@");
  CHECK(without_credentials("") == "");
}

TEST_CASE("failures have the names that are known") {
  const auto words = [](CURLcode code) {
    return transport_error("http://h", code, "words").in_reference_words().message();
  };
  CHECK(words(CURLE_COULDNT_CONNECT) == "Curl error for 'http://h', error CurlCouldntConnect");
  CHECK(words(CURLE_HTTP_RETURNED_ERROR) == "Curl error for 'http://h', error CurlHttpReturnedError");
  CHECK(words(CURLE_OPERATION_TIMEDOUT) == "Curl error for 'http://h', error CurlOperationTimeout");
  CHECK(words(CURLE_UNSUPPORTED_PROTOCOL) == "Curl error for 'http://h', error CurlUnspportedProtocol");
  CHECK(words(CURLE_HTTP2_STREAM) == "Curl error for 'http://h', error 92 (words)");
  CHECK(std::string(transport_error("http://me:secret@h", CURLE_GOT_NOTHING, "").what()) ==
        "cannot read http://***@h: the answer is empty");
  CHECK(std::string(transport_error("http://h", CURLE_HTTP2_STREAM, "words").what()) == "cannot read http://h: words");
}

TEST_CASE("names of nodes that could be more than a host in a URL") {
  for (const char* name : {"n1", "Node-1.example_x.ORG", "127.0.0.1", "n\u00e4"}) CHECK(htools::is_host_name(name));
  for (const char* name :
       {"", "n1:80", "n1/", "u@n1", "n1?", "n1#", "n1\\", "n 1", "n1\r\n", "[::1]", "n%31", "n{", "n\x7f"}) {
    CHECK_FALSE(htools::is_host_name(name));
  }
  CHECK_FALSE(htools::is_host_name(std::string_view("n\0x", 3)));
}

}  // namespace htools::transport_test
