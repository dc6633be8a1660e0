package dev.flotilla.testkit.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelmBinaryTest {
    private static final Path BUILD = Path.of("helm/build").toAbsolutePath();

    @TempDir
    Path cache;

    @Test
    void folderIsTheOneOfTheBuildScript() throws Exception {
        Process script = new ProcessBuilder(BUILD.toString(), "--where").start();
        String folder = script.inputReader().readLine();

        assertThat(script.waitFor()).isZero();
        assertThat(folder).endsWith("/flotilla/helm/" + HelmBinary.VERSION);
    }

    @Test
    void findsTheProgramOfTheScript() throws IOException {
        Path program =
                cache.resolve("flotilla/helm").resolve(HelmBinary.VERSION).resolve("helm");
        Files.createDirectories(program.getParent());
        assertThat(HelmBinary.find(environment())).isEmpty();

        Files.createFile(program);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(HelmBinary.find(environment())).contains(new HelmBinary(program));
    }

    @Test
    void reportsThatHelmIsMissing() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();

        assertThat(HelmBinary.present(environment(), new PrintStream(output))).isFalse();

        assertThat(output).hasToString(HelmBinary.MISSING + System.lineSeparator());
    }

    @Test
    void failsIfHelmIsRequiredAndMissing() {
        Map<String, String> strict = Map.of("XDG_CACHE_HOME", cache.toString(), "FLOTILLA_KUBE", "required");

        assertThatThrownBy(() -> HelmBinary.present(strict, System.err)).hasMessageContaining("testkit/helm/build");
    }

    private Map<String, String> environment() {
        return Map.of("XDG_CACHE_HOME", cache.toString());
    }
}
