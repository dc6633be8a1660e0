package dev.flotilla.cli.site.check;

import dev.flotilla.cli.site.ServiceAccount;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.ArrayList;
import java.util.List;

/** Asks an API server what another may do there. It decides as it would for that other, whatever grants the right. */
final class AccessReviews {
    private static final String VERSION = "authorization.k8s.io/v1";
    private static final String REVIEWS = "/apis/" + VERSION + "/subjectaccessreviews";

    private final KubeApiClient api;

    AccessReviews(KubeApiClient api) {
        this.api = api;
    }

    /** What came of asking. */
    sealed interface Answer {
        /** All was told. */
        record Told(List<Right> missing) implements Answer {}

        /** Whoever asks may not ask this. */
        record Forbidden() implements Answer {}

        /** Not all was told. */
        record Dark(String why) implements Answer {}
    }

    /** Which of these rights somebody does not have. One that is not answered is the last that is asked. */
    Answer missing(ServiceAccount account, List<Right> rights) {
        List<Right> missing = new ArrayList<>();
        for (Right right : rights) {
            KubeResponse reply = api.createObject(REVIEWS, review(account, right));
            if (reply.isForbidden()) {
                return new Answer.Forbidden();
            }
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return new Answer.Dark(reply.problem());
            }
            if (!successResponse.object().bool("status", "allowed")) {
                missing.add(right);
            }
        }
        return new Answer.Told(List.copyOf(missing));
    }

    private static JsonObjectReader review(ServiceAccount account, Right right) {
        return new JsonObjectReader.Builder()
                .put("apiVersion", VERSION)
                .put("kind", "SubjectAccessReview")
                .put(
                        "spec",
                        new JsonObjectReader.Builder()
                                .put("user", account.user())
                                .put("groups", account.groups())
                                .put("resourceAttributes", right.attributes())
                                .build())
                .build();
    }
}
