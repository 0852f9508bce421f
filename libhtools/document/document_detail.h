// Defines the templates of document.h. Only the sources that define the fields of a content include it.
#pragma once

#include <array>
#include <string_view>

#include "document/document.h"
#include "fields/fields.h"
#include "fields/json_fields.h"
#include "fields/schema_fields.h"

namespace htools {

// The fields of fingerprints.
template <>
struct Fields<Fingerprints> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("fingerprint", &Fingerprints::state,
          "Identifies the state: equal for equal states, whatever the source and the order of its records.");
    field("facts_fingerprint", &Fingerprints::facts,
          "Identifies names and sizes: equal if the states differ only in where instances are, and in what follows.");
  }
};

// The counts of a cluster's elements.
struct ClusterCounts {
  std::size_t groups, nodes, instances;
};
// Their fields.
template <>
struct Fields<ClusterCounts> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("groups", &ClusterCounts::groups, "Number of node groups, including those without nodes.");
    field("nodes", &ClusterCounts::nodes, "Number of nodes, including offline ones.");
    field("instances", &ClusterCounts::instances, "Number of instances.");
  }
};

// The fields of the cluster that a document is about.
template <>
struct Fields<ClusterIdentity> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("source", &ClusterIdentity::source, "What the cluster was read from, as the command line names it.");
    field(
        "counts",
        [](const ClusterIdentity& i) {
          return ClusterCounts{i.groups, i.nodes, i.instances};
        },
        "What the cluster consists of.");
    field.all_of(&ClusterIdentity::fingerprints);
  }
};

namespace detail {

// A head together with the content that follows it.
template <class Content>
struct Document {
  const DocumentHead& head;
  const Content& content;
};

}  // namespace detail

// The fields of a document: those of its head, followed by those of its content.
template <class Content>
struct Fields<detail::Document<Content>> {
  using Whole = detail::Document<Content>;

  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "schema", [](const Whole&) { return Word<Fields<Content>::kSchema>{0}; }, "Kind and version of the document.");
    field(
        "program", [](const Whole& whole) { return whole.head.program; }, "Name of the program.");
    if constexpr (Fields<Content>::kIsOfCluster) {
      field.optional(
          "cluster", [](const Whole& whole) -> const auto& { return whole.head.identity; },
          "The cluster that the document is about.");
    }
    field.all_of([](const Whole& whole) -> const Content& { return whole.content; });
  }
};

template <class Content>
void write_document(JsonStream& out, const DocumentHead& head, const Content& content) {
  write_json(out, head.cluster, detail::Document<Content>{head, content});
  out.finish();
}

template <class Content>
void write_document_schema(JsonStream& out) {
  out.begin_object();
  out.key("$schema");
  out.text("https://json-schema.org/draft/2020-12/schema");
  out.key("title");
  out.text(Fields<Content>::kSchema.front());
  out.key("description");
  out.text(Fields<Content>::kDescription);
  write_schema_members<detail::Document<Content>>(out);
  out.end_object();
  out.finish();
}

}  // namespace htools
