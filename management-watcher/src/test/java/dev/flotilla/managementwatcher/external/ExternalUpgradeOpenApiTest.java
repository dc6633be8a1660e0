package dev.flotilla.managementwatcher.external;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The published document is what the server reads; {@code -Dflotilla.rewrite=true} writes it again. */
class ExternalUpgradeOpenApiTest {
    private static final Path PUBLISHED = Path.of("../docs/external-upgrade-request.openapi.json");

    @Test
    void publishedDocumentIsCurrent() throws IOException {
        String current = ExternalUpgradeOpenApi.generate();
        if (Boolean.getBoolean("flotilla.rewrite")) {
            Files.writeString(PUBLISHED, current);
        }
        assertThat(PUBLISHED).content().isEqualTo(current);
    }
}
