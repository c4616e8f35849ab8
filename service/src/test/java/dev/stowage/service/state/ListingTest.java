package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Listing.Filter;
import dev.stowage.service.state.Listing.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages that are fetched while the state goes on, against what was known of every request when the list began. */
final class ListingTest {
    private static final List<String> TENANTS = List.of("", "acme", "beta");
    private static final int SERVERS = 5;

    private final TreeSet<String> submitted = new TreeSet<>();
    private long position;
    private int ids;

    private ServiceState begin(int changesKept, Random random) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(
                        Site.of("here", new ServerBlock(3, Amounts.of(10))),
                        Site.of("there", new ServerBlock(2, Amounts.of(14)))),
                List.of(RequestType.of("small", 2)));
        List<String> policies = List.of("restless-move", "fifo-ff", "bf-js");
        return begin(cluster, policies.get(random.nextInt(policies.size())), changesKept);
    }

    private ServiceState begin(Cluster cluster, String policy, int changesKept) {
        ServiceState state = new ServiceState(Restless.factory(), changesKept);
        position = 0;
        submitted.clear();
        ids = 0;
        apply(state, new Operation.Begin(new Setting(cluster, PolicySpec.of(policy), 1, Long.MAX_VALUE / 4)));
        return state;
    }

    private void apply(ServiceState state, Operation... operations) {
        position += 1 + ids % 2;
        state.apply(position, new Batch(ServiceState.VERSION, 0, 0, position * 10, List.of(operations)));
        state.takeChanges();
        assertThat(state.halted()).isNull();
    }

    private void churn(ServiceState state, Random random) {
        Operation[] some = random.ints(1 + random.nextInt(4), 0, 10)
                .mapToObj(what -> what < 5 ? submit(random) : what < 9 ? release(random) : change(random))
                .toArray(Operation[]::new);
        apply(state, some);
    }

    private Operation submit(Random random) {
        String tenant = TENANTS.get(random.nextInt(TENANTS.size()));
        submitted.add(tenant + " r" + ids);
        long wait = random.nextInt(4) == 0 ? random.nextInt(200) : Operation.ANY_WAIT;
        return Submits.of(tenant, "r" + ids++, "", new long[] {1 + random.nextInt(6)}, new long[0], 0, wait, List.of());
    }

    private Operation release(Random random) {
        int id = random.nextInt(ids + 1);
        return new Operation.Release(TENANTS.get(random.nextInt(TENANTS.size())), "r" + id);
    }

    private Operation change(Random random) {
        List<Command.Kind> kinds = List.of(Command.Kind.DRAIN, Command.Kind.RETURN, Command.Kind.LOSE);
        return new Operation.Change(
                "c" + position + " " + random.nextInt(),
                "ann",
                "",
                Command.plain(kinds.get(random.nextInt(3)), 0, random.nextInt(SERVERS)));
    }

    /** All that is known, found one by one. */
    private List<Request> known(ServiceState state, Filter filter) {
        return submitted.stream()
                .map(name -> name.split(" ", -1))
                .flatMap(name -> Stream.ofNullable(state.world().find(name[0], name[1])))
                .filter(request -> filter.tenant() == null || filter.tenant().equals(request.tenant()))
                .filter(request -> filter.state() == null || filter.state() == request.state())
                .filter(request -> filter.server() == Listing.ANY || filter.server() == request.server())
                .filter(request -> filter.site() == Listing.ANY
                        || (request.server() >= 0 && (request.server() < 3 ? 0 : 1) == filter.site()))
                .toList();
    }

    private static List<String> texts(List<Request> requests) {
        return requests.stream()
                .sorted(Comparator.comparingLong(Request::number))
                .map(request ->
                        Arrays.toString(request.demand()) + request.toString().replaceAll("\\[J@\\w+", ""))
                .toList();
    }

    private static Filter someFilter(Random random) {
        return new Filter(
                random.nextBoolean() ? null : TENANTS.get(random.nextInt(TENANTS.size())),
                random.nextBoolean() ? null : Request.State.values()[random.nextInt(5)],
                random.nextInt(3) == 0 ? random.nextInt(2) : Listing.ANY,
                random.nextInt(3) == 0 ? random.nextInt(SERVERS) : Listing.ANY);
    }

    @Test
    void allPagesAreOfOnePosition() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            ServiceState state = begin(1 << 12, random);
            for (int i = 0; i < 60; i++) {
                churn(state, random);
            }
            for (int list = 0; list < 6; list++) {
                Filter filter = someFilter(random);
                List<Request> expected = known(state, filter);
                List<Request> found = new ArrayList<>();
                int size = 1 + random.nextInt(9);
                for (Place at = Place.begin(state.position()); at != null; ) {
                    Listing page = new Listing(filter, at, size);
                    while (page.inSystem(state)) {
                        churn(state, random);
                    }
                    churn(state, random);
                    page.finished();
                    assertThat(page.found()).hasSizeLessThanOrEqualTo(size);
                    found.addAll(page.found());
                    at = page.next();
                }
                assertThat(texts(found)).as("seed %s, %s", seed, filter).isEqualTo(texts(expected));
                assertThat(found)
                        .as("those in the system, then the newest")
                        .isSortedAccordingTo(Comparator.<Request, Boolean>comparing(
                                        request -> request.state().finished())
                                .thenComparing(request -> request.state().finished() ? -request.position() : 0L));
            }
        }
    }

    @Test
    void whatIsTooOldIsRefusedAndNeverTold() {
        int refused = 0;
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            // As few changes as the table keeps at least.
            ServiceState state = begin(1, random);
            for (int i = 0; i < 40; i++) {
                churn(state, random);
            }
            Filter filter = new Filter(null, null, Listing.ANY, Listing.ANY);
            List<Request> expected = known(state, filter);
            Place at = Place.begin(state.position());
            List<Request> found = new ArrayList<>();
            try {
                while (at != null) {
                    Listing page = new Listing(filter, at, 10);
                    while (page.inSystem(state)) {}
                    page.finished();
                    found.addAll(page.found());
                    at = page.next();
                    for (int i = random.nextInt(300); i > 0; i--) {
                        churn(state, random);
                    }
                }
                assertThat(texts(found)).isEqualTo(texts(expected));
            } catch (Listing.PositionException e) {
                refused++;
                assertThat(e.ahead()).isFalse();
                assertThat(e).hasMessageContaining("is forgotten");
            }
        }
        assertThat(refused).isBetween(10, 50);
        ServiceState state = begin(1024, new Random(1));
        Listing ahead = new Listing(new Filter(null, null, -1, -1), Place.begin(position + 1), 1);
        assertThatThrownBy(() -> ahead.inSystem(state))
                .isInstanceOfSatisfying(
                        Listing.PositionException.class,
                        e -> assertThat(e.ahead()).isTrue());
    }

    @Test
    void aServerOfThousandsIsListedWhole() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(2, Amounts.of(8000)))),
                List.of(RequestType.of("small", 2)));
        Random random = new Random(3);
        ServiceState state = begin(cluster, "fifo-ff", 1 << 18);
        for (int i = 0; i < 3000; i++) {
            apply(state, submit(random));
        }
        for (int server = 0; server < 2; server++) {
            Filter filter = new Filter(null, null, Listing.ANY, server);
            List<Request> expected = known(state, filter);
            List<Request> found = new ArrayList<>();
            for (Place at = Place.begin(state.position()); at != null; ) {
                Listing page = new Listing(filter, at, 400);
                while (page.inSystem(state)) {
                    for (int i = 0; i < 3; i++) {
                        churn(state, random);
                    }
                }
                page.finished();
                found.addAll(page.found());
                at = page.next();
            }
            assertThat(texts(found)).as("server %s", server).isEqualTo(texts(expected));
            assertThat(server == 1 || found.size() > 2000).isTrue();
        }
    }

    @Test
    void afterARestoreOnlyTheNewestIsKnown() throws Exception {
        Random random = new Random(5);
        ServiceState state = begin(1024, random);
        for (int i = 0; i < 80; i++) {
            churn(state, random);
        }
        ServiceState other = ServiceState.restore(state.capture(), Restless.factory());
        Filter filter = new Filter(null, null, Listing.ANY, Listing.ANY);
        assertThat(texts(all(other, filter))).isEqualTo(texts(all(state, filter)));
        Listing old = new Listing(filter, Place.begin(other.position() - 1), 1);
        assertThatThrownBy(() -> old.inSystem(other)).isInstanceOf(Listing.PositionException.class);
    }

    /** The whole list as of now. */
    static List<Request> all(ServiceState state, Filter filter) {
        List<Request> all = new ArrayList<>();
        for (Place at = Place.begin(state.position()); at != null; ) {
            Listing page = new Listing(filter, at, Integer.MAX_VALUE);
            while (page.inSystem(state)) {}
            page.finished();
            all.addAll(page.found());
            at = page.next();
        }
        return all;
    }
}
