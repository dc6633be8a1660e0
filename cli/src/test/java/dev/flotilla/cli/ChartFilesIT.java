package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that {@code deploy/charts/update} copies into the charts are as the script would copy them now. */
class ChartFilesIT {
    @TempDir
    Path folder;

    @Test
    void copiesInTheChartsAreCurrent() throws Exception {
        Process update = new ProcessBuilder(HelmChart.FOLDER.resolve("update").toString(), folder.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(update.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(update.waitFor()).as(said).isZero();

        Map<String, String> copied = copies(folder);
        assertThat(copied).hasSizeGreaterThan(20);
        assertThat(copies(HelmChart.FOLDER)).as("run deploy/charts/update").containsExactlyInAnyOrderEntriesOf(copied);
    }

    private static Map<String, String> copies(Path charts) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(charts)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = charts.relativize(file).toString();
                // ChartKafkaFilesTest writes the other one.
                boolean copied = name.matches("[^/]+/(files/.*|templates/_component\\.tpl)")
                        && !name.endsWith("/files/kafka.yaml");
                if (copied) {
                    found.put(name, Files.readString(file));
                }
            }
        }
        return found;
    }
}
