package dev.flotilla.cli.campaign;

import dev.flotilla.cli.kafka.Snapshot;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.file.CampaignFile;
import dev.flotilla.schemas.json.file.FileRead;
import dev.flotilla.schemas.json.file.PolicyFile;
import dev.flotilla.schemas.row.AcceptedPolicy;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Row;
import dev.flotilla.schemas.topic.Table;
import java.util.SortedSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What can be applied from a file.
 *
 * @param accepted the row of the same key that the orchestrator holds, as far as any
 * @param reviewer what the fleet as it stands says to it
 */
record Applied<R extends Row>(
        String word,
        Table table,
        Class<R> type,
        Function<String, FileRead<R>> reader,
        BiFunction<Snapshot, R, @Nullable R> accepted,
        Reviewer<R> reviewer) {

    /** Looks at a row with the fleet's eyes. */
    @FunctionalInterface
    interface Reviewer<R> {
        Review of(R row, Snapshot tables, SortedSet<SiteId> sites);
    }

    static Applied<Campaign> campaigns() {
        return new Applied<>(
                "campaign",
                Table.CAMPAIGNS,
                Campaign.class,
                CampaignFile::read,
                (tables, campaign) -> {
                    CampaignStatus status =
                            tables.row(new RowKey(Table.CAMPAIGN_STATUS, campaign.name()), CampaignStatus.class);
                    return status == null ? null : status.accepted();
                },
                Review::of);
    }

    static Applied<Policy> policies() {
        return new Applied<>(
                "policy",
                Table.POLICIES,
                Policy.class,
                PolicyFile::read,
                (tables, policy) -> {
                    AcceptedPolicy known =
                            tables.row(new RowKey(Table.CAMPAIGN_STATUS, policy.scope()), AcceptedPolicy.class);
                    return known == null ? null : known.policy();
                },
                Review::of);
    }

    /** Whether the newest row that stands in the table is this one. */
    boolean isWritten(Snapshot tables, R row) {
        return tables.undecided().stream().noneMatch(fact -> fact.at().equals(row.at()))
                && row.equals(tables.row(row.at(), type));
    }

    /** What a row is called by its operators. */
    String name(R row) {
        return word + " " + row.at().key();
    }
}
