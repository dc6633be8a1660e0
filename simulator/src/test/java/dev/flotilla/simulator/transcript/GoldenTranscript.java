package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Compares a transcript with the committed one. {@code -Dflotilla.rewrite=true} writes it to the file instead. */
final class GoldenTranscript {
    private static final Path FOLDER = Path.of("src/test/resources/dev/flotilla/simulator/transcript");
    private static final int CONTEXT_LINES = 3;

    private GoldenTranscript() {}

    static void assertMatches(String name, String transcript) {
        Path file = FOLDER.resolve(name + ".txt");
        try {
            if (Boolean.getBoolean("flotilla.rewrite")) {
                Files.createDirectories(FOLDER);
                Files.writeString(file, transcript);
            }
            String committed = Files.exists(file) ? Files.readString(file) : "";
            if (!committed.equals(transcript)) {
                fail(difference(
                        file, committed.lines().toList(), transcript.lines().toList()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String difference(Path file, List<String> committed, List<String> transcript) {
        int line = 0;
        while (line < committed.size()
                && line < transcript.size()
                && committed.get(line).equals(transcript.get(line))) {
            line++;
        }
        StringBuilder text = new StringBuilder("line ")
                .append(line + 1)
                .append(" is the first that differs from ")
                .append(file)
                .append(":\n\n");
        for (String same : transcript.subList(Math.max(0, line - CONTEXT_LINES), line)) {
            text.append("    ").append(same).append('\n');
        }
        return text.append("  - ")
                .append(at(committed, line))
                .append("\n  + ")
                .append(at(transcript, line))
                .append(
                        "\n\nIf the new transcript is right, rewrite it, review the changes with git diff, and commit it:\n\n")
                .append("    ./mvnw -q -Dquick -DskipTests=false verify -pl simulator -am -Dtest='*TranscriptTest'")
                .append(" -Dsurefire.failIfNoSpecifiedTests=false -Dflotilla.rewrite=true\n")
                .toString();
    }

    private static String at(List<String> lines, int line) {
        return line < lines.size() ? lines.get(line) : "(ends here)";
    }
}
