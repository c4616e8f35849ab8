package dev.stowage.cli.watch;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** Writes every effect of a run in order, one CSV row each; the columns are described in docs/results.md. */
public final class DecisionLog extends EngineListener implements AutoCloseable {
    public static final List<String> COLUMNS =
            List.of("time_s", "request", "type", "site", "server", "what", "reason", "from_server", "queue", "share");

    private static final int BUFFER = 1 << 16;
    private static final int NANO_DIGITS = 9;
    private static final String NONE = "";

    private final CsvWriter csv;
    private final List<String> types;
    private final List<String> sites;

    private DecisionLog(CsvWriter csv, List<String> types, List<String> sites) {
        this.csv = csv;
        this.types = types;
        this.sites = sites;
    }

    /**
     * Begins a log.
     *
     * @param types names of request types, by number
     * @param cluster gives the names of sites
     * @throws UncheckedIOException if the file cannot be written
     */
    static DecisionLog create(Path file, List<String> types, Cluster cluster) {
        try {
            OutputStream out = Files.newOutputStream(file);
            OutputStream packed = file.toString().endsWith(".gz") ? new GZIPOutputStream(out, BUFFER) : out;
            CsvWriter csv = CsvWriter.builder()
                    .lineDelimiter(LineDelimiter.LF)
                    .bufferSize(BUFFER)
                    .build(new OutputStreamWriter(packed, StandardCharsets.UTF_8));
            csv.writeRecord(COLUMNS);
            return new DecisionLog(
                    csv, types, cluster.sites().stream().map(Site::name).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": decisions cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            csv.close();
        } catch (IOException e) {
            throw new UncheckedIOException("decisions cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public void arrived(long now, int job) {
        request(now, job, View.NONE, "arrived", NONE);
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        request(now, job, server, "placed", reason);
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        row(now, id(job), type(job), View.NONE, "queued", reason, NONE, Integer.toString(queue), NONE);
    }

    @Override
    public void rejected(long now, int job, String reason) {
        request(now, job, View.NONE, "rejected", reason);
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        row(now, id(job), type(job), to, "migrated", reason, Integer.toString(from), NONE, NONE);
    }

    @Override
    public void allocated(long now, int job, long amount) {
        row(now, id(job), type(job), view().server(job), "allocated", NONE, NONE, NONE, Long.toString(amount));
    }

    @Override
    public void left(long now, int job, int server) {
        request(now, job, server, server == View.NONE ? "gave-up" : "left", NONE);
    }

    @Override
    public void displaced(long now, int job, int server) {
        request(now, job, server, "displaced", NONE);
    }

    @Override
    public void started(long now, int job, int server) {
        request(now, job, server, "started", NONE);
    }

    @Override
    public void startFailed(long now, int job, int server) {
        request(now, job, server, "start-failed", NONE);
    }

    @Override
    public void stopping(long now, int job, int server, String reason) {
        request(now, job, server, "stopping", reason);
    }

    @Override
    public void evicted(long now, int job, int server, String reason) {
        request(now, job, server, "evicted", reason);
    }

    @Override
    public void dummyPlaced(long now, int dummy, int server, String reason) {
        row(now, NONE, type(dummy), server, "dummy-placed", reason, NONE, NONE, NONE);
    }

    @Override
    public void dummyEnded(long now, int dummy, int server) {
        row(now, NONE, type(dummy), server, "dummy-ended", NONE, NONE, NONE, NONE);
    }

    @Override
    public void serverChanged(long now, int server, ServerStatus status) {
        String what = "server-" + status.name().toLowerCase(Locale.ROOT);
        row(now, NONE, NONE, server, what, NONE, NONE, NONE, NONE);
    }

    @Override
    public void resized(long now, int server, long[] before) {
        row(now, NONE, NONE, server, "server-resized", NONE, NONE, NONE, NONE);
    }

    @Override
    public void labelled(long now, int server) {
        row(now, NONE, NONE, server, "server-labelled", NONE, NONE, NONE, NONE);
    }

    @Override
    public void refused(long now, long subject, Refusal refusal, String detail) {
        String why = refusal.name().toLowerCase(Locale.ROOT).replace('_', '-');
        row(now, Long.toString(subject), NONE, View.NONE, "refused", why + ": " + detail, NONE, NONE, NONE);
    }

    private void request(long now, int job, int server, String what, String reason) {
        row(now, id(job), type(job), server, what, reason, NONE, NONE, NONE);
    }

    private void row(
            long now,
            String request,
            String type,
            int server,
            String what,
            String reason,
            String fromServer,
            String queue,
            String share) {
        String site = server == View.NONE ? NONE : site(view().site(server));
        String number = server == View.NONE ? NONE : Integer.toString(server);
        csv.writeRecord(seconds(now), request, type, site, number, what, reason, fromServer, queue, share);
    }

    /** Exact, without trailing zeros. */
    static String seconds(long nanos) {
        BigDecimal seconds = BigDecimal.valueOf(nanos, NANO_DIGITS).stripTrailingZeros();
        return seconds.signum() == 0 ? "0" : seconds.toPlainString();
    }

    private String id(int job) {
        return Long.toString(view().id(job));
    }

    private String type(int job) {
        int type = view().type(job);
        return type == View.NONE ? NONE : types.get(type);
    }

    private String site(int site) {
        return site < sites.size() ? sites.get(site) : "site-" + site;
    }
}
