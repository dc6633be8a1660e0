package dev.flotilla.testkit.sites;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The arguments of {@link SitesMain}, and all problems with them. */
final class SitesMainArguments {
    private static final Map<String, String> DEFAULTS = defaults();
    private static final int MAX_PORT = 65_535;
    private static final int THOUSAND = 1000;

    private final Map<String, String> options = new LinkedHashMap<>(DEFAULTS);
    private final List<String> problems = new ArrayList<>();

    SitesMainArguments(String... args) {
        for (int i = 0; i < args.length; i += 2) {
            if (!args[i].equals("--bootstrap") && !DEFAULTS.containsKey(args[i])) {
                problems.add(args[i] + ": unknown option");
            } else if (i + 1 == args.length) {
                problems.add(args[i] + ": needs a value");
            } else {
                options.put(args[i], args[i + 1]);
            }
        }
        if (!options.containsKey("--bootstrap")) {
            problems.add("--bootstrap: missing; name the broker as HOST:PORT");
        }
        spec();
        listen();
    }

    private static Map<String, String> defaults() {
        Map<String, String> defaults = new LinkedHashMap<>();
        defaults.put("--sites", "3");
        defaults.put("--clusters", "60");
        defaults.put("--machines", "600");
        defaults.put("--fail-rate", "0.02");
        defaults.put("--seed", "1");
        defaults.put("--speed", "110");
        defaults.put("--listen", "127.0.0.1:0");
        defaults.put("--folder", "");
        defaults.put("--kubernetes", "embedded");
        defaults.put("--provider", SitesProviders.K8SD.label());
        return defaults;
    }

    List<String> problems() {
        return problems.stream().distinct().toList();
    }

    String bootstrap() {
        return text("--bootstrap");
    }

    /** The folder for what real workers need; null if workers are simulated too. */
    @Nullable
    Path folder() {
        return text("--folder").isEmpty() ? null : Path.of(text("--folder"));
    }

    /** Whether management clusters are real API servers. */
    boolean realManagement() {
        return text("--kubernetes").equals("real");
    }

    @Nullable
    SitesSpec spec() {
        Integer sites = number("--sites", Integer::valueOf);
        Integer clusters = number("--clusters", Integer::valueOf);
        Integer machines = number("--machines", Integer::valueOf);
        Double failRate = number("--fail-rate", Double::valueOf);
        Long seed = number("--seed", Long::valueOf);
        Double speed = number("--speed", Double::valueOf);
        if (sites == null
                || clusters == null
                || machines == null
                || failRate == null
                || seed == null
                || speed == null) {
            return null;
        }
        try {
            return new SitesSpec(
                    sites,
                    clusters,
                    machines,
                    (int) Math.round(failRate * THOUSAND),
                    seed,
                    speed,
                    SitesProviders.parse(text("--provider")));
        } catch (IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    @Nullable
    InetSocketAddress listen() {
        String address = text("--listen");
        int colon = address.lastIndexOf(':');
        Integer port = colon < 1 ? null : parsed(address.substring(colon + 1), Integer::valueOf);
        if (port == null || port < 0 || port > MAX_PORT) {
            problems.add("--listen " + address + ": must be HOST:PORT; port 0 is any that is free");
            return null;
        }
        return new InetSocketAddress(address.substring(0, colon), port);
    }

    private <T> @Nullable T number(String option, Function<String, T> parse) {
        T value = parsed(text(option), parse);
        if (value == null) {
            problems.add(option + " " + text(option) + ": must be a number");
        }
        return value;
    }

    private static <T> @Nullable T parsed(String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private String text(String option) {
        return options.getOrDefault(option, "");
    }
}
