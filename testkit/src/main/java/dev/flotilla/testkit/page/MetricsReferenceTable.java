package dev.flotilla.testkit.page;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reference of metrics as a Markdown table, generated from a scrape of a process. */
public final class MetricsReferenceTable {
    private static final Pattern HELP = Pattern.compile("# HELP (flotilla_\\S+) ?(.*)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (flotilla_\\S+) (\\S+)");
    private static final Pattern SAMPLE = Pattern.compile("(flotilla_\\w+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

    /**
     * Labels without meaning for a single metric: a label of every metric of a process, and the bounds of histograms.
     */
    private static final List<String> COMMON_LABELS = List.of("application", "le");

    private static final List<String> SAMPLE_SUFFIXES = List.of("_bucket", "_count", "_sum");

    private MetricsReferenceTable() {}

    /**
     * A table of all metrics of Flotilla. Each must have a help text.
     *
     * @param common labels that all of them have, which are left out
     */
    public static String markdownTable(String scraped, List<String> common) {
        Map<String, String> help = new TreeMap<>();
        Map<String, String> kinds = new LinkedHashMap<>();
        Map<String, TreeSet<String>> labels = new LinkedHashMap<>();
        for (String line : scraped.lines().toList()) {
            Matcher helpLine = HELP.matcher(line);
            Matcher kind = TYPE.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (helpLine.matches()) {
                help.put(helpLine.group(1), helpLine.group(2).strip());
            } else if (kind.matches()) {
                kinds.put(kind.group(1), kind.group(2));
            } else if (sample.matches()) {
                TreeSet<String> ofMetric =
                        labels.computeIfAbsent(family(sample.group(1), kinds), name -> new TreeSet<>());
                LABEL.matcher(String.valueOf(sample.group(2))).results().forEach(label -> ofMetric.add(label.group(1)));
            }
        }
        StringBuilder table = new StringBuilder("| metric | kind | labels | meaning |\n|---|---|---|---|\n");
        help.forEach((name, meaning) -> {
            if (meaning.isEmpty()) {
                throw new IllegalStateException(name + " has no help text");
            }
            TreeSet<String> ofMetric = labels.getOrDefault(name, new TreeSet<>());
            COMMON_LABELS.forEach(ofMetric::remove);
            common.forEach(ofMetric::remove);
            table.append("| `")
                    .append(name)
                    .append("` | ")
                    .append(kinds.get(name))
                    .append(" | ");
            table.append(ofMetric.isEmpty() ? "–" : "`" + String.join("`, `", ofMetric) + "`");
            table.append(" | ").append(meaning.replace("|", "\\|")).append(" |\n");
        });
        return table.toString();
    }

    private static String family(String sample, Map<String, String> kinds) {
        for (String part : SAMPLE_SUFFIXES) {
            String without = sample.endsWith(part) ? sample.substring(0, sample.length() - part.length()) : sample;
            if (kinds.containsKey(without)) {
                return without;
            }
        }
        return sample;
    }
}
