package dev.flotilla.kube;

import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an API server asks a webhook: whether an object may be written, and with which changes.
 *
 * @param user the name of who writes it
 * @param oldObject the object before; empty for a new one
 */
public record AdmissionRequest(String uid, String namespace, String user, KubeObject object, KubeObject oldObject) {
    private static final String VERSION = "admission.k8s.io/v1";
    private static final String KIND = "AdmissionReview";
    private static final int INVALID = 422;

    /** The most values in a body: many small ones take tens of times their size in memory. */
    private static final int MAX_VALUES = 100_000;

    /** Reads the body of a request; null if it is no AdmissionReview about an object in a namespace. */
    public static @Nullable AdmissionRequest read(byte[] body, int maxBytes) {
        KubeObject review = KubeObject.parseBody(body, maxBytes, MAX_VALUES);
        String uid = review == null ? null : review.text("request", "uid");
        String namespace = review == null ? null : review.text("request", "namespace");
        if (review == null
                || uid == null
                || namespace == null
                || NameValidator.problemOfLabel(namespace) != null
                || !VERSION.equals(review.text("apiVersion"))) {
            return null;
        }
        String user = review.text("request", "userInfo", "username");
        return new AdmissionRequest(
                uid,
                namespace,
                user == null ? "" : user,
                review.object("request", "object"),
                review.object("request", "oldObject"));
    }

    /** Returns the answer that changes nothing. */
    public byte[] allow(String... warnings) {
        return answer(response(true), warnings);
    }

    /** Returns the answer that changes the object. */
    public byte[] patch(JsonPatchBuilder patch, String... warnings) {
        byte[] text = KubeObject.toJsonText(patch.toJson()).getBytes(StandardCharsets.UTF_8);
        return answer(
                response(true)
                        .put("patchType", "JSONPatch")
                        .put("patch", Base64.getEncoder().encodeToString(text)),
                warnings);
    }

    /** Returns the answer that rejects the object as invalid. */
    public byte[] deny(String message) {
        return answer(response(false)
                .put(
                        "status",
                        new JsonObjectReader.Builder()
                                .put("code", INVALID)
                                .put("reason", "Invalid")
                                .put("message", message)
                                .build()));
    }

    private JsonObjectReader.Builder response(boolean isAllowed) {
        return new JsonObjectReader.Builder().put("uid", uid).put("allowed", isAllowed);
    }

    private static byte[] answer(JsonObjectReader.Builder response, String... warnings) {
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
