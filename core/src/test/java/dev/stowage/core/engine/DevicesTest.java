package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.PolicyBugException;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Servers with GPUs of 1000, whole or in parts. */
class DevicesTest {
    private static final Resource GPU = Resource.inDevices("gpu_milli", 1000);

    private final Script script = new Script();

    /** Servers with these numbers of GPUs, and 100 cores each. */
    private static Cluster cluster(int... gpus) {
        ServerBlock[] blocks = Arrays.stream(gpus)
                .mapToObj(count -> new ServerBlock(1, Amounts.of(100, 1000L * count)))
                .toArray(ServerBlock[]::new);
        return new Cluster(
                List.of(Resource.of("cpu"), GPU),
                List.of(),
                List.of(Site.of("site", blocks)),
                List.of(RequestType.of("half", 1, 500), RequestType.of("two", 1, 2000)));
    }

    /** Places on server 0, or the first that fits, or rejects. */
    private static void firstFit(int job, View view, Actions actions) {
        for (int server = 0; server < view.servers(); server++) {
            if (view.fits(job, server)) {
                actions.place(job, server, "fits");
                return;
            }
        }
        actions.reject(job, "full");
    }

    private Engine start(int... gpus) {
        script.capabilities = EnumSet.allOf(Capability.class);
        script.onArrival = DevicesTest::firstFit;
        return script.start(cluster(gpus), Steps.COMMANDS);
    }

    private static void arrive(Engine engine, long id, long gpu) {
        engine.arrive(Math.max(0, engine.view().now()), NewRequest.of(id, 1, gpu));
    }

    private static List<Integer> held(Engine engine, long id) {
        int job = engine.find(id);
        return job < 0 ? List.of() : numbers(engine.view().devicesHeld(job));
    }

    private static List<Integer> numbers(long bits) {
        return IntStream.range(0, 64).filter(i -> (bits >>> i & 1) != 0).boxed().toList();
    }

    private static long[] free(Engine engine, int server, int devices) {
        return IntStream.range(0, devices)
                .mapToLong(device -> engine.view().deviceFree(server, device))
                .toArray();
    }

    /** 8 x .5 and 4 whole ones fill 8 GPUs; as sums, .6 eight times and 3 whole ones would too. */
    @Test
    void fitIsPerDevice() {
        Engine engine = start(8);
        for (int id = 0; id < 8; id++) {
            arrive(engine, id, 600);
        }
        arrive(engine, 8, 1000);
        assertThat(engine.view().free(0, 1)).isEqualTo(3200);
        assertThat(engine.rejected()).isEqualTo(1);
        arrive(engine, 9, 400);
        assertThat(held(engine, 9)).containsExactly(0);
        arrive(engine, 10, 401);
        assertThat(engine.rejected()).isEqualTo(2);
    }

    @Test
    void wholeOnesTakeTheLowestFreeNumbersAndPartsTheFullestDeviceThatHasRoom() {
        Engine engine = start(4);
        arrive(engine, 0, 300);
        arrive(engine, 1, 800);
        arrive(engine, 2, 2000);
        assertThat(held(engine, 0)).containsExactly(0);
        assertThat(held(engine, 1)).containsExactly(1);
        assertThat(held(engine, 2)).containsExactly(2, 3);
        arrive(engine, 3, 200);
        assertThat(held(engine, 3)).containsExactly(1);
        arrive(engine, 4, 100);
        assertThat(held(engine, 4)).containsExactly(0);
        engine.leave(1, 2);
        arrive(engine, 5, 0);
        assertThat(held(engine, 5)).isEmpty();
        assertThat(free(engine, 0, 5)).containsExactly(600, 0, 1000, 1000, 0);
    }

    /** Every sequence of five arrivals of .3, .5, .8, 1 or 2, or ends of the oldest, on three GPUs, beside a model. */
    @Test
    void everyShortSequenceAgreesWithAModel() {
        long[] demands = {300, 500, 800, 1000, 2000, -1};
        int length = 5;
        int count = (int) StrictMath.pow(demands.length, length);
        for (int number = 0; number < count; number++) {
            Engine engine = start(3);
            long[] free = {1000, 1000, 1000};
            List<List<Integer>> devices = new ArrayList<>();
            List<Long> ids = new ArrayList<>();
            List<Long> sizes = new ArrayList<>();
            int rest = number;
            for (int k = 0; k < length; k++) {
                long demand = demands[rest % demands.length];
                rest /= demands.length;
                if (demand < 0) {
                    if (!ids.isEmpty()) {
                        engine.leave(0, ids.remove(0));
                        long each = Math.min(1000, sizes.remove(0));
                        devices.remove(0).forEach(device -> free[device] += each);
                    }
                    continue;
                }
                arrive(engine, k, demand);
                List<Integer> expected = chosen(free, demand);
                assertThat(held(engine, k))
                        .as("sequence %d, request %d", number, k)
                        .isEqualTo(expected);
                if (!expected.isEmpty()) {
                    expected.forEach(device -> free[device] -= Math.min(1000, demand));
                    devices.add(expected);
                    ids.add((long) k);
                    sizes.add(demand);
                }
            }
            assertThat(free(engine, 0, 3)).isEqualTo(free);
        }
    }

