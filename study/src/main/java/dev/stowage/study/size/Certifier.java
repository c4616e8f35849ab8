package dev.stowage.study.size;

import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes down what a bound follows from, and works it out anew in whole numbers. */
final class Certifier {
    private static final String FORMAT = "stowage certificate 1";

    private final Experiment experiment;
    private final ServerFleet fleet;
    private final RequestList requests;
    private final boolean[] fits;
    private final PeakBound.Rule rule;
    private final long delay;
    private final int resources;

    private Certifier(Experiment experiment, ServerFleet fleet, RequestList requests, PeakBound.Rule rule) {
        this.experiment = experiment;
        this.fleet = fleet;
        this.requests = requests;
        this.rule = rule;
        fits = Sweep.fitting(requests, fleet);
        delay = rule.delay(experiment);
        resources = experiment.cluster().resources().size();
    }

    /** Of the least number of servers; null where none is known. */
    static @Nullable BoundCertificate of(Experiment experiment, SizeQuestion question, ServerFleet fleet, long seed) {
        RequestList requests = RequestList.of(experiment, seed);
        PeakBound bound = PeakBound.of(experiment, question, fleet, requests);
        PeakBound.Rule rule = bound.rule();
        return rule == null || bound.level() == 0
                ? null
                : new Certifier(experiment, fleet, requests, rule).certify(bound, question.spareServers());
    }

    /** Of the least cost; null where none is known. */
    static @Nullable BoundCertificate of(
            Experiment experiment, ServerFleet fleet, double[] price, PricedBound bound, long seed) {
        PeakBound.Rule rule = bound.rule();
        Evidence evidence = bound.evidence();
        return rule == null || evidence == null
                ? null
                : new Certifier(experiment, fleet, RequestList.of(experiment, seed), rule)
                        .certify(evidence, bound.run(), price, bound.least().atLeast());
    }

    private BoundCertificate certify(PeakBound bound, int spareServers) {
        RunNeed run = bound.run();
        if (run != null) {
            return together(run.evidence(), run.arithmetic(), 0, run.perReward(), run.pays());
        }
        long spare =
                delay == 0 && fleet.isOneKind() && !bound.resource().equals(PeakBound.OVER_TIME) ? spareServers : 0;
        Evidence best = null;
        BoundCertificate.Arithmetic most = null;
        for (Evidence each : evidence(bound)) {
            BoundCertificate.Arithmetic arithmetic = arithmetic(each, together(each), fixed(each));
            if (most == null || arithmetic.level().compareTo(most.level()) > 0) {
                best = each;
                most = arithmetic;
            }
        }
        if (best == null || most == null) {
            throw new IllegalStateException("no evidence of " + bound);
        }
        return together(best, most, spare, 0, List.of());
    }

    private BoundCertificate together(
            Evidence evidence,
            BoundCertificate.Arithmetic arithmetic,
            long spare,
            long perReward,
            List<BoundCertificate.Pay> pays) {
        long servers = fleet.servers(arithmetic.level().longValueExact() + spare);
        String says = String.format(
                Locale.ROOT,
                "no policy%s does with fewer than %d servers",
                rule.its().waitsForEver() ? " that decides at once" : "",
                servers);
        double[] one = new double[fleet.blocks().size()];
        return new BoundCertificate(
                FORMAT,
                says,
                requirement(),
                names(),
                true,
                kinds(one),
                run(),
                requests.count(rule.types()),
                PeakBound.fitNone(requests, fits, rule.types()),
                rule.allowed(),
                delay,
                spare,
                perReward,
                pays,
                evidence,
                arithmetic,
                servers,
                0);
    }

    private BoundCertificate certify(Evidence evidence, @Nullable RunNeed run, double[] price, double atLeast) {
        List<long[]> kinds = Arrays.asList(fleet.kinds());
        List<BigInteger> each = kinds.stream()
                .map(kind -> worth(evidence, kind, kinds.indexOf(kind)))
                .toList();
        BoundCertificate.Arithmetic arithmetic =
                run == null ? arithmetic(evidence, each, BigInteger.ZERO) : run.arithmetic();
        return new BoundCertificate(
                FORMAT,
                String.format(
                        Locale.ROOT,
                        "no policy%s does for less than %.6f",
                        rule.its().waitsForEver() ? " that decides at once" : "",
                        atLeast),
                requirement(),
                names(),
                false,
                kinds(price),
                run(),
                requests.count(rule.types()),
                PeakBound.fitNone(requests, fits, rule.types()),
                rule.allowed(),
                delay,
                0,
                run == null ? 0 : run.perReward(),
                run == null ? List.of() : run.pays(),
                evidence,
                arithmetic,
                0,
                atLeast);
    }

    /** What may be what the bound was found by. */
    private List<Evidence> evidence(PeakBound bound) {
        long end = PeakBound.end(experiment, requests);
        Supplier<Sweep> sweeps = () -> new Sweep(requests, delay, rule.types(), fits, end);
        if (bound.resource().equals(PeakBound.OVER_TIME)) {
            double[][] size = new double[1][resources];
            Arrays.setAll(size[0], fleet::perLevel);
            return List.of(Evidence.amounts(
                    PeakBound.overTime(
                            fleet, requests, rule, sweeps, PeakBound.present(requests, rule.types(), fits, delay), end),
                    size));
        }
        if (bound.resource().equals(PeakBound.PACKING)) {
            return Packing.peaks(sweeps).stream()
                    .filter(at -> at.nanos() == bound.atNanos())
                    .map(at -> (Evidence) Evidence.packing(
                            at.nanos(), Packing.least(requests, at, fleet.kinds(), new double[] {1}, rule.allowed())))
                    .toList();
        }
        int resource = names().indexOf(bound.resource());
        return List.of(Evidence.amount(bound.atNanos(), resource, resources));
    }

