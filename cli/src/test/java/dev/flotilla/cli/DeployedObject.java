package dev.flotilla.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * A Kubernetes object of {@code deploy/}.
 *
 * @param file its file, relative to {@code deploy/}
 */
record DeployedObject(String file, Map<?, ?> object) {
    static final Path FOLDER = CliResult.ROOT.resolve("deploy");

    /** Leaves out alert rules and their tests, which are for Prometheus, and charts, which hold templates and copies. */
    private static final List<String> OTHER_FILES = List.of("alerts", "charts", "krew");

    /** Reads all objects, in the order of their files. */
    static List<DeployedObject> all() {
        List<DeployedObject> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".yaml"))
                    .filter(each -> OTHER_FILES.stream().noneMatch(other -> each.startsWith(FOLDER.resolve(other))))
                    .sorted()
                    .toList()) {
                found.addAll(parse(FOLDER.relativize(file).toString(), Files.readString(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** Reads the objects of a text, such as what helm has rendered. */
    static List<DeployedObject> parse(String file, String text) {
        List<DeployedObject> found = new ArrayList<>();
        for (Object each : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
            if (each != null) {
                found.add(new DeployedObject(file, (Map<?, ?>) each));
            }
        }
        return found;
    }

    /** Kind, namespace and name. */
    String id() {
        return at("kind") + " " + at("metadata/namespace") + "/" + at("metadata/name");
    }

    static List<DeployedObject> ofKind(String kind) {
        return all().stream().filter(each -> each.at("kind").equals(kind)).toList();
    }

    /** Text of the value at a path, with {@code 0} for the first of a list; "null" if there is none. */
    String at(String path) {
        return String.valueOf(value(path));
    }

    /** Value at a path; null if there is none. */
    Object value(String path) {
        Object value = object;
        for (String name : List.of(path.split("/", -1))) {
            if (value instanceof List<?> list) {
                value = list.getFirst();
            } else {
                value = value instanceof Map<?, ?> map ? map.get(name) : null;
            }
        }
        return value;
    }

    @Override
    public String toString() {
        return file + ": " + at("kind") + " " + at("metadata/name");
    }
}
