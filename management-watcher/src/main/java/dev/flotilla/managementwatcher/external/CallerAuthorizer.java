package dev.flotilla.managementwatcher.external;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.runtime.http.RejectedRequestException;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server who has sent a request, and whether that user may create UpgradeTasks: the watcher creates them
 * with its own rights. Blocks, and is meant for virtual threads.
 */
final class CallerAuthorizer {
    private static final String TOKEN_REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";
    private static final String ACCESS_REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    private static final String AUTHENTICATED = "system:authenticated";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final KubeApiClient api;

    CallerAuthorizer(KubeApiClient api) {
        this.api = api;
    }

    /** Returns the user of a client certificate: its common name, and its organizations as groups; null for no user. */
    static @Nullable RequestCaller ofCertificate(X509Certificate certificate) {
        String user = null;
        List<String> groups = new ArrayList<>();
        try {
            for (Rdn rdn : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                if (rdn.getType().equalsIgnoreCase("CN")) {
                    user = String.valueOf(rdn.getValue());
                } else if (rdn.getType().equalsIgnoreCase("O")) {
                    groups.add(String.valueOf(rdn.getValue()));
                }
            }
        } catch (InvalidNameException e) {
            return null;
        }
        groups.add(AUTHENTICATED);
        return user == null || user.isEmpty() ? null : new RequestCaller(user, null, groups, null);
    }

    /** Returns the user of a token. */
    RequestCaller authenticate(String token) {
        JsonObjectReader review = review(
                "authentication.k8s.io/v1",
                "TokenReview",
                new JsonObjectReader.Builder().put("token", token).build());
        KubeObject status = readStatus(api.createObject(TOKEN_REVIEWS, review), "tokenreviews");
        String user = status.text("user", "username");
        if (!status.bool("authenticated") || user == null || user.isEmpty()) {
            throw new RejectedRequestException(new HttpErrorResponse(
                    UNAUTHORIZED,
                    "unauthenticated",
                    "The API server does not know this token.",
                    "send a token of a ServiceAccount of the management cluster that has not expired"));
        }
        return new RequestCaller(
                user, status.text("user", "uid"), status.texts("user", "groups"), status.valueAt("user", "extra"));
    }

    /**
     * Checks that a user may do something with UpgradeTasks in a namespace.
     *
     * @param verb create, or patch to abort one
     */
    void authorize(RequestCaller caller, String namespace, String verb) {
        JsonObjectReader.Builder spec = new JsonObjectReader.Builder()
                .put(
                        "resourceAttributes",
                        new JsonObjectReader.Builder()
                                .put("group", "flotilla.dev")
                                .put("resource", "upgradetasks")
                                .put("verb", verb)
                                .put("namespace", namespace)
                                .build())
                .put("user", caller.user())
                .put("groups", caller.groups());
        if (caller.uid() != null) {
            spec.put("uid", caller.uid());
        }
        JsonValue extra = caller.extra();
        if (extra != null) {
            spec.put("extra", extra);
        }
        JsonObjectReader review = review("authorization.k8s.io/v1", "SubjectAccessReview", spec.build());
        KubeObject status = readStatus(api.createObject(ACCESS_REVIEWS, review), "subjectaccessreviews");
        if (!status.bool("allowed") || status.bool("denied")) {
            throw new RejectedRequestException(new HttpErrorResponse(
                    FORBIDDEN,
                    "forbidden",
                    "User " + caller.user() + " must not " + verb + " upgradetasks.flotilla.dev in namespace "
                            + namespace + ".",
                    "bind ClusterRole flotilla-upgrade-requester to the user in this namespace"));
        }
    }

    private static KubeObject readStatus(KubeResponse response, String reviews) {
        if (response instanceof KubeResponse.SuccessResponse success) {
            return success.object().object("status");
        }
        throw new RejectedRequestException(HttpErrorResponse.unavailable(
                "not-reviewed",
                "The caller cannot be checked: " + response.problem() + ".",
                response.isForbidden()
                        ? "the watcher must create " + reviews
                                + ": apply deploy/management-watcher/external-upgrade-requests.yaml"
                        : "try again"));
    }

    private static JsonObjectReader review(String apiVersion, String kind, JsonObjectReader spec) {
        return new JsonObjectReader.Builder()
                .put("apiVersion", apiVersion)
                .put("kind", kind)
                .put("spec", spec)
                .build();
    }
}
