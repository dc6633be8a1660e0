package dev.flotilla.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Metrics that docs/metrics.md lists, with names, kinds and labels. Tests write the page from the registered metrics.
 */
record MetricsReferencePage(Map<String, DocumentedMetric> metrics) {
    private static final Pattern SECTION =
            Pattern.compile("<!-- ([a-z-]+): generated -->\n(.*?)<!-- end -->", Pattern.DOTALL);
    private static final Pattern ROW =
            Pattern.compile("^\\| `(flotilla_\\w+)` \\| (\\w+) \\| ([^|]*) \\|", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final Pattern SAID = Pattern.compile("^(flotilla_\\w+)(?:\\{(.*)})? [^ ]+$", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"[^\"]*\"");
    private static final Pattern ASKED = Pattern.compile("(flotilla_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern SUFFIX = Pattern.compile("_(bucket|sum|count)$");
    private static final String OF_THE_AUDITOR = "flotilla_audit_";
    /** Metrics of processes with and without a site. Those of a site have its label besides. */
    static final Set<String> OF_EACH_PROCESS =
            Set.of("flotilla_build_info", "flotilla_trace_spans_dropped_total", "flotilla_trace_spans_exported_total");

    private static final List<String> OF_SITES = List.of("management-watcher", "node-worker");

    /** A metric of the page. */
    record DocumentedMetric(String kind, Set<String> labels) {}

    /** A metric name with labels, of a scrape or a query. */
    record MetricSeries(String name, Set<String> labels) {}

    static MetricsReferencePage read() throws IOException {
        Map<String, DocumentedMetric> metrics = new TreeMap<>();
        for (MatchResult section : SECTION.matcher(Files.readString(CliResult.ROOT.resolve("docs/metrics.md")))
                .results()
                .toList()) {
            for (MatchResult row : ROW.matcher(section.group(2)).results().toList()) {
                Set<String> labels = new TreeSet<>();
                NAME.matcher(row.group(3)).results().forEach(label -> labels.add(label.group(1)));
                if (OF_EACH_PROCESS.contains(row.group(1))) {
                    labels.add("application");
                    metrics.put(row.group(1), new DocumentedMetric(row.group(2), labels));
                    continue;
                }
                if (!row.group(1).startsWith(OF_THE_AUDITOR)) {
                    labels.add("application");
                }
                if (OF_SITES.contains(section.group(1))) {
                    labels.add("site");
                }
                metrics.put(row.group(1), new DocumentedMetric(row.group(2), labels));
            }
        }
        return new MetricsReferencePage(metrics);
    }

    /** Name of a series on the page. */
    String base(String series) {
        return metrics.containsKey(series) ? series : SUFFIX.matcher(series).replaceFirst("");
    }

    /** Labels of a series; null if the page does not list it. */
    @Nullable
    Set<String> labels(String series) {
        DocumentedMetric documentedMetric = metrics.get(base(series));
        if (documentedMetric == null) {
            return null;
        }
        Set<String> labels = new TreeSet<>(documentedMetric.labels());
        if (series.endsWith("_bucket")) {
            labels.add("le");
        }
        return labels;
    }

    boolean isCounter(String series) {
        DocumentedMetric documentedMetric = metrics.get(series);
        return documentedMetric != null && documentedMetric.kind().equals("counter");
    }

    /** Series that a query uses. */
    static List<MetricSeries> seriesInQuery(String expression) {
        return series(ASKED, expression);
    }

    /** Series of a scrape. */
    static List<MetricSeries> seriesInScrape(String scraped) {
        return series(SAID, scraped);
    }

    private static List<MetricSeries> series(Pattern pattern, String text) {
        List<MetricSeries> found = new ArrayList<>();
        pattern.matcher(text).results().forEach(series -> {
            Set<String> labels = new TreeSet<>();
            if (series.group(2) != null) {
                LABEL.matcher(series.group(2)).results().forEach(label -> labels.add(label.group(1)));
            }
            found.add(new MetricSeries(series.group(1), labels));
        });
        return found;
    }
}
