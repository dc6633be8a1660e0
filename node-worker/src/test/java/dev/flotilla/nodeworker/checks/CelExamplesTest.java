package dev.flotilla.nodeworker.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeworker.checks.CelExpression.CompileResult;
import dev.flotilla.nodeworker.checks.CelExpression.EvaluationResult;
import dev.flotilla.schemas.json.file.CampaignFileReader;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.HealthCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The worked examples of docs/campaign-reference.md, on objects as these controllers write them. */
class CelExamplesTest {
    private static final Path PAGE = Path.of("../docs/campaign-reference.md");

    private static List<HealthCheck> examples() throws IOException {
        String page = Files.readString(PAGE);
        int section = page.indexOf("### CEL expressions");
        int from = page.indexOf("```yaml\n", section) + "```yaml\n".length();
        assertThat(CampaignFileReader.read(page.substring(from, page.indexOf("```", from))))
                .isInstanceOf(FileReadResult.ValidFile.class);
        return ((FileReadResult.ValidFile<Campaign>)
                        CampaignFileReader.read(page.substring(from, page.indexOf("```", from))))
                .value()
                .spec()
                .checks()
                .beforeCall();
    }

    private static EvaluationResult evaluate(String check, String object) throws IOException {
        HealthCheck.CelProbe probe = examples().stream()
                .filter(example -> example.name().equals(check))
                .map(example -> (HealthCheck.CelProbe) example.probe())
                .findFirst()
                .orElseThrow();
        CompileResult compiled = CelExpression.compile(probe);
        assertThat(compiled).isInstanceOf(CompileResult.Compiled.class);
        Object value = new CelValues()
                .convert(Objects.requireNonNull(KubeObject.parse(object)).json());
        return ((CompileResult.Compiled) compiled)
                .expression()
                .evaluate(Map.of(
                        CelExpression.OBJECT, Objects.requireNonNull(value), CelExpression.OBJECTS, List.of(value)));
    }

    @Test
    void thereIsOneForEachKindOfStorage() throws IOException {
        assertThat(examples()).extracting(HealthCheck::name).containsExactly("ceph", "longhorn", "postgres");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"status\": {\"ceph\": {\"health\": \"HEALTH_OK\", \"lastChecked\": \"2026-03-01T12:00:00Z\"}}} | true",
                "{\"status\": {\"ceph\": {\"health\": \"HEALTH_WARN\", \"previousHealth\": \"HEALTH_OK\"}}} | false",
            })
    void ceph(String object, boolean holds) throws IOException {
        assertThat(evaluate("ceph", object)).isEqualTo(new EvaluationResult.Evaluated(holds));
    }

    @Test
    void cephWithoutAStatusDoesNotHold() throws IOException {
        assertThat(evaluate("ceph", "{\"spec\": {}}")).isInstanceOf(EvaluationResult.NotEvaluated.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"status\": {\"state\": \"attached\", \"robustness\": \"healthy\"}} | true",
                "{\"status\": {\"state\": \"attached\", \"robustness\": \"degraded\"}} | false",
                "{\"status\": {\"state\": \"detached\", \"robustness\": \"unknown\"}} | true",
            })
    void longhorn(String object, boolean holds) throws IOException {
        assertThat(evaluate("longhorn", object)).isEqualTo(new EvaluationResult.Evaluated(holds));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"spec\": {\"instances\": 3}, \"status\": {\"readyInstances\": 3, \"conditions\": [{\"type\": \"Ready\","
                        + " \"status\": \"True\"}]}} | true",
                "{\"spec\": {\"instances\": 3}, \"status\": {\"readyInstances\": 2, \"conditions\": [{\"type\": \"Ready\","
                        + " \"status\": \"True\"}]}} | false",
                "{\"spec\": {\"instances\": 1}, \"status\": {\"readyInstances\": 1, \"conditions\": [{\"type\": \"Ready\","
                        + " \"status\": \"False\"}]}} | false",
                "{\"spec\": {\"instances\": 1}} | false",
            })
    void cloudNativePg(String object, boolean holds) throws IOException {
        assertThat(evaluate("postgres", object)).isEqualTo(new EvaluationResult.Evaluated(holds));
    }
}
