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
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * What open consoles cost the service: processor time of a process that serves one node, under a steady load, in turns
 * with and without consoles that look at the Cluster ({@link ConsoleReader}). Load and consoles are in this process.
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
        int consoles = argument(args, 0, 20);
        int servers = argument(args, 1, 1400);
        int perSecond = argument(args, 2, 100);
        int seconds = argument(args, 3, 20);
        int turns = argument(args, 4, 8);
        Path directory = Files.createTempDirectory("console-cost");
        Process service = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseG1GC",
                        "-Xmn32m",
                        "-XX:G1HeapRegionSize=4m",
                        "-XX:-UseDynamicNumberOfCompilerThreads",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConsoleCost.class.getName(),
                        "serve",
                        directory.toString(),
                        Integer.toString(servers))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8))) {
            String address = "127.0.0.1:" + said.readLine().strip();
            try (StowageClient client = StowageClient.of(ClientSettings.plain(List.of(address)))) {
                int full = (int) BenchWorkload.meanLive(servers);
                ConsoleCost cost = new ConsoleCost(
                        client, BenchWorkload.generate(servers, full + perSecond * HOLD_SECONDS, 1), perSecond);
                cost.fill(full);
                cost.measure(service, address, consoles, seconds, turns);
            }
        } finally {
            service.destroy();
            service.waitFor();
        }
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
        long began = System.nanoTime();
        CompletableFuture<?> unused =
                client.submit(request).whenComplete((reply, thrown) -> latencies.add(System.nanoTime() - began));
        running.add(request.getRequestId());
        if (running.size() > perSecond * HOLD_SECONDS) {
            CompletableFuture<?> unusedToo = client.release(
                    ReleaseRequest.newBuilder().setRequestId(running.remove()).build());
        }
    }

    private void measure(Process service, String address, int consoles, int seconds, int turns) throws Exception {
        System.out.printf(
                Locale.ROOT, "%d consoles, %d requests a second, turns of %d s%n", consoles, perSecond, seconds);
        System.out.println("          cent of a core    with the");
        System.out.println("consoles     processor    compiler's   submit p50, p99, longest, ms");
        try (Closing<ScheduledExecutorService> load =
                new Closing<>(Executors.newSingleThreadScheduledExecutor(), ScheduledExecutorService::shutdownNow)) {
            ScheduledFuture<?> unused = load.of()
                    .scheduleAtFixedRate(this::step, 0, TimeUnit.SECONDS.toNanos(1) / perSecond, TimeUnit.NANOSECONDS);
            turn(service, address, consoles, WARM_UP_SECONDS);
            List<Double> differences = new ArrayList<>();
            for (int i = 0; i < turns; i++) {
                double without = turn(service, address, 0, seconds);
                differences.add(turn(service, address, consoles, seconds) - without);
            }
            double mean = differences.stream().mapToDouble(d -> d).average().orElse(0);
            double square = differences.stream()
                    .mapToDouble(d -> (d - mean) * (d - mean))
                    .sum();
            System.out.printf(
                    Locale.ROOT,
                    "they cost %.2f %% of a core, standard error %.2f%n",
                    mean,
                    Math.sqrt(square / Math.max(1, turns - 1) / turns));
        }
    }

    private double turn(Process service, String address, int consoles, int seconds) throws Exception {
        List<ConsoleReader> open = new ArrayList<>();
        for (int i = 0; i < consoles; i++) {
            open.add(new ConsoleReader(address));
        }
        try {
            Thread.sleep(1000);
            latencies.clear();
            long compiled = compilerNanos(service);
            Duration before = service.info().totalCpuDuration().orElseThrow();
            long began = System.nanoTime();
            Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
            compiled = compilerNanos(service) - compiled;
            double nanos = System.nanoTime() - began;
            double all = service.info()
                            .totalCpuDuration()
                            .orElseThrow()
                            .minus(before)
                            .toNanos()
                    / nanos;
            double used = all - compiled / nanos;
            long[] sorted = latencies.stream().mapToLong(l -> l).sorted().toArray();
            System.out.printf(
                    Locale.ROOT,
                    "%8d %12.2f %12.2f   %.1f, %.1f, %.1f   %s%n",
                    consoles,
                    100 * used,
                    100 * all,
                    sorted[sorted.length / 2] / 1e6,
                    sorted[(int) (sorted.length * 0.99)] / 1e6,
                    sorted[sorted.length - 1] / 1e6,
                    ConsoleReader.total(open));
            return 100 * used;
        } finally {
            open.forEach(ConsoleReader::close);
        }
    }

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
