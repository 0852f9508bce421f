// Reads the answers of the nodes' monitoring daemons. Saved answers have this form: [{"node": NAME, "reports": [REPORT,
// ...]}, ...].
//
//   REPORT  {"name": TEXT, "version": TEXT, "format_version": N, "timestamp": N, "category": NAME or null,
//            "kind": 0 or 1, "data": DATA}                      only the category may be missing; no other keys
//   DATA    of "cpu-avg-load":     {"cpu_number": N, "cpus": [NUMBER, ...], "cpu_total": NUMBER}, no other keys
//           of "xen-cpu-avg-load": {INSTANCE: NUMBER, ...}
//
// Reports with other names must have the form of a REPORT, too, but may have any data. A daemon that is asked for one
// collector answers with one REPORT.
#pragma once

#include <string_view>

#include "cluster/monitoring.h"

namespace htools {

// Reads saved answers. Of several entries for a node the last one counts; of several reports of a collector in one
// entry, the first one. If its data has another form than the above, the collector has not reported. Throws InputError
// for anything else that is wrong:
//   Parsing MonD's answer: REASON                                   not JSON, or not a list of objects
//   Parsing node's name: REASON
//   Parsing node's reports: key 'reports': REASON
MonitoringData read_monitoring(std::string_view text);

// Reads the answer of a daemon that was asked for `collector`: one report, whatever its name. Returns empty reports if
// the text is not a report, or if its data has another form.
NodeReports read_monitoring_report(std::string_view text, Collector collector);

}  // namespace htools
