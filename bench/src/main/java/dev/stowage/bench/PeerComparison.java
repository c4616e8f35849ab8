package dev.stowage.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The side-by-side comparison: every contender, the same requests, one process.
 *
 * <p>After a warm-up at a small size each contender runs up to {@value #ROUNDS} times per size, in turns, as long as
 * its runs are short against the budget; the run with the median rate is printed. A contender that does not finish is
 * cut off and shows how many requests it handled. So the whole takes at most about (contenders x sizes x budget), plus
 * building servers.
 */
public final class PeerComparison {
    private static final int ROUNDS = 3;
    private static final long SEED = 1;
    private static final int DEFAULT_BUDGET_SECONDS = 40;
    private static final List<Size> DEFAULT_SIZES =
            List.of(new Size(1_000, 100_000), new Size(10_000, 1_000_000), new Size(100_000, 10_000_000));
    private static final Size WARM_UP = new Size(1_000, 20_000);
    private static final long WARM_UP_NANOS = 4_000_000_000L;
    private static final String USAGE = """
            usage: run-peers [--budget SECONDS] [--only TEXT] [SERVERS/REQUESTS ...]
              --budget SECONDS   longest run of one contender at one size (default 40)
              --only TEXT        only contenders whose name contains TEXT
              SERVERS/REQUESTS   a size, e.g. 1000/100000 (default: 1000/100000 10000/1000000 100000/10000000)""";

    private final List<Contender> contenders;
    private final long budgetNanos;
    private final PrintStream out;

    private PeerComparison(List<Contender> contenders, long budgetNanos, PrintStream out) {
        this.contenders = contenders;
        this.budgetNanos = budgetNanos;
        this.out = out;
    }

    /** Exit codes: 0 done, 2 bad usage. */
    public static void main(String[] args) {
        int budgetSeconds = DEFAULT_BUDGET_SECONDS;
        String only = "";
        List<Size> sizes = new ArrayList<>();
        try {
            for (int i = 0; i < args.length; i++) {
                switch (args[i]) {
                    case "--budget" -> budgetSeconds = positive(value(args, ++i), "--budget");
                    case "--only" -> only = value(args, ++i);
                    case "--help", "-h" -> {
                        System.out.println(USAGE);
                        return;
                    }
                    default -> sizes.add(Size.parse(args[i]));
                }
            }
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(USAGE);
            System.exit(2);
        }
        String part = only;
        List<Contender> contenders = Contenders.all().stream()
                .filter(contender -> contender.name().contains(part))
                .toList();
        new PeerComparison(contenders, budgetSeconds * 1_000_000_000L, System.out)
                .run(sizes.isEmpty() ? DEFAULT_SIZES : sizes);
    }

    private void run(List<Size> sizes) {
        Runtime runtime = Runtime.getRuntime();
        out.printf(
                Locale.ROOT,
                "JDK %s, %d processors, heap up to %d MiB, budget %d s per contender and size%n",
                Runtime.version(),
                runtime.availableProcessors(),
                runtime.maxMemory() >> 20,
                budgetNanos / 1_000_000_000L);
        BenchWorkload warmUp = WARM_UP.workload();
        for (Contender contender : contenders) {
            contender.run(warmUp, WARM_UP.servers(), WARM_UP_NANOS);
        }
        for (Size size : sizes) {
            compare(size);
        }
    }

    private void compare(Size size) {
        BenchWorkload workload = size.workload();
        List<List<Result>> results = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int c = 0; c < contenders.size(); c++) {
                if (round == 0) {
                    results.add(new ArrayList<>());
                }
                List<Result> own = results.get(c);
                if (round == 0 || own.get(0).elapsedNanos() * ROUNDS < budgetNanos) {
                    own.add(contenders.get(c).run(workload, size.servers(), budgetNanos));
                }
            }
        }
        print(size, results);
    }

    private void print(Size size, List<List<Result>> results) {
        out.printf(Locale.ROOT, "%n%,d servers, %,d requests%n", size.servers(), size.requests());
        out.printf(
                Locale.ROOT,
                "%-34s %11s %9s %10s %4s %11s %9s %9s %5s %5s %10s%n",
                "contender",
                "placed/s",
                "slower x",
                "us of CPU",
                "runs",
                "handled",
                "rejected",
                "peak live",
                "cpu",
                "mem",
                "B/live");
        double reference = 0;
        for (int c = 0; c < contenders.size(); c++) {
            Result result = median(results.get(c));
            double rate = result.placedPerSecond();
            if (c == 0) {
                reference = rate;
            }
            out.printf(
                    Locale.ROOT,
                    "%-34s %,11.0f %,9.1f %,10.2f %4d %,11d %,9d %,9d %4.0f%% %4.0f%% %10s%s%n",
                    contenders.get(c).name(),
                    rate,
                    reference / rate,
                    result.processorMicrosPerPlacement(),
                    results.get(c).size(),
                    result.arrived(),
                    result.rejected(),
                    result.peakLive(),
                    100 * result.cpuUse(),
                    100 * result.memUse(),
                    heap(result, size),
                    result.arrived() < size.requests() ? "  (cut off)" : "");
        }
        out.flush();
    }

    /** With few requests in service the growth of the servers themselves would hide the memory per request. */
    private static String heap(Result result, Size size) {
        return result.peakLive() < size.servers()
                ? "-"
                : String.format(Locale.ROOT, "%,.0f", result.heapBytesPerLive());
    }

    private static Result median(List<Result> results) {
        List<Result> sorted = new ArrayList<>(results);
        sorted.sort(Comparator.comparingDouble(Result::placedPerSecond));
        return sorted.get(sorted.size() / 2);
    }

    private static String value(String[] args, int i) {
        if (i == args.length) {
            throw new IllegalArgumentException(args[i - 1] + " needs a value");
        }
        return args[i];
    }

    private static int positive(String text, String what) {
        try {
            int value = Integer.parseInt(text);
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below, with the same words as a number that is too small
        }
        throw new IllegalArgumentException(what + ": '" + text + "' is not a whole number above 0");
    }

    /** One row of the experiment. */
    private record Size(int servers, int requests) {
        static Size parse(String text) {
            String[] parts = text.split("/", -1);
            if (parts.length != 2) {
                throw new IllegalArgumentException("'" + text + "' is not SERVERS/REQUESTS, e.g. 1000/100000");
            }
            return new Size(positive(parts[0], "servers"), positive(parts[1], "requests"));
        }

        BenchWorkload workload() {
            return BenchWorkload.generate(servers, requests, SEED);
        }
    }
}
