package dev.flotilla.testkit.kube;

import dev.flotilla.testkit.process.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The temporary folder that several processes share, and the binaries that they are started from. */
record KubeProcessFolder(KubeBinaries binaries, Path folder) {
    static KubeProcessFolder create(String name) {
        KubeBinaries binaries = KubeBinaries.find().orElseThrow(() -> new IllegalStateException(KubeBinaries.MISSING));
        try {
            return new KubeProcessFolder(binaries, Files.createTempDirectory("flotilla-kube-" + name + "-"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a temporary folder for " + name, e);
        }
    }

    String program(KubeBinaries.Program program) {
        return binaries.path(program).toString();
    }

    ChildProcess start(String name, List<String> command, BooleanSupplier ready) {
        // The user's configuration for tools of the same names must not apply.
        Map<String, String> environment = Map.of("HOME", folder.toString(), "KUBECONFIG", "");
        return ChildProcess.startProgram(name, folder, command, environment).awaitReady(ready);
    }

    Path write(String file, String text) {
        try {
            return Files.writeString(folder.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + " to " + folder, e);
        }
    }

    /** Copies a resource beside this class to a file. */
    Path copy(String resource) {
        return write(resource.substring(resource.lastIndexOf('/') + 1), text(resource));
    }

    static String text(String resource) {
        try (InputStream in = KubeProcessFolder.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("there is no resource " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + resource, e);
        }
    }

    void delete() {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }
}
