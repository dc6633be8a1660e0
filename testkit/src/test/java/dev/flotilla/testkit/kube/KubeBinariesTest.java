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
    void folderIsTheOneOfTheBuildScript() throws Exception {
        Process script = new ProcessBuilder(BUILD.toString(), "--where").start();
        String folder = script.inputReader().readLine();

        assertThat(script.waitFor()).isZero();
        assertThat(folder).endsWith("/flotilla/kube/" + KubeBinaries.VERSIONS);
    }

    @Test
    void incompleteBuildDoesNotCount() throws IOException {
        Path folder = cache.resolve("flotilla/kube").resolve(KubeBinaries.VERSIONS);
        Files.createDirectories(folder);
        for (String program : new String[] {"etcd", "kube-apiserver", "kube-controller-manager"}) {
            executable(folder.resolve(program));
        }
        assertThat(KubeBinaries.find(environment())).isEmpty();

        executable(folder.resolve("kwok"));
        assertThat(KubeBinaries.find(environment())).contains(new KubeBinaries(folder));
    }

    @Test
    void reportsThatBinariesAreMissing() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();

        assertThat(KubeBinaries.present(false, environment(), new PrintStream(output)))
                .isFalse();

        assertThat(output).hasToString(KubeBinaries.MISSING + System.lineSeparator());
    }

    @Test
    void kubectlIsRequiredOnlyOnRequest() throws IOException {
        Path folder = Files.createDirectories(cache.resolve("flotilla/kube").resolve(KubeBinaries.VERSIONS));
        for (String program : new String[] {"etcd", "kube-apiserver", "kube-controller-manager", "kwok"}) {
            executable(folder.resolve(program));
        }

        assertThat(KubeBinaries.present(false, environment(), System.err)).isTrue();
        assertThat(KubeBinaries.present(true, environment(), System.err)).isFalse();

        executable(folder.resolve("kubectl"));
        assertThat(KubeBinaries.present(true, environment(), System.err)).isTrue();
    }

    @Test
    void failsIfRequiredBinariesAreMissing() {
        Map<String, String> strict = Map.of("XDG_CACHE_HOME", cache.toString(), "FLOTILLA_KUBE", "required");

        assertThatThrownBy(() -> KubeBinaries.present(false, strict, System.err))
                .hasMessageContaining("testkit/kube/build");
    }

    private Map<String, String> environment() {
        return Map.of("XDG_CACHE_HOME", cache.toString());
    }

    private static void executable(Path file) throws IOException {
        Files.createFile(file);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
