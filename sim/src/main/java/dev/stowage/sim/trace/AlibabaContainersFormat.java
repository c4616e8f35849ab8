package dev.stowage.sim.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code container_meta} of Alibaba's trace of 2018, as published: events of long-running containers. A container is
 * one request: it arrives with its first event and ends with its first event {@code stopped}, if it has one.
 */
final class AlibabaContainersFormat extends TraceFormat {
    private static final long MILLI_PER_HUNDREDTH = 10;
    private static final long PPM_PER_PERCENT = 10_000;

    AlibabaContainersFormat() {
        super(
                "alibaba2018-containers",
                "Alibaba cluster 2018, container_meta as published",
                "alibaba/clusterdata cluster-trace-v2018, container_meta.csv;"
                        + " cite Guo et al., Who limits the resource efficiency of my datacenter, IWQoS 2019",
                List.of(
                        required("container_id", "name of the container"),
                        required("machine_id", "its machine; not used"),
                        required("time_stamp", "time of the event, s"),
                        required("app_du", "deploy unit; batches are numbered by first appearance"),
                        required("status", "stopped ends a container; not used otherwise"),
                        required("cpu_request", "100 = 1 core; cpu_milli = 10 x"),
                        required("cpu_limit", "not used"),
                        required("mem_size", "percent of the largest machine; mem_ppm = 10^4 x, rounded up")));
    }

    @Override
    public String recognisedBy() {
        return "no header, 8 fields, the first begins with c_, the second with m_";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.rowsLook(names(), f -> f[0].startsWith("c_") && f[1].startsWith("m_"));
    }

    @Override
    boolean hasHeader() {
        return false;
    }

    @Override
    Mapper mapper(Reading reading) {
        return new EventMapper(reading);
    }

    private static final class Container {
        private final long arrival;
        private final long cpu;
        private final long memory;
        private final int batch;
        private long end = Trace.UNKNOWN;

        Container(long arrival, long cpu, long memory, int batch) {
            this.arrival = arrival;
            this.cpu = cpu;
            this.memory = memory;
            this.batch = batch;
        }

        long duration() {
            return end == Trace.UNKNOWN ? Trace.UNKNOWN : end - arrival;
        }
    }

    private static final class EventMapper extends SimpleMapper {
        private final Map<String, Integer> numbers = new HashMap<>();
        private final List<String> names = new ArrayList<>();
        private final List<Container> containers = new ArrayList<>();
        private final Map<String, Integer> units = new HashMap<>();
        private final int id;
        private final int time;
        private final int unit;
        private final int status;
        private final int cpu;
        private final int memory;

        EventMapper(Reading reading) {
            super(List.of("cpu_milli", "mem_ppm"));
            id = reading.column("container_id");
            time = reading.column("time_stamp");
            unit = reading.column("app_du");
            status = reading.column("status");
            cpu = reading.column("cpu_request");
            memory = reading.column("mem_size");
        }

        @Override
        public void map(Fields row) {
            long at = row.seconds(time);
            boolean stopped = row.text(status).equals("stopped");
            Integer known = numbers.get(row.text(id));
            if (known == null) {
                if (stopped) {
                    row.setAside("first event of a container that is already stopped");
                    return;
                }
                add(row, at);
                return;
            }
            Container container = containers.get(known);
            if (stopped && container.end == Trace.UNKNOWN) {
                row.span(container.arrival, at, time);
                container.end = at;
            } else {
                row.setAside("further event of a container already counted");
            }
        }

        private void add(Fields row, long at) {
            long milli = row.demand(cpu, MILLI_PER_HUNDREDTH);
            long ppm = row.demand(memory, PPM_PER_PERCENT);
            numbers.put(row.text(id), containers.size());
            names.add(row.text(id));
            containers.add(new Container(at, milli, ppm, units.computeIfAbsent(row.text(unit), text -> units.size())));
        }

        @Override
        public void finish() {
            for (int i = 0; i < containers.size(); i++) {
                Container c = containers.get(i);
                requests().add(c.arrival, c.duration(), new long[] {c.cpu, c.memory}, c.batch, null, names.get(i));
            }
        }
    }
}
