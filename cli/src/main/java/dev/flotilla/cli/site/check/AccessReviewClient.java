package dev.flotilla.cli.site.check;

import dev.flotilla.cli.site.ServiceAccount;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.ArrayList;
import java.util.List;

/** Asks an API server what another may do there. It decides as it would for that other, whatever grants the right. */
final class AccessReviewClient {
    private static final String VERSION = "authorization.k8s.io/v1";
    private static final String REVIEWS = "/apis/" + VERSION + "/subjectaccessreviews";

    private final KubeApiClient api;

    AccessReviewClient(KubeApiClient api) {
        this.api = api;
    }

    /** What came of asking. */
    sealed interface AccessReviewResult {
        /** All was told. */
        record MissingPermissions(List<RbacPermission> missing) implements AccessReviewResult {}

        /** Whoever asks may not ask this. */
        record ReviewForbidden() implements AccessReviewResult {}

        /** Not all was told. */
        record ReviewFailed(String reason) implements AccessReviewResult {}
    }

    /** Which of these rights somebody does not have. One that is not answered is the last that is asked. */
    AccessReviewResult findMissingPermissions(ServiceAccount account, List<RbacPermission> rights) {
        List<RbacPermission> missing = new ArrayList<>();
        for (RbacPermission rbacPermission : rights) {
            KubeResponse reply = api.createObject(REVIEWS, review(account, rbacPermission));
            if (reply.isForbidden()) {
                return new AccessReviewResult.ReviewForbidden();
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
