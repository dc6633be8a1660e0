package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.TopicSetStatus;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The sites of a term: which are read, and which are set aside since their topics cannot be used. */
final class TermSites {
    private static final int JOIN_RECORDS = 2_000;

    private final Surroundings world;
    private final Sites sites;
    private final PartitionReader reader;
    private final Follower follower;
    private final Term term;
    private final BooleanSupplier goesOn;
    private final Set<SiteId> read = new LinkedHashSet<>();
    private final Set<SiteId> aside = new LinkedHashSet<>();
    private final Absences absences;

    /** Of those read, the ones whose topics are others by now: what was read of them is no longer what they hold. */
    private final Set<SiteId> lost = new LinkedHashSet<>();

    /** What waited to be decided on when it began to be read, up to where. */
    private final Map<TablePartition, Long> waited = new LinkedHashMap<>();

    TermSites(
            Surroundings world,
            Sites sites,
            PartitionReader reader,
            Follower follower,
            Term term,
            BooleanSupplier goesOn) {
        this.world = world;
        this.sites = sites;
        this.reader = reader;
        this.follower = follower;
        this.term = term;
        this.goesOn = goesOn;
        this.absences = new Absences(world.time());
    }

    /** Goes on with these inputs, of which what waits up to their ends is decided before anything falls due. */
    void begin(Map<TablePartition, Long> inputs) {
        for (TablePartition tablePartition : inputs.keySet()) {
            term.readsFrom(tablePartition, follower.decidedUpTo(tablePartition));
            SiteId site = tablePartition.site();
            if (site != null && read.add(site)) {
                term.listenTo(site, follower);
                readsTopics(site);
            }
        }
        waited.putAll(inputs);
        setAside();
        handIn();
    }

    /** More has been read, and perhaps all that had waited. */
    void polled() {
        if (waited.entrySet().removeIf(end -> reader.nextOffset(end.getKey()) >= end.getValue())) {
            handIn();
        }
    }

    private void handIn() {
        if (waited.isEmpty()) {
            term.handedInAll();
        }
    }

    /** Sites that were set aside, and those that have a head row and were not read: what is in flight there counts. */
    private void setAside() {
        for (SiteHead head : follower.siteHeads().values()) {
            SiteId site = head.site();
            if (!read.contains(site)) {
                SiteTrouble trouble = sites.trouble(site, head);
                aside.add(site);
                term.setAside(site, trouble == null ? SiteTrouble.passing("it was not read yet") : trouble);
            } else if (head.unreachableSince() != null) {
                aside.add(site);
            }
        }
    }

    private void readsTopics(SiteId site) {
        TopicSetStatus found = sites.seen().sites().get(site);
        if (found != null && found.complete()) {
            term.reads(site, found.topics());
        }
    }

    /** Sites whose topics appeared, cannot be used any more, or can again. */
    void look() {
        Map<SiteId, SiteHead> heads = term.siteHeads();
        for (SiteId site : sites.all(heads.keySet())) {
            SiteHead head = heads.get(site);
            SiteTrouble trouble = sites.trouble(site, head);
            if (trouble == null) {
                comesBack(site, head);
            } else if (head != null || sites.isComplete(site)) {
                goes(site, trouble);
            }
        }
    }

    private void goes(SiteId site, SiteTrouble trouble) {
        if (!trouble.lost().isEmpty() && read.contains(site)) {
            lost.add(site);
        }
        if (aside.add(site)) {
            world.listener().site(site, false);
        }
        leave(site);
        absences.begin(site);
        term.setAside(site, trouble);
    }

    /** Reads nothing more of a site: what it writes waits in Kafka, and nobody waits for it. */
    private void leave(SiteId site) {
        Set<TablePartition> kept = new LinkedHashSet<>(reader.assigned());
        if (kept.removeIf(tablePartition -> site.equals(tablePartition.site()))) {
            reader.assign(kept);
            waited.keySet().removeIf(tablePartition -> site.equals(tablePartition.site()));
            handIn();
        }
    }

    private void comesBack(SiteId site, @Nullable SiteHead head) {
        if (lost.contains(site)) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.WENT_BACK,
                    "the topics of site " + site + " were adopted: reading them anew",
                    null);
        }
        if (!read.contains(site) && !join(site, head)) {
            return;
        }
        absences.end(site);
        if (aside.remove(site)) {
            world.listener().site(site, true);
            follow(site);
            term.takeBack(site);
        }
    }

    /** Reads a site's inputs on from where they are decided on; until they are read nothing falls due. */
    private void follow(SiteId site) {
        List<TablePartition> inputs = new ArrayList<>(OrchestratorPartitions.inputsOf(site));
        inputs.removeAll(reader.assigned());
        if (!inputs.isEmpty()) {
            Restore.add(reader, inputs);
            inputs.forEach(tablePartition -> reader.seek(tablePartition, term.next(tablePartition)));
            waited.putAll(reader.endOffsets(inputs));
            term.awaits();
        }
    }

    /** Reads all rows of a site that was not there before, and goes on with its inputs. Returns whether that could be done. */
    private boolean join(SiteId site, @Nullable SiteHead head) {
        try (PartitionReader once =
                new PartitionReader(world.clients(), world.name() + "-" + site, JOIN_RECORDS, world.patience())) {
            List<TablePartition> places = Restore.placesOf(site);
            Restore.add(once, places);
            Map<TablePartition, Long> ends = once.endOffsets(places);
            Follower rows = follower.intoStateOf(term);
            if (Restore.hasGoneBack(sites, head, ends) || !Restore.readTo(ends, once, rows, new Held(once), goesOn)) {
                return false;
            }
            rows.requireReadable(sites.unreadable());
            rows.markRead(places);
            List<TablePartition> inputs = OrchestratorPartitions.inputsOf(site);
            Restore.add(reader, inputs);
            for (TablePartition tablePartition : inputs) {
                reader.seek(tablePartition, once.nextOffset(tablePartition));
                term.readsFrom(tablePartition, rows.decidedUpTo(tablePartition));
            }
            term.listenTo(site, rows);
            readsTopics(site);
            term.joined(rows.takeWaiting());
            read.add(site);
        }
        world.listener().site(site, true);
        return true;
    }
}
