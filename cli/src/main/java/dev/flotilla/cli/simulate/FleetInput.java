package dev.flotilla.cli.simulate;

import dev.flotilla.cli.file.FleetDescription;
import dev.flotilla.cli.file.FleetFile;
import dev.flotilla.cli.file.ProblemList;
import dev.flotilla.cli.file.TextFile;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.json.file.CampaignFile;
import dev.flotilla.schemas.json.file.FileRead;
import dev.flotilla.schemas.json.file.PolicyFile;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.simulator.rollout.VirtualRollout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The files of a simulation, read, and everything that is wrong with any of them. */
final class FleetInput {
    private static final Policy TENTH =
            new Policy(Fleet.FLEET, new Limit.Percent(10), null, false, null, null, null, null);

    private final List<String> problems = new ArrayList<>();
    private final @Nullable FleetDescription fleet;
    private final List<Campaign> campaigns = new ArrayList<>();
    private final Policy policy;

    FleetInput(SimulateOptions.Files files) {
        this.fleet = read(files.fleet(), FleetFile::read);
        Set<String> names = new HashSet<>();
        for (String file : files.campaigns()) {
            Campaign campaign = read(file, CampaignFile::read);
            if (campaign != null) {
                campaigns.add(campaign);
                if (!names.add(campaign.name().toString())) {
                    problems.add(file + ": campaign " + campaign.name() + " is in an earlier file too");
                }
            }
        }
        Policy given = files.policy() == null ? TENTH : read(files.policy(), PolicyFile::read);
        if (given != null && given.scope() != Fleet.FLEET) {
            problems.add(files.policy() + ": is the policy of site " + given.scope() + "; give the fleet's");
        }
        this.policy = given == null ? TENTH : given;
    }

    private <T> @Nullable T read(String file, Function<String, FileRead<T>> reader) {
        switch (TextFile.read(file)) {
            case TextFile.Missing missing -> problems.add(missing.problem());
            case TextFile.Text text -> {
                switch (reader.apply(text.text())) {
                    case FileRead.Good<T> good -> {
                        return good.value();
                    }
                    case FileRead.Bad<T> bad -> problems.addAll(ProblemList.lines(file, bad.problems()));
                }
            }
        }
        return null;
    }

    List<String> problems() {
        return problems;
    }

    /** The fleet; there must be no problem. */
    FleetDescription fleet() {
        return Objects.requireNonNull(fleet);
    }

    Policy policy() {
        return policy;
    }

    /** The campaigns, their instants moved so that the earliest start is when the rollout begins. */
    List<Campaign> campaigns(Instant now) {
        Instant first = campaigns.stream()
                .map(campaign -> campaign.spec().startAt())
                .filter(Objects::nonNull)
                .min(Instant::compareTo)
                .orElse(now);
        Duration by = Duration.between(first, VirtualRollout.START);
        return campaigns.stream().map(campaign -> moved(campaign, by)).toList();
    }

    private static Campaign moved(Campaign campaign, Duration by) {
        CampaignSpec spec = campaign.spec();
        return new Campaign(
                campaign.name(),
                campaign.labels(),
                new CampaignSpec(
                                spec.target(),
                                spec.expectedVersion(),
                                spec.select(),
                                spec.waves(),
                                spec.inFlight(),
                                spec.clusterInFlight(),
                                spec.failureBudget(),
                                moved(spec.startAt(), by),
                                moved(spec.deadline(), by),
                                spec.priority(),
                                spec.maxUnavailable(),
                                spec.controlPlaneFirst(),
                                spec.retries())
                        .with(spec.terms()));
    }

    private static @Nullable Instant moved(@Nullable Instant instant, Duration by) {
        return instant == null ? null : instant.plus(by);
    }
}
