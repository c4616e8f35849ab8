package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.ConstraintWords;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FinishedRequestsTest {
    private static final List<String> TENANTS = List.of("", "acme", "z\u00fcrich", "\u0000\ud83d\ude80");
    private static final Request.State[] OVER = {Request.State.RELEASED, Request.State.REJECTED, Request.State.EXPIRED};

    private final Random random = new Random(7);
    private long number;

    private Request request(String tenant, String id, long since) {
        boolean large = random.nextInt(300) == 0;
        return new Request(
                tenant,
                id,
                number++ ^ 64,
                random.nextLong(),
                random.nextBoolean() ? "" : "small",
                random.longs(random.nextInt(4), 0, Long.MAX_VALUE).toArray(),
                large
                        ? IntStream.range(0, 4000)
                                .mapToObj(s -> "a site " + s + "x".repeat(80))
                                .toList()
                        : List.of(),
                random.nextBoolean()
                        ? ConstraintWords.NONE
                        : new ConstraintWords(List.of("gpu in (V100, T4)", "!spot"), List.of("n1"), List.of("db:1")),
                OVER[random.nextInt(3)],
                random.nextInt(100) - 1,
                -1,
                random.nextLong(),
                since,
                Long.MAX_VALUE,
                "first server \u2014 that fits",
                1_000_000 + number / 3,
                random.nextInt(5) > 0
                        ? null
                        : new Adjustment(Adjustment.Kind.MIGRATION, random.nextInt(), 1, 2, -1, random.nextBoolean()),
                Life.NONE,
                0,
                random.nextBoolean()
                        ? null
                        : new Displacement(random.nextInt(9), since, random.nextInt(9) - 1, "lost"));
    }

    private static String text(Request request) {
        return request == null
                ? "none"
                : Arrays.toString(request.demand()) + request.toString().replaceAll("\\[J@\\w+", "");
    }

    private static List<String> texts(List<Request> requests) {
        return requests.stream().map(FinishedRequestsTest::text).toList();
    }

    /** What it must be: a queue that is searched. */
    private static final class Reference {
        final ArrayDeque<Request> all = new ArrayDeque<>();

        Request find(String tenant, String id) {
            return all.stream()
                    .filter(r -> r.tenant().equals(tenant) && r.id().equals(id))
                    .findFirst()
                    .orElse(null);
        }

        List<Request> until(long position, String tenant, Request.State state) {
            return all.stream()
                    .filter(r -> r.position() <= position
                            && (tenant == null || r.tenant().equals(tenant))
                            && (state == null || r.state() == state))
                    .toList();
        }
    }

    @Test
    void whetherAnotherTenantHasAnyIsKnownWhileOneIs() {
        FinishedRequests table = new FinishedRequests();
        assertThat(table.hasTenantBeside("")).isFalse();
        for (int i = 0; i < 3000; i++) {
            table.add(request("acme", "a" + i, i));
        }
        assertThat(table.hasTenantBeside("acme")).isFalse();
        assertThat(table.hasTenantBeside("acm")).isTrue();
        table.add(request("other", "x", 3000));
        for (int i = 3001; i < 6000; i++) {
            table.add(request("acme", "a" + i, i));
        }
        table.forget(3000, 0);
        assertThat(table.hasTenantBeside("acme")).isTrue();
        assertThat(table.copy().table().hasTenantBeside("acme")).isTrue();
        table.forget(3001, 0);
        assertThat(table.hasTenantBeside("acme")).isFalse();
        assertThat(table.hasTenantBeside("other")).isTrue();
        table.forget(6000, 0);
        assertThat(table.hasTenantBeside("other")).isFalse();
    }

    @Test
    void answersAsAQueueThatIsSearched() throws IOException {
        FinishedRequests table = new FinishedRequests();
        Reference reference = new Reference();
        long now = 0;
        for (int step = 0; step < 12_000; step++) {
            now += random.nextInt(3);
            String tenant = random.nextInt(50) == 0
                    ? "seldom " + random.nextInt(30)
                    : TENANTS.get(random.nextInt(TENANTS.size()));
            String id = "r" + random.nextInt(20_000);
            assertThat(text(find(table, tenant, id))).isEqualTo(text(reference.find(tenant, id)));
            if (reference.find(tenant, id) == null) {
                Request request = request(tenant, id, now);
                table.add(request);
                reference.all.add(request);
                assertThat(text(find(table, tenant, id))).isEqualTo(text(request));
            }
            if (random.nextInt(500) == 0) {
                long before = now - random.nextInt(4000);
                table.forget(before, 0);
                while (!reference.all.isEmpty() && reference.all.peek().since() < before) {
                    reference.all.remove();
                }
            }
            if (random.nextInt(100) == 0) {
                Request.State state = random.nextBoolean() ? null : OVER[random.nextInt(3)];
                String whose = random.nextInt(4) == 0 ? null : random.nextInt(4) == 0 ? "seldom 3" : tenant;
                long until = 1_000_000L + random.nextInt((int) number + 1) / 3;
                List<Request> expected = new ArrayList<>(reference.until(until, whose, state));
                Collections.reverse(expected);
                assertThat(texts(inPages(table, until, whose, state))).isEqualTo(texts(expected));
            }
            if (random.nextInt(2000) == 0) {
                table = restored(table.copy());
            }
        }
        table.forget(Long.MAX_VALUE, 0);
        assertThat(inPages(table, Long.MAX_VALUE, "acme", null)).isEmpty();
    }

    /** In pages of some requests, between which the table may have become another one with the same requests. */
    private List<Request> inPages(FinishedRequests table, long until, String tenant, Request.State state)
            throws IOException {
        List<Request> all = new ArrayList<>();
        FinishedRequests now = table;
        FinishedRequests.Copy.Place at = FinishedRequests.Copy.Place.END;
        while (at != null) {
            int most = random.nextInt(200) + 1;
            int size = all.size() + random.nextInt(100) + 1;
            at = now.copy().before(at, until, tenant, state, most, r -> all.size() < size && all.add(r));
            if (random.nextInt(50) == 0) {
                now = restored(now.copy());
            }
        }
        return all;
    }

    @Test
    void goesOnWhereItWasThoughThatIsForgotten() {
        FinishedRequests table = new FinishedRequests();
        for (int i = 0; i < 100; i++) {
            table.add(request("acme", "r" + i, i));
        }
        List<Request> all = new ArrayList<>();
        var at = table.copy().before(FinishedRequests.Copy.Place.END, Long.MAX_VALUE, null, null, 10, all::add);
        table.forget(25, 0);
        at = table.copy().before(at, Long.MAX_VALUE, null, null, 20, all::add);
        assertThat(all.stream().map(Request::id).toList())
                .isEqualTo(IntStream.range(0, 30).mapToObj(i -> "r" + (99 - i)).toList());
        // The record that it stopped before goes, and with it all that would come.
        table.forget(80, 0);
        assertThat(table.copy().before(at, Long.MAX_VALUE, null, null, 1000, all::add))
                .isNull();
        assertThat(all).hasSize(30);
    }

    private static byte[] bytes(FinishedRequests.Copy copy) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        copy.write(new DataOutputStream(out));
        return out.toByteArray();
    }

    private static FinishedRequests restored(FinishedRequests.Copy copy) throws IOException {
        return FinishedRequests.Copy.read(new DataInputStream(new ByteArrayInputStream(bytes(copy))))
                .table();
    }

    @Test
    void aCopyStaysAsItWas() throws IOException {
        FinishedRequests table = new FinishedRequests();
        for (int i = 0; i < 5000; i++) {
            table.add(request("acme", "r" + i, i));
        }
        table.forget(100, 0);
        FinishedRequests.Copy copy = table.copy();
        byte[] before = bytes(copy);
        for (int i = 5000; i < 9000; i++) {
            table.add(request("acme", "r" + i, i));
        }
        table.forget(4900, 0);
        assertThat(bytes(copy)).isEqualTo(before);
        FinishedRequests other = copy.table();
        assertThat(find(other, "acme", "r99")).isNull();
        assertThat(find(other, "acme", "r100")).isNotNull();
        assertThat(find(other, "acme", "r5000")).isNull();
        other.forget(Long.MAX_VALUE, 0);
        assertThat(find(table, "acme", "r8999")).isNotNull();
        Set<Long> numbers = new HashSet<>();
        copy.table().numbers(numbers::add);
        assertThat(numbers).hasSize(4900);
    }

    @Test
    void whatIsNoCopyIsRefused() throws IOException {
        FinishedRequests table = new FinishedRequests();
        table.add(request("acme", "a", 1));
        byte[] bytes = bytes(table.copy());
        assertThatThrownBy(() -> read(Arrays.copyOf(bytes, bytes.length - 1))).isInstanceOf(EOFException.class);
        byte[] wrong = bytes.clone();
        wrong[4] = 127;
        assertThatThrownBy(() -> read(wrong)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void read(byte[] bytes) throws IOException {
        FinishedRequests.Copy.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    private static @Nullable Request find(FinishedRequests in, String tenant, String id) {
        return in.find(Hash.ofName(tenant, id), tenant, id);
    }
}
