package dev.flotilla.nodeupgrader.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeupgrader.contract.StepState;
import dev.flotilla.nodeupgrader.report.NodeReport;
import dev.flotilla.nodeupgrader.report.StepReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of an upgrade's containers, run by a real shell on this machine in place of a node. */
class StepScriptTest {
    private static final long TIMEOUT_SECONDS = 60;

    @TempDir
    private Path folder;

    private final Map<String, String> variables = new TreeMap<>();

    @BeforeEach
    void fakeNode() throws Exception {
        Path programs = Files.createDirectories(folder.resolve("bin"));
        Path nsenter = Files.writeString(
                programs.resolve("nsenter"), "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n");
        assertThat(nsenter.toFile().setExecutable(true)).isTrue();
        variables.put("PATH", programs + ":" + System.getenv("PATH"));
        variables.put("FLOTILLA_ROOT", "");
        variables.put("FLOTILLA_NAME", "w-1-abc-7");
        variables.put("FLOTILLA_DIR", folder.resolve("state/w-1-abc-7").toString());
        variables.put("FLOTILLA_STEPS", "one two");
        variables.put("FLOTILLA_REBOOTS", "");
        variables.put("FLOTILLA_DEADLINE", "4000000000");
        variables.put("FLOTILLA_TIMEOUT", "30");
        variables.put("FLOTILLA_PERMANENT", "3");
        variables.put("FLOTILLA_RETRY_PAUSE", "0");
        variables.put("FLOTILLA_POLL", "0.05");
        variables.put("FLOTILLA_TERMINATION", folder.resolve("termination").toString());
        variables.put("FLOTILLA_SUPERVISOR", resource("supervise.sh"));
        script("echo ran >>" + folder.resolve("ran"));
    }

