package dev.flotilla.clusterapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.hook.Hook;
import dev.flotilla.clusterapi.hook.HookOutcome;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.testkit.page.GeneratedPageSection;
import dev.flotilla.testkit.page.MetricsReferenceTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExtensionMetricsTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");
    private static final Instant EXPIRES = Instant.parse("2026-03-01T12:00:00Z");

    private final PrometheusMetrics prometheusMetrics = new PrometheusMetrics("cluster-api-extension");
    private Instant now = Instant.parse("2026-02-01T00:00:00Z");
    private final CertificateExpiryMeter certificateMeter = new CertificateExpiryMeter(() -> now);
    private final ExtensionMetrics metrics =
            new ExtensionMetrics(prometheusMetrics.registry(), certificateMeter, () -> 0);

    @AfterEach
    void close() {
        prometheusMetrics.close();
    }

    /** {@code -Dflotilla.rewrite=true} regenerates the table. */
    @Test
    void pageHasTheTableOfRegisteredMetrics() throws IOException {
        String table = MetricsReferenceTable.markdownTable(prometheusMetrics.toPrometheusText(), List.of());
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, "cluster-api-extension", table))
                .as("rewritten by -Dflotilla.rewrite=true")
                .isEqualTo(table);
    }

    /** So that a rate sees the first answer of a kind. */
    @Test
    void answersOfEveryKindAreCountedFromTheStart() {
        assertThat(prometheusMetrics.toPrometheusText())
                .contains(
                        "flotilla_extension_hook_answers_total{application=\"cluster-api-extension\","
                                + "operation=\"UpdateMachine\",outcome=\"done\"} 0.0",
                        "flotilla_extension_hook_answers_total{application=\"cluster-api-extension\","
                                + "operation=\"CanUpdateMachineSet\",outcome=\"stop\"} 0.0");
        metrics.countAnswer(Hook.UPDATE_MACHINE, HookOutcome.DONE, Duration.ofMillis(30));
        assertThat(prometheusMetrics.toPrometheusText())
                .contains(
                        "operation=\"UpdateMachine\",outcome=\"done\"} 1.0",
                        "flotilla_extension_hook_duration_seconds_count{application=\"cluster-api-extension\","
                                + "operation=\"UpdateMachine\"} 1");
    }

    @Test
    void showsWhenTheCertificateExpires() {
        String metric =
                "flotilla_extension_certificate_expiry_timestamp_seconds{application=\"cluster-api-extension\"} ";
        assertThat(prometheusMetrics.toPrometheusText()).contains(metric + "NaN");
        certificateMeter.watch(() -> EXPIRES);
        assertThat(prometheusMetrics.toPrometheusText()).contains(metric + "1.7723664E9");
    }

    @Test
    void isNotReadyInTheLastDayOfTheCertificate() {
        assertThat(certificateMeter.readiness().healthy()).as("without TLS").isTrue();
        certificateMeter.watch(() -> EXPIRES);
        now = EXPIRES.minus(CertificateExpiryMeter.READY_BEFORE_EXPIRY).minusSeconds(1);
        assertThat(certificateMeter.readiness().healthy()).isTrue();
        now = now.plusSeconds(1);
        assertThat(certificateMeter.readiness().healthy()).isFalse();
        assertThat(certificateMeter.readiness().parts())
                .singleElement()
                .satisfies(part -> assertThat(part.message()).contains("server.tls.certFile", EXPIRES.toString()));
        certificateMeter.watch(() -> EXPIRES.plus(Duration.ofDays(90)));
        assertThat(certificateMeter.readiness().healthy()).as("renewed").isTrue();
    }
}
