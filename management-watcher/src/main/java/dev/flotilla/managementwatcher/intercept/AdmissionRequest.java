package dev.flotilla.managementwatcher.intercept;

import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.runtime.http.RejectedRequestException;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an API server asks a webhook: whether an object may be written, and with which changes.
 *
 * @param oldObject the object before; empty for a new one
 */
record AdmissionRequest(String uid, String namespace, KubeObject object, KubeObject oldObject) {
    private static final String VERSION = "admission.k8s.io/v1";
    private static final String KIND = "AdmissionReview";

    /** The most values in a body: many small ones take tens of times their size in memory. */
    private static final int MAX_VALUES = 100_000;

    /** Reads the body of a request; one that is no AdmissionReview is rejected, which the API server reports as a failed webhook. */
    static AdmissionRequest read(byte[] body, int maxBytes) {
        KubeObject review = KubeObject.parseBody(body, maxBytes, MAX_VALUES);
        String uid = review == null ? null : review.text("request", "uid");
        String namespace = review == null ? null : review.text("request", "namespace");
        if (review == null
                || uid == null
                || namespace == null
                || NameValidator.problemOfLabel(namespace) != null
                || !VERSION.equals(review.text("apiVersion"))) {
            throw new RejectedRequestException(new HttpErrorResponse(
                    400,
                    "invalid",
                    "The body is no " + KIND + " of " + VERSION + " about an object in a namespace.",
                    "call this path as a webhook only"));
        }
        return new AdmissionRequest(
                uid, namespace, review.object("request", "object"), review.object("request", "oldObject"));
    }

    /** Returns the answer that changes nothing. */
    byte[] allow(String... warnings) {
        return answer(null, warnings);
    }

    /** Returns the answer that changes the object. */
    byte[] patch(JsonPatchBuilder patch, String... warnings) {
        return answer(patch, warnings);
    }

    private byte[] answer(@Nullable JsonPatchBuilder patch, String... warnings) {
        JsonObjectReader.Builder response =
                new JsonObjectReader.Builder().put("uid", uid).put("allowed", true);
        if (patch != null) {
            byte[] text = KubeObject.toJsonText(patch.toJson()).getBytes(StandardCharsets.UTF_8);
            response.put("patchType", "JSONPatch")
                    .put("patch", Base64.getEncoder().encodeToString(text));
        }
        if (warnings.length > 0) {
            response.put("warnings", List.of(warnings));
        }
        JsonObjectReader review = new JsonObjectReader.Builder()
                .put("apiVersion", VERSION)
                .put("kind", KIND)
                .put("response", response.build())
                .build();
        return KubeObject.toJsonText(review).getBytes(StandardCharsets.UTF_8);
    }
}
