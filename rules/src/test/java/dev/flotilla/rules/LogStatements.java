package dev.flotilla.rules;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.runtime.log.LogKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The log events of the production code, read from its sources. */
final class LogStatements {
    private static final Pattern START =
            Pattern.compile("(with\\w+\\()?\\bLOG\\s*\\.(?:at(\\w+)\\(\\)|(trace|debug|info|warn|error)\\()");
    private static final Pattern KEY =
            Pattern.compile("addKeyValue\\(\\s*(?:LogKey\\.(\\w+)\\.label\\(\\)|\"(\\w+)\")");
    private static final Pattern TEXT = Pattern.compile("\"([^\"]*)\"");
    private static final Pattern CONSTANT = Pattern.compile("(\\w+ \\? \"[^\"]+\" : )?\"[^\"]+\"");
    private static final String LOG_CALL = ".log(";

    /** Events whose text is a label; the files list the labels. */
    private static final Pattern LOGGED_DECISION = Pattern.compile("^ +DecisionEvent\\.(\\w+)[,)]");

    private static final Pattern ATTEMPT_OUTCOME = Pattern.compile("^ +[A-Z_]+\\(\"([a-z-]+)\"\\)");

    /** The outcome whose event has a level and a text of its own. */
    private static final String LOGGED_APART = "failed";

    private LogStatements() {}

    /**
     * A log event.
     *
     * @param text constant text; empty if the statement has none
     * @param keys keys of its data, as their labels
     */
    record Event(String text, String level, List<String> keys, String module, String source) {}

    /** All log events of the modules' production code. */
    static List<Event> read() {
        return SourceTree.productionJava().stream()
                .filter(source -> source.lines().stream().anyMatch(line -> line.contains("LoggerFactory.getLogger(")))
                .flatMap(source -> read(source).stream())
                .toList();
    }

    private static List<Event> read(SourceTree.Source source) {
        String code = String.join("\n", source.lines());
        List<Event> events = new ArrayList<>();
        Matcher start = START.matcher(code);
        while (start.find()) {
            boolean isFluent = start.group(2) != null;
            int call = isFluent ? code.indexOf(LOG_CALL, start.end()) + LOG_CALL.length() : start.end();
            String level = isFluent ? start.group(2) : start.group(3);
            List<String> keys = new ArrayList<>();
            if (start.group(1) != null) {
                addKeys(keys, bodyOf(start.group(1), code));
            }
            addKeys(keys, code.substring(start.end(), call));
            String argument = code.substring(call, endOfArgument(code, call)).strip();
            for (String text : textsOf(argument)) {
                events.add(new Event(
                        text,
                        level.toLowerCase(Locale.ROOT),
                        keys.stream().distinct().toList(),
                        source.toString().split("/")[0],
                        source.name()));
            }
        }
        return events;
    }

    private static List<String> textsOf(String argument) {
        return switch (argument) {
            case "decision.event().label().replace('-', ' ')" ->
                labels("orchestrator/src/main", "OrchestratorEventLogger.java", LOGGED_DECISION)
                        .map(name -> DecisionEvent.valueOf(name).label().replace('-', ' '))
                        .toList();
            case "outcome.event()" ->
                labels("node-worker/src/main", "AttemptOutcome.java", ATTEMPT_OUTCOME)
                        .filter(label -> !label.equals(LOGGED_APART))
                        .map(label -> "attempt " + label.replace('-', ' '))
                        .toList();
            default ->
                CONSTANT.matcher(argument).matches()
                        ? TEXT.matcher(argument)
                                .results()
                                .map(found -> found.group(1))
                                .toList()
                        : List.of("");
        };
    }

    private static Stream<String> labels(String folder, String file, Pattern label) {
        return SourceTree.under(folder, "/" + file)
                .flatMap(source -> source.lines().stream())
                .flatMap(line -> label.matcher(line).results())
                .map(found -> found.group(1));
    }

    /** The body of a method that adds data to an event. */
    private static String bodyOf(String call, String code) {
        int declared = code.indexOf("LoggingEventBuilder " + call);
        return declared < 0 ? "" : code.substring(declared, code.indexOf("\n    }", declared));
    }

    private static void addKeys(List<String> keys, String code) {
        KEY.matcher(code).results().map(LogStatements::labelOf).forEach(keys::add);
    }

    private static String labelOf(MatchResult key) {
        return key.group(1) == null
                ? key.group(2)
                : LogKey.valueOf(key.group(1)).label();
    }

    private static int endOfArgument(String code, int from) {
        int open = 1;
        int at = from;
        while (open > 0) {
            char c = code.charAt(at);
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
            at++;
        }
        return at - 1;
    }
}
