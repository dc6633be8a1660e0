package dev.flotilla.nodeupgrader.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeupgrader.NodeUpgraderProcess;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What a node-upgrader does and may do in a workload cluster, with the roles of {@code deploy/}. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class UpgraderRightsIT {
    private static final String NAMESPACE = "flotilla-node-upgrades";
    private static final String USER = "flotilla:node-upgrader";
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:flotilla-node-upgrades:flotilla-node-upgrader";
    private static final String TOKEN_PATH =
            "/api/v1/namespaces/flotilla-node-upgrades/serviceaccounts/flotilla-node-upgrader/token";
    private static final List<String> VERBS =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "impersonate");
    private static final List<String> RESOURCES = List.of(
            "/nodes",
            "/namespaces",
            "/pods",
            "/pods/log",
            "/pods/exec",
            "/pods/eviction",
            "/secrets",
            "/configmaps",
            "/serviceaccounts",
            "/serviceaccounts/token",
            "/users",
            "batch/jobs",
            "batch/cronjobs",
            "apps/deployments",
            "apps/daemonsets",
            "rbac.authorization.k8s.io/roles",
            "rbac.authorization.k8s.io/clusterrolebindings",
            "admissionregistration.k8s.io/validatingadmissionpolicies");

    @TempDir
    private static Path folder;

    private static UpgraderTestBed bed;

    @BeforeAll
    static void start() throws Exception {
        bed = new UpgraderTestBed(folder);
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    private static JsonObjectReader object(Object... namesAndValues) {
        JsonObjectReader.Builder builder = new JsonObjectReader.Builder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (namesAndValues[i + 1] instanceof JsonObjectReader inner) {
                builder.put((String) namesAndValues[i], inner);
            } else if (namesAndValues[i + 1] instanceof JsonValue value) {
                builder.put((String) namesAndValues[i], value);
            } else {
                builder.put((String) namesAndValues[i], (String) namesAndValues[i + 1]);
            }
        }
        return builder.build();
    }

    private static boolean isAllowed(String user, String namespace, String verb, String resource, String name) {
        String[] parts = (resource + "/").split("/", -1);
        KubeResponse response = bed.admin.createObject(
                "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                object(
                        "apiVersion",
                        "authorization.k8s.io/v1",
                        "kind",
                        "SubjectAccessReview",
                        "spec",
                        object(
                                "user",
                                user,
                                "resourceAttributes",
                                object(
                                        "namespace",
                                        namespace,
                                        "verb",
                                        verb,
                                        "group",
                                        parts[0],
                                        "resource",
                                        parts[1],
                                        "subresource",
                                        parts[2],
                                        "name",
                                        name))));
        assertThat(response).isInstanceOf(KubeResponse.SuccessResponse.class);
        return ((KubeResponse.SuccessResponse) response).object().bool("status", "allowed");
    }

    private static List<String> allowed(String user) {
        List<String> allowed = new ArrayList<>();
        for (String resource : RESOURCES) {
            for (String verb : VERBS) {
                if (isAllowed(user, "", verb, resource, "")) {
                    allowed.add("everywhere: " + verb + " " + resource);
                    continue;
                }
                for (String namespace : List.of(NAMESPACE, "kube-system")) {
                    if (isAllowed(user, namespace, verb, resource, "")) {
                        allowed.add(namespace + ": " + verb + " " + resource);
                    }
                }
            }
        }
        return allowed;
    }

    @Test
    void tokenMayDoNothingElse() {
        assertThat(allowed(SERVICE_ACCOUNT))
                .containsExactlyInAnyOrder(
                        "everywhere: get /nodes",
                        "everywhere: get /namespaces",
                        "everywhere: list /pods",
                        NAMESPACE + ": create /pods",
                        NAMESPACE + ": delete /pods",
                        NAMESPACE + ": get /pods/log",
                        NAMESPACE + ": get batch/jobs",
                        NAMESPACE + ": create batch/jobs",
                        NAMESPACE + ": patch batch/jobs",
                        NAMESPACE + ": delete batch/jobs");
    }

    @Test
    void impersonatedUserMayRequestTheTokenOfOneServiceAccount() {
        assertThat(allowed(USER)).isEmpty();
        assertThat(isAllowed(USER, NAMESPACE, "create", "/serviceaccounts/token", "flotilla-node-upgrader"))
                .isTrue();
        assertThat(isAllowed(USER, NAMESPACE, "create", "/serviceaccounts/token", "default"))
                .isFalse();
        assertThat(isAllowed(USER, "kube-system", "create", "/serviceaccounts/token", "flotilla-node-upgrader"))
                .isFalse();
    }

    @Test
    void kubeconfigIsUsedForTheTokenOnly() throws Exception {
        bed.createPlan("rights", "[{name: one, image: i, command: ['true']}]");
        try (NodeUpgraderProcess upgrader = bed.startUpgrader()) {
            assertThat(upgrader.url()).isNotEmpty();
            bed.createUpgrade(
                    "w-1-rights",
                    UpgradeObjects.spec("")
                            .replace("version=v1.36.3", "version=v1.36.1")
                            .replace("plan: example", "plan: rights"));
            assertThat(bed.awaitEnd("w-1-rights").text("status", "phase")).isEqualTo("Succeeded");
        }
        List<KubeObject> requests = Files.readAllLines(bed.cluster.auditLog()).stream()
                .map(KubeObject::parse)
                .filter(Objects::nonNull)
                .toList();
        assertThat(requests)
                .filteredOn(each -> USER.equals(each.text("impersonatedUser", "username")))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.text("requestURI")).isEqualTo(TOKEN_PATH));
        assertThat(requests)
                .filteredOn(each -> SERVICE_ACCOUNT.equals(each.text("user", "username")))
                .extracting(each -> each.text("verb") + " " + each.text("objectRef", "resource"))
                .contains("create jobs", "get nodes", "create pods");
    }
}
