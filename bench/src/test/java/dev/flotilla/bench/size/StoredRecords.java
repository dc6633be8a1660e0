package dev.flotilla.bench.size;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flotilla.bench.size.UpgradeTraffic.Sum;
import dev.flotilla.schemas.json.WireRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.ControlRecordType;
import org.apache.kafka.common.record.EndTransactionMarker;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.SimpleRecord;
import org.jspecify.annotations.Nullable;

/** The size of records as a broker stores them: batches of a transaction, compressed as Flotilla's producers do. */
final class StoredRecords {
    /** The control record at the end of a transaction, in each of its partitions. */
    static final int MARKER_BYTES = MemoryRecords.withEndTransactionMarker(
                    1, (short) 0, new EndTransactionMarker(ControlRecordType.COMMIT, 0))
            .sizeInBytes();

    private static final Compression ZSTD = Compression.zstd().level(1).build();

    /** The simulated world has short names where Kubernetes and clouds have UUIDs, and short hashes. */
    private static final Pattern SHORT_ID = Pattern.compile("(uid-\\d+|uuid-[\\w-]+|sim://[\\w-]+|kwok://node)");

    private static final Pattern SHORT_HASH = Pattern.compile("(?<=\"(?:previousHash|journalHash)\":\")[0-9a-f]*");

    private StoredRecords() {}

    /** A copy whose ids and hashes are as long as real ones. */
    static WireRecord withRealIds(WireRecord record) {
        byte[] value = record.value();
        return new WireRecord(
                record.topic(),
                record.partition(),
                record.key(),
                value == null ? null : longer(new String(value, UTF_8)).getBytes(UTF_8),
                record.headers());
    }

    private static String longer(String json) {
        String hashed = SHORT_HASH
                .matcher(json)
                .replaceAll(found -> uuid(found.group()).replace("-", "").repeat(2));
        return SHORT_ID.matcher(hashed).replaceAll((MatchResult found) -> {
            String id = found.group();
            return id.contains("://") ? "openstack:///" + uuid(id) : uuid(id);
        });
    }

    private static String uuid(String id) {
        return UUID.nameUUIDFromBytes(id.getBytes(UTF_8)).toString();
    }

    /** The size of records that one transaction writes into one partition, without its marker. */
    static Sum sum(List<WireRecord> records) {
        long bytes = 0;
        SimpleRecord[] stored = new SimpleRecord[records.size()];
        for (int i = 0; i < stored.length; i++) {
            WireRecord record = records.get(i);
            String key = record.key();
            stored[i] = new SimpleRecord(0L, key == null ? null : key.getBytes(UTF_8), record.value(), headers(record));
            bytes += bytes(record);
        }
        int disk = MemoryRecords.withTransactionalRecords(ZSTD, 1, (short) 0, 0, stored)
                .sizeInBytes();
        return new Sum(stored.length, bytes, disk);
    }

    /** Bytes of key, value and headers. */
    static long bytes(WireRecord record) {
        byte[] value = record.value();
        long bytes = UpgradeTraffic.utf8(record.key()).length + (value == null ? 0 : value.length);
        for (Header header : headers(record)) {
            bytes += header.key().length() + header.value().length;
        }
        return bytes;
    }

    private static Header[] headers(WireRecord record) {
        List<Header> headers = new ArrayList<>();
        add(headers, "type", record.headers().type());
        add(headers, "schemaVersion", record.headers().schemaVersion());
        add(headers, "seq", record.headers().seq());
        return headers.toArray(Header[]::new);
    }

    private static void add(List<Header> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.add(new RecordHeader(name, value.getBytes(UTF_8)));
        }
    }
}
