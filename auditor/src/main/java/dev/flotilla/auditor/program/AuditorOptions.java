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
 * What the operator asked for.
 *
 * @param listener where its pages are, and for whom
 * @param fromChapter read the journal from its newest whole chapter on, not from its beginning
 * @param untilSeq check up to this decision and end; null to go on for ever
 * @param untilQuiet end when nothing has come for a while, and take who is unfinished then for lost
 * @param timeout how long nothing may come before the decision asked for, and no broker answer at the start
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
        @Nullable Path json) {
    static final String ENVIRONMENT = "FLOTILLA_BOOTSTRAP_SERVERS";
    private static final int LAST_PORT = 65_535;

    /** Whether it ends by itself, with what it found as its exit code. */
    public boolean hasEnd() {
        return untilSeq != null || untilQuiet;
    }

    /** Reads arguments; all that is wrong with them is told at once. */
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
        private long patience = 30;
        private @Nullable Path json;

        public OptionsParser(List<String> arguments, Map<String, String> environment) {
            rest.addAll(arguments);
            bootstrap = environment.get(ENVIRONMENT);
            while (!rest.isEmpty()) {
                option(rest.remove());
            }
            if (bootstrap == null || bootstrap.isBlank()) {
                problems.add("no broker is named: give --bootstrap HOST:PORT, or set " + ENVIRONMENT);
            }
            if (freeze && (untilSeq != null || untilQuiet)) {
                problems.add(
                        "--freeze is for an auditor that goes on: it cannot stand with --until-seq or --until-quiet");
            }
            httpListenerConfig = HttpListenerConfig.parse(host, port, certificate, key, tokenFile, problems);
        }

        private void option(String name) {
            switch (name) {
                case "--bootstrap" -> bootstrap = value(name);
                case "--config" -> load(value(name));
                case "--listen" -> listen(value(name));
                case "--tls-cert" -> certificate = Path.of(value(name));
                case "--tls-key" -> key = Path.of(value(name));
                case "--token-file" -> tokenFile = Path.of(value(name));
                case "--freeze" -> freeze = true;
                case "--from-chapter" -> fromChapter = true;
                case "--until-seq" -> untilSeq = number(name, value(name));
                case "--until-quiet" -> untilQuiet = true;
                case "--timeout" -> patience = number(name, value(name));
                case "--json" -> json = Path.of(value(name));
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

        private long number(String name, String value) {
            try {
                long number = Long.parseLong(value);
                if (number >= 1) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Told below, in the same words.
            }
            problems.add(name + " is \"" + value + "\" and must be a whole number from 1 on");
            return 1;
        }

        private void listen(String value) {
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

        private void load(String file) {
            try (Reader reader = Files.newBufferedReader(Path.of(file))) {
                client.load(reader);
            } catch (IOException | RuntimeException e) {
                problems.add("--config " + file + " cannot be read: " + e.getMessage());
            }
        }

        /** What is wrong; empty where all is well. */
        public List<String> problems() {
            return List.copyOf(problems);
        }

        /** What was asked for; to be asked only where there are no problems. */
        public AuditorOptions options() {
            return new AuditorOptions(
                    String.valueOf(bootstrap),
                    client,
                    httpListenerConfig,
                    freeze,
                    fromChapter,
                    untilSeq,
                    untilQuiet,
                    Duration.ofSeconds(patience),
                    json);
        }
    }
}
