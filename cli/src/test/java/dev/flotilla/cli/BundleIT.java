package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.helm.HelmBinary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packages of the charts, with a real helm, and the bundle of an installation without the internet. The images and the command in it
 * are small files here: ImagesIT builds the real ones.
 */
@Tag("nightly")
@EnabledIf(value = HelmBinary.PRESENT, disabledReason = HelmBinary.MISSING)
class BundleIT {
    private static final String TAG = DeployManifestsTest.version();
    private static final List<String> ROLES = List.of(
            "orchestrator",
            "node-worker",
            "management-watcher",
            "cluster-api-extension",
            "node-upgrader",
            "auditor",
            "cli");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");
    private static final Pattern SCHEMA = Pattern.compile("\\$schema=(\\S+)");

    /** Where links lead to that only somebody with the sources follows. */
    private static final Pattern SOURCES = Pattern.compile("([a-z-]+/DESIGN|CONTRIBUTING)\\.md|\\.(ci|github)/.*"
            + "|deploy/(Containerfile|compare-builds|bundle|images/.*|krew|dashboards/recorded)");

    @TempDir
    private Path folder;

    private Path images;
    private Path command;
    private String architecture;

    @BeforeEach
    void writeParts() throws Exception {
        images = Files.createDirectories(folder.resolve("images"));
        command = Files.createDirectories(folder.resolve("command"));
        architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        for (String role : ROLES) {
            writeImage(role, architecture, "1a2b3c4d");
        }
        writeSums();
        Files.writeString(command.resolve("kubectl-flotilla-linux-" + architecture + ".tar.gz"), "the command");
    }

    /** Writes a file that has of an image what the bundle looks at. */
    private void writeImage(String role, String processor, String revision) throws Exception {
        String name = "flotilla-" + role;
        Files.writeString(
                images.resolve("manifest.json"),
                "[{\"Config\":\"config\",\"RepoTags\":[\"docker.io/library/" + name + ":" + TAG
                        + "\"],\"Layers\":[]}]\n");
        Files.writeString(
                images.resolve("config"),
                "{\"architecture\":\"" + processor + "\",\"os\":\"linux\",\"config\":{\"Labels\":{"
                        + "\"org.opencontainers.image.revision\":\"" + revision + "\"}}}\n");
        succeed(run(images, "tar", "-cf", name + ".tar", "manifest.json", "config"));
        Files.delete(images.resolve("manifest.json"));
        Files.delete(images.resolve("config"));
    }

    private void writeSums() throws Exception {
        succeed(run(images, "sh", "-c", "sha256sum flotilla-*.tar >SHA256SUMS"));
    }

    @Test
    void packagesRenderWhatTheFoldersRender() throws Exception {
        Path packages = folder.resolve("charts");
        succeed(run(CliResult.ROOT, "deploy/charts/package", "--output", packages.toString()));

        succeed(run(packages, "sha256sum", "-c", "SHA256SUMS"));
        for (HelmChart chart : List.of(HelmChart.CRDS, HelmChart.FLEET, HelmChart.SITE)) {
            CliResult rendered = HelmChart.helm(
                    Path.of("/dev/null"),
                    chart.folder().resolve("ci"),
                    List.of(
                            "template",
                            chart.name(),
                            packages.resolve(chart.name() + "-0.1.0.tgz").toString(),
                            "--namespace",
                            "flotilla",
                            "-f",
                            "everything-values.yaml"));
            assertThat(rendered.out())
                    .isNotBlank()
                    .isEqualTo(chart.template(
                                    "flotilla", "-f", chart.values("everything").toString())
                            .out());
        }
    }

    @Test
    void kindsAreATarballOfTheirOwn() throws Exception {
        Path packages = folder.resolve("charts");
        succeed(run(CliResult.ROOT, "deploy/charts/package", "--output", packages.toString(), "--version", "1.2.0"));
        assertThat(packages.resolve("flotilla-fleet-1.2.0.tgz")).exists();
        succeed(run(packages, "tar", "-xzf", "flotilla-crds-manifests-1.2.0.tar.gz"));

        Path manifests = packages.resolve("flotilla-crds-manifests-1.2.0");
        assertThat(manifests.resolve("hub/crds.yaml"))
                .hasSameTextualContentAs(CliResult.ROOT.resolve("deploy/campaign-controller/crds.yaml"));
        for (String kind : List.of("nodeupgrades", "nodeupgradetemplates", "upgradeplans", "upgradetasks")) {
            assertThat(manifests.resolve("site/" + kind + ".yaml"))
                    .hasSameTextualContentAs(CliResult.ROOT.resolve("deploy/crds/" + kind + ".yaml"));
        }
    }

