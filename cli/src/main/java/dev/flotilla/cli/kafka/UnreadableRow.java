package dev.flotilla.cli.kafka;

import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.topic.TablePartition;

/**
 * A row that this version cannot read.
 *
 * @param key the record's key as it is stored
 */
public record UnreadableRow(TablePartition partition, String key, long offset, RejectionDetail why) {}
