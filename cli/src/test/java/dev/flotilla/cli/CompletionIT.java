package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Completion with the names of a fleet: of the program itself, in a real bash, and as a plugin of a real kubectl. */
class CompletionIT {
    @TempDir
    static Path folder;

    /** A loaded machine may need longer than a person would wait. */
    private static final String TIMEOUT = "flotilla.completion.seconds";

    private static KafkaFleetFixture fleet;

    @BeforeAll
    static void startFleet() throws IOException {
        System.setProperty(TIMEOUT, "60");
        fleet = new KafkaFleetFixture();
        fleet.run("site add east eagle north");
        fleet.startOrchestrator();
        fleet.run("policy apply " + CliResult.path("examples/policies/fleet.yaml"));
        fleet.publishInventory("east", 250);
        fleet.until("machine list", listed -> listed.out().contains("k1-w-249"));
        for (CampaignName name : List.of(new CampaignName("spring"), new CampaignName("summer"))) {
            Path file = Files.writeString(folder.resolve(name + ".yaml"), """
                    apiVersion: flotilla.dev/v1
                    kind: Campaign
                    metadata: {name: %s}
                    spec:
                      target: {option: 'channel=1.33-classic/stable'}
                      select: {}
                      waves: [{name: all}]
                    """.formatted(name));
            assertThat(fleet.run("campaign apply " + file).exit()).isZero();
        }
        installPlugin();
    }

    @AfterAll
    static void stop() {
        System.clearProperty(TIMEOUT);
        fleet.close();
    }

    /** The scripts beside a program {@code flotilla} that runs the classes under test. */
    private static void installPlugin() throws IOException {
        Files.writeString(folder.resolve("flotilla"), """
                #!/bin/sh
                exec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -D%s=60 -Dflotilla.command="${FLOTILLA_COMMAND:-flotilla}" \\
                  dev.flotilla.cli.Main "$@"
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"), TIMEOUT));
        for (String script : List.of("kubectl-flotilla", "kubectl_complete-flotilla")) {
            Files.copy(CliResult.ROOT.resolve("deploy/krew").resolve(script), folder.resolve(script));
        }
        for (String script : List.of("flotilla", "kubectl-flotilla", "kubectl_complete-flotilla")) {
            Files.setPosixFilePermissions(folder.resolve(script), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static List<String> complete(String... words) {
        List<String> all = new ArrayList<>(List.of("__complete"));
        all.addAll(List.of(words));
        CliResult completed = CliResult.flotilla(all.toArray(new String[0]));
        assertThat(completed.exit()).isZero();
        assertThat(completed.err()).isEmpty();
        return completed.out().lines().toList();
    }

    @ParameterizedTest
    @CsvSource({
        "campaign get,, spring summer :4",
        "campaign pause --reason look, su, summer :4",
        "campaign skip spring, n, north/ :6",
        "site check, ea, eagle east :4",
        "site freeze --reason look, n, north :4",
        "site add, ea, :4",
        "machine get, ea, eagle/ east/ :6",
        "machine explain, east/fleet/k1-w-24, east/fleet/k1-w-24 east/fleet/k1-w-240 east/fleet/k1-w-241 east/fleet/k1-w-242"
                + " east/fleet/k1-w-243 east/fleet/k1-w-244 east/fleet/k1-w-245 east/fleet/k1-w-246 east/fleet/k1-w-247"
                + " east/fleet/k1-w-248 east/fleet/k1-w-249 :4",
        "machine explain, nowhere/, :4",
        "machine list --site, ea, eagle east :4",
        "machine list, --site=ea, eagle east :4",
        "machine list --site east --campaign, s, spring summer :4",
        "machine list --state, qu, quarantined :4",
        "machine list --state=in-flight --gate, cap-c, cap-campaign cap-cluster :4"
    })
    void offersNames(String command, String typed, String expected) {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of("--bootstrap", fleet.bootstrap()));
        // An option that waits for its value stays last.
        if (words.get(words.size() - 3).startsWith("--")) {
            String open = command.substring(command.lastIndexOf(' ') + 1);
            words.remove(words.lastIndexOf(open));
            words.add(open);
        }
        words.add(typed == null ? "" : typed);

        assertThat(complete(words.toArray(new String[0]))).containsExactly(expected.split(" "));
    }

    @Test
    void offersAtMostSomeHundredNames() {
        assertThat(complete("machine", "get", "--bootstrap", fleet.bootstrap(), "east/"))
                .hasSize(201)
                .startsWith("east/fleet/k1-w-0", "east/fleet/k1-w-1", "east/fleet/k1-w-10")
                .endsWith(":4");
    }

    @Test
    void offersNothingWithoutABroker() {
        String away = "127.0.0.1:" + FreePorts.next();

        assertThat(complete("campaign", "get", "--bootstrap", away, "")).containsExactly(":4");
        assertThat(complete("machine", "get", "--bootstrap", away, "east/")).containsExactly(":4");
        assertThat(complete("campaign", "get", "")).containsExactly(":4");
        assertThat(complete("campaign", "get", "--bootstrap", "nonsense", "")).containsExactly(":4");
    }

    @Test
    void bashOffersCommandsOptionsAndNames() throws Exception {
        Path script = Files.writeString(
                folder.resolve("completion.bash"),
                CliResult.flotilla("completion", "bash").out());
        String offered = run("bash", "--norc", "-c", """
                # Works only while bash completes.
                compopt() { :; }
                source '%s'
                offer() {
                  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=$((${#COMP_LINE})) COMPREPLY=()
                  _complete_flotilla_with_names
                  echo "${COMPREPLY[*]}"
                }
                offer flotilla camp
                offer flotilla campaign get --outp
                offer flotilla campaign get --bootstrap %s s
                offer flotilla machine get --bootstrap %s no
                """.formatted(script, fleet.bootstrap(), fleet.bootstrap()));

        assertThat(offered.lines())
                .containsExactly("campaign campaign-controller", "--output", "spring summer", "north/");
    }

    @Test
    @EnabledIf(value = KubeBinaries.PRESENT_WITH_KUBECTL, disabledReason = KubeBinaries.MISSING)
    void kubectlRunsThePluginAndCompletesIt() throws Exception {
        String kubectl = KubeBinaries.find().orElseThrow().kubectl().toString();

        assertThat(run(kubectl, "plugin", "list")).contains("kubectl-flotilla").doesNotContain("warning");
        assertThat(run(kubectl, "flotilla", "--help"))
                .contains("Usage: kubectl flotilla ", "\n  kubectl flotilla version");
        assertThat(run(kubectl, "flotilla", "campaign", "get", "--help"))
                .contains("Usage: kubectl flotilla campaign get ", "  kubectl flotilla campaign get k8s-1-33\n");
        assertThat(run(kubectl, "flotilla", "campaign", "list", "--bootstrap", fleet.bootstrap()))
                .contains("spring", "summer");
        assertThat(run(kubectl, "flotilla", "campaign", "undo", "spring")).contains("undo is not in this version");
        assertThat(run(kubectl, "__complete", "flotilla", "camp").lines())
                .contains("campaign\tValidate, apply, watch and control campaigns.", ":4");
        assertThat(run(kubectl, "__complete", "flotilla", "campaign", "get", "--bootstrap", fleet.bootstrap(), "su")
                        .lines())
                .contains("summer", ":4")
                .doesNotContain("spring");
    }

    private static String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("FLOTILLA_"));
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
