package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A transcript as it was committed, against one as it is told now. {@code -Dflotilla.rewrite=true} writes it anew. */
final class GoldenTranscript {
    private static final Path FOLDER = Path.of("src/test/resources/dev/flotilla/simulator/transcript");
    private static final int BEFORE = 3;

    private GoldenTranscript() {}

    static void assertMatches(String name, String told) {
        Path file = FOLDER.resolve(name + ".txt");
        try {
            if (Boolean.getBoolean("flotilla.rewrite")) {
                Files.createDirectories(FOLDER);
                Files.writeString(file, told);
            }
            String committed = Files.exists(file) ? Files.readString(file) : "";
            if (!committed.equals(told)) {
                fail(difference(file, committed.lines().toList(), told.lines().toList()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String difference(Path file, List<String> committed, List<String> told) {
        int line = 0;
        while (line < committed.size()
                && line < told.size()
                && committed.get(line).equals(told.get(line))) {
            line++;
        }
        StringBuilder text = new StringBuilder("line ")
                .append(line + 1)
                .append(" is the first that differs from ")
                .append(file)
                .append(":\n\n");
        for (String same : told.subList(Math.max(0, line - BEFORE), line)) {
            text.append("    ").append(same).append('\n');
        }
        return text.append("  - ")
                .append(at(committed, line))
                .append("\n  + ")
                .append(at(told, line))
                .append(
                        "\n\nIf the new story is right, write it anew, read what changed with git diff, and commit it:\n\n")
                .append("    ./mvnw -q -Dquick -DskipTests=false verify -pl simulator -am -Dtest='*TranscriptTest'")
                .append(" -Dsurefire.failIfNoSpecifiedTests=false -Dflotilla.rewrite=true\n")
                .toString();
    }

    private static String at(List<String> lines, int line) {
        return line < lines.size() ? lines.get(line) : "(ends here)";
    }
}
