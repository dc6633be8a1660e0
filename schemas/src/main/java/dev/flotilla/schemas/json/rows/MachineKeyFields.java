package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.DecodedFields;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.JsonObjectField.NonNullField;
import java.util.function.Function;

/** The fields that name the Machine object that a row is about. */
record MachineKeyFields<R>(
        NonNullField<R, SiteId> site, NonNullField<R, String> namespace, NonNullField<R, String> name) {
    /** Declares the fields as the next ones of a row. */
    static <R> MachineKeyFields<R> declare(JsonObjectCodec.CodecBuilder<R> row, Function<R, MachineKey> key) {
        return new MachineKeyFields<>(
                row.required(
                        "site",
                        IdCodecs.SITE,
                        SharedValueCodecs.SITE_TEXT,
                        r -> key.apply(r).site()),
                row.required(
                        "namespace",
                        IdCodecs.LABEL,
                        "The Machine object's namespace.",
                        r -> key.apply(r).namespace()),
                row.required(
                        "name",
                        IdCodecs.NAME,
                        "The Machine object's name.",
                        r -> key.apply(r).name()));
    }

    MachineKey read(DecodedFields fields) {
        return new MachineKey(fields.get(site), fields.get(namespace), fields.get(name));
    }
}
