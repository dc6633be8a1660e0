package dev.flotilla.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A command of a documentation page.
 *
 * @param shown the lines that the page shows as its output
 */
record PageStep(String command, List<String> shown) {
    private static final Pattern CONSOLE = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);
    private static final String PROMPT = "$ ";

    /** Marks a part that a page leaves out of a printed line. */
    private static final String ANYTHING = "…";

    /** Reads the commands of a page's blocks of type {@code console}. */
    static List<PageStep> readAll(String page) throws IOException {
        List<PageStep> steps = new ArrayList<>();
        CONSOLE.matcher(Files.readString(CliResult.ROOT.resolve(page)))
                .results()
                .flatMap(found -> found.group(1).lines())
                .forEach(line -> {
                    if (line.startsWith(PROMPT)) {
                        steps.add(new PageStep(line.substring(PROMPT.length()), new ArrayList<>()));
                    } else {
                        steps.getLast().shown.add(line);
                    }
                });
        return steps;
    }

    /** Whether an output has all lines that the page shows. */
    boolean isShownIn(String output) {
        return shown.stream().allMatch(line -> pattern(line).matcher(output).find());
    }

    private static Pattern pattern(String line) {
        return Pattern.compile(
                Stream.of(line.split(ANYTHING, -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }
}
