package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReceivedStatusTableTest {
    private static final SiteId EAST = new SiteId("east");
    private static final MachineKey MACHINE = new MachineKey(EAST, "fleet", "k1-w-0");

    /** A newer orchestrator wrote it: what was read before stays, and other rows are read. */
    @Test
    void ignoresARowOfANewerVersion() {
        ReceivedStatusTable table = new ReceivedStatusTable();
        WireRecord row = WireRecordCodec.encode(new MachineStatus(MACHINE, "uid-1", null, null, List.of()));
        assertThat(table.applyRecord(read(row))).isEqualTo(MACHINE);
        ReceivedMachineStatus before = table.machineStatus(MACHINE);
        WireRecord newer = new WireRecord(
                row.topic(),
                row.partition(),
                row.key(),
                row.value(),
                new WireHeaders(row.headers().type(), "2", row.headers().seq()));
        assertThat(table.applyRecord(read(newer))).isNull();
        assertThat(table.machineStatus(MACHINE)).isSameAs(before);
    }

    private static ConsumedRecord read(WireRecord record) {
        return new ConsumedRecord(TablePartition.of(Table.STATUS, EAST), 0, 0, record);
    }
}
