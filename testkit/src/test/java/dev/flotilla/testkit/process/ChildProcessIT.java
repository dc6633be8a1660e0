package dev.flotilla.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessIT {
    @TempDir
    Path folder;

    @Test
    void jvmIsReadyOnceItHasPrintedItsAddress() throws Exception {
        try (ChildProcess jvm = startJvm(AddressPrintingMain.class.getName())) {
            assertThat(jvm.awaitAddress()).isEqualTo(URI.create("http://127.0.0.1:8080"));
            assertThat(jvm.isReady()).isTrue();
            jvm.sendLine("exit 7");
            assertThat(jvm.awaitLine("exit")).isEqualTo("read exit 7");
            assertThat(jvm.awaitExit()).isEqualTo(7);
            assertThat(jvm.hasCrashed()).isTrue();
            assertThat(jvm.isReady()).isFalse();
        }
    }

    @Test
    void failedStartShowsTheLog() {
        try (ChildProcess jvm = startJvm("no.such.Main")) {
            String failure = "child ended before it was ready; see " + folder.resolve("child.log");
            assertThatThrownBy(jvm::awaitAddress)
                    .hasMessageStartingWith(failure)
                    .hasMessageContaining("no.such.Main");
            assertThatThrownBy(() -> jvm.awaitLine("ready")).hasMessageStartingWith(failure);
        }
    }

    @Test
    void programThatEndsBeforeItIsReadyFailsWithItsOutput() {
        ChildProcess program =
                ChildProcess.startProgram("child", folder, List.of("sh", "-c", "echo $WORD"), Map.of("WORD", "broken"));
        assertThatThrownBy(() -> program.awaitReady(() -> false))
                .hasMessageContaining("ended before it was ready")
                .hasMessageEndingWith("\nbroken");
    }

    @Test
    void killedProcessHasNotCrashed() {
        ChildProcess program = ChildProcess.startProgram("child", folder, List.of("sleep", "600"), Map.of());
        assertThat(program.awaitReady(() -> true).isAlive()).isTrue();
        program.kill();
        assertThat(program.isAlive()).isFalse();
        assertThat(program.hasCrashed()).isFalse();
    }

    private ChildProcess startJvm(String main) {
        String classPath = ComponentClassPaths.own();
        return ChildProcess.startJvm(
                "child", folder, classPath, ChildProcess.quickStartOptions(classPath), main, List.of());
    }
}
