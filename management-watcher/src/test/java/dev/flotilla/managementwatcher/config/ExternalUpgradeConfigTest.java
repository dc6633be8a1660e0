package dev.flotilla.managementwatcher.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import org.junit.jupiter.api.Test;

class ExternalUpgradeConfigTest {
    private static String problems(String json) {
        ProblemCollector problems = ProblemCollector.strict();
        ExternalUpgradeConfig.CODEC.read(SampleObjects.kube(json).json(), problems);
        return problems.rejections().toString();
    }

    @Test
    void listensOffTheLoopbackOnlyWithTls() {
        assertThat(problems("{'listen': '0.0.0.0:8443'}"))
                .contains("listens on 0.0.0.0:8443, which other machines can reach, without tls");
        assertThat(problems("{'listen': '127.0.0.1:8443'}")).isEqualTo("[]");
        assertThat(problems("{'listen': '0.0.0.0:8443', 'tls': {'certFile': 'pom.xml', 'keyFile': 'pom.xml'}}"))
                .isEqualTo("[]");
    }
}