    @Test
    void bundleHasAllPartsAndTheirSums() throws Exception {
        Path output = folder.resolve("output");
        Path bundle = unpacked();
        CliResult sums = run(bundle, "sha256sum", "-c", "SHA256SUMS");
        succeed(sums);
        assertThat(sums.out().lines())
                .contains(
                        "README.txt: OK",
                        "images/flotilla-cli.tar: OK",
                        "images/SHA256SUMS: OK",
                        "command/kubectl-flotilla-linux-" + architecture + ".tar.gz: OK",
                        "charts/flotilla-fleet-0.1.0.tgz: OK",
                        "charts/flotilla-crds-manifests-0.1.0.tar.gz: OK",
                        "docs/install.md: OK",
                        "examples/policies/fleet.yaml: OK");
        assertThat(bundle.resolve("README.txt"))
                .content()
                .contains(
                        "     docker.io/library/flotilla-cli:" + TAG,
                        // The commands that docs/images.md has, which ChartsInClusterIT runs.
                        "sha256sum -c SHA256SUMS",
                        "for tar in flotilla-*.tar; do ctr -n k8s.io images import \"$tar\"; done");
        assertThat(output).isDirectoryNotContaining("glob:**/work.*");
    }

    /** What it has not is the image of the shipped plans, for which it has the commands. */
    @Test
    void readmeSaysHowToMirrorTheImagesOfThePlans() throws Exception {
        List<String> images = DeployedObject.all().stream()
                .filter(each -> each.file().startsWith("node-upgrader/plans/"))
                .filter(each -> !each.file().endsWith("/example.yaml"))
                .filter(each -> each.at("kind").equals("UpgradePlan"))
                .map(each -> each.at("spec/steps/0/image"))
                .distinct()
                .toList();
        assertThat(images).isNotEmpty();
        assertThat(unpacked().resolve("README.txt"))
                .content()
                .contains(images.stream()
                        .flatMap(image -> Stream.of(
                                "     skopeo copy docker://docker.io/library/" + image + " docker-archive:",
                                "     skopeo copy --all docker://docker.io/library/" + image + " docker://REGISTRY/"
                                        + image + "\n",
                                "docker://REGISTRY/" + image + "\n"))
                        .toList())
                .doesNotContain("registry.example");
    }

