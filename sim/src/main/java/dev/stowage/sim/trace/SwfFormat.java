package dev.stowage.sim.trace;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.sim.workload.RequestTraits;
import java.util.List;

/** Standard Workload Format of the Parallel Workloads Archive, version 2.2. A field of -1 means not known. */
final class SwfFormat extends TraceFormat {
    private static final long MILLI = 1000;
    private static final long KIB_PER_MIB = 1024;
    private static final String UNKNOWN = "-1";
    private static final int FIELDS = 18;

    SwfFormat() {
        super(
                "swf",
                "Standard Workload Format (.swf)",
                "Parallel Workloads Archive, https://www.cs.huji.ac.il/labs/parallel/workload/swf.html; cite"
                        + " Chapin et al., JSSPP 1999, and Feitelson, Tsafrir, Krakov, JPDC 2014, and the log's own"
                        + " paper",
                List.of(
                        required("job number", "id"),
                        required("submit time", "arrival, s"),
                        required("wait time", "s; not used"),
                        required("run time", "duration, s; -1 = did not run: not counted"),
                        required("allocated processors", "in place of processors requested, where those are -1"),
                        required("average CPU time used", "not used"),
                        required("used memory", "KiB per processor; only with memory=used"),
                        required(
                                "requested processors",
                                "number of equal members of 1000 cpu_milli, placed at once, which may share a server;"
                                        + " 0 or not known = bad"),
                        required("requested time", "not used"),
                        required("requested memory", "KiB per processor; only with memory=requested"),
                        required(
                                "status",
                                "2, 3, 4 (parts of a job that another line gives as a whole) are not counted"),
                        required("user", "not used"),
                        required("group", "not used"),
                        required("executable", "not used"),
                        required("queue", "not used"),
                        required("partition", "not used"),
                        required("preceding job", "not used"),
                        required("think time", "not used")),
                new FormatSetting(
                        "memory",
                        "none",
                        "none: processors only; requested or used: mem_mib of each member = KiB per processor / 1024,"
                                + " rounded up; a job where it is not known is bad"));
    }

    @Override
    public String recognisedBy() {
        return "file name .swf or .swf.gz, or text that begins with ';', or a first line of 18 numbers separated by"
                + " blanks";
    }

    @Override
    boolean recognises(FileHead head) {
        if (head.kind() != FileHead.Kind.TEXT || head.lines().isEmpty()) {
            return false;
        }
        String first = head.lines().get(0).strip();
        return head.name().endsWith(".swf")
                || head.name().endsWith(".swf.gz")
                || first.startsWith(";")
                || first.matches("-?[0-9.]+([ \\t]+-?[0-9.]+){" + (FIELDS - 1) + "}");
    }

    @Override
    boolean hasHeader() {
        return false;
    }

    @Override
    Rows open(Source source, Settings chosen) {
        if (source.kind() != FileHead.Kind.TEXT) {
            throw TraceException.of(source.files().get(0), "format '" + key() + "' is text");
        }
        return new SwfRows(source.files());
    }

    @Override
    Mapper mapper(Reading reading) {
        String memory = reading.settings().oneOf("memory", List.of("none", "requested", "used"));
        int job = reading.column("job number");
        int submit = reading.column("submit time");
        int run = reading.column("run time");
        int allocated = reading.column("allocated processors");
        int requested = reading.column("requested processors");
        int status = reading.column("status");
        int memoryColumn = memory.equals("none") ? -1 : reading.column(memory + " memory");
        List<String> resources = memoryColumn < 0 ? List.of("cpu_milli") : List.of("cpu_milli", "mem_mib");
        long[] demand = new long[resources.size()];
        return new SimpleMapper(resources) {
            @Override
            public void map(Fields row) {
                if (row.text(status).matches("[234]")) {
                    row.setAside("part of a job that another line gives as a whole (status 2, 3, 4)");
                    return;
                }
                if (row.text(run).equals(UNKNOWN)) {
                    row.setAside("job did not run (run time -1)");
                    return;
                }
                int processors = row.text(requested).equals(UNKNOWN) ? allocated : requested;
                long members = row.text(processors).equals(UNKNOWN) ? 0 : row.whole(processors);
                if (members < 1 || members > RequestTraits.MOST_MEMBERS) {
                    throw row.bad(processors, "is not a number of processors", "1 to " + RequestTraits.MOST_MEMBERS);
                }
                demand[0] = MILLI;
                if (memoryColumn >= 0) {
                    demand[1] = row.demand(memoryColumn, row.text(memoryColumn), 1, KIB_PER_MIB);
                }
                RequestTraits its = members == 1 ? RequestTraits.NONE : new RequestTraits(0, (int) members, false);
                requests()
                        .add(
                                row.seconds(submit),
                                row.seconds(run),
                                demand,
                                Trace.NO_BATCH,
                                null,
                                row.text(job),
                                ConstraintWords.NONE,
                                its);
            }
        };
    }
}
