package dev.flotilla.cli;

import dev.flotilla.cli.campaign.ApplyCommand;
import dev.flotilla.cli.campaign.DeleteCommand;
import dev.flotilla.cli.campaign.GetCommand;
import dev.flotilla.cli.campaign.ListCommand;
import dev.flotilla.cli.campaign.PlanCommand;
import dev.flotilla.cli.campaign.ValidateCommand;
import dev.flotilla.cli.campaign.WatchCommand;
import dev.flotilla.cli.fleet.StatusCommand;
import dev.flotilla.cli.journal.ChaptersCommand;
import dev.flotilla.cli.journal.ExportCommand;
import dev.flotilla.cli.journal.ReplayCommand;
import dev.flotilla.cli.journal.TailCommand;
import dev.flotilla.cli.journal.TrimCommand;
import dev.flotilla.cli.journal.VerifyCommand;
import dev.flotilla.cli.machine.ExplainCommand;
import dev.flotilla.cli.machine.MachineGetCommand;
import dev.flotilla.cli.machine.MachineListCommand;
import dev.flotilla.cli.machine.ReleaseCommand;
import dev.flotilla.cli.machine.TrustCommand;
import dev.flotilla.cli.order.ApproveCommand;
import dev.flotilla.cli.order.CampaignOrderCommand;
import dev.flotilla.cli.order.FleetAdoptCommand;
import dev.flotilla.cli.order.FleetFreezeCommand;
import dev.flotilla.cli.order.SiteOrderCommand;
import dev.flotilla.cli.order.SkipCommand;
import dev.flotilla.cli.policy.CapsCommand;
import dev.flotilla.cli.policy.PolicyListCommand;
import dev.flotilla.cli.rejected.RejectedListCommand;
import dev.flotilla.cli.rejected.RejectedShowCommand;
import dev.flotilla.cli.site.AddCommand;
import dev.flotilla.cli.site.LeaveCommand;
import dev.flotilla.cli.site.RbacCommand;
import dev.flotilla.cli.site.SiteListCommand;
import dev.flotilla.cli.site.check.CheckCommand;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.cli.verb.Group;
import picocli.CommandLine;

/** The verbs about a fleet, by what they are about. */
final class FleetVerbs {
    private FleetVerbs() {}

    static CommandLine campaign(Terminal terminal) {
        CommandLine group = Group.of("campaign", "Write, check and steer campaigns.", terminal);
        group.addSubcommand(ValidateCommand.campaign(terminal));
        group.addSubcommand(ApplyCommand.campaign(terminal));
        group.addSubcommand(ListCommand.of(terminal));
        group.addSubcommand(GetCommand.of(terminal));
        group.addSubcommand(WatchCommand.of(terminal));
        group.addSubcommand(PlanCommand.of(terminal));
        CampaignOrderCommand.addTo(group, terminal);
        group.addSubcommand(ApproveCommand.of(terminal));
        group.addSubcommand(SkipCommand.of(terminal));
        group.addSubcommand(DeleteCommand.of(terminal));
        Examples.set(
                group,
                "flotilla campaign validate examples/campaigns/canary.yaml",
                "flotilla campaign apply examples/campaigns/canary.yaml",
                "flotilla campaign get k8s-1-33",
                "flotilla campaign pause k8s-1-33 --why 'let me look'");
        return group;
    }

    static CommandLine machine(Terminal terminal) {
        CommandLine group = Group.of("machine", "See machines and why they wait; mend by hand.", terminal);
        group.addSubcommand(MachineListCommand.of(terminal));
        group.addSubcommand(MachineGetCommand.of(terminal));
        group.addSubcommand(ExplainCommand.of(terminal));
        group.addSubcommand(ReleaseCommand.of(terminal));
        group.addSubcommand(TrustCommand.of(terminal));
        Examples.set(group, "flotilla machine list --site east", "flotilla machine explain east/fleet/k1-w-3");
        return group;
    }

    static CommandLine fleet(Terminal terminal) {
        CommandLine group = Group.of("fleet", "See, limit and freeze the whole fleet.", terminal);
        group.addSubcommand(StatusCommand.of(terminal));
        group.addSubcommand(CapsCommand.of(terminal));
        FleetFreezeCommand.addTo(group, terminal);
        group.addSubcommand(FleetAdoptCommand.of(terminal));
        Examples.set(
                group,
                "flotilla fleet status",
                "flotilla fleet caps --in-flight 40",
                "flotilla fleet freeze --why 'network trouble'");
        return group;
    }

    static CommandLine site(Terminal terminal) {
        CommandLine group = Group.of("site", "Add, check, freeze and write off sites.", terminal);
        group.addSubcommand(AddCommand.of(terminal));
        group.addSubcommand(CheckCommand.of(terminal));
        group.addSubcommand(SiteListCommand.of(terminal));
        group.addSubcommand(RbacCommand.of(terminal));
        SiteOrderCommand.addTo(group, terminal);
        group.addSubcommand(LeaveCommand.of(terminal));
        Examples.set(group, "flotilla site add east", "flotilla site check east");
        return group;
    }

    static CommandLine policy(Terminal terminal) {
        CommandLine group = Group.of("policy", "Write and check the rules of the fleet and its sites.", terminal);
        group.addSubcommand(ValidateCommand.policy(terminal));
        group.addSubcommand(ApplyCommand.policy(terminal));
        group.addSubcommand(PolicyListCommand.of(terminal));
        Examples.set(
                group,
                "flotilla policy validate examples/policies/fleet.yaml",
                "flotilla policy apply examples/policies/fleet.yaml");
        return group;
    }

    static CommandLine journal(Terminal terminal) {
        CommandLine group = Group.of("journal", "Read, check, replay and trim what was decided.", terminal);
        group.addSubcommand(VerifyCommand.of(terminal));
        group.addSubcommand(TailCommand.of(terminal));
        group.addSubcommand(ChaptersCommand.of(terminal));
        group.addSubcommand(ExportCommand.of(terminal));
        group.addSubcommand(ReplayCommand.of(terminal));
        group.addSubcommand(TrimCommand.of(terminal));
        Examples.set(group, "flotilla journal verify", "flotilla journal tail", "flotilla journal chapters");
        return group;
    }

    static CommandLine rejected(Terminal terminal) {
        CommandLine group = Group.of("rejected", "See the records that were not taken.", terminal);
        group.addSubcommand(RejectedListCommand.of(terminal));
        group.addSubcommand(RejectedShowCommand.of(terminal));
        Examples.set(group, "flotilla rejected list", "flotilla rejected show flotilla.campaigns/0/spring");
        return group;
    }
}
