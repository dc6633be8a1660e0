package dev.flotilla.cli.campaign;

import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.json.file.PolicyFileReader;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.SortedSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of manifest that can be applied: campaign or policy.
 *
 * @param acceptedRow finds the row of the same key that the orchestrator has accepted, if any
 * @param reviewer reviews a row against the current fleet
 */
record ManifestKind<R extends TableRow>(
        String kindName,
        Table table,
        Class<R> type,
        Function<String, FileReadResult<R>> reader,
        BiFunction<TableSnapshot, R, @Nullable R> acceptedRow,
        ManifestReviewer<R> reviewer) {

    /** Reviews a row against the current fleet. */
    @FunctionalInterface
    interface ManifestReviewer<R> {
        ManifestReview of(R row, TableSnapshot tables, SortedSet<SiteId> sites);
    }

    static ManifestKind<Campaign> campaigns() {
        return new ManifestKind<>(
                "campaign",
                Table.CAMPAIGNS,
                Campaign.class,
                CampaignManifestReader::read,
                (tables, campaign) -> {
                    CampaignStatus status =
                            tables.row(new RowKey(Table.CAMPAIGN_STATUS, campaign.name()), CampaignStatus.class);
                    return status == null ? null : status.acceptedCampaign();
                },
                ManifestReview::of);
    }

    static ManifestKind<UpgradePolicy> policies() {
        return new ManifestKind<>(
                "policy",
                Table.POLICIES,
                UpgradePolicy.class,
                PolicyFileReader::read,
                (tables, policy) -> {
                    LastAcceptedPolicy known =
                            tables.row(new RowKey(Table.CAMPAIGN_STATUS, policy.scope()), LastAcceptedPolicy.class);
                    return known == null ? null : known.policy();
                },
                ManifestReview::of);
    }

    /** Whether this row is the newest in the table. */
    boolean isWritten(TableSnapshot tables, R row) {
        return tables.undecidedRows().stream()
                        .noneMatch(rowChange -> rowChange.rowKey().equals(row.rowKey()))
                && row.equals(tables.row(row.rowKey(), type));
    }

    /** Name of a row for operators, such as {@code campaign spring}. */
    String name(R row) {
        return kindName + " " + row.rowKey().key();
    }
}
