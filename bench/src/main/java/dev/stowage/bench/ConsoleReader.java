package dev.stowage.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A console that shows the Cluster, as the service sees it: its watch, its polls, and nothing drawn. */
final class ConsoleReader implements AutoCloseable {
    private static final long STATUS_MILLIS = 2000;
    private static final long OCCUPANCY_MILLIS = 1500;
    private static final int NOT_MODIFIED = 304;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;
    private final ScheduledExecutorService polls = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "console");
        thread.setDaemon(true);
        return thread;
    });
    private final Thread watching;
    /** Of the newest answer by path. */
    private final Map<String, String> tags = new ConcurrentHashMap<>();

    private final LongAdder watched = new LongAdder();
    private final LongAdder answers = new LongAdder();
    private final LongAdder unchanged = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private volatile boolean closed;

    ConsoleReader(String address) {
        base = "http://" + address;
        watching = new Thread(this::watch, "console-watch");
        watching.setDaemon(true);
        watching.start();
        poll("/v1/status", STATUS_MILLIS);
        poll("/v1/occupancy", OCCUPANCY_MILLIS);
    }

    /** At the same moments as all others, as the page does. */
    private void poll(String path, long millis) {
        long first = millis - Math.floorMod(System.currentTimeMillis(), millis);
        ScheduledFuture<?> unused = polls.scheduleAtFixedRate(() -> ask(path), first, millis, TimeUnit.MILLISECONDS);
    }

    private void ask(String path) {
        HttpRequest.Builder asked =
                HttpRequest.newBuilder(URI.create(base + path)).header("cache-control", "max-age=1");
        String known = tags.get(path);
        if (known != null) {
            asked.header("if-none-match", known);
        }
        try {
            HttpResponse<byte[]> answer = client.send(asked.build(), HttpResponse.BodyHandlers.ofByteArray());
            answers.increment();
            bytes.add(answer.body().length);
            if (answer.statusCode() == NOT_MODIFIED) {
                unchanged.increment();
            }
            answer.headers().firstValue("etag").ifPresent(tag -> tags.put(path, tag));
        } catch (IOException e) {
            failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void failed(IOException why) {
        if (!closed) {
            throw new UncheckedIOException(why);
        }
    }

    private void watch() {
        try (InputStream body = client.send(
                        HttpRequest.newBuilder(URI.create(base + "/v1/watch?gap_nanos=250000000"))
                                .header("accept", "text/event-stream")
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream())
                .body()) {
            byte[] buffer = new byte[1 << 16];
            for (int read = body.read(buffer); read >= 0 && !closed; read = body.read(buffer)) {
                watched.increment();
                bytes.add(read);
            }
        } catch (IOException e) {
            failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What they have read so far. */
    static String total(List<ConsoleReader> all) {
        return String.format(
                Locale.ROOT,
                "%d pieces of watches, %d answers, of which %d unchanged, %.1f MB",
                all.stream().mapToLong(each -> each.watched.sum()).sum(),
                all.stream().mapToLong(each -> each.answers.sum()).sum(),
                all.stream().mapToLong(each -> each.unchanged.sum()).sum(),
                all.stream().mapToLong(each -> each.bytes.sum()).sum() / 1e6);
    }

    @Override
    public void close() {
        closed = true;
        polls.shutdownNow();
        watching.interrupt();
    }
}
