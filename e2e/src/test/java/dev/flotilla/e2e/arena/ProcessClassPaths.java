package dev.flotilla.e2e.arena;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Class paths of the processes. */
final class ProcessClassPaths {
    /** Jars of the Kafka client, its compression and its logging. */
    private static final Pattern LIBRARY =
            Pattern.compile("(kafka-clients|slf4j-api|slf4j-simple|lz4-java|snappy-java|zstd-jni)-.*\\.jar");

    private static final Pattern AUDITOR = Pattern.compile("flotilla-auditor-.*\\.jar");
    private static final Path AUDITORS_MAIN = Path.of("dev", "flotilla", "auditor", "Main.class");

    private ProcessClassPaths() {}

    /** Class path of this process. */
    static String own() {
        return System.getProperty("java.class.path", "");
    }

    /** Class path of the auditor, without any other module, so that it cannot share their bugs. */
    static String auditor() {
        return Arrays.stream(own().split(Pattern.quote(File.pathSeparator)))
                .filter(entry -> isAuditors(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isAuditors(Path entry) {
        String name = String.valueOf(entry.getFileName());
        return LIBRARY.matcher(name).matches()
                || AUDITOR.matcher(name).matches()
                || Files.exists(entry.resolve(AUDITORS_MAIN));
    }
}
