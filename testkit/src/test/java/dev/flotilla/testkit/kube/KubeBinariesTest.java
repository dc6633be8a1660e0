package dev.flotilla.testkit.kube;

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

class KubeBinariesTest {
    private static final Path BUILD = Path.of("kube/build").toAbsolutePath();

    @TempDir
    Path cache;

    @Test
    void areLookedForWhereTheScriptPutsThem() throws Exception {
        Process script = new ProcessBuilder(BUILD.toString(), "--where").start();
        String folder = script.inputReader().readLine();

        assertThat(script.waitFor()).isZero();
        assertThat(folder).endsWith("/flotilla/kube/" + KubeBinaries.VERSIONS);
    }

    @Test
    void aPartOfThemIsNone() throws IOException {
        Path folder = cache.resolve("flotilla/kube").resolve(KubeBinaries.VERSIONS);
        Files.createDirectories(folder);
        for (String each : new String[] {"etcd", "kube-apiserver", "kube-controller-manager"}) {
            executable(folder.resolve(each));
        }
        assertThat(KubeBinaries.find(environment())).isEmpty();

        executable(folder.resolve("kwok"));
        assertThat(KubeBinaries.find(environment())).contains(new KubeBinaries(folder));
    }

    @Test
    void theirLackIsSaidLoudly() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();

        assertThat(KubeBinaries.present(environment(), new PrintStream(said))).isFalse();

        assertThat(said).hasToString(KubeBinaries.MISSING + System.lineSeparator());
    }

    @Test
    void theirLackFailsATestWhereTheyAreRequired() {
        Map<String, String> strict = Map.of("XDG_CACHE_HOME", cache.toString(), "FLOTILLA_KUBE", "required");

        assertThatThrownBy(() -> KubeBinaries.present(strict, System.err)).hasMessageContaining("testkit/kube/build");
    }

    private Map<String, String> environment() {
        return Map.of("XDG_CACHE_HOME", cache.toString());
    }

    private static void executable(Path file) throws IOException {
        Files.createFile(file);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
