package dev.flotilla.cli.site.check;

import dev.flotilla.cli.site.ServiceAccount;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Asks an API server what a service account may do, with SubjectAccessReviews. */
final class AccessReviewClient {
    private static final String VERSION = "authorization.k8s.io/v1";
    private static final String REVIEWS = "/apis/" + VERSION + "/subjectaccessreviews";

    private static final int METHOD_NOT_ALLOWED = 405;

    /** How API servers answer a review that they do not serve. */
    private static final Set<Integer> NOT_SERVED =
            Set.of(KubeResponse.NOT_FOUND, METHOD_NOT_ALLOWED, KubeResponse.UNPROCESSABLE);

    private final KubeApiClient api;

    AccessReviewClient(KubeApiClient api) {
        this.api = api;
    }

    /** Result of the reviews. */
    sealed interface AccessReviewResult {
        /** All reviews were answered. */
        record MissingPermissions(List<RbacPermission> missing) implements AccessReviewResult {}

        /** The caller may not create reviews. */
        record ReviewForbidden() implements AccessReviewResult {}

        /** The API server does not serve reviews. */
        record ReviewNotServed(String reason) implements AccessReviewResult {}

        /** A review failed. */
        record ReviewFailed(String reason) implements AccessReviewResult {}
    }

    /** Finds which of these permissions an account does not have. Stops at the first review that fails. */
    AccessReviewResult findMissingPermissions(ServiceAccount account, List<RbacPermission> rights) {
        List<RbacPermission> missing = new ArrayList<>();
        for (RbacPermission rbacPermission : rights) {
            KubeResponse reply = api.createObject(REVIEWS, review(account, rbacPermission));
            if (reply.isForbidden()) {
                return new AccessReviewResult.ReviewForbidden();
            }
            if (reply instanceof KubeResponse.ErrorResponse error && NOT_SERVED.contains(error.status())) {
                return new AccessReviewResult.ReviewNotServed(reply.problem());
            }
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return new AccessReviewResult.ReviewFailed(reply.problem());
            }
            if (!successResponse.object().bool("status", "allowed")) {
                missing.add(rbacPermission);
            }
        }
        return new AccessReviewResult.MissingPermissions(List.copyOf(missing));
    }

    private static JsonObjectReader review(ServiceAccount account, RbacPermission rbacPermission) {
        return new JsonObjectReader.Builder()
                .put("apiVersion", VERSION)
                .put("kind", "SubjectAccessReview")
                .put(
                        "spec",
                        new JsonObjectReader.Builder()
                                .put("user", account.user())
                                .put("groups", account.groups())
                                .put("resourceAttributes", rbacPermission.attributes())
                                .build())
                .build();
    }
}
