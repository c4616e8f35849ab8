package dev.stowage.sim.trace;

import java.nio.file.Path;
import java.util.List;

/** Reads server lists: CSV (plain or gz) or Parquet, with the same account of rows and the same errors as traces. */
public final class ServerListReader {
    private ServerListReader() {}

    /** Reads a file, or all files of a directory in order of their names. */
    public static LoadedServers read(Path path, ReadOptions options) {
        var reader = new TableReader<ServerFormat, ServerFormat.Mapper>(ServerFormats.all(), options);
        var result = reader.read(
                List.of(path), ServerFormat::mapper, mapper -> mapper.servers().servers());
        return new LoadedServers(result.mapper().servers().build(), result.report());
    }
}
