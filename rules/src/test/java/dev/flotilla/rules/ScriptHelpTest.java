package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts that people start by hand explain themselves. */
class ScriptHelpTest {
    private static final String BASH = "#!/usr/bin/env bash\n";

    /** Programs of nodes and of the plugin of kubectl. */
    private static final Set<String> STARTED_BY_PROGRAMS = Set.of(
            "deploy/krew/kubectl-flotilla",
            "deploy/krew/kubectl_complete-flotilla",
            "testkit/node/node/init",
            "testkit/node/node/root",
            "testkit/node/node/supervise",
            "testkit/node/node/systemctl");

    @TempDir
    private Path folder;

    @Test
    void everyScriptHasHelpThatNamesIt() throws Exception {
        List<String> scripts = scripts();
        assertThat(scripts).hasSizeGreaterThan(20).contains("deploy/bundle", "testkit/kube/build", ".ci/nightly");
        Path output = folder.resolve("output");
        for (String script : scripts) {
            Process process = new ProcessBuilder("./" + script, "--help")
                    .directory(SourceTree.ROOT.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(output.toFile())
                    .start();
            // One without help would build for minutes.
            boolean isOver = process.waitFor(1, TimeUnit.MINUTES);
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            assertThat(isOver).as("%s --help ends", script).isTrue();
            String help = Files.readString(output);
            assertThat(process.exitValue()).as("%s --help: %s", script, help).isZero();
            assertThat(help).as("%s --help", script).contains(script.substring(script.lastIndexOf('/') + 1));
            assertThat(help.lines())
                    .as("lines of %s --help", script)
                    .hasSizeBetween(3, 40)
                    .noneMatch(line -> line.startsWith("set "));
        }
    }

    private static List<String> scripts() throws IOException {
        try (Stream<Path> deploy = Files.walk(SourceTree.ROOT.resolve("deploy"));
                Stream<Path> testkit = Files.walk(SourceTree.ROOT.resolve("testkit"))) {
            return Stream.concat(Stream.concat(deploy, testkit), Stream.of(SourceTree.ROOT.resolve(".ci/nightly")))
                    .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file) && isBash(file))
                    .map(file -> SourceTree.ROOT.relativize(file).toString())
                    .filter(file -> !file.contains("/target/") && !STARTED_BY_PROGRAMS.contains(file))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isBash(Path file) {
        try {
            byte[] content = Files.readAllBytes(file);
            return new String(content, 0, Math.min(BASH.length(), content.length), StandardCharsets.UTF_8).equals(BASH);
        } catch (IOException e) {
            throw new IllegalStateException(file + " cannot be read", e);
        }
    }
}
