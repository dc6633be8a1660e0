package dev.flotilla.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeScriptsTest {
    private static final String REASON = "this machine cannot run nodes: cgroup v2 alone";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    @Test
    void nodesAreUsableIfTheCheckSucceeds() throws IOException {
        script("check", "exit 0");

        assertThat(isUsable(Map.of())).isTrue();

        assertThat(output).hasToString("");
    }

    @Test
    void printsTheReasonsWhyNodesCannotRun() throws IOException {
        script("check", "echo '" + REASON + "' >&2; exit 3");

        assertThat(isUsable(Map.of())).isFalse();

        assertThat(output).hasToString("SKIPPED: " + REASON + System.lineSeparator());
    }

    @Test
    void failsWithTheReasonsIfNodesAreRequired() throws IOException {
        script("check", "echo '" + REASON + "' >&2; exit 3");

        assertThatThrownBy(() -> isUsable(Map.of("FLOTILLA_NODE", "required")))
                .hasMessage("FLOTILLA_NODE=required, but " + REASON);
    }

    @Test
    void scriptsAreFoundFromAnyModule() {
        assertThat(NodeScripts.find().folder().resolve("up")).isExecutable();
    }

    @Test
    void everyScriptHasHelp() {
        for (String name : new String[] {"build", "images", "check", "up", "down", "enter"}) {
            NodeScripts.Result help = NodeScripts.find().run(name, "--help");

            assertThat(help.exitCode()).as(name).isZero();
            assertThat(help.output()).contains("testkit/node/" + name, "Exit codes: ");
        }
    }

    @Test
    void wrongOptionIsRejectedBeforeAnythingStarts() {
        NodeScripts.Result even = NodeScripts.find().run("up", "--control-planes", "2");

        assertThat(even.exitCode()).isEqualTo(2);
        assertThat(even.output()).contains("--control-planes 2", "1, 3 or 5");
    }

    @Test
    void versionsAreThoseThatAreBuilt() {
        String parts = NodeScripts.find().run("build", "--list").output();

        assertThat(Arrays.stream(parts.split("\n"))
                        .filter(part -> part.endsWith("/kubelet"))
                        .sorted())
                .containsExactly(
                        "kubernetes-" + KubeadmCluster.FIRST_VERSION + "/kubelet",
                        "kubernetes-" + KubeadmCluster.SECOND_VERSION + "/kubelet");
    }

    private boolean isUsable(Map<String, String> environment) {
        return new NodeScripts(folder).isUsable(environment, new PrintStream(output));
    }

    private void script(String name, String body) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
