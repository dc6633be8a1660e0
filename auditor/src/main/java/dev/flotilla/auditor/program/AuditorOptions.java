package dev.flotilla.auditor.program;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The operator's options.
 *
 * @param listener where the pages are served, and to whom
 * @param fromChapter read the journal from its newest complete chapter, not from its beginning
 * @param untilSeq check up to this decision and end; null to run for ever
 * @param untilQuiet end when no record has come for a while, and count unfinished machines as lost
 * @param timeout how long no record may come before the requested decision
 * @param startTimeout how long no broker may respond at the start
 */
public record AuditorOptions(
        String bootstrap,
        Properties client,
        HttpListenerConfig listener,
        boolean freeze,
        boolean fromChapter,
        @Nullable Long untilSeq,
        boolean untilQuiet,
        Duration timeout,
        Duration startTimeout,
        @Nullable Path json) {
    static final String ENVIRONMENT = "FLOTILLA_BOOTSTRAP_SERVERS";
    private static final int LAST_PORT = 65_535;

    /** Whether it ends by itself, with its findings as exit code. */
    public boolean hasEnd() {
        return untilSeq != null || untilQuiet;
    }

    /** Parses arguments, and collects all problems. */
    public static final class OptionsParser {
        private final List<String> problems = new ArrayList<>();
        private final Deque<String> rest = new ArrayDeque<>();
        private final Properties client = new Properties();
        private @Nullable String bootstrap;
        private String host = "127.0.0.1";
        private int port = 9404;
        private @Nullable Path certificate;
        private @Nullable Path key;
        private @Nullable Path tokenFile;
        private final HttpListenerConfig httpListenerConfig;
        private boolean freeze;
        private boolean fromChapter;
        private @Nullable Long untilSeq;
        private boolean untilQuiet;
        private Duration timeout = Duration.ofSeconds(30);
        /** Short, because a person or a supervisor that starts it again waits. */
        private Duration startTimeout = Duration.ofSeconds(10);

        private @Nullable Path json;
        private LogOptions logOptions;

        public OptionsParser(List<String> arguments, Map<String, String> environment) {
            rest.addAll(arguments);
            bootstrap = environment.get(ENVIRONMENT);
            logOptions = LogOptions.ofEnvironment(environment);
            while (!rest.isEmpty()) {
                parseOption(rest.remove());
            }
            if (bootstrap == null || bootstrap.isBlank()) {
                problems.add("no broker is given: add --bootstrap HOST:PORT, or set " + ENVIRONMENT);
            }
            if (freeze && (untilSeq != null || untilQuiet)) {
                problems.add("--freeze is for an auditor that runs on: leave out --until-seq and --until-quiet");
            }
            logOptions.collectProblems(problems);
            httpListenerConfig = HttpListenerConfig.parse(host, port, certificate, key, tokenFile, problems);
        }

        private void parseOption(String name) {
            switch (name) {
                case "--bootstrap" -> bootstrap = value(name);
                case "--config" -> loadConfig(value(name));
                case "--listen" -> parseListen(value(name));
                case "--tls-cert" -> certificate = Path.of(value(name));
                case "--tls-key" -> key = Path.of(value(name));
                case "--token-file" -> tokenFile = Path.of(value(name));
                case "--freeze" -> freeze = true;
                case "--from-chapter" -> fromChapter = true;
                case "--until-seq" -> untilSeq = parseNumber(name, value(name));
                case "--until-quiet" -> untilQuiet = true;
                case "--timeout" -> {
                    timeout = Duration.ofSeconds(parseNumber(name, value(name)));
                    startTimeout = timeout;
                }
                case "--json" -> json = Path.of(value(name));
                case "--log-format" -> logOptions = logOptions.withFormat(value(name));
                case "--log-level" -> logOptions = logOptions.withLevel(value(name));
                default -> problems.add("\"" + name + "\" is no option: see --help");
            }
        }

        private String value(String name) {
            String value = rest.poll();
            if (value == null) {
                problems.add(name + " needs a value after it");
                return "";
            }
            return value;
        }

        private long parseNumber(String name, String value) {
            try {
                long number = Long.parseLong(value);
                if (number >= 1) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Reported below, with the same text.
            }
            problems.add(name + " is \"" + value + "\" and must be a whole number from 1 on");
            return 1;
        }

        private void parseListen(String value) {
            int colon = value.lastIndexOf(':');
            try {
                port = Integer.parseInt(value.substring(colon + 1));
                host = value.substring(0, Math.max(0, colon));
            } catch (NumberFormatException e) {
                port = -1;
            }
            if (colon < 1 || port < 0 || port > LAST_PORT) {
                problems.add("--listen is \"" + value + "\" and must be HOST:PORT, with port 0 for any that is free");
            }
        }

        private void loadConfig(String file) {
            try (Reader reader = Files.newBufferedReader(Path.of(file))) {
                client.load(reader);
            } catch (IOException | RuntimeException e) {
                problems.add("--config " + file + " cannot be read: " + e.getMessage());
            }
        }

        /** The problems; empty if there are none. */
        public List<String> problems() {
            return List.copyOf(problems);
        }

        /** How to log; called only if there are no problems. */
        public LogOptions logOptions() {
            return logOptions;
        }

        /** The options; called only if there are no problems. */
        public AuditorOptions options() {
            return new AuditorOptions(
                    String.valueOf(bootstrap),
                    client,
                    httpListenerConfig,
                    freeze,
                    fromChapter,
                    untilSeq,
                    untilQuiet,
                    timeout,
                    startTimeout,
                    json);
        }
    }
}
