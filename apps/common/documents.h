// Prints documents (--json), their schemas (--schema), and metrics (--prometheus).
#pragma once

#include <string>
#include <string_view>

#include "apps/common/data_source.h"
#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "apps/output/messages.h"
#include "apps/output/output.h"
#include "document/document.h"
#include "document/error_content.h"
#include "htools/errors.h"
#include "json/json_stream.h"
#include "report/metrics.h"

namespace htools {

// True if the output is a document.
inline bool prints_document() { return output_form() == OutputForm::Document; }

// Returns the layout of documents on standard output: indented on terminals, compact otherwise.
JsonLayout document_layout();

// Returns the head of the document of a tool about the cluster, as it is now. The cluster must stay.
DocumentHead document_head(const Tool& tool, const LoadedCluster& loaded);

// Prints a document. Throws OutputError.
template <class Content>
void print_document(const DocumentHead& head, const Content& content) {
  JsonStream out(print_piece, document_layout());
  write_document(out, head, content);
}

// Returns a document as text, in the layout of files. Its last line ends.
template <class Content>
std::string document_text(const DocumentHead& head, const Content& content) {
  std::string text;
  JsonStream out([&text](std::string_view piece) { text += piece; }, JsonLayout::Compact);
  write_document(out, head, content);
  return text;
}

// Calls `action`. If it fails, calls `tell` with the error and throws it on. `code` is that of FileError, which has
// none.
template <class Tell, class Action>
void tell_failure(ErrorCode code, Tell tell, Action action) try {
  action();
} catch (const InputError& error) {
  tell(document_error(error));
  throw;
} catch (const FileError& error) {
  tell(document_error(InputError(code, error.what(), error.file())));
  throw;
}

// Prints the document about an error. Throws OutputError.
void print_error_document(const Tool& tool, const InputError& error);

// Returns what metrics are about, by the options. Cluster and options must outlive it.
MetricsSubject metrics_subject(const MetricsOptions& options, const Cluster& cluster);

// Prints a schema, by the value of --schema. Throws InputError if the tool has no documents of that name, and
// OutputError.
void print_schema(const Tool& tool, const std::string& name);

}  // namespace htools
