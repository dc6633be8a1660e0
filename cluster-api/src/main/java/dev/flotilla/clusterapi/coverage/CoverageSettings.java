package dev.flotilla.clusterapi.coverage;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.json.tree.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads the settings of an ExtensionConfig: {@code uncovered}, {@code defaults}, {@code apply.<Kind>}, {@code ignore.<Kind>} and
 * {@code available.<Kind>}. An invalid setting is a problem, because a table without it could replace machines.
 */
public final class CoverageSettings {
    private static final String UNCOVERED = "uncovered";
    private static final String DEFAULTS = "defaults";
    private static final String APPLY = "apply.";
    private static final String IGNORE = "ignore.";
    private static final String AVAILABLE = "available.";
    private static final int MAX_SHOWN = 100;

    private final List<String> problems = new ArrayList<>();
    private CoverageTable table;

    private CoverageSettings(CoverageTable defaults) {
        this.table = defaults;
    }

    /** The table of a request, or what is wrong with its settings. */
    public sealed interface SettingsResult {
        /** A table. */
        record ValidSettings(CoverageTable table) implements SettingsResult {}

        /** Settings that cannot be followed. */
        record InvalidSettings(String problem) implements SettingsResult {}
    }

    /**
     * Reads the settings in a request.
     *
     * @param defaults what the settings add to
     */
    public static SettingsResult read(KubeObject request, CoverageTable defaults) {
        return readSettings(request.object("settings").json(), defaults);
    }

    /** Reads settings. */
    public static SettingsResult readSettings(JsonObjectReader settings, CoverageTable defaults) {
        boolean none = settings.get(DEFAULTS) instanceof JsonValue.JsonString text
                && text.value().equals("none");
        return new CoverageSettings(none ? new CoverageTable(Map.of(), defaults.uncovered()) : defaults).read(settings);
    }

    /** Reads the text of a {@code settingsFile}, whose settings add to the shipped defaults. */
    public static SettingsResult readFile(String yaml) {
        return YamlReader.read(yaml, DocumentLimits.SPECIFICATION_BYTES) instanceof ParseResult.ParsedDocument document
                        && document.errors().isEmpty()
                        && document.value() instanceof JsonObjectReader settings
                ? readSettings(settings, CoverageTable.DEFAULT)
                : new SettingsResult.InvalidSettings(
                        "it is no YAML object with each name once, such as uncovered: stop");
    }

    private SettingsResult read(JsonObjectReader settings) {
        for (int i = 0; i < settings.size(); i++) {
            String name = settings.name(i);
            if (settings.value(i) instanceof JsonValue.JsonString text) {
                readSetting(name, text.value());
            } else {
                problems.add("setting " + show(name) + " must be a text");
            }
        }
        return problems.isEmpty()
                ? new SettingsResult.ValidSettings(table)
                : new SettingsResult.InvalidSettings(String.join("; ", problems));
    }

    private void readSetting(String name, String value) {
        if (name.equals(UNCOVERED)) {
            UncoveredPolicy policy = UncoveredPolicy.parse(value);
            if (policy == null) {
                problems.add("setting " + UNCOVERED + ": " + show(value) + " is neither replace nor stop");
            } else {
                table = table.with(policy);
            }
        } else if (name.equals(DEFAULTS)) {
            if (!value.equals("none") && !value.equals("shipped")) {
                problems.add("setting " + DEFAULTS + ": " + show(value) + " is neither shipped nor none");
            }
        } else if (name.startsWith(APPLY)) {
            addPaths(name, name.substring(APPLY.length()), value, KindCoverage::applied);
        } else if (name.startsWith(IGNORE)) {
            addPaths(name, name.substring(IGNORE.length()), value, KindCoverage::ignored);
        } else if (name.startsWith(AVAILABLE)) {
            addPaths(name, name.substring(AVAILABLE.length()), value, KindCoverage::available);
        } else {
            problems.add("setting " + show(name)
                    + " is unknown; use uncovered, defaults, apply.<Kind>, ignore.<Kind> or" + " available.<Kind>");
        }
    }

    private void addPaths(String name, String kind, String value, Function<List<SpecPath>, KindCoverage> coverage) {
        if (!kind.matches("[A-Z][A-Za-z0-9]{0,62}") || kind.endsWith("Template")) {
            problems.add("setting " + show(name) + " names no kind, such as apply.KubeadmConfig");
            return;
        }
        List<SpecPath> paths = new ArrayList<>();
        for (String text : value.strip().split("[,\\s]+", -1)) {
            SpecPath path = SpecPath.parse(text);
            if (path == null) {
                problems.add("setting " + show(name) + ": " + show(text)
                        + " is no path below spec, such as files or clusterConfiguration.featureGates");
            } else {
                paths.add(path);
            }
        }
        table = table.with(kind, coverage.apply(paths));
    }

    private static String show(String text) {
        return "'" + RedactedText.redact(text, MAX_SHOWN) + "'";
    }
}
