package dev.flotilla.testkit.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Class paths of Flotilla's components as child processes. */
public final class ComponentClassPaths {
    /** Jars of the auditor, of the log, and of the Kafka client and its compression. */
    private static final Pattern JARS = Pattern.compile(
            "(flotilla-auditor|flotilla-logging|kafka-clients|slf4j-api|lz4-java|snappy-java|zstd-jni)-.*\\.jar");

    /** A class of each of our modules, whose classes are in a folder before they are packaged. */
    private static final List<Path> CLASSES = List.of(
            Path.of("dev", "flotilla", "auditor", "Main.class"),
            Path.of("dev", "flotilla", "logging", "LogServiceProvider.class"));

    private ComponentClassPaths() {}

    /** Class path of this process. */
    public static String own() {
        return System.getProperty("java.class.path", "");
    }

    /** Class path of the auditor, without any other module, so that it cannot share their bugs. */
    public static String auditor() {
        return Arrays.stream(own().split(Pattern.quote(File.pathSeparator)))
                .filter(entry -> isAuditors(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isAuditors(Path entry) {
        String name = String.valueOf(entry.getFileName());
        return JARS.matcher(name).matches()
                || CLASSES.stream().anyMatch(compiled -> Files.exists(entry.resolve(compiled)));
    }
}
