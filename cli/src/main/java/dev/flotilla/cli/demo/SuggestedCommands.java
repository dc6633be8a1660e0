package dev.flotilla.cli.demo;

import dev.flotilla.cli.demo.stage.DemoProcess;
import dev.flotilla.cli.demo.stage.DemoProcesses;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.testkit.sites.SitesFleetLayout;
import java.util.ArrayList;
import java.util.List;

/** Commands to try while a demonstration runs. */
final class SuggestedCommands {

    /** The release after the campaign's target. */
    private static final int NEXT = 2;

    private SuggestedCommands() {}

    static List<String> lines(DemoProcesses demoProcesses, DemoSpec spec) {
        SitesFleetLayout.PlannedCluster cluster = spec.fleet().clusters().getFirst();
        // A worker must not be newer than its control plane, and only a version says that it would be.
        MachineKey machine = cluster.provider() == UpgradeProvider.K8SD
                ? cluster.machines().getLast()
                : cluster.machines().getFirst();
        String kubectl =
                "kubectl --kubeconfig " + demoProcesses.kubeconfig(machine.site()) + " -n " + machine.namespace();
        String kafka = " --bootstrap " + demoProcesses.bootstrap();
        List<String> lines = new ArrayList<>();
        lines.add(kubectl + " get machines");
        lines.add(kubectl + " annotate machine " + machine.name() + " " + annotationOf(cluster.provider()) + "="
                + targetOf(cluster.provider()));
        lines.add(kubectl + " describe machine " + machine.name());
        if (spec.hasNodeUpgrades()) {
            lines.add(kubectl + " get nodeupgrades");
        }
        lines.add("kcat -b " + demoProcesses.bootstrap() + " -C -e -t flotilla." + Table.STATUS.label() + "."
                + machine.site());
        DemoProcess leader = demoProcesses.leader();
        if (leader != null) {
            lines.add("xdg-open " + leader.uri().resolve("/"));
            lines.add("curl -s " + leader.uri().resolve("/api/v1/fleet"));
        }
        lines.add("./flotilla fleet status" + kafka);
        lines.add("./flotilla campaign watch " + DemoCampaign.nameOf(cluster.provider()) + kafka);
        lines.add("./flotilla machine explain " + machine + kafka);
        lines.add("./flotilla journal tail" + kafka);
        return lines;
    }

    /** The annotation of Canonical's providers is for machines of k8sd. */
    private static String annotationOf(UpgradeProvider provider) {
        return provider == UpgradeProvider.K8SD ? AnnotationKeys.UPGRADE_TO : AnnotationKeys.OUR_UPGRADE_TO;
    }

    private static String targetOf(UpgradeProvider provider) {
        return provider == UpgradeProvider.K8SD
                ? "channel=" + SnapReleases.channel(NEXT)
                : "version="
                        + SnapReleases.version(
                                SnapReleases.revision(new UpgradeTarget.Channel(SnapReleases.channel(NEXT))));
    }
}
