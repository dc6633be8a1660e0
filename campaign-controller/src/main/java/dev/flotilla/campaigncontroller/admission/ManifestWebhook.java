package dev.flotilla.campaigncontroller.admission;

import dev.flotilla.campaigncontroller.object.HubKind;
import dev.flotilla.campaigncontroller.object.HubObject;
import dev.flotilla.campaigncontroller.object.ManifestReader;
import dev.flotilla.campaigncontroller.object.OrderReader;
import dev.flotilla.kube.AdmissionRequest;
import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.runtime.http.PostEndpoint;
import dev.flotilla.runtime.http.RejectedRequestException;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks Campaigns, Policies and Orders with the code of {@code flotilla campaign validate}, and writes into an Order who created it. It
 * keeps nothing, so every replica answers.
 */
public final class ManifestWebhook {
    /** The path of the webhook. */
    public static final String PATH = "/admission/check-manifest";

    /** An object and the one before it; a larger one is rejected as a row too. */
    private static final int MAX_BODY = 1024 * 1024;

    private static final int MAX_AT_ONCE = 32;
    private static final int THREADS = 4;

    /** Below the time that the API server waits. */
    private static final Duration BODY_TIMEOUT = Duration.ofSeconds(4);

    private ManifestWebhook() {}

    /** Returns the webhook as a path of a server. */
    public static PostEndpoint endpoint(Vertx vertx) {
        return new PostEndpoint(
                PATH::equals,
                path -> false,
                MAX_BODY,
                MAX_AT_ONCE * MAX_BODY / THREADS,
                BODY_TIMEOUT,
                vertx.createSharedWorkerExecutor("manifest-webhook", THREADS),
                MAX_AT_ONCE,
                (path, body) -> answer(body));
    }

    /** Returns the answer to an AdmissionReview. */
    static byte[] answer(byte[] body) {
        AdmissionRequest request = AdmissionRequest.read(body, MAX_BODY);
        HubKind kind = request == null ? null : kindOf(request.object());
        if (request == null || kind == null) {
            throw RejectedRequestException.forNoAdmissionReview();
        }
        KubeObject object = request.object();
        // The controller must be able to remove its finalizer from an object that an earlier version has accepted.
        if (object.isDeleting()) {
            return request.allow();
        }
        return kind == HubKind.ORDER ? checkOrder(request) : checkManifest(request, kind);
    }

    private static @Nullable HubKind kindOf(KubeObject object) {
        return List.of(HubKind.values()).stream()
                .filter(each ->
                        each.kind().equals(object.text("kind")) && HubKind.VERSION.equals(object.text("apiVersion")))
                .findFirst()
                .orElse(null);
    }

    private static byte[] checkManifest(AdmissionRequest request, HubKind kind) {
        return switch (ManifestReader.read(kind, request.object())) {
            case ManifestReader.ValidManifest valid -> request.allow();
            case ManifestReader.InvalidManifest invalid -> request.deny(String.join("\n", invalid.problems()));
        };
    }

    private static byte[] checkOrder(AdmissionRequest request) {
        KubeObject before = request.oldObject();
        if (before.has("spec")) {
            return Objects.equals(before.valueAt("spec"), request.object().valueAt("spec"))
                    ? request.allow()
                    : request.deny("spec cannot change: create another Order");
        }
        if (OrderReader.read(new HubObject(HubKind.ORDER, request.object()))
                instanceof OrderReader.InvalidOrder invalid) {
            return request.deny(String.join("\n", invalid.problems()));
        }
        return request.patch(new JsonPatchBuilder().set(request.user(), "spec", "requestedBy"));
    }
}
