package dev.flotilla.campaigncontroller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.metrics.PrometheusMetrics;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Health and metrics of a campaign controller. */
class SyncEventLoggerTest {
    private final PrometheusMetrics metrics = new PrometheusMetrics("campaign-controller");
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicLong nanos = new AtomicLong();
    private final SyncEventLogger logger = new SyncEventLogger(metrics.registry(), nanos::get, () -> ended.set(true));

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void isNotReadyUntilItHasReadKafkaAndTheHub() {
        assertThat(logger.readiness().healthy()).isFalse();
        logger.kafkaFailed("unreachable", "no broker answers");
        assertThat(logger.readiness().parts().getFirst().message()).isEqualTo("no broker answers");
        logger.listFailed("campaigns", "403 forbidden");
        assertThat(logger.readiness().parts().getFirst().message()).isEqualTo("403 forbidden");
        logger.passEnded(3, 1);
        assertThat(logger.readiness().healthy()).isTrue();
    }

    /** Otherwise no object could be stored while Kafka is away: the API server would find no webhook. */
    @Test
    void staysReadyWhenKafkaOrTheHubFails() {
        logger.passEnded(3, 1);
        logger.kafkaFailed("unreachable", "no broker answers");
        logger.listFailed("campaigns", "403 forbidden");
        assertThat(logger.readiness().healthy()).isTrue();
    }

    @Test
    void isReadyWhileAnotherOneWorks() {
        logger.otherWorks("controller-2");
        assertThat(logger.readiness().healthy()).isTrue();
        assertThat(metrics.toPrometheusText())
                .contains("flotilla_campaign_controller_leader{application=\"campaign-controller\"} 0.0");
        logger.passEnded(3, 1);
        assertThat(metrics.toPrometheusText())
                .contains("flotilla_campaign_controller_leader{application=\"campaign-controller\"} 1.0");
        logger.otherWorks("controller-2");
        assertThat(metrics.toPrometheusText())
                .as("the other one counts")
                .contains(
                        "flotilla_campaign_controller_leader{application=\"campaign-controller\"} 0.0",
                        "flotilla_campaign_controller_conflicts{application=\"campaign-controller\"} 0.0");
    }

    /** One object that cannot be written is in the log, and the others go on. */
    @Test
    void aFailedObjectDoesNotMakeItNotReady() {
        logger.passEnded(3, 0);
        logger.objectFailed("Campaign flotilla/spring", "409 conflict");
        assertThat(logger.readiness().healthy()).isTrue();
        assertThat(metrics.toPrometheusText())
                .contains(
                        "flotilla_campaign_controller_object_failures_total{application=\"campaign-controller\"} 1.0");
    }

    @Test
    void aBugInOneStepDoesNotEndTheProcess() {
        logger.passEnded(3, 0);
        logger.reconcileFailed("Campaign flotilla/spring", new IllegalStateException("bug"));
        assertThat(logger.liveness().healthy()).isTrue();
        assertThat(ended).isFalse();
        assertThat(metrics.toPrometheusText())
                .contains(
                        "flotilla_campaign_controller_object_failures_total{application=\"campaign-controller\"} 1.0");
    }

    @Test
    void showsHowOldTheLastPassIs() {
        logger.passEnded(3, 2);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(90));
        assertThat(metrics.toPrometheusText())
                .contains(
                        "flotilla_campaign_controller_pass_age_seconds{application=\"campaign-controller\"} 90.0",
                        "flotilla_campaign_controller_objects{application=\"campaign-controller\"} 3.0",
                        "flotilla_campaign_controller_conflicts{application=\"campaign-controller\"} 2.0");
    }

    @Test
    void aBugEndsTheProcess() {
        logger.loopFailed(new IllegalStateException("bug"));
        assertThat(logger.liveness().healthy()).isFalse();
        assertThat(ended).isTrue();
    }
}
