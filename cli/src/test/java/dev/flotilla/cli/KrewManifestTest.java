package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manifest for krew as a release fills it in, held against what krew demands and what the release publishes. */
class KrewManifestTest {
    private static final int MOST_CHARACTERS = 100_000;

    /** What krew's index accepts as the description of one line. */
    private static final int LONGEST_DESCRIPTION = 50;

    @TempDir
    Path folder;

    @Test
    void hasTheFieldsThatKrewDemands() throws Exception {
        JsonObjectReader manifest = fill();

        assertThat(text(manifest, "apiVersion")).isEqualTo("krew.googlecontainertools.github.com/v1alpha2");
        assertThat(text(manifest, "kind")).isEqualTo("Plugin");
        assertThat(text(object(manifest, "metadata"), "name")).isEqualTo("flotilla");
        JsonObjectReader spec = object(manifest, "spec");
        assertThat(text(spec, "version")).isEqualTo("v1.2.3");
        assertThat(text(spec, "homepage")).startsWith("https://");
        assertThat(text(spec, "description")).isNotBlank();
        assertThat(text(spec, "shortDescription"))
                .hasSizeLessThanOrEqualTo(LONGEST_DESCRIPTION)
                .doesNotEndWith(".");
    }

    @Test
    void namesThePackageOfEachProcessorWithItsSum() throws Exception {
        List<String> files = new ArrayList<>();
        for (JsonValue each : ((JsonValue.JsonArray) object(fill(), "spec").get("platforms")).items()) {
            JsonObjectReader platform = (JsonObjectReader) each;
            JsonObjectReader labels = object(object(platform, "selector"), "matchLabels");
            String file = "kubectl-flotilla-" + text(labels, "os") + "-" + text(labels, "arch") + ".tar.gz";
            files.add(file);
            assertThat(text(platform, "uri")).isEqualTo("https://example.org/v1.2.3/" + file);
            assertThat(text(platform, "sha256")).isEqualTo(sum(folder.resolve(file)));
            assertThat(CliResult.ROOT.resolve("deploy/krew").resolve(text(platform, "bin")))
                    .isExecutable();
        }

        assertThat(files).containsExactly("kubectl-flotilla-linux-amd64.tar.gz", "kubectl-flotilla-linux-arm64.tar.gz");
        assertThat(read("deploy/krew/build")).contains("file=kubectl-flotilla-linux-$architecture.tar.gz");
    }

    @Test
    void leavesNothingToFillIn() throws Exception {
        assertThat(read("deploy/krew/flotilla.yaml")).contains("@VERSION@", "@SHA256_AMD64@", "@SHA256_ARM64@");
        assertThat(filled()).doesNotContain("@");
        assertThat(read(".github/workflows/release.yaml"))
                .contains("deploy/krew/build --output krew", "deploy/krew/fill ");
    }

    private JsonObjectReader fill() throws IOException, InterruptedException {
        return (JsonObjectReader) ((ParseResult.ParsedDocument) YamlReader.read(filled(), MOST_CHARACTERS)).value();
    }

    private String filled() throws IOException, InterruptedException {
        for (String processor : List.of("amd64", "arm64")) {
            Files.writeString(folder.resolve("kubectl-flotilla-linux-" + processor + ".tar.gz"), processor);
        }
        return run(CliResult.path("deploy/krew/fill"), "1.2.3", "https://example.org/v1.2.3", folder.toString());
    }

    private static String sum(Path file) throws IOException, InterruptedException {
        return run("sha256sum", file.toString()).substring(0, 64);
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said;
    }

    private static JsonObjectReader object(JsonObjectReader in, String name) {
        return (JsonObjectReader) in.get(name);
    }

    private static String text(JsonObjectReader in, String name) {
        return ((JsonValue.JsonString) in.get(name)).value();
    }

    private static String read(String file) throws IOException {
        return Files.readString(CliResult.ROOT.resolve(file));
    }
}
