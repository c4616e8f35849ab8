package dev.stowage.study.size;

import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
        PeakBound bound = PeakBound.ofAmounts(experiment, question, fleet, requests, Packing.ANEW);
        PeakBound.Rule rule = bound.rule();
        return rule == null || bound.level() == 0
                ? null
                : new Certifier(experiment, fleet, requests, rule).certify(bound, question);
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

    private BoundCertificate certify(PeakBound bound, SizeQuestion question) {
        RunNeed run = bound.run();
        if (run != null) {
            return together(run.evidence(), run.arithmetic(), ServerFleet.Loss.NONE, run.perReward(), run.pays());
        }
        ServerFleet.Loss loss = bound.resource().equals(PeakBound.OVER_TIME)
                ? ServerFleet.Loss.NONE
                : PeakBound.loss(question, fleet, delay);
        Evidence best = null;
        BoundCertificate.Arithmetic most = null;
        for (Evidence each : evidence(bound)) {
            BoundCertificate.Arithmetic arithmetic = arithmetic(each);
            if (most == null || arithmetic.level(fleet, loss) > most.level(fleet, loss)) {
                best = each;
                most = arithmetic;
            }
        }
        if (best == null || most == null) {
            throw new IllegalStateException("no evidence of " + bound);
        }
        return together(best, most, loss, 0, List.of());
    }

    private BoundCertificate together(
            Evidence evidence,
            BoundCertificate.Arithmetic arithmetic,
            ServerFleet.Loss loss,
            long perReward,
            List<BoundCertificate.Pay> pays) {
        long servers = fleet.servers(arithmetic.level(fleet, loss));
        String says = says("can do with fewer than " + servers + " servers");
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
                loss.servers(),
                loss.site(),
                perReward,
                pays,
                evidence,
                arithmetic,
                servers,
                0);
    }

    private BoundCertificate certify(Evidence evidence, @Nullable RunNeed run, double[] price, double atLeast) {
        BoundCertificate.Arithmetic arithmetic = run == null ? arithmetic(evidence) : run.arithmetic();
        return new BoundCertificate(
                FORMAT,
                says(String.format(Locale.ROOT, "can do it for less than %.6f", atLeast)),
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
                false,
                run == null ? 0 : run.perReward(),
                run == null ? List.of() : run.pays(),
                evidence,
                arithmetic,
                0,
                atLeast);
    }

    private String says(String what) {
        return "no policy" + (rule.its().waitsForEver() ? " that decides at once " : " ") + what
                + (experiment.workload().isConstrained()
                        ? ", by amounts alone, without spread or who may run where"
                        : "");
    }

    /** What may be what the bound was found by. */
    private List<Evidence> evidence(PeakBound bound) {
        long end = PeakBound.end(experiment, requests);
        Supplier<Sweep> sweeps = () -> new Sweep(requests, delay, rule.types(), fits, end);
        if (bound.resource().equals(PeakBound.OVER_TIME)) {
            return List.of(PeakBound.overTime(
                            fleet, requests, rule, sweeps, PeakBound.present(requests, rule.types(), fits, delay), end)
                    .orElseThrow());
        }
        if (bound.resource().equals(PeakBound.PACKING)) {
            return Packing.peaks(sweeps).stream()
                    .filter(at -> at.nanos() == bound.atNanos())
                    .map(at -> Packing.ANEW.evidence(requests, at, fleet, rule.allowed()))
                    .toList();
        }
        int resource = names().indexOf(bound.resource());
        return List.of(Evidence.amount(bound.atNanos(), resource, resources));
    }

    private BoundCertificate.Arithmetic arithmetic(Evidence evidence) {
        return new Worths(requests, PeakBound.present(requests, rule.types(), fits, delay), rule.allowed())
                .arithmetic(evidence, fleet);
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
                .filter(b -> fleet.listedOf(b) > 0 || blocks.get(b).count() > 0)
                .mapToObj(b -> new BoundCertificate.Kind(
                        Arrays.stream(blocks.get(b).capacity().toArray())
                                .boxed()
                                .toList(),
                        fleet.site(b),
                        fleet.listedOf(b),
                        fleet.listedOf(b) > 0 ? 0 : blocks.get(b).count(),
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
