package dev.flotilla.testkit.clusterapi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WebhookAddressTest {
    private static final WebhookAddress ADDRESS = new WebhookAddress(20_443, "pem");

    @Test
    void replacesTheServiceOfAConversion() {
        String definition = """
                spec:
                  conversion:
                    strategy: Webhook
                    webhook:
                      clientConfig:
                        service:
                          name: webhook-service
                          namespace: system
                          path: /convert
                      conversionReviewVersions:
                      - v1
                """;

        assertThat(ADDRESS.applyTo(definition)).isEqualTo("""
                spec:
                  conversion:
                    strategy: Webhook
                    webhook:
                      clientConfig:
                        url: https://127.0.0.1:20443/convert
                        caBundle: cGVt
                      conversionReviewVersions:
                      - v1
                """);
    }

    @Test
    void namesOfWebhookConfigurationsDifferByManager() {
        assertThat(ADDRESS.applyTo("metadata:\n  name: validating-webhook-configuration\n", "cluster-api"))
                .isEqualTo("metadata:\n  name: cluster-api-validating-webhook-configuration\n");
    }
}