    private static List<Integer> chosen(long[] free, long demand) {
        List<Integer> all = List.of(0, 1, 2);
        if (demand >= 1000) {
            List<Integer> whole =
                    all.stream().filter(device -> free[device] == 1000).toList();
            return whole.size() < demand / 1000 ? List.of() : whole.subList(0, (int) (demand / 1000));
        }
        List<Integer> fullest = new ArrayList<>(all);
        fullest.sort((one, other) -> Long.compare(free[one], free[other]));
        return fullest.stream()
                .filter(device -> free[device] >= demand)
                .limit(1)
                .toList();
    }

    @Test
    void aPolicyMaySayWhichDevices() {
        script.capabilities = EnumSet.allOf(Capability.class);
        script.onArrival = (job, view, actions) -> actions.place(job, 0, 0b1010, "these");
        Engine engine = script.start(cluster(4), Steps.COMMANDS);
        arrive(engine, 0, 2000);
        assertThat(held(engine, 0)).containsExactly(1, 3);
        assertThatThrownBy(() -> arrive(engine, 1, 2000))
                .isInstanceOf(PolicyBugException.class)
                .hasMessageContaining("request 1")
                .hasMessageContaining(
                        "devices 1010 (bits) of server 0 are not the number that it demands, or are not free");
    }

    @Test
    void devicesThatAreNotFreeOrNotAsManyAreABug() {
        for (long wrong : new long[] {0b11, 0b10000, 0b1}) {
            Script other = new Script();
            other.capabilities = EnumSet.allOf(Capability.class);
            other.onArrival = (job, view, actions) -> actions.place(job, 0, view.id(job) == 0 ? 1 : wrong, "these");
            Engine engine = other.start(cluster(4), Steps.COMMANDS);
            arrive(engine, 0, 600);
            assertThatThrownBy(() -> arrive(engine, 1, wrong == 0b11 ? 1000 : 500))
                    .as("devices %s", wrong)
                    .isInstanceOf(PolicyBugException.class)
                    .hasMessageContaining("are not the number that it demands, or are not free");
        }
    }

    @Test
    void wrongAmountsAreRefused() {
        Engine engine = start(2);
        script.takeEffects();
        arrive(engine, 0, 1500);
        engine.addServer(0, 0, new long[] {1, 500});
        engine.resizeServer(0, 0, new long[] {1, 65_000});
        engine.resizeServer(0, 0, new long[] {1, 2000}, 0b1);
        engine.adopt(0, NewRequest.of(1, 1, 2000), 0, 0b100);
        assertThat(script.takeEffects())
                .containsExactly(
                        "refused BAD_DEMAND 0: a demand of 1.5 GPU is neither a part of one device of 1 GPU nor"
                                + " whole devices, at most 64",
                        "refused BAD_CAPACITY 0: a capacity of 0.5 GPU is not from 0 to 64 whole devices of 1 GPU",
                        "refused BAD_CAPACITY 0: a capacity of 65 GPU is not from 0 to 64 whole devices of 1 GPU",
                        "refused BAD_CAPACITY 0: 1 device is named, which is not the capacity",
                        "refused BAD_DEMAND 1: 1 device is named, and the request demands 2");
        assertThatThrownBy(() -> cluster(65)).hasMessageContaining("from 0 to 64 whole devices of 1 GPU");
        assertThatThrownBy(() -> new Resource("gpu", true, 1000)).hasMessageContaining("only one of the two");
    }

