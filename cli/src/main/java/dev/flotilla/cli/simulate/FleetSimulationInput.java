package dev.flotilla.cli.simulate;

import dev.flotilla.cli.file.FileProblemFormatter;
import dev.flotilla.cli.file.FleetDescription;
import dev.flotilla.cli.file.FleetDescriptionFile;
import dev.flotilla.cli.file.TextFileResult;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.json.file.CampaignFileReader;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.json.file.PolicyFileReader;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.UpgradePolicy;
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

/** Parsed files of a virtual rollout and all their problems. */
final class FleetSimulationInput {
    private static final UpgradePolicy TENTH =
            new UpgradePolicy(FleetScope.FLEET, new CountOrPercent.Percent(10), null, false, null, null, null, null);

    private final List<String> problems = new ArrayList<>();
    private final @Nullable FleetDescription fleet;
    private final List<Campaign> campaigns = new ArrayList<>();
    private final UpgradePolicy policy;

    FleetSimulationInput(SimulateOptions.FleetSimulationFiles fleetSimulationFiles) {
        this.fleet = read(fleetSimulationFiles.fleet(), FleetDescriptionFile::read);
        Set<String> names = new HashSet<>();
        for (String file : fleetSimulationFiles.campaigns()) {
            Campaign campaign = read(file, CampaignFileReader::read);
            if (campaign != null) {
                campaigns.add(campaign);
                if (!names.add(campaign.name().toString())) {
                    problems.add(file + ": campaign " + campaign.name() + " is already in an earlier file: give each"
                            + " campaign once");
                }
            }
        }
        UpgradePolicy given = fleetSimulationFiles.policy() == null
                ? TENTH
                : read(fleetSimulationFiles.policy(), PolicyFileReader::read);
        if (given != null && given.scope() != FleetScope.FLEET) {
            problems.add(fleetSimulationFiles.policy() + " is the policy of site " + given.scope()
                    + ": give the policy of" + " the fleet");
        }
        this.policy = given == null ? TENTH : given;
    }

    private <T> @Nullable T read(String file, Function<String, FileReadResult<T>> reader) {
        switch (TextFileResult.read(file)) {
            case TextFileResult.UnreadableFile unreadableFile -> problems.add(unreadableFile.problem());
            case TextFileResult.FileText fileText -> {
                switch (reader.apply(fileText.text())) {
                    case FileReadResult.ValidFile<T> validFile -> {
                        return validFile.value();
                    }
                    case FileReadResult.InvalidFile<T> invalidFile ->
                        problems.addAll(FileProblemFormatter.lines(file, invalidFile.problems()));
                }
            }
        }
        return null;
    }

    List<String> problems() {
        return problems;
    }

    /** The fleet; call it only if there are no problems. */
    FleetDescription fleet() {
        return Objects.requireNonNull(fleet);
    }

    UpgradePolicy policy() {
        return policy;
    }

    /** The campaigns, moved in time so that the earliest start is the start of the rollout. */
    List<Campaign> campaigns(Instant now) {
        Instant first = campaigns.stream()
                .map(campaign -> campaign.spec().startAt())
                .filter(Objects::nonNull)
                .min(Instant::compareTo)
                .orElse(now);
        Duration by = Duration.between(first, VirtualRollout.START);
        return campaigns.stream().map(campaign -> shifted(campaign, by)).toList();
    }

    private static Campaign shifted(Campaign campaign, Duration by) {
        CampaignSpec spec = campaign.spec();
        return new Campaign(
                campaign.name(),
                campaign.labels(),
                CampaignSpecBuilder.from(spec)
                        .startAt(shifted(spec.startAt(), by))
                        .deadline(shifted(spec.deadline(), by))
                        .checks(CampaignChecks.NONE)
                        .build());
    }

    private static @Nullable Instant shifted(@Nullable Instant instant, Duration by) {
        return instant == null ? null : instant.plus(by);
    }
}
