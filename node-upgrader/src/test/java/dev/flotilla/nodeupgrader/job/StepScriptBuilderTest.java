package dev.flotilla.nodeupgrader.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeupgrader.SampleUpgrades;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepScriptBuilderTest {

    private static String run(String script) throws Exception {
        Process process =
                new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void commandGetsItsArgumentsUnchanged() throws Exception {
        List<String> command = List.of("printf", "%s|", "two words", "it's", "$HOME `id` \"x\" \\", "", "line\nbreak");
        assertThat(run(StepScriptBuilder.build(SampleUpgrades.nodeUpgrade(), SampleUpgrades.step("one", command))))
                .isEqualTo("two words|it's|$HOME `id` \"x\" \\||line\nbreak|");
    }

    @Test
    void environmentSaysWhatIsUpgradedToWhat() throws Exception {
        assertThat(run(StepScriptBuilder.build(
                        SampleUpgrades.nodeUpgrade(), SampleUpgrades.step("one", List.of("env")))))
                .contains(
                        "FLOTILLA_TARGET=version=v1.36.3\n",
                        "FLOTILLA_VERSION=v1.36.3\n",
                        "FLOTILLA_ROLE=worker\n",
                        "FLOTILLA_NODE=w-1\n",
                        "FLOTILLA_MACHINE=w-1\n",
                        "FLOTILLA_ATTEMPT=7\n");
    }
}
