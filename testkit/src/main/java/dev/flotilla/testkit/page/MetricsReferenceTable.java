package dev.flotilla.testkit.page;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reference of metrics in Markdown, made of what a process says when it is scraped. */
public final class MetricsReferenceTable {
    private static final Pattern HELP = Pattern.compile("# HELP (flotilla_\\S+) ?(.*)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (flotilla_\\S+) (\\S+)");
    private static final Pattern SAMPLE = Pattern.compile("(flotilla_\\w+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

    /** A label of every meter of a process, and the bounds of histograms, say nothing of a meter. */
    private static final List<String> ANYWHERE = List.of("application", "le");

    private static final List<String> PARTS = List.of("_bucket", "_count", "_sum");

    private MetricsReferenceTable() {}

    /**
     * A table of all metrics of ours. None may be without a word on what it is.
     *
     * @param common labels that all of them have, which are not repeated
     */
    public static String markdownTable(String scraped, List<String> common) {
        Map<String, String> help = new TreeMap<>();
        Map<String, String> kinds = new LinkedHashMap<>();
        Map<String, TreeSet<String>> labels = new LinkedHashMap<>();
        for (String line : scraped.lines().toList()) {
            Matcher said = HELP.matcher(line);
            Matcher kind = TYPE.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (said.matches()) {
                help.put(said.group(1), said.group(2).strip());
            } else if (kind.matches()) {
                kinds.put(kind.group(1), kind.group(2));
            } else if (sample.matches()) {
                TreeSet<String> of = labels.computeIfAbsent(family(sample.group(1), kinds), name -> new TreeSet<>());
                LABEL.matcher(String.valueOf(sample.group(2))).results().forEach(label -> of.add(label.group(1)));
            }
        }
        StringBuilder table = new StringBuilder("| metric | kind | labels | meaning |\n|---|---|---|---|\n");
        help.forEach((name, meaning) -> {
            if (meaning.isEmpty()) {
                throw new IllegalStateException(name + " does not say what it is");
            }
            TreeSet<String> of = labels.getOrDefault(name, new TreeSet<>());
            ANYWHERE.forEach(of::remove);
            common.forEach(of::remove);
            table.append("| `")
                    .append(name)
                    .append("` | ")
                    .append(kinds.get(name))
                    .append(" | ");
            table.append(of.isEmpty() ? "–" : "`" + String.join("`, `", of) + "`");
            table.append(" | ").append(meaning.replace("|", "\\|")).append(" |\n");
        });
        return table.toString();
    }

    private static String family(String sample, Map<String, String> kinds) {
        for (String part : PARTS) {
            String without = sample.endsWith(part) ? sample.substring(0, sample.length() - part.length()) : sample;
            if (kinds.containsKey(without)) {
                return without;
            }
        }
        return sample;
    }
}