    private static String resource(String file) throws Exception {
        try (var in = Objects.requireNonNull(
                StepScriptTest.class.getResourceAsStream("/dev/flotilla/nodeupgrader/" + file))) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    private void script(String text) {
        variables.put("FLOTILLA_SCRIPT", text);
    }

    private Process start(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of("sh", "-c", resource("step.sh"), "flotilla-step"), Stream.of(arguments))
                        .toList());
        builder.environment().clear();
        builder.environment().putAll(variables);
        builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        return builder.start();
    }

    private static int exitOf(Process process) throws Exception {
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private int run(String... arguments) throws Exception {
        return exitOf(start(arguments));
    }

    private NodeReport report() throws Exception {
        assertThat(run("report")).isZero();
        NodeReport report = NodeReport.parse(Files.readString(folder.resolve("termination")));
        assertThat(report).as(Files.readString(folder.resolve("output"))).isNotNull();
        return report;
    }

    private StepReport step(String name) throws Exception {
        return report().steps().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private long timesRun() throws Exception {
        Path ran = folder.resolve("ran");
        return Files.exists(ran) ? Files.readAllLines(ran).size() : 0;
    }

    private void awaitFile(Path file) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!Files.exists(file)) {
            assertThat(System.nanoTime()).as("waiting for " + file).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private Path tryFile(String step, int number, String file) {
        return folder.resolve("state/w-1-abc-7/" + step + "/" + number + "/" + file);
    }

    @Test
    void removesOldFoldersOfOtherUpgradesAndNeverItsOwn() throws Exception {
        assertThat(run("run", "one")).isZero();
        Path own = folder.resolve("state/w-1-abc-7");
        Path other = Files.createDirectories(folder.resolve("state/w-1-abc-6/one/1"))
                .getParent()
                .getParent();
        // As a clock that was set forward shows them.
        FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(40)));
        Files.setLastModifiedTime(own, old);
        Files.setLastModifiedTime(other, old);
        Files.createDirectory(own.resolve("two"));
        Files.setLastModifiedTime(own, old);
        assertThat(run("run", "two")).isZero();
        assertThat(other).doesNotExist();
        assertThat(step("one").tries()).isEqualTo(1);
        assertThat(timesRun()).isEqualTo(2);
    }

    @Test
    void runsAStepOnceAndReportsItsResult() throws Exception {
        Instant before = Instant.now().minusSeconds(1);
        assertThat(run("run", "one")).isZero();
        assertThat(timesRun()).isEqualTo(1);
        NodeReport report = report();
        assertThat(report.at()).isAfter(before);
        assertThat(report.steps()).extracting(StepReport::name).containsExactly("one", "two");
        assertThat(report.steps())
                .extracting(StepReport::state)
                .containsExactly(StepState.SUCCEEDED, StepState.WAITING);
        assertThat(report.steps().getFirst().since()).isAfter(before);
        assertThat(report.steps().getFirst().exitCode()).isZero();
    }

    @Test
    void readsTheStateOfAStepThatHasEndedAndDoesNotRepeatIt() throws Exception {
        run("run", "one");
        assertThat(run("run", "one")).isZero();
        assertThat(timesRun()).isEqualTo(1);
    }

    @Test
    void endOfTheContainerDoesNotEndTheStepAndTheNextContainerWatchesIt() throws Exception {
        Path go = folder.resolve("go");
        script("echo ran >>" + folder.resolve("ran") + "; until [ -f " + go + " ]; do sleep 0.05; done");
        Process first = start("run", "one");
        awaitFile(folder.resolve("ran"));
        first.destroyForcibly();
        exitOf(first);
        assertThat(step("one").state()).isEqualTo(StepState.RUNNING);
        Process second = start("run", "one");
        Files.writeString(go, "");
        assertThat(exitOf(second)).isZero();
        assertThat(timesRun()).isEqualTo(1);
        assertThat(step("one").state()).isEqualTo(StepState.SUCCEEDED);
    }

    @Test
    void startsAStepOnceWhenTwoContainersRunIt() throws Exception {
        Process first = start("run", "one");
        Process second = start("run", "one");
        assertThat(exitOf(first)).isZero();
        assertThat(exitOf(second)).isZero();
        assertThat(timesRun()).isEqualTo(1);
    }

    @Test
    void repeatsAStepWithAnUnknownExitCodeThreeTimes() throws Exception {
        script("echo ran >>" + folder.resolve("ran") + "; exit 9");
        assertThat(run("run", "one")).isEqualTo(75);
        assertThat(timesRun()).isEqualTo(3);
        assertThat(step("one").exitCode()).isEqualTo(9);
        assertThat(step("one").tries()).isEqualTo(3);
        assertThat(run("run", "one")).as("in the next pod").isEqualTo(75);
        assertThat(timesRun()).isEqualTo(3);
    }

    @Test
    void doesNotRepeatAStepWithAPermanentExitCode() throws Exception {
        script("echo ran >>" + folder.resolve("ran") + "; exit 3");
        assertThat(run("run", "one")).isEqualTo(70);
        assertThat(timesRun()).isEqualTo(1);
    }

    @Test
    void succeedsWhenALaterTrySucceeds() throws Exception {
        script("echo ran >>" + folder.resolve("ran") + "; [ $(wc -l <" + folder.resolve("ran") + ") -ge 2 ]");
        assertThat(run("run", "one")).isZero();
        assertThat(step("one").tries()).isEqualTo(2);
    }

    @Test
    void stepThatTakesTooLongIsEnded() throws Exception {
        variables.put("FLOTILLA_TIMEOUT", "1");
        variables.put("FLOTILLA_MAX_TRIES", "1");
        script("exec sleep 1000");
        assertThat(run("run", "one")).isEqualTo(75);
        assertThat(step("one").exitCode()).isEqualTo(124);
    }

    @Test
    void startsNothingAfterTheDeadline() throws Exception {
        variables.put("FLOTILLA_DEADLINE", "1");
        assertThat(run("run", "one")).isEqualTo(71);
        assertThat(timesRun()).isZero();
    }

    @Test
    void endsBetweenTwoTriesWhenItIsTerminated() throws Exception {
        variables.put("FLOTILLA_RETRY_PAUSE", "1000");
        script("echo ran >>" + folder.resolve("ran") + "; exit 9");
        Process container = start("run", "one");
        awaitFile(tryFile("one", 1, "end"));
        container.destroy();
        assertThat(exitOf(container)).isEqualTo(143);
        assertThat(timesRun()).isEqualTo(1);
        assertThat(step("one").state()).isEqualTo(StepState.FAILED);
    }

    @Test
    void stepWhoseProcessesWereKilledIsTriedAgain() throws Exception {
        script("echo ran >>" + folder.resolve("ran") + "; [ $(wc -l <" + folder.resolve("ran")
                + ") -ge 2 ] || exec sleep 1000");
        Process container = start("run", "one");
        awaitFile(tryFile("one", 1, "child"));
        awaitFile(folder.resolve("ran"));
        long supervisor =
                Long.parseLong(Files.readString(tryFile("one", 1, "start")).split(" ")[0]);
        ProcessHandle handle = ProcessHandle.of(supervisor).orElseThrow();
        Stream.concat(Stream.of(handle), handle.descendants().toList().stream())
                .forEach(ProcessHandle::destroyForcibly);
        assertThat(exitOf(container)).isZero();
        assertThat(timesRun()).isEqualTo(2);
        assertThat(Files.readString(tryFile("one", 1, "end"))).startsWith("137 ");
    }

    @Test
    void rebootIsProvenByAnotherBootId() throws Exception {
        variables.put("FLOTILLA_REBOOTS", "one:600");
        Process container = start("run", "one");
        awaitFile(tryFile("one", 1, "end"));
        assertThat(step("one").state()).as("the command has ended").isEqualTo(StepState.RUNNING);
        container.destroy();
        exitOf(container);
        reboot();
        assertThat(run("run", "one")).isZero();
        assertThat(timesRun()).isEqualTo(1);
    }

    @Test
    void rebootThatDoesNotComeIsAFailure() throws Exception {
        variables.put("FLOTILLA_REBOOTS", "one:0");
        variables.put("FLOTILLA_MAX_TRIES", "1");
        assertThat(run("run", "one")).isEqualTo(75);
        assertThat(step("one").exitCode()).isEqualTo(124);
    }

    @Test
    void stepThatARebootInterruptsIsTriedAgain() throws Exception {
        script("echo ran >>" + folder.resolve("ran") + "; [ $(wc -l <" + folder.resolve("ran")
                + ") -ge 2 ] || exec sleep 1000");
        Process container = start("run", "one");
        awaitFile(tryFile("one", 1, "child"));
        awaitFile(folder.resolve("ran"));
        container.destroyForcibly();
        exitOf(container);
        long child = Long.parseLong(Files.readString(tryFile("one", 1, "child")).split(" ")[0]);
        long supervisor =
                Long.parseLong(Files.readString(tryFile("one", 1, "start")).split(" ")[0]);
        ProcessHandle handle = ProcessHandle.of(supervisor).orElseThrow();
        Stream.concat(Stream.of(handle), handle.descendants().toList().stream())
                .forEach(ProcessHandle::destroyForcibly);
        assertThat(child).isPositive();
        String start = Files.readString(tryFile("one", 1, "start"));
        Files.writeString(tryFile("one", 1, "start"), start.replaceFirst("[0-9a-f]{8}-", "00000000-"));
        assertThat(step("one").state()).isEqualTo(StepState.FAILED);
        assertThat(run("run", "one")).isZero();
        assertThat(timesRun()).isEqualTo(2);
    }

    @Test
    void tryThatNeverBeganIsGivenUpAndCannotBeginLater() throws Exception {
        Files.createDirectories(tryFile("one", 1, "start").getParent());
        variables.put("FLOTILLA_START_GRACE", "0");
        assertThat(run("run", "one")).isZero();
        assertThat(timesRun()).isEqualTo(1);
        assertThat(step("one").tries()).isEqualTo(2);
        Process late = new ProcessBuilder(
                        "sh",
                        "-c",
                        resource("supervise.sh"),
                        "supervise",
                        tryFile("one", 1, "start").getParent().toString(),
                        "30",
                        "unit")
                .start();
        assertThat(exitOf(late)).isZero();
        assertThat(timesRun()).isEqualTo(1);
    }

    @Test
    void tryThatIsReportedAsFailedCannotBeginLater() throws Exception {
        Files.createDirectories(tryFile("one", 1, "start").getParent());
        variables.put("FLOTILLA_START_GRACE", "0");
        assertThat(step("one").state()).isEqualTo(StepState.FAILED);
        Path script = Files.writeString(
                tryFile("one", 1, "start").resolve("../../script").normalize(), "");
        Files.writeString(script, "echo ran >>" + folder.resolve("ran"));
        Process late = new ProcessBuilder(
                        "sh",
                        "-c",
                        resource("supervise.sh"),
                        "supervise",
                        tryFile("one", 1, "start").getParent().toString(),
                        "30",
                        "unit")
                .start();
        assertThat(exitOf(late)).isZero();
        assertThat(timesRun())
                .as("after the report that may have ended the upgrade")
                .isZero();
    }

    @Test
    void startsNothingOnAnotherMachineThatHasTheNodesName() throws Exception {
        Path id = Files.writeString(folder.resolve("machine-id"), "other\n");
        variables.put("FLOTILLA_MACHINE_ID", "first");
        variables.put("FLOTILLA_MACHINE_ID_FILE", id.toString());
        assertThat(run("run", "one")).isEqualTo(72);
        assertThat(timesRun()).isZero();
        Files.writeString(id, "first\n");
        assertThat(run("run", "one")).isZero();
        Files.writeString(id, "after a reboot\n");
        assertThat(run("run", "two")).as("its files are there").isZero();
        assertThat(timesRun()).isEqualTo(2);
    }

    /** systemd is played: it starts the program of the unit in the background, with what is given of its environment. */
    @Test
    void stepIsATransientUnitWhereThereIsSystemd() throws Exception {
        variables.put("FLOTILLA_ROOT", folder.resolve("root").toString());
        Files.createDirectories(folder.resolve("root/run/systemd/system"));
        Files.createDirectories(folder.resolve("root/var/lib"));
        Path inRoot = folder.resolve("root" + folder);
        Files.createDirectories(inRoot.getParent());
        Files.createSymbolicLink(inRoot, folder);
        script("echo \"$HOME $FLOTILLA_UNIT\" >>" + folder.resolve("ran"));
        Files.writeString(folder.resolve("bin/nsenter"), """
                #!/bin/sh
                while [ "$1" != -- ]; do shift; done
                shift
                case "$*" in
                  *'command -v systemd-run'*) exit 0 ;;
                  *systemd-run*) ;;
                  *) exit 1 ;;
                esac
                while [ "$1" != systemd-run ]; do shift; done
                while [ "$1" != /bin/sh ]; do
                  [ "$1" != --unit ] || unit=$2
                  [ "$1" != --setenv ] || export "$2"
                  shift
                done
                FLOTILLA_UNIT=$unit setsid "$@" </dev/null >/dev/null 2>&1 &
                """);
        assertThat(run("run", "one")).isZero();
        assertThat(Files.readString(folder.resolve("ran"))).isEqualTo("/root flotilla-w-1-abc-7-one-1\n");
    }

    @Test
    void stepThatCannotBeStartedOnTheNodeFailsAtOnce() throws Exception {
        Files.writeString(folder.resolve("bin/nsenter"), "#!/bin/sh\necho nsenter: not permitted >&2\nexit 1\n");
        assertThat(run("run", "one")).isEqualTo(75);
        assertThat(step("one").exitCode()).isEqualTo(126);
        assertThat(timesRun()).isZero();
    }

    @Test
    void tryThatMayJustBeginIsWaitedFor() throws Exception {
        Files.createDirectories(tryFile("one", 1, "start").getParent());
        assertThat(step("one").state()).isEqualTo(StepState.RUNNING);
    }

    @Test
    void messageOfAFailedStepIsReportedAndItsOutputIsNot() throws Exception {
        script("printf 'disk \"full\"\\n\\\\' >" + folder.resolve("state/w-1-abc-7/one/message")
                + "; echo secret; exit 3");
        run("run", "one");
        assertThat(report().message()).contains("disk  full").doesNotContain("secret");
        assertThat(Files.readString(folder.resolve("output"))).doesNotContain("secret");
        assertThat(Files.readString(tryFile("one", 1, "log"))).contains("secret");
    }

    private void reboot() throws Exception {
        Path other = Files.writeString(folder.resolve("boot"), "11111111-2222-3333-4444-555555555555\n");
        variables.put("FLOTILLA_BOOT_ID", other.toString());
    }

    @Test
    void waitsForTheStepOfAnotherUpgrade() throws Exception {
        Path go = folder.resolve("go");
        Path began = folder.resolve("began");
        script("touch " + began + "; until [ -f " + go + " ]; do sleep 0.05; done; echo first >>"
                + folder.resolve("ran"));
        Process first = start("run", "one");
        awaitFile(began);
        first.destroyForcibly().waitFor();
        variables.put("FLOTILLA_NAME", "w-1-abc-8");
        variables.put("FLOTILLA_DIR", folder.resolve("state/w-1-abc-8").toString());
        script("echo second >>" + folder.resolve("ran"));
        // The first step ends after the second upgrade's container has looked for its end again and again.
        variables.put("FLOTILLA_POLL", "0.07");
        Path looked = folder.resolve("looked");
        Path sleep = Files.writeString(folder.resolve("bin/sleep"), """
                #!/bin/sh
                if [ "$1" = 0.07 ]; then
                  echo >>%1$s
                  [ "$(wc -l <%1$s)" -lt 20 ] || touch %2$s
                fi
                exec /bin/sleep "$1"
                """.formatted(looked, go));
        assertThat(sleep.toFile().setExecutable(true)).isTrue();
        assertThat(run("run", "one")).isZero();
        assertThat(Files.readAllLines(folder.resolve("ran"))).containsExactly("first", "second");
    }
}
