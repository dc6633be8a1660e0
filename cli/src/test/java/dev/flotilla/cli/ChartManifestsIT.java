package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.helm.HelmBinary;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * With the values of the plain manifests the charts render the same objects, all of them and no others: images, arguments, variables,
 * ports, probes, security contexts, rules of roles and policies. What only helm adds is left out: its labels, its hooks, and the checksum by
 * which a changed configuration replaces pods.
 */
@Tag("nightly")
@EnabledIf(value = HelmBinary.PRESENT, disabledReason = HelmBinary.MISSING)
class ChartManifestsIT {
    /**
     * What no chart installs in that way: objects of workload clusters and of a namespace itself, what is applied only if it is needed, and a
     * certificate, which a chart has of the issuer in its values.
     */
    private static final List<String> NOT_IN_CHARTS = List.of(
            "campaign-controller/",
            "cluster-api/certificate.yaml",
            "management-watcher/external-upgrade-requests.yaml",
            "management-watcher/intercept-webhook.yaml",
            "management-watcher/upgrade-requester.yaml",
            "node-upgrader/admission-workload.yaml",
            "node-upgrader/plans/",
            "node-upgrader/rbac-workload.yaml",
            "node-worker/rbac-workload.yaml");

    private static final List<String> LABELS_OF_HELM = List.of(
            "app.kubernetes.io/instance",
            "app.kubernetes.io/managed-by",
            "app.kubernetes.io/name",
            "app.kubernetes.io/part-of",
            "app.kubernetes.io/version",
            "helm.sh/chart");

    /** What only helm runs. */
    private static final String HOOK = "helm.sh/hook=";

    private static final List<String> ANNOTATIONS_OF_HELM = List.of("checksum/config", "helm.sh/resource-policy");

    @TempDir
    private Path folder;

    @Test
    void chartsRenderTheObjectsOfThePlainManifests() {
        List<DeployedObject> rendered = new ArrayList<>();
        rendered.addAll(HelmChart.CRDS.render("minimal"));
        rendered.addAll(HelmChart.FLEET.render("minimal"));
        rendered.addAll(HelmChart.SITE.render("plain"));
        Map<String, Object> fromCharts = comparable(rendered.stream());

        Map<String, Object> plain = comparable(DeployedObject.all().stream()
                .filter(each -> NOT_IN_CHARTS.stream().noneMatch(each.file()::startsWith))
                .filter(each -> !each.at("kind").equals("Namespace")));

        assertThat(fromCharts.keySet()).containsExactlyInAnyOrderElementsOf(plain.keySet());
        plain.forEach((id, object) -> assertThat(fromCharts.get(id)).as(id).isEqualTo(object));
        assertThat(plain).hasSizeGreaterThan(60);
    }

    /** The role of who may request upgrades, which those of the node-upgrader have too, and the one to answer other controllers. */
    @Test
    void siteHasTheRolesOfThoseWhoRequestUpgrades() {
        Map<String, Object> fromChart = comparable(HelmChart.SITE
                .render(
                        "minimal",
                        "--set",
                        "watcher.externalUpgradeRequests.enabled=true",
                        "--set",
                        "watcher.externalUpgradeRequests.callerNamespaces={autoscaling}")
                .stream());
        Map<String, Object> plain = comparable(DeployedObject.all().stream()
                .filter(each -> each.file().equals("management-watcher/upgrade-requester.yaml")
                        || each.file().equals("management-watcher/external-upgrade-requests.yaml")));
        assertThat(plain).hasSize(3);
        assertThat(fromChart).containsAllEntriesOf(plain);
    }

    @Test
    void webhookReplacesThePolicyOnOlderApiServers() {
        List<DeployedObject> rendered = HelmChart.SITE.render(
                "minimal", "--set", "intercept.enabled=true,intercept.webhook=true,certManager.enabled=true");
        Map<String, Object> fromChart = comparable(rendered.stream());
        Map<String, Object> plain = comparable(DeployedObject.all().stream()
                .filter(each -> each.file().equals("management-watcher/intercept-webhook.yaml")));
        assertThat(plain).hasSize(5);
        assertThat(fromChart).containsAllEntriesOf(plain);
        assertThat(rendered)
                .noneMatch(each -> each.at("kind").startsWith("MutatingAdmissionPolicy"))
                .anyMatch(each -> each.at("data/config.yaml").contains("interceptWebhook: true"));
        assertThat(HelmChart.SITE.render(
                        "minimal", "--set", "intercept.enabled=true,intercept.webhook=true,intercept.caBundle=QUJD"))
                .filteredOn(each -> each.at("kind").equals("MutatingWebhookConfiguration"))
                .singleElement()
                .matches(each -> each.at("webhooks/0/clientConfig/caBundle").equals("QUJD"))
                .matches(each -> each.at("webhooks/1/clientConfig/caBundle").equals("QUJD"));
    }

    @Test
    void fleetHasTheCampaignControllerAndTheKindsOfAHub() {
        Map<String, Object> fromCharts = comparable(
                HelmChart.FLEET
                        .render("minimal", "--set", "campaignController.enabled=true,certManager.enabled=true")
                        .stream());
        fromCharts.putAll(comparable(HelmChart.CRDS.render("minimal", "--set", "hub=true,site=false").stream()));
        Map<String, Object> plain = comparable(
                DeployedObject.all().stream().filter(each -> each.file().startsWith("campaign-controller/")));
        assertThat(plain).hasSize(12);
        assertThat(fromCharts).containsAllEntriesOf(plain);
        assertThat(fromCharts.keySet())
                .filteredOn(each -> each.contains("CustomResourceDefinition"))
                .hasSize(3);
        assertThat(HelmChart.FLEET.render(
                        "minimal", "--set", "campaignController.enabled=true,campaignController.caBundle=QUJD"))
                .filteredOn(each -> each.at("kind").equals("MutatingWebhookConfiguration"))
                .singleElement()
                .matches(each -> each.at("webhooks/0/clientConfig/caBundle").equals("QUJD"));
    }

