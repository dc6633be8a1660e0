package dev.flotilla.clusterapi.delegate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DelegateFileTest {
    @TempDir
    private Path folder;

    private Path file(String delegates) throws IOException {
        Path ca = Files.writeString(folder.resolve("ca.crt"), "");
        return Files.writeString(
                folder.resolve("delegates.yaml"), "delegates:\n" + delegates.replace("CA", ca.toString()));
    }

    @Test
    void readsWhoIsCalledForWhichFields() throws Exception {
        UpdateDelegate delegate = DelegateFile.read(file("""
                - name: memory
                  url: https://memory-updater.vendor.svc/prefix/
                  caFile: CA
                  covers: [{kind: VSphereMachine, paths: [memoryMiB, disks.size]}]
                """)).getFirst();
        assertThat(delegate.hookUrl())
                .isEqualTo(
                        "https://memory-updater.vendor.svc/prefix/hooks.runtime.cluster.x-k8s.io/v1alpha1/updatemachine/"
                                + "update-machine");
        assertThat(delegate.covers()).hasToString("[CoveredKind[kind=VSphereMachine, paths=[memoryMiB, disks.size]]]");
    }

    @Test
    void allProblemsAreNamed() throws Exception {
        Path wrong = file("""
                - {name: Memory, url: 'http://a.svc', caFile: /none, covers: [{kind: VSphereMachineTemplate, paths: ['a..b']}]}
                - {name: x, url: 'https://a.svc/?q=1', caFile: CA, covers: [], color: red}
                """);
        assertThatThrownBy(() -> DelegateFile.read(wrong))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(
                        "delegates[0].name",
                        "https",
                        "does not exist",
                        "no template",
                        "no path below spec",
                        "delegates[1].url",
                        "color");
        Path twice = file("""
                - {name: x, url: 'https://a.svc', caFile: CA, covers: []}
                - {name: x, url: 'https://b.svc', caFile: CA, covers: []}
                """);
        assertThatThrownBy(() -> DelegateFile.read(twice)).hasMessageContaining("two delegates have the name x");
    }
}
