package dev.flotilla.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Files of the source tree, found from any working directory of the tests. */
final class SourceTree {

    static final Path ROOT = root();

    private static final Pattern MODULE = Pattern.compile("<module>([^</]+)</module>");

    private SourceTree() {}

    /** A source file with its lines. */
    record Source(Path path, List<String> lines) {

        static Source read(Path path) {
            try {
                return new Source(path, Files.readAllLines(path));
            } catch (IOException e) {
                throw new UncheckedIOException(path.toString(), e);
            }
        }

        String name() {
            String file = path.getFileName().toString();
            return file.substring(0, file.lastIndexOf('.'));
        }

        boolean isPackageInfo() {
            return name().equals("package-info");
        }

        /** Lines that match a pattern, as path, line number and text. */
        Stream<String> linesWith(Pattern pattern) {
            return Stream.iterate(0, i -> i < lines.size(), i -> i + 1)
                    .filter(i -> pattern.matcher(lines.get(i)).find())
                    .map(i -> "%s:%d: %s".formatted(this, i + 1, lines.get(i).strip()));
        }

        @Override
        public String toString() {
            return ROOT.relativize(path).toString();
        }
    }

    /** The modules with code, as the root pom lists them: folders of the root. */
    static List<String> modules() {
        return Source.read(ROOT.resolve("pom.xml")).lines().stream()
                .flatMap(line -> MODULE.matcher(line).results())
                .map(found -> found.group(1))
                .toList();
    }

    /** Java files of all modules, production and tests. */
    static List<Source> java() {
        return modules().stream()
                .flatMap(module -> under(module + "/src", ".java"))
                .toList();
    }

    /** Java files of all modules that run in production. */
    static List<Source> productionJava() {
        return modules().stream()
                .flatMap(module -> productionJava(module).stream())
                .toList();
    }

    static List<Source> productionJava(String module) {
        return under(module + "/src/main/java", ".java").toList();
    }

    static Stream<Source> under(String folder, String suffix) {
        Path start = ROOT.resolve(folder);
        if (!Files.isDirectory(start)) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.walk(start)) {
            return files
                    .filter(file -> file.toString().endsWith(suffix) && Files.isRegularFile(file))
                    .filter(file -> !ROOT.relativize(file).toString().contains("/target/"))
                    .sorted()
                    .toList()
                    .stream()
                    .map(Source::read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("no mvnw above " + Path.of("").toAbsolutePath());
        }
        return folder;
    }
}
