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

/** The metrics that docs/metrics.md lists, which tests write from what is registered: names, kinds and labels. */
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
    private static final List<String> OF_SITES = List.of("management-watcher", "node-worker");

    /** One of the page. */
    record DocumentedMetric(String kind, Set<String> labels) {}

    /** A name with labels, as a process says it or a query asks for it. */
    record MetricSeries(String name, Set<String> labels) {}

    static MetricsReferencePage read() throws IOException {
        Map<String, DocumentedMetric> metrics = new TreeMap<>();
        for (MatchResult section : SECTION.matcher(Files.readString(CliResult.ROOT.resolve("docs/metrics.md")))
                .results()
                .toList()) {
            for (MatchResult row : ROW.matcher(section.group(2)).results().toList()) {
                Set<String> labels = new TreeSet<>();
                NAME.matcher(row.group(3)).results().forEach(label -> labels.add(label.group(1)));
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

    /** The name that the page has for a series. */
    String base(String series) {
        return metrics.containsKey(series) ? series : SUFFIX.matcher(series).replaceFirst("");
    }

    /** The labels of a series; null where the page does not list it. */
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

    /** What a query asks for. */
    static List<MetricSeries> seriesInQuery(String expression) {
        return series(ASKED, expression);
    }

    /** What a process said when it was scraped. */
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
