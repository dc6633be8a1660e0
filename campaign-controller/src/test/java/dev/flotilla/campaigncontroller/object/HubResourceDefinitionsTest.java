package dev.flotilla.campaigncontroller.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The CustomResourceDefinitions are those of the code; {@code -Dflotilla.rewrite=true} writes them. */
class HubResourceDefinitionsTest {
    private static final Path FILE = Path.of("../deploy/campaign-controller/crds.yaml");

    @Test
    void fileHasWhatTheCodecsDeclare() throws IOException {
        if (Boolean.getBoolean("flotilla.rewrite")) {
            Files.writeString(FILE, HubResourceDefinitions.yaml());
        }
        assertThat(Files.readString(FILE)).isEqualTo(HubResourceDefinitions.yaml());
    }
}