    @Test
    void linksOfPagesAndSchemasOfExamplesLeadToFiles() throws Exception {
        Path bundle = unpacked();
        List<String> dead = new ArrayList<>();
        int pages = 0;
        int schemas = 0;
        try (Stream<Path> files = Files.walk(bundle)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (file.toString().endsWith(".md")) {
                    pages++;
                    dead.addAll(deadLinks(bundle, file, LINK));
                } else if (file.toString().endsWith(".yaml") && file.startsWith(bundle.resolve("examples"))) {
                    List<String> own = deadLinks(bundle, file, SCHEMA);
                    assertThat(own).as("schemas of %s", file).isEmpty();
                    schemas += Files.readString(file).contains("$schema=") ? 1 : 0;
                }
            }
        }
        assertThat(pages).isGreaterThan(40);
        assertThat(schemas).isGreaterThan(15);
        assertThat(dead)
                .isNotEmpty()
                .allMatch(SOURCES.asMatchPredicate())
                .allSatisfy(each -> assertThat(CliResult.ROOT.resolve(each)).exists());
    }

    /** Links of a file to what the bundle has not, relative to the bundle. */
    private static List<String> deadLinks(Path bundle, Path file, Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map(found -> file.resolveSibling(found.group(1)).normalize())
                .filter(each -> !Files.exists(each))
                .map(each -> bundle.relativize(each).toString())
                .toList();
    }

    /** The commands of docs/install.md name the folders of the charts, and bases renders them. */
    @Test
    void chartsAreThereAsFoldersToo() throws Exception {
        Path bundle = unpacked();
        Path bases = folder.resolve("bases");
        succeed(run(bundle, "bash", "deploy/charts/bases", bases.toString()));
        for (HelmChart chart : List.of(HelmChart.CRDS, HelmChart.FLEET, HelmChart.SITE)) {
            assertThat(bases.resolve(chart.name().replace("flotilla-", "")).resolve("objects.yaml"))
                    .isNotEmptyFile();
            assertThat(bundle.resolve("deploy/charts").resolve(chart.name()).resolve("Chart.yaml"))
                    .content()
                    .contains("appVersion: " + TAG);
        }
    }

    /** The bundle, as somebody has it who unpacks it. */
    private Path unpacked() throws Exception {
        Path output = folder.resolve("output");
        succeed(bundle("--output", output.toString()));
        succeed(run(output, "sh", "-c", "sha256sum -c *.sha256 && tar -xf *.tar"));
        return output.resolve("flotilla-bundle-" + TAG + "-"
                + run(output, "uname", "-m").out().strip());
    }

    @Test
    void imagesThatTheChartsDoNotWantAreRefused() throws Exception {
        CliResult other = bundle("--output", folder.resolve("output").toString(), "--version", "9.9.9");
        assertThat(other.exit()).isEqualTo(2);
        assertThat(other.err()).contains("flotilla-orchestrator:" + TAG, "the charts want tag 9.9.9");

        Files.writeString(images.resolve("flotilla-cli.tar"), "damaged");
        CliResult damaged = bundle("--output", folder.resolve("output").toString());
        assertThat(damaged.exit()).isEqualTo(2);
        assertThat(damaged.err()).contains("do not have their sums");
    }

    @Test
    void incompleteOrMixedImagesAreRefused() throws Exception {
        String output = folder.resolve("output").toString();
        writeImage("auditor", architecture.equals("amd64") ? "arm64" : "amd64", "1a2b3c4d");
        writeSums();
        assertThat(bundle("--output", output).err())
                .contains("flotilla-auditor.tar is not an image for " + architecture);

        writeImage("auditor", architecture, "5e6f7a8b");
        writeSums();
        assertThat(bundle("--output", output).err()).contains("flotilla-auditor.tar was built from 5e6f7a8b");

        Files.delete(images.resolve("flotilla-auditor.tar"));
        writeSums();
        assertThat(bundle("--output", output).err()).contains("has no flotilla-auditor.tar");

        Files.delete(command.resolve("kubectl-flotilla-linux-" + architecture + ".tar.gz"));
        assertThat(bundle("--output", output).err())
                .contains("has no kubectl-flotilla-linux-" + architecture + ".tar.gz");
    }

    /** A folder is relative to the source tree, as the default is. */
    @Test
    void outputMayBeARelativeFolder() throws Exception {
        Path relative = CliResult.ROOT.relativize(folder.resolve("relative"));
        succeed(bundle("--output", relative.toString()));
        try (Stream<Path> made = Files.list(folder.resolve("relative"))) {
            assertThat(made).hasSize(2);
        }
    }

    @Test
    void wrongOptionsAreNamed() throws Exception {
        assertThat(run(CliResult.ROOT, "deploy/bundle", "--image", "x").err())
                .contains("there is no option --image; options: --output, --images, --command, --version");
        assertThat(run(CliResult.ROOT, "deploy/bundle", "--images", folder.toString())
                        .err())
                .contains("has no SHA256SUMS: deploy/images/build makes it");
        for (String script : List.of("deploy/bundle", "deploy/charts/package")) {
            assertThat(run(CliResult.ROOT, script, "--version", "1a2b3c4").err())
                    .contains("1a2b3c4 is not a version as Helm wants it");
        }
        assertThat(run(CliResult.ROOT, "deploy/charts/package", "--out", "x").err())
                .contains("there is no option --out; options: --output, --version");
    }

    private CliResult bundle(String... more) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(
                List.of("deploy/bundle", "--images", images.toString(), "--command", command.toString()));
        line.addAll(List.of(more));
        return run(CliResult.ROOT, line.toArray(String[]::new));
    }

    private static void succeed(CliResult said) {
        assertThat(said.exit()).as(said.all()).isZero();
    }

    private CliResult run(Path in, String... line) throws IOException, InterruptedException {
        Path problems = folder.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(line).directory(in.toFile()).redirectError(problems.toFile());
        builder.environment()
                .put("HELM", HelmBinary.find().orElseThrow().program().toString());
        builder.environment().put("HOME", folder.toString());
        if (line[0].startsWith("deploy/")) {
            builder.command().set(0, CliResult.path(line[0]));
        }
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CliResult(process.waitFor(), out, Files.readString(problems));
    }
}
