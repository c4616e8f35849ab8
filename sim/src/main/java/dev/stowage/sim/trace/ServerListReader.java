package dev.stowage.sim.trace;

import java.nio.file.Path;
import java.util.List;

/** Reads server lists: CSV (plain or gz) or Parquet, with the same account of rows and the same errors as traces. */
public final class ServerListReader {
    private ServerListReader() {}

    /** Whether some format recognises the file. */
    public static boolean recognises(Path file) {
        try {
            FileHead head = SourceFiles.find(List.of(file), Documents.Purpose.SERVERS, null)
                    .head();
            return ServerFormats.all().stream().anyMatch(format -> format.recognises(head));
        } catch (TraceException e) {
            return false;
        }
    }

    /** Whether a list of servers has a column of this name. */
    public static boolean hasColumn(Path file, String name) {
        try {
            FileHead head = SourceFiles.find(List.of(file), Documents.Purpose.SERVERS, null)
                    .head();
            return OwnColumns.header(head).contains(name);
        } catch (TraceException e) {
            return false;
        }
    }

    /** Whether a file is RVTools' list of virtual machines, whose hosts are in another file. */
    public static boolean isVInfo(Path file) {
        try {
            FileHead head = SourceFiles.find(List.of(file), Documents.Purpose.REQUESTS, null)
                    .head();
            return OwnColumns.header(head).containsAll(List.of("VM", "Powerstate"));
        } catch (TraceException e) {
            return false;
        }
    }

    /** Whether a file of requests has a list of servers beside them: another sheet, other rows, or a header. */
    public static boolean hasServersBeside(Path trace) {
        try {
            Source servers = SourceFiles.find(List.of(trace), Documents.Purpose.SERVERS, null);
            DocumentTable list = servers.document();
            if (list == null) {
                return new SwfServersFormat().recognises(servers.head());
            }
            Source requests = SourceFiles.find(List.of(trace), Documents.Purpose.REQUESTS, null);
            return !list.equals(requests.document()) || OwnRows.isMixed(list);
        } catch (TraceException e) {
            return false;
        }
    }

    /**
     * Reads a list of servers whose columns are said, as in {@code cpu=Kerne,mem=RAM:GiB,site=Datacenter}; what is not
     * said is guessed.
     */
    public static LoadedServers read(Path path, String columns) {
        return read(path, columns, "", "");
    }

    /**
     * The same of some rows.
     *
     * @param in name of the column in which these have a value; empty for all rows
     * @param with the value; empty where they have nothing there
     */
    public static LoadedServers read(Path path, String columns, String in, String with) {
        ReadOptions options = ReadOptions.defaults();
        return read(
                path,
                columns.isEmpty() && in.isEmpty()
                        ? options
                        : options.withFormat(OwnFormat.KEY)
                                .withSetting(OwnFormat.COLUMNS, columns)
                                .withSetting(RowChoice.IN.name(), in)
                                .withSetting(RowChoice.WITH.name(), with));
    }

    /** Reads a file, or all files of a directory in order of their names. */
    public static LoadedServers read(Path path, ReadOptions options) {
        var reader = new TableReader<ServerFormat, ServerFormat.Mapper>(
                ServerFormats.all(), options, Documents.Purpose.SERVERS);
        var result = reader.read(
                List.of(path), ServerFormat::mapper, mapper -> mapper.servers().servers());
        return new LoadedServers(result.mapper().servers().build(), result.report());
    }
}
