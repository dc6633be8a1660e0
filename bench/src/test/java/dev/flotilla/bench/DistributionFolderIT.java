package dev.flotilla.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests the folder of jars that {@code ./flotilla} and the image run, and its SBOM. */
class DistributionFolderIT {
    private static final Path DIST = Path.of(System.getProperty("flotilla.dist"));
    private static final Path SBOM = DIST.resolve("sbom.json");
    private static final String JAR = ".jar";
    private static final String FULL_BUILD = ".*[/\\\\]target[/\\\\]dist";
    private static final String NO_SBOM = "only the full build makes an SBOM";

    /** The jar that the SBOM describes. */
    private static final String OWN_JAR = "flotilla-bench-";

    /**
     * Licenses that are compatible with a distribution under the Apache License 2.0. Re2j has the 3-clause BSD license,
     * and libraries of the Eclipse Foundation offer a choice.
     */
    private static final List<String> COMPATIBLE_LICENSES =
            List.of("Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "Go License");

    /** A library in the SBOM. */
    private record Component(String name, String version, String sha256, List<String> licenses) {
        static Component of(JsonObject json) {
            return new Component(
                    json.getString("name"),
                    json.getString("version"),
                    objects(json, "hashes")
                            .filter(hash -> hash.getString("alg").equals("SHA-256"))
                            .map(hash -> hash.getString("content"))
                            .collect(Collectors.joining()),
                    objects(json, "licenses").map(Component::licenseName).toList());
        }

        private static String licenseName(JsonObject json) {
            JsonObject license = json.getJsonObject("license", json);
            return Stream.of("id", "name", "expression")
                    .map(license::getString)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("");
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "flotilla.dist", matches = FULL_BUILD, disabledReason = NO_SBOM)
    void sbomListsEveryJarWithVersionAndHash() throws Exception {
        List<String> listed = components().stream()
                .map(each -> each.sha256() + " " + each.name() + "-" + each.version())
                .toList();
        List<String> delivered = new ArrayList<>();
        for (Path jar : jars()) {
            String file = jar.getFileName().toString();
            if (!file.startsWith(OWN_JAR)) {
                delivered.add(sha256(jar) + " " + file.substring(0, file.length() - JAR.length()));
            }
        }
        assertThat(listed)
                .as("delivered jars; if a version was changed, delete %s first", DIST)
                .containsExactlyInAnyOrderElementsOf(delivered)
                .hasSizeGreaterThan(100);
    }

    @Test
    @EnabledIfSystemProperty(named = "flotilla.dist", matches = FULL_BUILD, disabledReason = NO_SBOM)
    void allLicensesAreCompatible() throws IOException {
        assertThat(components())
                .as("libraries with a compatible license")
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.licenses()).containsAnyElementsOf(COMPATIBLE_LICENSES));
    }

    @Test
    @EnabledIfSystemProperty(named = "flotilla.dist", matches = FULL_BUILD, disabledReason = NO_SBOM)
    void sbomHasNoTimeAndNoPath() throws IOException {
        assertThat(Files.readString(SBOM))
                .contains("cdx:reproducible")
                .doesNotContain("\"timestamp\"", DIST.toString());
    }

    /** {@code deploy/compare-builds} compares the bytes of two builds, which takes minutes. */
    @Test
    void jarsContainOnlyTheFixedTime() throws IOException {
        LocalDateTime fixed =
                LocalDateTime.ofInstant(Instant.parse(System.getProperty("flotilla.timestamp")), ZoneOffset.UTC);
        List<Path> ownJars = jars().stream()
                .filter(jar -> jar.getFileName().toString().startsWith("flotilla-"))
                .toList();
        assertThat(ownJars).hasSizeGreaterThan(10);
        for (Path jar : ownJars) {
            try (ZipFile zip = new ZipFile(jar.toFile())) {
                assertThat(zip.stream().map(ZipEntry::getTimeLocal).distinct())
                        .as("times in %s", jar)
                        .containsExactly(fixed);
            }
        }
    }

    private static List<Component> components() throws IOException {
        return objects(new JsonObject(Files.readString(SBOM)), "components")
                .map(Component::of)
                .toList();
    }

    private static Stream<JsonObject> objects(JsonObject json, String name) {
        return json.getJsonArray(name).stream().map(JsonObject.class::cast);
    }

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(DIST.resolve("lib"))) {
            return files.filter(file -> file.toString().endsWith(JAR)).sorted().toList();
        }
    }

    private static String sha256(Path file) throws IOException, NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }
}
