package dev.stowage.study.step;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Every effect of a run in order, as rows in columns (some 45 bytes each); changes of shares are not among them. Rows
 * of one request are chained, so its life is read without looking at others.
 */
final class Story extends EngineListener {
    /** No row, server, request. */
    static final int NONE = -1;

    private static final int BLOCK = 1024;
    private static final What[] WHATS = What.values();

    /** What a row says. */
    enum What {
        ARRIVED,
        PLACED,
        ADOPTED,
        QUEUED,
        REJECTED,
        MIGRATED,
        LEFT,
        GAVE_UP,
        DISPLACED,
        STARTED,
        START_FAILED,
        STOPPING,
        EVICTED,
        DUMMY_PLACED,
        DUMMY_ENDED,
        SERVER,
        SERVER_RESIZED,
        SERVER_LABELLED,
        REFUSED;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * What a request asks for.
     *
     * @param type number or -1
     * @param demand per resource
     * @param where its constraints in words, empty for none
     */
    record Demanded(int type, List<Long> demand, int priority, boolean agent, String where) {}

    /** What was counted up to a row. */
    record Counts(long arrived, long placed, long rejected, long gaveUp, long moved, double waitSeconds) {}

    private int size;
    private int command;
    private int[] commands = new int[BLOCK];
    private long[] times = new long[BLOCK];
    private byte[] whats = new byte[BLOCK];
    private long[] ids = new long[BLOCK];
    private int[] servers = new int[BLOCK];
    private int[] froms = new int[BLOCK];
    /** Of an arrival the number of its shape, else that of the reason. */
    private int[] texts = new int[BLOCK];
    /** How long one waited that is placed for the first time, else -1. */
    private long[] waits = new long[BLOCK];
    /** The next row of the same request. */
    private int[] chain = new int[BLOCK];

    private final Map<String, Integer> reasons = new HashMap<>();
    private final List<String> reasonTexts = new ArrayList<>();
    private final Map<Demanded, Integer> shapes = new HashMap<>();
    private final List<Demanded> shapeList = new ArrayList<>();
    private final List<long[]> sums = new ArrayList<>();
    private final long[] sum = new long[6];
    private long nextWait = -1;
    private int[] lastOfJob = new int[64];
    private boolean[] ran = new boolean[64];
    private int[] arrivals = new int[0];
    /** Rows from here on follow from this command, counted from 1; 0 is the start. */
    void command(int number) {
        command = number;
    }

