package dev.flotilla.cli;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resolves a dashboard's variables as Grafana does: declared variables with their current value, and Grafana's built-in
 * ones. Grafana leaves an undeclared variable as text; here it is an error.
 */
final class DashboardVariables {
    private static final Pattern USED = Pattern.compile("\\$\\{?(\\w+)}?");
    private static final String ALL = "$__all";

    /** Built-in values for a graph of one hour that is scraped every 15 s. */
    private static final Map<String, String> OF_GRAFANA =
            Map.of("__rate_interval", "1m", "__interval", "15s", "__range", "1h");

    private final Map<String, String> values;

    private DashboardVariables(Map<String, String> values) {
        this.values = values;
    }

    /** Reads the variables of a dashboard, each of which may use those before it; a function returns the values of a query. */
    static DashboardVariables of(JsonObject dashboard, Function<String, List<String>> query) {
        Map<String, String> values = new TreeMap<>(OF_GRAFANA);
        DashboardVariables variables = new DashboardVariables(values);
        dashboard.getJsonObject("templating").getJsonArray("list").forEach(each -> {
            JsonObject variable = (JsonObject) each;
            if (variable.getString("type").equals("query")) {
                values.put(
                        variable.getString("name"), chosen(variable, asked -> query.apply(variables.resolve(asked))));
            }
        });
        return variables;
    }

    private static String chosen(JsonObject variable, Function<String, List<String>> query) {
        List<String> known = query.apply(variable.getJsonObject("query").getString("query"));
        if (known.isEmpty()) {
            throw new AssertionError(variable.getString("name") + ": its query has no values: " + variable);
        }
        String current = variable.getJsonObject("current").getString("value");
        if (!current.equals(ALL)) {
            return current;
        }
        String all = variable.getString("allValue");
        return all == null ? "(" + String.join("|", known) + ")" : all;
    }

    /** Replaces the variables of a query. */
    String resolve(String expression) {
        return USED.matcher(expression).replaceAll((MatchResult used) -> {
            String value = values.get(used.group(1));
            if (value == null) {
                throw new AssertionError("$" + used.group(1) + " is not declared: " + expression);
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
