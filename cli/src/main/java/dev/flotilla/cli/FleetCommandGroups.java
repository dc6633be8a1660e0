package dev.flotilla.cli;

import dev.flotilla.cli.campaign.ApplyCommand;
import dev.flotilla.cli.campaign.CampaignDeleteCommand;
import dev.flotilla.cli.campaign.CampaignGetCommand;
import dev.flotilla.cli.campaign.CampaignListCommand;
import dev.flotilla.cli.campaign.CampaignPlanCommand;
import dev.flotilla.cli.campaign.CampaignWatchCommand;
import dev.flotilla.cli.campaign.ValidateCommand;
import dev.flotilla.cli.command.CommandGroup;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.fleet.FleetStatusCommand;
import dev.flotilla.cli.journal.JournalChaptersCommand;
import dev.flotilla.cli.journal.JournalExportCommand;
import dev.flotilla.cli.journal.JournalReplayCommand;
import dev.flotilla.cli.journal.JournalTailCommand;
import dev.flotilla.cli.journal.JournalTrimCommand;
import dev.flotilla.cli.journal.JournalVerifyCommand;
import dev.flotilla.cli.machine.MachineCleanupCommand;
import dev.flotilla.cli.machine.MachineExplainCommand;
import dev.flotilla.cli.machine.MachineGetCommand;
import dev.flotilla.cli.machine.MachineListCommand;
import dev.flotilla.cli.machine.MachineTrustCommand;
import dev.flotilla.cli.order.CampaignApproveCommand;
import dev.flotilla.cli.order.CampaignOrderCommand;
import dev.flotilla.cli.order.CampaignSkipCommand;
import dev.flotilla.cli.order.FleetAdoptCommand;
import dev.flotilla.cli.order.FleetFreezeCommand;
import dev.flotilla.cli.order.SiteOrderCommand;
import dev.flotilla.cli.policy.FleetCapsCommand;
import dev.flotilla.cli.policy.PolicyListCommand;
import dev.flotilla.cli.rejected.RejectedListCommand;
import dev.flotilla.cli.rejected.RejectedShowCommand;
import dev.flotilla.cli.site.SiteAddCommand;
import dev.flotilla.cli.site.SiteLeaveCommand;
import dev.flotilla.cli.site.SiteListCommand;
import dev.flotilla.cli.site.SiteRbacCommand;
import dev.flotilla.cli.site.check.SiteCheckCommand;
import dev.flotilla.cli.site.sync.SiteSyncCommand;
import dev.flotilla.cli.terminal.Terminal;
import picocli.CommandLine;

/** Commands about a fleet, grouped by object. */
final class FleetCommandGroups {
    private FleetCommandGroups() {}

    static CommandLine campaign(Terminal terminal) {
        CommandLine group = CommandGroup.of("campaign", "Validate, apply, watch and control campaigns.", terminal);
        group.addSubcommand(ValidateCommand.campaign(terminal));
        group.addSubcommand(ApplyCommand.campaign(terminal));
        group.addSubcommand(CampaignListCommand.of(terminal));
        group.addSubcommand(CampaignGetCommand.of(terminal));
        group.addSubcommand(CampaignWatchCommand.of(terminal));
        group.addSubcommand(CampaignPlanCommand.of(terminal));
        CampaignOrderCommand.addTo(group, terminal);
        group.addSubcommand(CampaignApproveCommand.of(terminal));
        group.addSubcommand(CampaignSkipCommand.of(terminal));
        group.addSubcommand(CampaignDeleteCommand.of(terminal));
        HelpExamples.set(
                group,
                "flotilla campaign validate examples/campaigns/canary.yaml",
                "flotilla campaign apply examples/campaigns/canary.yaml",
                "flotilla campaign get k8s-1-33",
                "flotilla campaign pause k8s-1-33 --reason 'checking a failure'");
        return group;
    }

    static CommandLine machine(Terminal terminal) {
        CommandLine group = CommandGroup.of(
                "machine", "List machines, explain why they wait, and clean up by" + " hand.", terminal);
        group.addSubcommand(MachineListCommand.of(terminal));
        group.addSubcommand(MachineGetCommand.of(terminal));
        group.addSubcommand(MachineExplainCommand.of(terminal));
        group.addSubcommand(MachineCleanupCommand.of(terminal));
        group.addSubcommand(MachineTrustCommand.of(terminal));
        HelpExamples.set(group, "flotilla machine list --site east", "flotilla machine explain east/fleet/k1-w-3");
        return group;
    }

    static CommandLine fleet(Terminal terminal) {
        CommandLine group = CommandGroup.of("fleet", "Show, limit and freeze the whole fleet.", terminal);
        group.addSubcommand(FleetStatusCommand.of(terminal));
        group.addSubcommand(FleetCapsCommand.of(terminal));
        FleetFreezeCommand.addTo(group, terminal);
        group.addSubcommand(FleetAdoptCommand.of(terminal));
        HelpExamples.set(
                group,
                "flotilla fleet status",
                "flotilla fleet caps --in-flight 40",
                "flotilla fleet freeze --reason 'network trouble'");
        return group;
    }

    static CommandLine site(Terminal terminal) {
        CommandLine group = CommandGroup.of("site", "Add, check, freeze, write off and remove sites.", terminal);
        group.addSubcommand(SiteAddCommand.of(terminal));
        group.addSubcommand(SiteCheckCommand.of(terminal));
        group.addSubcommand(SiteListCommand.of(terminal));
        group.addSubcommand(SiteRbacCommand.of(terminal));
        group.addSubcommand(SiteSyncCommand.of(terminal));
        SiteOrderCommand.addTo(group, terminal);
        group.addSubcommand(SiteLeaveCommand.of(terminal));
        HelpExamples.set(group, "flotilla site add east", "flotilla site check east");
        return group;
    }

    static CommandLine policy(Terminal terminal) {
        CommandLine group = CommandGroup.of(
                "policy", "Validate, apply and list the policies of the fleet and its" + " sites.", terminal);
        group.addSubcommand(ValidateCommand.policy(terminal));
        group.addSubcommand(ApplyCommand.policy(terminal));
        group.addSubcommand(PolicyListCommand.of(terminal));
        HelpExamples.set(
                group,
                "flotilla policy validate examples/policies/fleet.yaml",
                "flotilla policy apply examples/policies/fleet.yaml");
        return group;
    }

    static CommandLine journal(Terminal terminal) {
        CommandLine group = CommandGroup.of(
                "journal", "Read, verify, replay and trim the journal of all" + " decisions.", terminal);
        group.addSubcommand(JournalVerifyCommand.of(terminal));
        group.addSubcommand(JournalTailCommand.of(terminal));
        group.addSubcommand(JournalChaptersCommand.of(terminal));
        group.addSubcommand(JournalExportCommand.of(terminal));
        group.addSubcommand(JournalReplayCommand.of(terminal));
        group.addSubcommand(JournalTrimCommand.of(terminal));
        HelpExamples.set(group, "flotilla journal verify", "flotilla journal tail", "flotilla journal chapters");
        return group;
    }

    static CommandLine rejected(Terminal terminal) {
        CommandLine group = CommandGroup.of("rejected", "List and show rejected records.", terminal);
        group.addSubcommand(RejectedListCommand.of(terminal));
        group.addSubcommand(RejectedShowCommand.of(terminal));
        HelpExamples.set(group, "flotilla rejected list", "flotilla rejected show flotilla.campaigns/0/k8s-1-33");
        return group;
    }
}
