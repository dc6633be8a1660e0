package dev.flotilla.testkit.clusterapi;

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

class ClusterApiBinariesTest {
    private static final Path BUILD = Path.of("capi/build").toAbsolutePath();

    @TempDir
    Path cache;

    @Test
    void folderIsTheOneOfTheBuildScript() throws Exception {
        Process script = new ProcessBuilder(BUILD.toString(), "--where").start();
        String folder = script.inputReader().readLine();

        assertThat(script.waitFor()).isZero();
        assertThat(folder).endsWith("/flotilla/capi/" + ClusterApiRelease.NEWEST.folder());
    }

    @Test
    void buildNamesThePartsThatThereAre() throws Exception {
        Process script = new ProcessBuilder(BUILD.toString(), "capi").start();

        assertThat(script.waitFor()).isEqualTo(2);
        String message = script.errorReader().readLine();
        for (ClusterApiProvider manager : ClusterApiProvider.values()) {
            assertThat(message).contains(" " + manager.program());
        }
    }

    @Test
    void incompleteBuildDoesNotCount() throws IOException {
        Path folder =
                Files.createDirectories(cache.resolve("flotilla/capi").resolve(ClusterApiRelease.NEWEST.folder()));
        for (ClusterApiProvider manager : ClusterApiProvider.values()) {
            assertThat(ClusterApiBinaries.find(environment())).isEmpty();
            Path program = Files.createFile(folder.resolve(manager.program()));
            assertThat(program.toFile().setExecutable(true)).isTrue();
        }
        assertThat(ClusterApiBinaries.find(environment())).contains(new ClusterApiBinaries(folder));
    }

    @Test
    void reportsThatBinariesAreMissing() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();

        assertThat(ClusterApiBinaries.present(environment(), new PrintStream(output)))
                .isFalse();

        assertThat(output).hasToString(ClusterApiBinaries.MISSING + System.lineSeparator());
    }

    @Test
    void failsIfRequiredBinariesAreMissing() {
        Map<String, String> strict = Map.of("XDG_CACHE_HOME", cache.toString(), "FLOTILLA_CAPI", "required");

        assertThatThrownBy(() -> ClusterApiBinaries.present(strict, System.err))
                .hasMessageContaining("testkit/capi/build");
    }

    private Map<String, String> environment() {
        return Map.of("XDG_CACHE_HOME", cache.toString());
    }
}