    /** No row is added any more: requests can be found. */
    void end() {
        int[] rows = IntStream.range(0, size)
                .filter(row -> whats[row] == What.ARRIVED.ordinal())
                .toArray();
        boolean ascending = IntStream.range(1, rows.length).allMatch(i -> ids[rows[i - 1]] <= ids[rows[i]]);
        arrivals = ascending
                ? rows
                : Arrays.stream(rows)
                        .boxed()
                        .sorted((a, b) -> ids[a] == ids[b] ? Integer.compare(a, b) : Long.compare(ids[a], ids[b]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        reasons.clear();
        shapes.clear();
    }

    int size() {
        return size;
    }

    /** Rows that follow from the first so many commands. */
    int rowsOf(int commandCount) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (commands[middle] <= commandCount) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    int commandOf(int row) {
        return commands[row];
    }

    long at(int row) {
        return times[row];
    }

    What what(int row) {
        return WHATS[whats[row]];
    }

    /** The request's id, or -1. */
    long id(int row) {
        return ids[row];
    }

    int server(int row) {
        return servers[row];
    }

    int from(int row) {
        return froms[row];
    }

    String reason(int row) {
        return what(row) == What.ARRIVED ? "" : reasonTexts.get(texts[row]);
    }

    /** What the request of an arrival asks for. */
    Demanded shape(int row) {
        return shapeList.get(texts[row]);
    }

    /** The arrival of a request among the first rows, the last one if the id came again; -1 if there is none. */
    int arrivalOf(long id, int rows) {
        int low = 0;
        int high = arrivals.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int row = arrivals[middle];
            if (ids[row] < id || (ids[row] == id && row < rows)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low > 0 && ids[arrivals[low - 1]] == id ? arrivals[low - 1] : NONE;
    }

    /** Of each resource the median demand, of some requests all over the run; 0 without requests. */
    List<Long> medianDemand(int resources) {
        int each = Math.max(1, arrivals.length / BLOCK);
        List<Long> medians = new ArrayList<>();
        for (int r = 0; r < resources; r++) {
            int resource = r;
            long[] sorted = IntStream.iterate(0, i -> i < arrivals.length, i -> i + each)
                    .mapToLong(i -> shape(arrivals[i]).demand().get(resource))
                    .sorted()
                    .toArray();
            medians.add(sorted.length == 0 ? 0 : sorted[sorted.length / 2]);
        }
        return medians;
    }

    /** The next row of the same request among the first rows, or -1. */
    int next(int row, int rows) {
        int next = chain[row];
        return next == NONE || next >= rows ? NONE : next;
    }

    /** What was counted in the first rows. */
    Counts counts(int rows) {
        long[] total = rows < BLOCK ? new long[6] : sums.get(rows / BLOCK - 1).clone();
        for (int row = rows / BLOCK * BLOCK; row < rows; row++) {
            count(row, total);
        }
        return new Counts(
                total[0],
                total[1],
                total[2],
                total[3],
                total[4],
                total[1] == 0 ? Double.NaN : total[5] / 1e9 / total[1]);
    }

    /** Sum of waits in nanoseconds: it is a mean of at most some millions of them. */
    private void count(int row, long[] total) {
        switch (what(row)) {
            case ARRIVED -> total[0]++;
            case REJECTED -> total[2]++;
            case GAVE_UP -> total[3]++;
            case MIGRATED -> total[4]++;
            default -> {}
        }
        if (waits[row] >= 0) {
            total[1]++;
            total[5] += waits[row];
        }
    }

    @Override
    public void arrived(long now, int job) {
        View v = view();
        if (job >= lastOfJob.length) {
            lastOfJob = Arrays.copyOf(lastOfJob, 2 * job);
            ran = Arrays.copyOf(ran, 2 * job);
        }
        List<Long> demand = new ArrayList<>(v.resources());
        for (int r = 0; r < v.resources(); r++) {
            demand.add(v.demand(job, r));
        }
        Demanded shape = new Demanded(
                v.type(job),
                demand,
                v.priority(job),
                v.hasAgent(job),
                v.constraints(v.constraint(job)).inWords());
        lastOfJob[job] = NONE;
        ran[job] = false;
        of(now, job, What.ARRIVED, NONE, NONE, shapes.computeIfAbsent(shape, its -> {
            shapeList.add(its);
            return shapeList.size() - 1;
        }));
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        nextWait = ran[job] ? -1 : now - view().arrivedAt(job);
        ran[job] = true;
        of(now, job, What.PLACED, server, NONE, reason(reason));
    }

    @Override
    public void adopted(long now, int job, int server) {
        ran[job] = true;
        of(now, job, What.ADOPTED, server, NONE, reason(ADOPTED));
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        of(now, job, What.QUEUED, NONE, NONE, reason(reason));
    }

    @Override
    public void rejected(long now, int job, String reason) {
        of(now, job, What.REJECTED, NONE, NONE, reason(reason));
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        of(now, job, What.MIGRATED, to, from, reason(reason));
    }

    @Override
    public void left(long now, int job, int server) {
        of(now, job, server == View.NONE ? What.GAVE_UP : What.LEFT, server, NONE, reason(""));
    }

    @Override
    public void displaced(long now, int job, int server) {
        of(now, job, What.DISPLACED, server, NONE, reason("its server was lost"));
    }

    @Override
    public void started(long now, int job, int server) {
        of(now, job, What.STARTED, server, NONE, reason(""));
    }

    @Override
    public void startFailed(long now, int job, int server) {
        of(now, job, What.START_FAILED, server, NONE, reason(""));
    }

    @Override
    public void stopping(long now, int job, int server, String reason) {
        of(now, job, What.STOPPING, server, NONE, reason(reason));
    }

    @Override
    public void evicted(long now, int job, int server, String reason) {
        of(now, job, What.EVICTED, server, NONE, reason(reason));
    }

    @Override
    public void dummyPlaced(long now, int dummy, int server, String reason) {
        row(now, What.DUMMY_PLACED, NONE, server, NONE, reason(reason));
    }

    @Override
    public void dummyEnded(long now, int dummy, int server) {
        row(now, What.DUMMY_ENDED, NONE, server, NONE, reason(""));
    }

    @Override
    public void serverChanged(long now, int server, ServerStatus status) {
        row(now, What.SERVER, NONE, server, NONE, reason(status.name().toLowerCase(Locale.ROOT)));
    }

    @Override
    public void resized(long now, int server, long[] before) {
        row(now, What.SERVER_RESIZED, NONE, server, NONE, reason(""));
    }

    @Override
    public void labelled(long now, int server) {
        row(now, What.SERVER_LABELLED, NONE, server, NONE, reason(""));
    }

    @Override
    public void refused(long now, long subject, Refusal refusal, String detail) {
        String why = refusal.name().toLowerCase(Locale.ROOT).replace('_', '-');
        row(now, What.REFUSED, subject, NONE, NONE, reason(why + ": " + detail));
    }

    private void of(long now, int job, What what, int server, int from, int text) {
        int row = size;
        row(now, what, view().id(job), server, from, text);
        if (lastOfJob[job] != NONE) {
            chain[lastOfJob[job]] = row;
        }
        lastOfJob[job] = row;
    }

    private void row(long now, What what, long id, int server, int from, int text) {
        if (size == times.length) {
            grow();
        }
        commands[size] = command;
        times[size] = now;
        whats[size] = (byte) what.ordinal();
        ids[size] = id;
        servers[size] = server;
        froms[size] = from;
        texts[size] = text;
        waits[size] = nextWait;
        nextWait = -1;
        chain[size] = NONE;
        count(size, sum);
        size++;
        if (size % BLOCK == 0) {
            sums.add(sum.clone());
        }
    }

    private void grow() {
        int room = Math.addExact(size, size / 2);
        commands = Arrays.copyOf(commands, room);
        times = Arrays.copyOf(times, room);
        whats = Arrays.copyOf(whats, room);
        ids = Arrays.copyOf(ids, room);
        servers = Arrays.copyOf(servers, room);
        froms = Arrays.copyOf(froms, room);
        texts = Arrays.copyOf(texts, room);
        waits = Arrays.copyOf(waits, room);
        chain = Arrays.copyOf(chain, room);
    }

    private int reason(String text) {
        return reasons.computeIfAbsent(text, its -> {
            reasonTexts.add(its);
            return reasonTexts.size() - 1;
        });
    }
}
