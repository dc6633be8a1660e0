package dev.flotilla.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DemoOptionsTest {
    @Test
    void rejectsRealKubernetesWithoutItsProgramsAndSaysHowToBuildThem() {
        assertThat(DemoOptions.findMissingPrograms("real", Optional.empty()))
                .contains("never built", "testkit/kube/build");
        assertThat(DemoOptions.findMissingPrograms("real", Optional.of(new KubeBinaries(Path.of("kube")))))
                .isNull();
        assertThat(DemoOptions.findMissingPrograms("embedded", Optional.empty()))
                .isNull();
    }
}