    @Test
    void kustomizeBasesHaveTheObjectsOfTheCharts() throws Exception {
        writeBases("bases");
        for (HelmChart chart : List.of(HelmChart.CRDS, HelmChart.FLEET, HelmChart.SITE)) {
            assertThat(comparable(kustomize("bases/" + chart.name().replace("flotilla-", "")).stream()))
                    .isEqualTo(comparable(chart.render("minimal").stream()));
        }
    }

    /** With the values and the overlay of docs/install.md. */
    @Test
    void kustomizeOverlayOfASecondSiteHasItsNameAndTheNewImages() throws Exception {
        String page = Files.readString(CliResult.ROOT.resolve("docs/install.md"));
        Path fleet = Files.writeString(folder.resolve("fleet.yaml"), example(page, "fleet.yaml"));
        String east = example(page, "site.yaml");
        assertThat(east).contains("site: east\n");
        Path west = Files.writeString(folder.resolve("west.yaml"), east.replace("site: east\n", "site: west\n"));
        writeBases("bases/west", fleet.toString(), west.toString());
        Path overlay = Files.createDirectory(folder.resolve("overlay"));
        Files.writeString(overlay.resolve("kustomization.yaml"), example(page, "kustomization.yaml"));

        List<DeployedObject> site = kustomize("overlay");

        assertThat(site)
                .filteredOn(each -> each.at("kind").equals("Deployment"))
                .hasSize(2)
                .allMatch(each -> each.at("spec/template/spec/containers/0/image")
                        .equals("registry.example/flotilla/" + each.at("metadata/name") + ":2b3c4d5"));
        assertThat(site)
                .filteredOn(each -> each.at("kind").equals("Certificate"))
                .extracting(each -> each.at("spec/commonName"))
                .contains("flotilla-watcher-west", "flotilla-worker-west");
        assertThat(site)
                .extracting(each -> each.object().toString())
                .noneMatch(Pattern.compile("\\beast\\b").asPredicate());
    }

    /** The YAML block of a page that begins with the name of its file. */
    private static String example(String page, String file) {
        int begin = page.indexOf("# " + file + "\n");
        assertThat(begin).as(file).isNotNegative();
        int line = page.lastIndexOf('\n', begin) + 1;
        return page.substring(line, page.indexOf("```", begin)).stripIndent();
    }

    private void writeBases(String name, String... values) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(HelmChart.FOLDER.resolve("bases").toString());
        command.add(folder.resolve(name).toString());
        command.addAll(List.of(values));
        Map<String, String> helm =
                Map.of("HELM", HelmBinary.find().orElseThrow().program().toString());
        output(helm, command.toArray(String[]::new));
    }

    private List<DeployedObject> kustomize(String name) throws Exception {
        String kubectl = KubeBinaries.find().orElseThrow().kubectl().toString();
        return DeployedObject.parse(
                name,
                output(Map.of(), kubectl, "kustomize", folder.resolve(name).toString()));
    }

    private static String output(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(List.of(command).toString()).isZero();
        return out;
    }

    /** Objects by kind, namespace and name, without what only helm adds. */
    private static Map<String, Object> comparable(Stream<DeployedObject> objects) {
        Map<String, Object> found = new TreeMap<>();
        objects.filter(each -> !each.at("metadata/annotations").contains(HOOK)).forEach(each -> {
            // Each chart has these of its own, because two charts may share a namespace.
            String id = each.id().replaceAll("/flotilla-(fleet|site)-(default-deny|dns)$", "/$2");
            Object before = found.put(id, normal("", withoutName(each)));
            assertThat(before == null || before.equals(found.get(id))).as(id).isTrue();
        });
        return found;
    }

    private static Map<?, ?> withoutName(DeployedObject object) {
        Map<Object, Object> copy = new TreeMap<>(object.object());
        Map<Object, Object> metadata = new TreeMap<>((Map<?, ?>) copy.get("metadata"));
        metadata.remove("name");
        copy.put("metadata", metadata);
        return copy;
    }

    /** Maps in the order of their keys, and files of ConfigMaps read. */
    private static Object normal(String path, Object value) {
        if (value instanceof Map<?, ?> map) {
            return normalMap(path, map);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(each -> normal(path + "[]", each)).toList();
        }
        if (value instanceof String text && path.startsWith("/data/") && path.endsWith(".yaml")) {
            return normal("", new Load(LoadSettings.builder().build()).loadFromString(text));
        }
        if (value instanceof String text && path.startsWith("/data/") && path.endsWith(".properties")) {
            return new TreeSet<>(text.lines().toList());
        }
        // A mode is octal in the manifests, and decimal in what kustomize writes.
        return path.endsWith("/defaultMode") ? Integer.decode("" + value) : value;
    }

    private static Object normalMap(String path, Map<?, ?> map) {
        Map<String, Object> copy = new TreeMap<>();
        map.forEach((name, each) -> copy.put("" + name, normal(path + "/" + name, each)));
        if (path.equals("/metadata/labels")) {
            copy.keySet().removeAll(LABELS_OF_HELM);
        } else if (path.endsWith("/metadata/annotations")) {
            copy.keySet().removeAll(ANNOTATIONS_OF_HELM);
        }
        // What is left of labels and annotations that only helm has.
        if (path.endsWith("/metadata")) {
            copy.values().removeIf(Map.of()::equals);
        }
        return copy;
    }
}