    @Test
    void aPolicyThatDoesNotKnowDevicesIsRefused() {
        assertThatThrownBy(() -> script.start(cluster(2), Steps.COMMANDS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("policy script does not support devices, and the servers have some (GPUs);"
                        + " first-fit and best-fit support them");
        Engine engine = start(2);
        script.capabilities = EnumSet.noneOf(Capability.class);
        script.takeEffects();
        engine.setPolicy(0, PolicySpec.of("script"));
        assertThat(script.takeEffects())
                .singleElement()
                .asString()
                .startsWith("refused UNSUPPORTED -1: policy script does not support devices");
    }

    @Test
    void whatRunsAlreadyHoldsTheDevicesItNamesAndMayOverfillThem() {
        Engine engine = start(2);
        engine.adopt(0, NewRequest.of(0, 1, 600), 0, 0b10);
        engine.adopt(0, NewRequest.of(1, 1, 600), 0, 0b10);
        assertThat(free(engine, 0, 2)).containsExactly(1000, -200);
        // The sum has 800 left, so not even the free device is given away whole.
        assertThat(engine.view().room(0, 1)).isEqualTo(800);
        assertThat(engine.view().room(0, 2)).isEqualTo(800);
        arrive(engine, 2, 1000);
        assertThat(engine.rejected()).isEqualTo(1);
        arrive(engine, 3, 700);
        assertThat(held(engine, 3)).containsExactly(0);
        engine.adopt(0, NewRequest.of(4, 1, 3000), 0);
        assertThat(held(engine, 4)).containsExactly(0, 2, 3);
        assertThat(engine.view().overcommitted(0)).isTrue();
        arrive(engine, 5, 0);
        assertThat(engine.rejected()).isEqualTo(2);
    }

    @Test
    void aDeviceThatFailsIsNamedAndTheOthersGoOn() {
        Engine engine = start(4);
        arrive(engine, 0, 1000);
        arrive(engine, 1, 1000);
        engine.resizeServer(1, 0, new long[] {100, 3000}, 0b1110);
        assertThat(free(engine, 0, 4)).containsExactly(-1000, 0, 1000, 1000);
        arrive(engine, 2, 1000);
        assertThat(held(engine, 2)).containsExactly(2);
        // Three are there, and three are held: 1, 2 and the one that failed.
        arrive(engine, 3, 500);
        assertThat(engine.rejected()).isEqualTo(1);
        engine.leave(2, 0);
        arrive(engine, 4, 500);
        assertThat(held(engine, 4)).containsExactly(3);
        engine.resizeServer(3, 0, new long[] {100, 4000});
        assertThat(numbers(engine.view().devicesOf(0))).containsExactly(0, 1, 2, 3);
        engine.resizeServer(4, 0, new long[] {100, 3000});
        assertThat(numbers(engine.view().devicesOf(0))).containsExactly(1, 2, 3);
    }

    @Test
    void aMigrationGivesDevicesBackAndTakesThoseOfTheNewServer() {
        Engine engine = start(2, 1);
        arrive(engine, 0, 500);
        arrive(engine, 1, 1000);
        engine.leave(0, 0);
        script.onServerChange = (view, actions) -> actions.migrate(engine.find(1), 1, "move");
        engine.drainServer(2, 0);
        assertThat(engine.view().server(engine.find(1))).isEqualTo(1);
        assertThat(held(engine, 1)).containsExactly(0);
        assertThat(free(engine, 0, 2)).containsExactly(1000, 1000);
        assertThat(free(engine, 1, 1)).containsExactly(0);
    }

    @Test
    void membersOfAGangGetTheDevicesThatTheyWereAssumedOn() {
        Engine engine = start(2);
        List<NewRequest> members = new ArrayList<>();
        for (long gpu : new long[] {400, 500, 500, 600}) {
            members.add(NewRequest.of(members.size(), 1, gpu));
        }
        int[] seen = {0};
        script.onArrival = (job, view, actions) -> {
            if (seen[0]++ == 0) {
                int gang = view.gang(job);
                // In the order of arrival 400 and 500 would share a device, and 500 and 600 not fit the other.
                for (int k : new int[] {3, 0, 1, 2}) {
                    actions.assume(view.gangMember(gang, k), 0);
                }
                actions.placeGang(gang, "all");
            }
        };
        engine.arriveTogether(0, members);
        assertThat(free(engine, 0, 2)).containsExactly(0, 0);
        assertThat(held(engine, 0)).isEqualTo(held(engine, 3)).containsExactly(0);
    }

    @Test
    void theyAreSavedAndRestored() {
        Engine engine = start(4, 2);
        arrive(engine, 0, 300);
        arrive(engine, 1, 2000);
        engine.resizeServer(1, 0, new long[] {100, 3000}, 0b1011);
        Engine copy = Engine.restore(engine.save(), script, Effects.NONE);
        assertThat(copy.save()).isEqualTo(engine.save());
        assertThat(free(copy, 0, 4)).containsExactly(free(engine, 0, 4));
        assertThat(held(copy, 1)).isEqualTo(held(engine, 1));
        copy.arrive(2, NewRequest.of(2, 1, 700));
        engine.arrive(2, NewRequest.of(2, 1, 700));
        assertThat(copy.digest()).isEqualTo(engine.digest());
        assertThat(held(copy, 2)).containsExactly(0);
    }

    @Test
    void theDigestKnowsWhichDevices() {
        long[] digests = new long[2];
        for (int k = 0; k < 2; k++) {
            Script one = new Script();
            one.capabilities = EnumSet.allOf(Capability.class);
            long devices = 1L << k;
            one.onArrival = (job, view, actions) -> actions.place(job, 0, devices, "these");
            Engine engine = one.start(cluster(2), Steps.COMMANDS);
            arrive(engine, 0, 500);
            digests[k] = engine.digest();
        }
        assertThat(digests[0]).isNotEqualTo(digests[1]);
    }

    @Test
    void commandsNameAtMost64() {
        assertThatThrownBy(() -> Command.parse("resize at=1 server=0 capacity=1 devices=64"))
                .hasMessageContaining("device 64");
    }
}