    private BoundCertificate.Arithmetic arithmetic(Evidence evidence, List<BigInteger> each, BigInteger stay) {
        long[] moments =
                evidence.momentsNanos().stream().mapToLong(Long::longValue).toArray();
        IntToLongFunction present = PeakBound.present(requests, rule.types(), fits, delay);
        Worth worth = new Worth(evidence);
        long[] worths = IntStream.range(0, requests.size())
                .mapToLong(i -> {
                    long from = present.applyAsLong(i);
                    return from == Long.MAX_VALUE
                            ? 0
                            : worth.of(requests.kind()[i], first(moments, from), first(moments, requests.until()[i]));
                })
                .filter(value -> value > 0)
                .sorted()
                .toArray();
        int left = (int) Math.min(rule.allowed(), worths.length);
        return new BoundCertificate.Arithmetic(sum(worths, 0), sum(worths, worths.length - left), stay, each);
    }

    /** What requests of a kind are worth from one moment until before another. */
    private final class Worth {
        private final Evidence evidence;
        /** Of amounts: by moment and resource, the sum of the prices before it. */
        private final long[][] before;

        Worth(Evidence evidence) {
            this.evidence = evidence;
            before = new long[evidence.momentsNanos().size() + 1][resources];
            if (evidence instanceof Evidence.UnitPrices amounts) {
                for (int m = 0; m + 1 < before.length; m++) {
                    for (int r = 0; r < resources; r++) {
                        before[m + 1][r] =
                                before[m][r] + amounts.prices().get(m).get(r);
                    }
                }
            }
        }

        long of(int kind, int first, int until) {
            if (first >= until) {
                return 0;
            }
            long[] demand = requests.demands()[kind];
            if (evidence instanceof Evidence.Packed packed) {
                return packed.weight(demand);
            }
            long worth = 0;
            for (int r = 0; r < resources; r++) {
                worth = Math.addExact(worth, Math.multiplyExact(before[until][r] - before[first][r], demand[r]));
            }
            return worth;
        }
    }

    /** Of the first moment at or after a time. */
    private static int first(long[] moments, long nanos) {
        int found = Arrays.binarySearch(moments, nanos);
        return found >= 0 ? found : -found - 1;
    }

    private static BigInteger sum(long[] values, int from) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = from; i < values.length; i++) {
            sum = sum.add(BigInteger.valueOf(values[i]));
        }
        return sum;
    }

    private List<BigInteger> together(Evidence evidence) {
        if (evidence instanceof Evidence.UnitPrices amounts) {
            return List.of(amounts.worth(fleet::perLevel));
        }
        return List.of(worth(evidence, fleet.kinds()[0], 0));
    }

    private BigInteger fixed(Evidence evidence) {
        return evidence instanceof Evidence.UnitPrices amounts ? amounts.worth(fleet::fixed) : BigInteger.ZERO;
    }

    /** What a server of a kind can hold. */
    private BigInteger worth(Evidence evidence, long[] capacity, int kind) {
        if (evidence instanceof Evidence.Packed packed) {
            return BigInteger.valueOf(packed.heaviest().get(kind));
        }
        return ((Evidence.UnitPrices) evidence).worth(r -> capacity[r]);
    }

    private List<String> names() {
        return experiment.cluster().resources().stream().map(Resource::name).toList();
    }

    private BoundCertificate.Required requirement() {
        SizeRequirement its = rule.its();
        return new BoundCertificate.Required(
                its.kind().name().toLowerCase(Locale.ROOT),
                rule.types().name(),
                shape(),
                its.partPerMillion(),
                its.waitsForEver() ? null : its.withinNanos(),
                its.limit());
    }

    private List<Long> shape() {
        int[] kinds = IntStream.range(0, requests.size())
                .filter(i -> !rule.types().name().isEmpty() && rule.types().has(requests.type()[i]))
                .map(i -> requests.kind()[i])
                .distinct()
                .limit(2)
                .toArray();
        return kinds.length == 1
                ? Arrays.stream(requests.demands()[kinds[0]]).boxed().toList()
                : List.of();
    }

    private List<BoundCertificate.Kind> kinds(double[] price) {
        List<ServerBlock> blocks = fleet.blocks();
        return IntStream.range(0, blocks.size())
                .filter(b -> fleet.ratio(b) > 0 || blocks.get(b).count() > 0)
                .mapToObj(b -> new BoundCertificate.Kind(
                        Arrays.stream(blocks.get(b).capacity().toArray())
                                .boxed()
                                .toList(),
                        fleet.ratio(b),
                        fleet.ratio(b) > 0 ? 0 : blocks.get(b).count(),
                        price[b]))
                .toList();
    }

    private BoundCertificate.Run run() {
        long end = experiment.end().atNanos();
        long most = experiment.end().requests();
        return new BoundCertificate.Run(
                end == Long.MAX_VALUE ? null : end, most == Long.MAX_VALUE ? null : most, experiment.slotNanos());
    }
}
