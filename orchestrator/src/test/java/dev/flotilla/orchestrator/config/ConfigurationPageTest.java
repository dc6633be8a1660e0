package dev.flotilla.orchestrator.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.config.ConfigPage;
import dev.flotilla.runtime.config.ConfigRead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The page on the configuration says what the code reads; {@code -Dflotilla.rewrite=true} writes its tables anew. */
class ConfigurationPageTest {
    private static final Path PAGE = Path.of("../docs/configuration.md");
    private static final String BEGIN = "<!-- orchestrator: generated -->\n";
    private static final String END = "<!-- end -->";

    @Test
    void theTableOfThePageIsTheOneThatTheCodecDeclares() throws IOException {
        String table =
                ConfigPage.table(OrchestratorConfig.codec(settings -> List.of()), OrchestratorConfig.SHORT_NAMES);
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEGIN) + BEGIN.length();
        int to = page.indexOf(END, from);
        assertThat(to).as("the page has the marks %s and %s", BEGIN, END).isGreaterThan(from - 1);
        if (Boolean.getBoolean("flotilla.rewrite")) {
            page = page.substring(0, from) + table + page.substring(to);
            Files.writeString(PAGE, page);
            to = page.indexOf(END, from);
        }
        assertThat(page.substring(from, to))
                .as("written anew by -Dflotilla.rewrite=true")
                .isEqualTo(table);
    }

    @Test
    void theEnvironmentAloneIsEnough() {
        var read = OrchestratorConfig.reader(settings -> List.of())
                .read(null, Map.of("FLOTILLA_BOOTSTRAP_SERVERS", "localhost:9092"));
        assertThat(read)
                .isInstanceOfSatisfying(
                        ConfigRead.Good.class,
                        good -> assertThat(good.shown()).contains("\"listen\": \"127.0.0.1:0\""));
    }

    @Test
    void nothingAtAllIsTooLittle() {
        var read = OrchestratorConfig.reader(settings -> List.of()).read(null, Map.of());
        assertThat(read)
                .isInstanceOfSatisfying(
                        ConfigRead.Bad.class,
                        bad -> assertThat(bad.report()).contains("kafka").contains("must be given"));
    }
}
