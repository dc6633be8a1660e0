package dev.flotilla.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An earlier commit of this project, built as {@code deploy/compare-builds} builds one. */
final class PredecessorBuild {
    /** The commit: rows and journals of it and of later commits can be read. */
    static final String COMMIT = "4b4c3dcc651aca6736f667ebd7bfd1e9f99a11cc";

    /** A folder in which the commit is built already. */
    private static final @Nullable String BUILT = System.getProperty("flotilla.predecessor");

    private final Path folder;

    private PredecessorBuild(Path folder) {
        this.folder = folder;
    }

    /** Builds the commit in a folder. */
    static PredecessorBuild build(Path folder) throws IOException {
        if (BUILT != null) {
            return new PredecessorBuild(Path.of(BUILT));
        }
        Path archive = folder.resolve("sources.tar");
        check(run(CliResult.ROOT, "git", "archive", "-o", archive.toString(), COMMIT), "git archive", folder);
        Path sources = Files.createDirectory(folder.resolve("sources"));
        check(run(sources, "tar", "-x", "-f", archive.toString()), "tar", folder);
        check(
                run(
                        sources,
                        "./mvnw",
                        "-q",
                        "-B",
                        "-ntp",
                        "-Dquick",
                        "-Dmaven.test.skip=true",
                        "-pl",
                        "bench",
                        "-am",
                        "package"),
                "the build",
                folder);
        return new PredecessorBuild(sources);
    }

    private static void check(int exit, String what, Path folder) {
        if (exit != 0) {
            throw new IllegalStateException(what + " of " + COMMIT + " failed with " + exit + " in " + folder
                    + "; it needs the history of main");
        }
    }

    private static int run(Path folder, String... command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(List.of(command)).directory(folder.toFile()).redirectErrorStream(true);
        // The settings of this build are not those of the other.
        builder.environment().keySet().removeIf(name -> name.startsWith("FLOTILLA_") || name.equals("MAVEN_ARGS"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            int exit = process.waitFor();
            if (exit != 0) {
                System.out.println(String.join(" ", command) + ": " + said);
            }
            return exit;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** The jars of all its components. */
    String classPath() throws IOException {
        try (Stream<Path> jars = Files.list(folder.resolve("bench/target/quick/dist/lib"))) {
            return jars.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator));
        }
    }
}
