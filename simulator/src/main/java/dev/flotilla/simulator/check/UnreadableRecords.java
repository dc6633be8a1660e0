package dev.flotilla.simulator.check;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.simulator.log.CommittedTableRows;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys whose newest record is unreadable, so that its content is not known. */
final class UnreadableRecords {
    private final CommittedTableRows rows;

    UnreadableRecords(CommittedTableRows rows) {
        this.rows = rows;
    }

    /** Whether the newest record of a key in a topic of the fleet is unreadable. */
    boolean contains(Table table, String key) {
        return contains(new RejectedRecordKey("flotilla." + table.label(), 0, key));
    }

    /** Whether the newest record of a key is unreadable. */
    boolean contains(RejectedRecordKey at) {
        return rows.get(new RowKey(Table.REJECTED, at)) instanceof RejectedRecord row && !row.readable();
    }

    /** Whether the newest record of a row is unreadable. */
    boolean contains(RowKey at) {
        if (rows.all(RejectedRecord.class).isEmpty()) {
            return false;
        }
        TablePartition tablePartition = OrchestratorPartitions.partitionOf(at);
        return contains(new RejectedRecordKey(
                new Topic(tablePartition.table(), tablePartition.site()).name(),
                tablePartition.partition(),
                String.valueOf(RecordKeyFormat.print(at))));
    }

    /** Whether any record of the fleet's topics is unreadable. */
    boolean existInFleet() {
        return rows.all(RejectedRecord.class).stream().anyMatch(row -> !row.readable() && siteOf(row.key()) == null);
    }

    /** Whether any record of the given sites is unreadable; of any site if none is given. */
    boolean existInSites(Collection<SiteId> sites) {
        for (RejectedRecord row : rows.all(RejectedRecord.class)) {
            SiteId site = row.readable() ? null : siteOf(row.key());
            if (site != null && (sites.isEmpty() || sites.contains(site))) {
                return true;
            }
        }
        return false;
    }

    /** Whether any record is unreadable in the fleet's topics or in the sites of the campaigns that are depended on. */
    boolean existInDependencies(List<CampaignDependency> dependencies) {
        for (CampaignStatus campaign : rows.all(CampaignStatus.class)) {
            boolean named = dependencies.stream()
                    .anyMatch(dependency -> dependency.campaign().equals(campaign.name()));
            if (named
                    && existInSites(campaign.acceptedCampaign().spec().select().sites())) {
                return true;
            }
        }
        return existInFleet();
    }

    private static @Nullable SiteId siteOf(RejectedRecordKey key) {
        Topic topic = Topic.parse(key.topic());
        return topic == null ? null : topic.site();
    }
}
