package dev.flotilla.managementwatcher.intercept;

import dev.flotilla.kube.AdmissionRequest;
import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.report.JoinerReleaseConfigMaps;
import dev.flotilla.runtime.http.PostEndpoint;
import dev.flotilla.runtime.http.RejectedRequestException;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.kube.AnnotationKeys;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Answers AdmissionReviews with the same rules as the policies of {@code intercept.yaml}. It keeps nothing, so every replica answers, and
 * trusts nobody: an answer contains only what the request has, and the release of an owner.
 */
public final class InterceptWebhook {
    /** Renames the provider's upgrade annotation, as the policy {@code flotilla-intercept} does. */
    static final String RENAME_PATH = "/admission/rename-upgrade-annotation";

    /** Writes the release of its owner's other machines on a new Machine, as the policy {@code flotilla-joiners} does. */
    static final String JOINER_PATH = "/admission/set-release-of-joiner";

    /** An object and the one before it; neither is larger than what etcd takes. */
    private static final int MAX_BODY = 4 * 1024 * 1024;

    /** Below the time that the API server waits. */
    private static final Duration BODY_TIMEOUT = Duration.ofSeconds(4);

    /** Reviews that are open at a time. Cluster API creates ten Machines of each owner at once, and a refused joiner has no release. */
    private static final int MAX_AT_ONCE = 128;

    /** Bodies of open reviews; one of a Machine has some 20 KiB. */
    private static final int MAX_OPEN_BYTES = 4 * MAX_BODY;

    /** Threads that answer them. */
    private static final int THREADS = 8;

    private static final String WARNING = "followed as " + AnnotationKeys.OUR_UPGRADE_TO
            + "; to cancel, remove that annotation, not " + AnnotationKeys.UPGRADE_TO;

    private final BiFunction<String, String, KubeResponse> configMaps;

    /** Makes a webhook that reads the releases of owners from the management cluster. */
    public InterceptWebhook(KubeApiClient api) {
        this((namespace, name) -> api.get(KubeApiPath.coreObject(namespace, "configmaps", name)));
    }

    InterceptWebhook(BiFunction<String, String, KubeResponse> configMaps) {
        this.configMaps = configMaps;
    }

    /** Returns the webhooks as paths of a server, on a few threads of their own; further reviews wait for one of them. */
    public PostEndpoint endpoint(Vertx vertx, boolean enabled) {
        return new PostEndpoint(
                path -> enabled && (path.equals(RENAME_PATH) || path.equals(JOINER_PATH)),
                path -> false,
                MAX_BODY,
                MAX_OPEN_BYTES,
                BODY_TIMEOUT,
                vertx.createSharedWorkerExecutor("intercept-webhook", THREADS),
                MAX_AT_ONCE,
                this::answer);
    }

    /** Returns the answer to an AdmissionReview. */
    byte[] answer(String path, byte[] body) {
        AdmissionRequest request = AdmissionRequest.read(body, MAX_BODY);
        if (request == null) {
            throw RejectedRequestException.forNoAdmissionReview();
        }
        return path.equals(JOINER_PATH) ? setRelease(request) : rename(request);
    }

    /** An annotation that was there before stays: a controller may be acting on it. */
    private static byte[] rename(AdmissionRequest request) {
        String target = request.object().annotation(AnnotationKeys.UPGRADE_TO);
        if (target == null || target.equals(request.oldObject().annotation(AnnotationKeys.UPGRADE_TO))) {
            return request.allow();
        }
        return request.patch(
                new JsonPatchBuilder()
                        .remove("metadata", "annotations", AnnotationKeys.UPGRADE_TO)
                        .set(target, "metadata", "annotations", AnnotationKeys.OUR_UPGRADE_TO),
                WARNING);
    }

    private byte[] setRelease(AdmissionRequest request) {
        KubeObject machine = request.object();
        String owner = ownerOf(machine);
        if (owner == null || machine.annotation(AnnotationKeys.RELEASE) != null) {
            return request.allow();
        }
        KubeResponse read = configMaps.apply(request.namespace(), JoinerReleaseConfigMaps.NAME);
        if (!(read instanceof KubeResponse.SuccessResponse found)) {
            return read.isMissing()
                    ? request.allow()
                    : request.allow("it joins with the release of its bootstrap configuration, because ConfigMap "
                            + JoinerReleaseConfigMaps.NAME + " cannot be read: " + read.problem());
        }
        String release = found.object().text("data", owner);
        if (release == null) {
            return request.allow();
        }
        JsonPatchBuilder patch = new JsonPatchBuilder();
        if (!machine.has("metadata", "annotations")) {
            patch.setEmpty("metadata", "annotations");
        }
        return request.patch(patch.set(release, "metadata", "annotations", AnnotationKeys.RELEASE));
    }

    /** Returns the entry of a new Machine's owner in the ConfigMap; null for a Machine without an owner. */
    private static @Nullable String ownerOf(KubeObject machine) {
        String deployment = machine.label("cluster.x-k8s.io/deployment-name");
        if (deployment != null) {
            return JoinerReleaseConfigMaps.entryName(OwnerKind.MACHINE_DEPLOYMENT.label(), deployment);
        }
        KubeObject controller = machine.controller();
        return controller == null
                ? null
                : JoinerReleaseConfigMaps.entryName(
                        String.valueOf(controller.text("kind")), String.valueOf(controller.text("name")));
    }
}
