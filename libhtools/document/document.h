// Documents: results as JSON, and the JSON Schema of each kind of document.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cluster/cluster.h"
#include "cluster/fingerprint.h"
#include "json/json_stream.h"

namespace htools {

// The cluster that a document is about.
struct ClusterIdentity {
  std::string source;  // as the user named it: a file, an address, a socket, specifications
  std::size_t groups = 0;
  std::size_t nodes = 0;
  std::size_t instances = 0;
  Fingerprints fingerprints;
};
ClusterIdentity identity_of(const Cluster& cluster, std::string source);

// The beginning of every document.
struct DocumentHead {
  std::string_view program;                      // the name of the tool
  std::optional<ClusterIdentity> identity = {};  // none if the document is not about one cluster
  const Cluster* cluster = nullptr;              // has the names of the elements; null if no content needs them
};

// Writes a document. There is an instance of this template for each struct of content in this folder (cluster_content.h
// and others).
template <class Content>
void write_document(JsonStream& out, const DocumentHead& head, const Content& content);

// Writes the JSON Schema of the documents with this content.
template <class Content>
void write_document_schema(JsonStream& out);

}  // namespace htools
