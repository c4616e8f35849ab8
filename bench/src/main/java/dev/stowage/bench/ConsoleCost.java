package dev.stowage.bench;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.SubmitBatchRequest;
import dev.stowage.service.v1.SubmitRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What open consoles cost the service: processor time of a process that serves one node, under a steady load, in turns
 * with and without consoles that look at the Cluster ({@link ConsoleReader}), and how long submits take meanwhile. The
 * load is in this process, the consoles in one of their own. Submits are due at fixed times, whether or not those
 * before have ended, and each is measured from when it was due.
 *
 * <p>Arguments: consoles, servers, requests a second, seconds of a turn, turns of each kind.
 */
public final class ConsoleCost {
    private static final int BATCH = 500;
    private static final int HOLD_SECONDS = 10;
    /** Until the compiler has done most of its work, which would count otherwise. */
    private static final int WARM_UP_SECONDS = 90;

    private final StowageClient client;
    private final BenchWorkload workload;
    private final int perSecond;
    private final ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();
    private final Deque<String> running = new ArrayDeque<>();
    private int submitted;
    private long firstDue;
    private long steps;

    private ConsoleCost(StowageClient client, BenchWorkload workload, int perSecond) {
        this.client = client;
        this.workload = workload;
        this.perSecond = perSecond;
    }

