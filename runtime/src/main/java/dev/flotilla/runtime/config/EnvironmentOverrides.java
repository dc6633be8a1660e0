package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.SpellingSuggestion;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Settings in environment variables. They override those in the file. */
final class EnvironmentOverrides {
    /** Variables that Kubernetes sets in every pod for a Service named {@code flotilla…}; they are not mistyped settings. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile("FLOTILLA(_[A-Z0-9_]+)?_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_[A-Z0-9_]+)?)");

    /** A variable that the launcher reads before the application starts. */
    private static final String LAUNCHER_VARIABLE = "FLOTILLA_JAVA";

    private final Map<String, ConfigSetting> byVariable = new LinkedHashMap<>();
    private final SortedMap<String, String> values;
    private final Map<String, String> sources = new LinkedHashMap<>();

    /**
     * Selects the environment variables of settings.
     *
     * @param shortNames additional variables of settings, besides those named after their paths
     */
    EnvironmentOverrides(
            Map<String, String> environment, List<ConfigSetting> settings, Map<String, String> shortNames) {
        values = new TreeMap<>(environment);
        for (ConfigSetting configSetting : settings) {
            if (configSetting.isPlain()) {
                byVariable.put(configSetting.environmentVariable(), configSetting);
                shortNames.forEach((variable, path) -> {
                    if (path.equals(configSetting.path())) {
                        byVariable.put(variable, configSetting);
                    }
                });
            }
        }
    }

    /** Returns the file's content with the variables applied. Content that is not an object is returned as it is; the codec rejects it. */
    JsonValue applyTo(JsonValue file) {
        JsonValue result = file;
        for (Map.Entry<String, ConfigSetting> known : byVariable.entrySet()) {
            String text = values.get(known.getKey());
            if (text != null && result instanceof JsonObjectReader jsonObjectReader) {
                ConfigSetting configSetting = known.getValue();
                sources.put(configSetting.path(), known.getKey());
                result = with(
                        jsonObjectReader, List.of(configSetting.path().split("\\.")), configSetting.parseValue(text));
            }
        }
        return result;
    }

    private static JsonObjectReader with(JsonObjectReader jsonObjectReader, List<String> path, JsonValue value) {
        JsonObjectReader.Builder changed = jsonObjectReader.toBuilder();
        String name = path.get(0);
        if (path.size() == 1) {
            return changed.put(name, value).build();
        }
        JsonObjectReader below = jsonObjectReader.get(name) instanceof JsonObjectReader child
                ? child
                : new JsonObjectReader.Builder().build();
        return changed.put(name, with(below, path.subList(1, path.size()), value))
                .build();
    }

    /** Returns the variable that set a setting, or null. */
    @Nullable
    String variableOf(String path) {
        return sources.get(path);
    }

    /** Returns the shortest variable that can set a setting; null if none can. */
    @Nullable
    String variableFor(String path) {
        return byVariable.entrySet().stream()
                .filter(known -> known.getValue().path().equals(path))
                .map(Map.Entry::getKey)
                .min(Comparator.comparingInt(String::length))
                .orElse(null);
    }

    /** Returns a problem for each variable with prefix {@code FLOTILLA_} that belongs to no setting. */
    List<ConfigProblem> unknownVariables() {
        List<ConfigProblem> problems = new ArrayList<>();
        for (String name : values.tailMap(ConfigSetting.PREFIX).keySet()) {
            if (!name.startsWith(ConfigSetting.PREFIX)) {
                break;
            }
            if (!byVariable.containsKey(name)
                    && !name.equals(LAUNCHER_VARIABLE)
                    && !SERVICE_LINK.matcher(name).matches()) {
                String near = SpellingSuggestion.nearest(name, byVariable.keySet());
                problems.add(new ConfigProblem(
                        "environment variable " + name,
                        JsonValue.NO_LINE,
                        "",
                        "",
                        "belongs to no setting",
                        near == null
                                ? "known: " + String.join(", ", byVariable.keySet())
                                : "did you mean " + near + "?"));
            }
        }
        return problems;
    }
}