    /** Prints a line for each turn, and the difference. */
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("serve")) {
            serve(Path.of(args[1]), Integer.parseInt(args[2]));
            return;
        }
        if (args.length > 0 && args[0].equals("read")) {
            ConsoleReaders.read(args[1]);
            return;
        }
        int consoles = argument(args, 0, 20);
        int servers = argument(args, 1, 1400);
        int perSecond = argument(args, 2, 100);
        int seconds = argument(args, 3, 20);
        int turns = argument(args, 4, 8);
        Path directory = Files.createTempDirectory("console-cost");
        Process service = process(
                "-XX:+UseG1GC",
                "-Xmn32m",
                "-XX:G1HeapRegionSize=4m",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-cp",
                System.getProperty("java.class.path"),
                ConsoleCost.class.getName(),
                "serve",
                directory.toString(),
                Integer.toString(servers));
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8))) {
            String address = "127.0.0.1:" + said.readLine().strip();
            try (StowageClient client = StowageClient.of(ClientSettings.plain(List.of(address)));
                    ConsoleReaders readers = new ConsoleReaders(process(
                            "-cp",
                            System.getProperty("java.class.path"),
                            ConsoleCost.class.getName(),
                            "read",
                            address))) {
                int full = (int) BenchWorkload.meanLive(servers);
                ConsoleCost cost = new ConsoleCost(
                        client, BenchWorkload.generate(servers, full + perSecond * HOLD_SECONDS, 1), perSecond);
                cost.fill(full);
                cost.measure(service, readers, consoles, seconds, turns);
            }
        } finally {
            service.destroy();
            service.waitFor();
        }
    }

    private static Process process(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static int argument(String[] args, int at, int usual) {
        return args.length > at ? Integer.parseInt(args[at]) : usual;
    }

    /** A node with an API, until this process is ended; prints its port. */
    private static void serve(Path directory, int servers) throws IOException, InterruptedException {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu_milli"), Resource.of("mem_mib")),
                List.of(),
                List.of(Site.of(
                        "site",
                        new ServerBlock(
                                servers, Amounts.of(BenchWorkload.SERVER_CPU_MILLI, BenchWorkload.SERVER_MEM_MIB)))),
                List.of());
        Setting setting = new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.MINUTES.toNanos(1));
        try (RaftNode node = RaftNode.start(NodeSettings.single(directory), new Policies(), setting);
                ApiServer api = ApiServer.start(node, ApiSettings.loopback(0))) {
            while (!node.status().ready()) {
                Thread.sleep(10);
            }
            System.out.println(api.port());
            Thread.currentThread().join();
        }
    }

    private SubmitRequest next() {
        int at = submitted++ % workload.cpuMilli().length;
        return SubmitRequest.newBuilder()
                .setRequestId("r" + submitted)
                .putDemand("cpu_milli", workload.cpuMilli()[at])
                .putDemand("mem_mib", workload.memMib()[at])
                .build();
    }

    private void fill(int requests) {
        for (int i = 0; i < requests; i += BATCH) {
            SubmitBatchRequest.Builder batch = SubmitBatchRequest.newBuilder();
            for (int j = i; j < Math.min(requests, i + BATCH); j++) {
                batch.addRequests(next());
            }
            client.submit(batch.build()).join();
        }
    }

    /** One request comes, and the oldest of those that came here goes. */
    private void step() {
        SubmitRequest request = next();
        long due = firstDue + steps++ * TimeUnit.SECONDS.toNanos(1) / perSecond;
        CompletableFuture<?> unused =
                client.submit(request).whenComplete((reply, thrown) -> latencies.add(System.nanoTime() - due));
        running.add(request.getRequestId());
        if (running.size() > perSecond * HOLD_SECONDS) {
            CompletableFuture<?> unusedToo = client.release(
                    ReleaseRequest.newBuilder().setRequestId(running.remove()).build());
        }
    }

    private void measure(Process service, ConsoleReaders readers, int consoles, int seconds, int turns)
            throws Exception {
        System.out.printf(
                Locale.ROOT, "%d consoles, %d requests a second, turns of %d s%n", consoles, perSecond, seconds);
        System.out.println("          cent of a core    with the");
        System.out.println("consoles     processor    compiler's   submit " + Waits.HEAD);
        try (Closing<ScheduledExecutorService> load =
                new Closing<>(Executors.newSingleThreadScheduledExecutor(), ScheduledExecutorService::shutdownNow)) {
            firstDue = System.nanoTime();
            ScheduledFuture<?> unused = load.of()
                    .scheduleAtFixedRate(this::step, 0, TimeUnit.SECONDS.toNanos(1) / perSecond, TimeUnit.NANOSECONDS);
            turn(service, readers, consoles, WARM_UP_SECONDS);
            List<Turn> without = new ArrayList<>();
            List<Turn> with = new ArrayList<>();
            for (int i = 0; i < turns; i++) {
                // Each kind is first in turn, so that what comes and goes in the machine does not fall on one of them.
                if (i % 2 == 1) {
                    with.add(turn(service, readers, consoles, seconds));
                }
                without.add(turn(service, readers, 0, seconds));
                if (i % 2 == 0) {
                    with.add(turn(service, readers, consoles, seconds));
                }
            }
            System.out.println("without them, all turns   submit " + Waits.HEAD + ": " + together(without));
            System.out.println("with them, all turns      submit " + Waits.HEAD + ": " + together(with));
            difference("they cost, per cent of a core", without, with, Turn::used);
            for (double part : new double[] {0.5, 0.99, 0.999}) {
                difference(
                        "submits take longer, p" + 100 * part + ", ms",
                        without,
                        with,
                        turn -> turn.waits().millis(part));
            }
        }
    }

    private static Waits together(List<Turn> turns) {
        return turns.stream().map(Turn::waits).reduce(new Waits(new long[0]), Waits::and);
    }

    private static void difference(String what, List<Turn> without, List<Turn> with, ToDoubleFunction<Turn> of) {
        double[] each = IntStream.range(0, with.size())
                .mapToDouble(i -> of.applyAsDouble(with.get(i)) - of.applyAsDouble(without.get(i)))
                .toArray();
        double mean = Arrays.stream(each).average().orElse(0);
        double square = Arrays.stream(each).map(d -> (d - mean) * (d - mean)).sum();
        System.out.printf(
                Locale.ROOT,
                "%s: %.2f, standard error %.2f%n",
                what,
                mean,
                Math.sqrt(square / Math.max(1, each.length - 1) / each.length));
    }

    private Turn turn(Process service, ConsoleReaders readers, int consoles, int seconds) throws Exception {
        readers.open(consoles);
        Thread.sleep(1000);
        latencies.clear();
        long compiled = compilerNanos(service);
        Duration before = service.info().totalCpuDuration().orElseThrow();
        long began = System.nanoTime();
        Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
        compiled = compilerNanos(service) - compiled;
        double nanos = System.nanoTime() - began;
        double all =
                service.info().totalCpuDuration().orElseThrow().minus(before).toNanos() / nanos;
        double used = all - compiled / nanos;
        Waits waits = Waits.of(latencies.stream().mapToLong(l -> l));
        String read = readers.open(0);
        System.out.printf(Locale.ROOT, "%8d %12.2f %12.2f   %s   %s%n", consoles, 100 * used, 100 * all, waits, read);
        return new Turn(100 * used, waits);
    }

    /**
     * What was measured.
     *
     * @param used per cent of a core, without the compilers
     */
    private record Turn(double used, Waits waits) {}

    /** Processor time of the just-in-time compilers; 0 where the system does not tell it (Linux does). */
    private static long compilerNanos(Process service) throws IOException {
        Path threads = Path.of("/proc", Long.toString(service.pid()), "task");
        if (!Files.isDirectory(threads)) {
            return 0;
        }
        long nanos = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
            for (Path thread : all) {
                if (Files.readString(thread.resolve("comm")).matches("(?s)C[12] Compiler.*")) {
                    String[] figures =
                            Files.readString(thread.resolve("schedstat")).split(" ", -1);
                    nanos += Long.parseLong(figures[0]);
                }
            }
        }
        return nanos;
    }

    /** Something to close at the end of a block. */
    private record Closing<T>(T of, java.util.function.Consumer<T> end) implements AutoCloseable {
        @Override
        public void close() {
            end.accept(of);
        }
    }
}
